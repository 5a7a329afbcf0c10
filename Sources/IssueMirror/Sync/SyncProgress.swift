/// How far a sync is.
public struct SyncProgress: Sendable, Hashable {
  /// What a sync is at.
  public enum Phase: Sendable, Hashable {
    /// It asks which repository it is, and whether anything changed.
    case lookingUp
    /// It fetches issues and pull requests.
    case items
    /// It fetches comments.
    case comments
    /// It goes through all numbers, for what was deleted or transferred.
    case verifying
    /// It asks what became of this number, which the server doesn't list any more.
    case checking(Int)
  }

  /// What it is at.
  public var phase: Phase
  /// How many items or comments of this phase have come, before the sync was cut off too: those that came
  /// twice count twice. Of the numbers that are asked for, how many were answered.
  public var stored: Int
  /// About how many there will be; nil where that isn't known.
  public var total: Int?
  /// How many issues and pull requests the sync has brought so far that weren't in the mirror before.
  public var newItems = 0
  /// How many comments it has brought so far that weren't in the mirror before.
  public var newComments = 0

  /// Makes a description of how far a sync is.
  public init(phase: Phase, stored: Int = 0, total: Int? = nil) {
    self.phase = phase
    self.stored = stored
    self.total = total
  }

  /// How much of this phase is done, 0 to 1; nil where that isn't known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(Double(stored) / Double(total), 1)
  }
}

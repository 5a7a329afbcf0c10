/// What a sync did.
public struct SyncReport: Sendable, Hashable {
  /// What became of rows of the mirror.
  public struct Counts: Sendable, Hashable {
    /// How many weren't there before.
    public var inserted = 0
    /// How many have changed.
    public var updated = 0
    /// How many came and were here already, as they are.
    public var unchanged = 0
    /// How many the server doesn't have any more.
    public var removed = 0

    /// Makes a count of nothing.
    public init() {}

    /// Whether nothing was written.
    public var isEmpty: Bool { inserted + updated + removed == 0 }

    /// Adds what became of other rows.
    static func += (sum: inout Counts, counts: Counts) {
      sum.inserted += counts.inserted
      sum.updated += counts.updated
      sum.unchanged += counts.unchanged
      sum.removed += counts.removed
    }
  }

  /// The repository, as it is kept now.
  public var repository: MirroredRepository
  /// What became of issues and pull requests.
  public var items = Counts()
  /// What became of comments.
  public var comments = Counts()
  /// How many requests were sent, redirects and those that were sent again included.
  public var requests = 0
  /// Whether deleted and transferred issues were looked for.
  public var isVerified = false

  /// Whether there are numbers that are neither kept nor known to be gone: the next sync asks for more of them.
  public var hasUnexplainedNumbers = false

  /// Whether the search index held other texts than the issues and comments, and was made anew.
  public var isIndexRebuilt = false

  /// Makes a report of nothing done.
  public init(repository: MirroredRepository) {
    self.repository = repository
  }

  /// What became of the rows of a change feed.
  subscript(feed: ChangeFeed) -> Counts {
    get { feed == .items ? items : comments }
    set { if feed == .items { items = newValue } else { comments = newValue } }
  }

  /// How many issues and pull requests are in the mirror that weren't before.
  public var inserted: Int { items.inserted }
  /// How many issues and pull requests of the mirror have changed.
  public var updated: Int { items.updated }
  /// How many issues and pull requests came and were in the mirror already.
  public var unchanged: Int { items.unchanged }
  /// How many issues and pull requests are tombstones now.
  public var removed: Int { items.removed }
  /// Whether the mirror was up to date.
  public var isUnchanged: Bool { items.isEmpty && comments.isEmpty }
}

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
  /// How many items or comments of this phase have come, those before a break included; an entry that came twice
  /// counts twice. While numbers are checked, how many were answered.
  public var stored: Int
  /// About how many there will be; nil where that isn't known.
  public var total: Int?
  /// How many issues and pull requests so far are new to the mirror.
  public var newItems = 0
  /// How many comments so far are new to the mirror.
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

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is kept of an issue that its repository doesn't have any more.
public struct Tombstone: Sendable, Hashable {
  /// What became of it.
  public enum Fate: Sendable, Hashable {
    /// It was deleted (404 or 410).
    case deleted
    /// It was transferred, to the issue of this address (301): `owner/name#12`.
    case transferred(to: String)
  }

  /// The number that it had.
  public var number: Int
  /// Its last known title.
  public var title: String
  /// What became of it.
  public var fate: Fate
  /// When that was found out, by this machine's clock.
  public var foundAt: Date

  /// Makes a tombstone.
  public init(number: Int, title: String, fate: Fate, foundAt: Date) {
    self.number = number
    self.title = title
    self.fate = fate
    self.foundAt = foundAt
  }
}

internal import GitHubAPI

/// The name of a repository that may be the one that somebody is typing.
public struct RepositoryCandidate: Hashable, Sendable {
  /// Where a name is known from. What comes first is likelier to be meant.
  public enum Source: Int, Hashable, Sendable, Comparable {
    /// The user looked at it not long ago.
    case recent
    /// The user has it, or takes part in it.
    case own
    /// GitHub's search finds it.
    case search

    /// Whether a source is likelier than another.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  /// The name as it is typed: `OWNER/REPO`, or with the host in front.
  public let name: String
  /// Where it is known from.
  public let source: Source

  /// Creates a candidate.
  public init(name: String, source: Source) {
    self.name = name
    self.source = source
  }
}

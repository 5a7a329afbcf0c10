/// The kinds of a search for issues
/// (<https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests>).
public enum IssueSearchKind: String, Sendable, Hashable, CaseIterable, Codable {
  /// By words: an issue has all of them.
  case lexical
  /// By meaning: an issue is about the same, possibly in other words.
  case semantic
  /// By words and by meaning.
  case hybrid
}

/// The search for issues that a server has carried out, in its own words. It may differ from the requested one.
public struct IssueSearchOutcome: Sendable, Hashable {
  /// The kind of the search.
  public var kind: IssueSearchKind
  /// The reasons that the search is lexical although another kind was requested, such as `quoted_text` or
  /// `no_text_terms`.
  public var fallbackReasons: [String]

  /// Creates an outcome.
  public init(_ kind: IssueSearchKind, fallbackReasons: [String] = []) {
    self.kind = kind
    self.fallbackReasons = fallbackReasons
  }
}

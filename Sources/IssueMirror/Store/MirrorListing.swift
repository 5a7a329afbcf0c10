package import GitHubAPI

/// A list of a mirrored repository's issues at one moment, whose rows are read when they are needed.
///
/// It holds numbers only. A very long list takes little memory, and shows each issue once, whatever is synced meanwhile.
package struct MirrorListing: Sendable, Hashable {
  /// What is listed.
  package enum Selection: Sendable, Hashable {
    /// What a filter lists, in its order; no pull requests.
    case filter(IssueFilter)
    /// What a search finds, in its order.
    case search(SearchQuery)
  }

  /// Whose issues they are.
  package let repository: MirroredRepository
  /// The numbers of the issues, in order.
  package let numbers: [Int]
  /// Whether it is complete: a search by relevance with very many matches compares the newest only.
  package let isExhaustive: Bool

  /// Makes a list.
  package init(repository: MirroredRepository, numbers: [Int], isExhaustive: Bool = true) {
    self.repository = repository
    self.numbers = numbers
    self.isExhaustive = isExhaustive
  }
}

/// Which issues of a repository are read, and in which order.
package struct MirrorList: Sendable, Hashable {
  /// Whose issues they are.
  package var repository: MirroredRepository
  /// Which of them, and in which order.
  package var filter: IssueFilter
  /// How many at most; nil: all.
  package var limit: Int?
  /// Whether pull requests are among them.
  package var includesPullRequests: Bool

  /// Makes a list.
  package init(
    repository: MirroredRepository, filter: IssueFilter, limit: Int? = nil,
    includesPullRequests: Bool
  ) {
    self.repository = repository
    self.filter = filter
    self.limit = limit
    self.includesPullRequests = includesPullRequests
  }
}

package import GitHubAPI

/// A list of a repository's issues at one moment, whose rows are read when they are needed.
///
/// It holds only numbers. So a very long list takes little memory, and contains each issue once whatever is synced
/// meanwhile.
package struct MirrorListing: Sendable, Hashable {
  package enum Selection: Sendable, Hashable {
    /// The issues of a filter, in its order, without pull requests.
    case filter(IssueFilter)
    /// The hits of a search, in its order.
    case search(SearchQuery)
  }

  package let repository: MirroredRepository
  package let numbers: [Int]
  /// Whether it is complete. A search by relevance with very many matches ranks only the newest.
  package let isExhaustive: Bool

  package init(repository: MirroredRepository, numbers: [Int], isExhaustive: Bool = true) {
    self.repository = repository
    self.numbers = numbers
    self.isExhaustive = isExhaustive
  }
}

/// The issues to read, and their order.
package struct MirrorList: Sendable, Hashable {
  package var repository: MirroredRepository
  package var filter: IssueFilter
  /// The most issues to read; nil for all.
  package var limit: Int?
  package var includesPullRequests: Bool

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

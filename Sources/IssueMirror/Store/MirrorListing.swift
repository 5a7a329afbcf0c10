package import GitHubAPI

/// A list of a repository's issues at one moment. It holds only numbers: a very long list takes little memory, and
/// contains each issue once, even if a sync runs meanwhile.
package struct MirrorListing: Sendable, Hashable {
  package enum Selection: Sendable, Hashable {
    /// In the filter's order, without pull requests.
    case filter(IssueFilter)
    case search(SearchQuery)
  }

  package let repository: MirroredRepository
  package let numbers: [Int]
  /// A search by relevance with very many matches ranks only the newest.
  package let isExhaustive: Bool

  package init(repository: MirroredRepository, numbers: [Int], isExhaustive: Bool = true) {
    self.repository = repository
    self.numbers = numbers
    self.isExhaustive = isExhaustive
  }
}

package struct MirrorList: Sendable, Hashable {
  package var repository: MirroredRepository
  package var filter: IssueFilter
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

package import GitHubAPI

/// A list of a repository's issues at one moment. It stores only numbers, so even a very long list takes little memory.
/// It contains each issue once, even if a sync runs at the same time.
package struct MirrorListing: Sendable, Hashable {
  package enum Selection: Sendable, Hashable {
    /// The matches of a filter in its order, without pull requests.
    case filter(IssueFilter)
    case search(SearchQuery)
  }

  package let repository: MirroredRepository
  package let numbers: [Int]
  /// False if a search by relevance had so many matches that only the newest were ranked.
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

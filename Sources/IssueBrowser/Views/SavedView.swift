package import IssueTracker

/// A list of issues that the user has named.
package struct SavedView: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// The current repository.
    case here
    /// Repositories of one host.
    case repositories([RepositoryReference])
    /// All repositories that the user can see on the server.
    case everywhere
  }

  package let name: String
  /// The query in the syntax of GitHub's search.
  package let query: String
  /// The order, such as `updated-desc`; nil for the default order.
  package let sort: String?
  package let place: Place
  package let limit: Int?

  package init(
    name: String, query: String, sort: String? = nil, place: Place = .here, limit: Int? = nil
  ) {
    self.name = name
    self.query = query
    self.sort = sort
    self.place = place
    self.limit = limit
  }

  /// The query, including its order.
  package var text: String {
    [query, sort.map { "sort:\($0)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
  /// The scope in words, such as ` in apple/swift`; empty for the current repository.
  package var placeWords: String {
    switch place {
    case .here: ""
    case .everywhere: " in all repositories"
    case .repositories(let list): " in \(list.map(\.description).joined(separator: ", "))"
    }
  }
}

internal import GitHubAPI
package import IssueTracker

/// Logins of people to whom issues can be assigned, or may be assignable.
package struct AssignablePeople: Sendable, Hashable {
  package var logins: [String] = []
  /// Whether the list includes everyone who can be assigned.
  package var isComplete = false
  /// The reason that the list isn't the server's, in one line.
  package var problem: String?

  private static let maximumPages = 10

  package init(logins: [String] = []) { self.logins = logins }

  /// Loads the server's list, or the beginning of a very long one.
  package mutating func load(
    of repository: RepositoryName, from provider: Provider<GitHub>
  ) async throws(NetworkError) {
    let pages = PagedListing<GitHub.User>(
      provider: provider,
      first: .assignees(repositoryFullName: "\(repository)", pageSize: 100),
      maximumPages: Self.maximumPages)
    for try await page in pages {
      logins += page.items.map(\.login)
      isComplete = !page.hasNext
    }
  }
}

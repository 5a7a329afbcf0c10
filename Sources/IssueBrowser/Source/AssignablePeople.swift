internal import GitHubAPI
package import IssueTracker

/// The logins of people to whom issues can be assigned, or possibly can.
package struct AssignablePeople: Sendable, Hashable {
  package var logins: [String] = []
  /// Whether the list includes all assignable people.
  package var isComplete = false
  /// The reason that the list doesn't come from the server, in one line.
  package var problem: String?

  private static let maximumPages = 10

  package init(logins: [String] = []) { self.logins = logins }

  /// Loads the server's list, or the beginning if it is very long.
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

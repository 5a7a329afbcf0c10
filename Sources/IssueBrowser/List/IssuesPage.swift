internal import IssueMirror
package import IssueTracker

/// A page of a repository's issues, from the server or the mirror.
package struct IssuesPage: Sendable {
  /// The most that GitHub gives.
  private static let pageSize = 100

  package var reference: RepositoryReference
  package var issues: [Issue]
  package var pullRequests: [Int] = []
  package var unreadable: [UnreadableEntry] = []
  package var page: NextPage
  package var next: NextPage?

  static func load(
    _ target: GitHub, of reference: RepositoryReference, from provider: Provider<GitHub>
  ) async throws(NetworkError) -> (page: IssuesPage, source: AnswerSource) {
    let response = try await provider.request(target)
    return (try IssuesPage(response, to: target, of: reference), AnswerSource(response))
  }

  private init(
    _ response: Response, to target: GitHub, of reference: RepositoryReference
  ) throws(NetworkError) {
    let contents = try PageContents<Issue>(of: response, .array)
    let items = contents.items
    self.reference = reference
    page = .server(target)
    issues = items.filter { !$0.isPullRequest }
    pullRequests = items.filter(\.isPullRequest).map(\.number)
    unreadable = contents.unreadable
    next = try PageLink(nextIn: response.headers, of: response.request.url).map {
      .server(.page($0))
    }
  }

  init(
    _ rows: NextPage.MirrorRows, of reference: RepositoryReference, from mirror: any IssueReader
  ) async throws(MirrorFailure) {
    self.reference = reference
    page = .mirror(rows)
    issues = try await mirror.issues(rows.rows, of: rows.listing)
    next = rows.next.map { .mirror($0) }
  }

  static func first(of repositoryFullName: String, _ filter: IssueFilter) -> GitHub {
    .issues(repositoryFullName: repositoryFullName, filter: filter, pageSize: pageSize)
  }
}

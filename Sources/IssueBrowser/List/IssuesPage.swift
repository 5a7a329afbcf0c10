internal import IssueMirror
package import IssueTracker

/// A page of the issues of a repository, as the browser loads them from the server or the mirror.
package struct IssuesPage: Sendable {
  /// How many items to ask for at a time: the most that GitHub gives.
  private static let pageSize = 100

  package var reference: RepositoryReference
  /// The issues, without pull requests.
  package var issues: [Issue]
  /// The numbers of the pull requests among them.
  package var pullRequests: [Int] = []
  package var unreadable: [UnreadableEntry] = []
  package var page: NextPage
  /// The page after it; nil after the last.
  package var next: NextPage?

  /// Loads a page of the server, and returns it with the source of the answer.
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

  /// Loads rows of the mirror.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - reference: The name that was typed.
  ///   - mirror: The mirror.
  /// - Throws: Why they can't be read.
  init(
    _ rows: NextPage.MirrorRows, of reference: RepositoryReference, from mirror: any IssueReader
  ) async throws(MirrorFailure) {
    self.reference = reference
    page = .mirror(rows)
    issues = try await mirror.issues(rows.rows, of: rows.listing)
    next = rows.next.map { .mirror($0) }
  }

  /// The target of the first page of a repository's issues.
  static func first(of repositoryFullName: String, _ filter: IssueFilter) -> GitHub {
    .issues(repositoryFullName: repositoryFullName, filter: filter, pageSize: pageSize)
  }
}

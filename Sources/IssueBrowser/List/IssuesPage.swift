internal import IssueMirror
package import IssueTracker

/// A page of a list of issues, from the server or the mirror.
package struct IssuesPage: Sendable {
  /// The largest page that GitHub returns.
  private static let pageSize = 100

  package var scope: ListScope
  package var issues: [GitHub.Issue]
  package var pullRequests: [Int] = []
  package var unreadable: [UnreadableEntry] = []
  /// The number of all results; nil for a list.
  package var totalCount: Int?
  package var isIncomplete = false
  package var page: NextPage
  package var next: NextPage?

  static func load(
    _ target: GitHub, in scope: ListScope, from provider: Provider<GitHub>,
    _ format: PageFormat = .array
  ) async throws(NetworkError) -> (page: IssuesPage, source: AnswerSource) {
    let response = try await provider.request(target)
    return (
      try IssuesPage(response, to: target, in: scope, format, provider), AnswerSource(response)
    )
  }

  private init(
    _ response: TargetResponse, to target: GitHub, in scope: ListScope,
    _ format: PageFormat, _ provider: Provider<GitHub>
  ) throws(NetworkError) {
    let contents = try PageContents<GitHub.Issue>(of: response, format, forge: provider.forge)
    (totalCount, isIncomplete) = (contents.totalCount, contents.isIncomplete)
    let items = contents.items
    self.scope = scope
    page = .server(target)
    // A search returns pull requests only if the query includes them.
    let isList = format == .array
    issues = isList ? items.filter { !$0.isPullRequest } : items
    pullRequests = isList ? items.filter(\.isPullRequest).map(\.number) : []
    unreadable = contents.unreadable
    next = try provider.nextPage(after: response, count: contents.count).map {
      .server(.page($0))
    }
  }

  init(
    _ rows: NextPage.MirrorRows, in scope: ListScope, from mirror: any IssueReader
  ) async throws(MirrorFailure) {
    self.scope = scope
    page = .mirror(rows)
    issues = try await rows.listing.issues(rows.rows, from: mirror)
    next = rows.next.map { .mirror($0) }
  }

  static func first(of repositoryFullName: String, _ filter: IssueFilter) -> GitHub {
    .issues(repositoryFullName: repositoryFullName, filter: filter, pageSize: pageSize)
  }

  /// The first page of GitHub's search results.
  static func first(finding text: String) -> GitHub {
    .searchIssues(query: text, pageSize: pageSize)
  }
}

internal import IssueTracker
internal import StyledText

/// What only GitHub's search finds, in the rows of a list of several repositories. It ends at 1,000, and says so.
struct FoundRepositoryList: Sendable {
  /// With its place.
  let query: String
  let server: GitHubServer
  let form: IssueListForm
  let session: CommandSession
  let connection: ConnectionOptions
  var opensPage = false

  func show() async throws {
    if opensPage {
      let page: URLPath = "\(raw: server.webURL)/search?q=\(query)&type=issues"
      return try await session.openPage(page.encoded, of: server)
    }
    let withheld = WithheldResults()
    let connection = try await connection.connection(
      to: server, session, plugins: [withheld.plugin])
    var writer = try form.repositoryWriter(session)
    var pages = SearchPages<Sent<GitHub.LocatedIssue>>(
      query, connection, session, limit: form.limit)
    try await pages.show(
      { .searchIssues(query: query, pageSize: $0) }, to: &writer,
      row: { item in
        form.row(
          Sent(item.entity.issue, json: item.json),
          in: server.typedName(of: item.entity.repository))
      },
      heading: { pages, _ in "Showing what \(server) finds (\(pages.total.grouped) in all)" })
    try await pages.explainEnd(
      writer, nothing: "Nothing matches \(query).", atLimit: "for more use --limit or --all.",
      atCap: """
        GitHub's search returns no more: narrow it, for example with --label or --since, or name the repositories, whose \
        lists have no such end.
        """, failsAtCap: true)
    try withheld.check()
  }
}

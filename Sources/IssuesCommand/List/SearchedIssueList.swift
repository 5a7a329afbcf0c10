internal import IssueMirror
internal import StyledText

/// Shows the issues of a repository that a search finds, in the rows of a list.
struct SearchedIssueList: Sendable {
  let text: String
  let session: CommandSession
  private let form: IssueListForm

  init(text: String, session: CommandSession, form: IssueListForm) {
    self.text = text
    self.session = session
    // Found issues show their kind, unless the search names one.
    let findsIssuesOnly = QueryWord.search(text) {
      ["is", "type"].contains($0.name) && $0.value == "issue"
    }
    self.form = IssueListForm(
      limit: form.limit, includesPullRequests: !findsIssuesOnly,
      columns: form.columns, fields: form.fields, grouping: form.grouping,
      pending: form.pending)
  }

  func show(_ repository: RepositoryName, _ connection: Connection) async throws {
    let query = "repo:\(repository) \(text)"
    var writer = try form.writer(session)
    var pages = SearchPages<Sent<GitHub.Issue>>(query, connection, session, limit: form.limit)
    try await pages.show(
      { .searchIssues(query: query, pageSize: $0) }, to: &writer,
      row: form.row,
      heading: { pages, _ in
        "Showing what \(connection.server) finds in \(repository) (\(pages.total.grouped) in all)"
      })
    try await pages.explainEnd(
      writer, nothing: "Nothing in \(repository) matches \(text).",
      atLimit: "for more use --limit or --all.",
      atCap: """
        GitHub's search returns no more. Narrow it, or mirror the repository with 'issues sync' and use --offline.
        """, failsAtCap: true)
  }

  func show(_ place: MirroredPlace) async throws {
    let query = try SearchQuery(parsing: text)
    let matches = try await ShownMatches(
      of: query, in: [place.repository], place.mirror, limit: form.limit)
    var writer = try form.writer(session)
    let noun = matches.count == 1 && !matches.isCut ? "match" : "matches"
    try await matches.write(
      to: &writer,
      heading: "Showing \(matches.count.grouped) \(noun) in \(place.repository.fullName)"
    ) { form.row(Sent($0.issue, json: $0.json)) }
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    try await writer.finish()
    try await matches.explainEnd(writer, query, in: place.repository.fullName)
  }
}

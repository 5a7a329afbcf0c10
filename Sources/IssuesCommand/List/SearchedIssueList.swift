internal import IssueMirror
internal import StyledText

/// Shows the issues of one repository that a search finds, in the rows of a list.
struct SearchedIssueList: Sendable {
  /// What is searched for, in the words of GitHub's search.
  let text: String
  let session: CommandSession
  let limit: Int?
  let showsAssignees: Bool
  let fields: JSONFields?

  /// Whether pull requests may be among what is found.
  private var showsKind: Bool {
    !QueryWord.search(text) { ["is", "type"].contains($0.name) && $0.value == "issue" }
  }

  private func writer() throws(CommandFailure) -> ListWriter<IssueRow> {
    try ListWriter(
      session, fields: fields,
      columns: IssueRow.columns(showsKind: showsKind, showsAssignees: showsAssignees))
  }

  private func row(_ sent: Sent<Issue>) -> IssueRow {
    IssueRow(sent: sent, showsKind: showsKind, showsAssignees: showsAssignees)
  }

  /// Shows what the server finds.
  func show(_ repository: RepositoryName, _ connection: Connection) async throws {
    let query = "repo:\(repository) \(text)"
    var writer = try writer()
    var pages = SearchPages<Sent<Issue>>(query, connection, session, limit: limit)
    try await pages.show(
      { .searchIssues(query: query, pageSize: $0) }, to: &writer,
      row: row,
      heading: { pages, _ in
        "Showing what \(connection.server) finds in \(repository) (\(pages.total.grouped) in all)"
      })
    try await pages.explainEnd(
      writer, nothing: "Nothing in \(repository) matches \(text).",
      atLimit: "for more use --limit or --all.",
      atCap: """
        GitHub's search gives no more. Narrow it, or mirror the repository with 'issues sync' and use --offline.
        """, failsAtCap: true)
  }

  /// Shows what the mirror finds.
  func show(_ place: MirroredPlace) async throws {
    let query = try SearchQuery(parsing: text)
    let matches = try await ShownMatches(
      of: query, in: [place.repository], place.mirror, limit: limit)
    var writer = try writer()
    let noun = matches.count == 1 && !matches.isCut ? "match" : "matches"
    try await matches.write(
      to: &writer,
      heading: "Showing \(matches.count.grouped) \(noun) in \(place.repository.fullName)"
    ) { row(Sent($0.issue, json: $0.json)) }
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    try await writer.finish()
    try await matches.explainEnd(writer, query, in: place.repository.fullName)
  }
}

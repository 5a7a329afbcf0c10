internal import IssueMirror
internal import StyledText

/// Shows the issues of one repository that a search finds, in the rows of a list.
struct SearchedIssueList: Sendable {
  /// How many rows of the mirror's are written at a time.
  private static let pageSize = 100

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
    // One more than is shown tells whether there are more.
    let matches = try await place.mirror.find(
      query, in: [place.repository], limit: limit.map { min($0, .max - 1) + 1 } ?? .max)
    let isCut = limit.map { matches.resultsCount > $0 } ?? false
    let shownCount = min(matches.resultsCount, limit ?? .max)
    var writer = try writer()
    let noun = shownCount == 1 && !isCut ? "match" : "matches"
    for start in stride(from: 0, to: shownCount, by: Self.pageSize) {
      let page = start..<min(start + Self.pageSize, shownCount)
      try await writer.write(
        try await place.mirror.results(page, of: matches).map {
          row(Sent($0.issue, json: $0.json))
        },
        heading: "Showing \(shownCount.grouped) \(noun) in \(place.repository.fullName)")
    }
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    try await writer.finish()
    if isCut {
      try await writer.tell(
        "Stopped at the limit of \(writer.count.grouped): for more use --limit or --all.")
    } else if writer.count == 0, writer.isTable {
      try await writer.tell("Nothing in \(place.repository.fullName) matches \(query.text).")
    }
  }
}

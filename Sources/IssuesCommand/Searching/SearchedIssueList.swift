internal import IssueMirror
internal import StyledText

/// Shows the issues of one repository that a search finds, in the rows of a list.
struct SearchedIssueList: Sendable {
  /// What is searched for, in the words of GitHub's search.
  let text: String
  let session: CommandSession
  let limit: Int?
  let fields: [Issue.Field]?

  /// Whether pull requests may be among what is found.
  private var showsKind: Bool {
    !QueryWord.search(text) { ["is", "type"].contains($0.name) && $0.value == "issue" }
  }

  /// Shows what the server finds.
  func show(_ repository: RepositoryName, _ connection: Connection) async throws {
    let query = "repo:\(repository) \(text)"
    var writer = ListWriter<IssueRow>(
      session, fields: fields, columns: IssueRow.columns(showsKind: showsKind))
    var pages = SearchPages<Issue>(query, connection, session, limit: limit)
    try await pages.show(
      { .searchIssues(query: query, pageSize: $0) }, to: &writer,
      row: { IssueRow(issue: $0, showsKind: showsKind) },
      heading: { pages, _ in
        "Showing what \(connection.server) finds in \(repository) (\(pages.total.grouped) in all)"
      })
    pages.explainEnd(
      writer, nothing: "Nothing in \(repository) matches \(text).",
      atLimit: "for more use --limit or --all.",
      atCap: """
        GitHub's search gives no more. Narrow it, or mirror the repository with 'issues sync' and use --offline.
        """)
  }

  /// Shows what the mirror finds.
  func show(_ place: MirroredPlace) async throws {
    let query = try SearchQuery(parsing: text)
    // One more than is shown tells whether there are more.
    let matches = try await place.mirror.results(
      of: query, in: [place.repository], limit: limit.map { min($0, .max - 1) + 1 } ?? .max)
    let isCut = limit.map { matches.results.count > $0 } ?? false
    let found = matches.results.prefix(limit ?? .max)
    var writer = ListWriter<IssueRow>(
      session, fields: fields, columns: IssueRow.columns(showsKind: showsKind))
    let noun = found.count == 1 && !isCut ? "match" : "matches"
    try await writer.write(
      found.map { IssueRow(issue: $0.issue, showsKind: showsKind) },
      heading: "Showing \(found.count.grouped) \(noun) in \(place.repository.fullName)")
    guard place.repository.isComplete else { throw place.repository.incompleteness }
    try await writer.finish()
    if isCut {
      session.errors.write(
        "Stopped at the limit of \(writer.count.grouped): for more use --limit or --all.")
    } else if writer.count == 0, writer.isTable {
      session.errors.write("Nothing in \(place.repository.fullName) matches \(query.text).")
    }
  }
}

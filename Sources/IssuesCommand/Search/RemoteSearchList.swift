internal import GitHubAPI
internal import IssueMirror
internal import StyledText

struct RemoteSearchList: Sendable {
  let text: String
  let scope: SearchScope
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  let fields: JSONFields?
  let grouping: IssueGrouping?

  func show() async throws {
    let showsRepository = scope.names.count != 1
    var writer = try ListWriter<FoundIssue>(
      session, fields: fields, columns: FoundIssue.columns(showsRepository: showsRepository))
    writer.grouping = FoundIssue.grouping(grouping)
    var pages = SearchPages<Sent<GitHub.Issue>>(text, connection, session, limit: limit)
    try await pages.show(
      { .searchIssues(query: text, pageSize: $0) }, to: &writer,
      row: { found($0, showsRepository) },
      heading: { pages, _ in
        "Showing what \(connection.server) finds (\(pages.total.grouped) in all)"
      })
    try await pages.explainEnd(
      writer, nothing: "Nothing matches \(text).", atLimit: "for more use --limit or --all.",
      atCap: """
        GitHub's search returns no more: narrow it, for example with created:2025, or mirror the repository with \
        'issues sync' and search there.
        """, failsAtCap: true)
  }

  private func found(_ sent: Sent<GitHub.Issue>, _ showsRepository: Bool) -> FoundIssue {
    let issue = sent.entity
    let page = issue.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    let name = page?.repository.map { "\($0.name)" } ?? ""
    let host = connection.server == .github || name.isEmpty ? "" : "\(connection.server.host)/"
    return FoundIssue(
      sent: sent, repository: "\(host)\(name)", showsRepository: showsRepository,
      title: [SnippetPart(issue.title)], snippet: [])
  }
}

/// A search on GitHub, sent as it was typed: GitHub's language has more words than this package knows.
struct RemoteQuery: Hashable, Sendable {
  let text: String

  init(_ arguments: [String]) {
    // Words that begin with a minus may have got a blank: see ``SearchCommand/readable(_:)``.
    text = arguments.map { String($0.drop { $0.isWhitespace }) }.filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  var namesPlace: Bool { QueryWord.namesPlace(text) }

  func text(in names: [RepositoryName]) -> String { QueryWord.search(text, in: names) }
}

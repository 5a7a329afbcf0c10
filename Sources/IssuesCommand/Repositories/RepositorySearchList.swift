internal import IssueTracker
internal import StyledText

/// Shows the repositories that a search finds.
struct RepositorySearchList: Sendable {
  /// What to look for.
  let text: String
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  let fields: JSONFields?

  func show() async throws {
    var writer = try ListWriter<Sent<Repository>>(session, fields: fields)
    var pages = SearchPages<Sent<Repository>>(text, connection, session, limit: limit)
    try await pages.show(
      { .searchRepositories(query: text, pageSize: $0) }, to: &writer, row: \.self,
      heading: heading)
    let cap = SearchPages<Sent<Repository>>.cap
    let reachable = pages.total > cap ? ", which gives the first \(cap.grouped)" : ""
    try await pages.explainEnd(
      writer, nothing: "No repositories match \(text).",
      atLimit: "for more use --limit or --all\(reachable).",
      atCap: """
        a search gives no more. For the rest narrow it, for example by created:>2025-01-01 or \
        language:swift.
        """)
  }

  /// The line above the table. It counts what is shown where the first page is all that will be.
  private func heading(_ pages: SearchPages<Sent<Repository>>, _ count: Int) -> String {
    let matching = "matching \(TerminalText(text))"
    if pages.isCut, count != limit {
      return "Showing repositories \(matching) (\(pages.total.grouped) found)"
    }
    let whole = pages.total > count ? " of \(pages.total.grouped)" : ""
    let noun = max(count, pages.total) == 1 ? "repository" : "repositories"
    return "Showing \(count.grouped)\(whole) \(noun) \(matching)"
  }
}

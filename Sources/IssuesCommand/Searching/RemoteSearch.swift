internal import GitHubAPI
internal import IssueMirror
internal import StyledText

/// Shows what GitHub's own search finds, page by page as it comes.
struct RemoteSearch: Sendable {
  /// What is asked for, in the words of GitHub's search.
  let text: String
  let scope: SearchScope
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  let fields: [FoundIssue.Field]?

  /// The most that GitHub gives of what a search found, however many there are.
  private static let cap = SearchResults<Issue>.maximumCount

  /// What is asked for, in the words of GitHub's search, which knows several repositories as alternatives.
  static func text(_ query: SearchQuery, in scope: SearchScope) -> String {
    ([query.text] + scope.names.map { "repo:\($0)" }).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  func show() async throws {
    session.progress.update("Searching for \(text)…")
    let showsRepository = scope.names.count != 1
    var writer = ListWriter<FoundIssue>(
      session, fields: fields, columns: FoundIssue.columns(showsRepository: showsRepository))
    let pageSize = min(limit ?? 100, 100)
    var pages = PagedListing<Issue>(
      provider: connection.provider,
      first: .searchIssues(query: text, pageSize: pageSize), format: .searchResults,
      maximumPages: Self.cap
    ).makeAsyncIterator()
    var given: Set<Int64> = []
    var (total, isCut, isIncomplete) = (0, false, false)
    // A server that gives more, or the same again and again, isn't read for longer.
    var readCount = 0
    while readCount < Self.cap, limit.map({ writer.count < $0 }) ?? true {
      let page: PagedListing<Issue>.Page?
      do throws(NetworkError) {
        let wanted = min(limit.map { $0 - writer.count } ?? .max, Self.cap - readCount)
        page = try await pages.next(pagesAhead: (wanted - 1) / pageSize)
      } catch {
        throw connection.explanation(
          of: error, "the search for \(text)", afterShowing: writer.count)
      }
      guard let page else { break }
      readCount += page.items.count
      let fresh = page.items.filter { given.insert($0.id).inserted }
      let issues = fresh.prefix(limit.map { $0 - writer.count } ?? .max)
      isCut = page.hasNext || issues.count < fresh.count
      isIncomplete = isIncomplete || page.isIncomplete
      total = max(total, page.totalCount ?? 0)
      try await writer.write(
        issues.map { found($0, showsRepository) },
        heading: "Showing what \(connection.server) finds (\(total.grouped) in all)")
      session.progress.update("Searching for \(text)… \(writer.count) so far")
    }
    try await writer.finish()
    session.progress.finish()
    explainEnd(writer, isCut: isCut, isIncomplete: isIncomplete, total)
  }

  private func found(_ issue: Issue, _ showsRepository: Bool) -> FoundIssue {
    let page = issue.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    let name = page?.repository.map { "\($0.name)" } ?? ""
    let host = connection.server == .github || name.isEmpty ? "" : "\(connection.server.host)/"
    return FoundIssue(
      issue: issue, repository: "\(host)\(name)", showsRepository: showsRepository,
      title: [SnippetPart(issue.title)], snippet: [])
  }

  /// Says on standard error what isn't there, and how to get it.
  private func explainEnd(
    _ writer: ListWriter<FoundIssue>, isCut: Bool, isIncomplete: Bool, _ total: Int
  ) {
    let whole = total > writer.count ? " of \(total.grouped)" : ""
    if isIncomplete {
      session.errors.write(
        "The search took GitHub too long, and may have missed some: narrow it, or try again.")
    }
    if isCut, writer.count == limit, writer.count < Self.cap {
      session.errors.write(
        "Stopped at the limit of \(writer.count.grouped)\(whole): for more use --limit or --all.")
    } else if writer.count == 0 {
      if writer.isTable { session.errors.write("Nothing matches \(text).") }
    } else if isCut || total > Self.cap && writer.count < total {
      session.errors.write(
        "Stopped at \(writer.count.grouped)\(whole): GitHub's search gives no more. Narrow it, or "
          + "mirror the repository with 'issues sync' and search there.")
    }
  }
}

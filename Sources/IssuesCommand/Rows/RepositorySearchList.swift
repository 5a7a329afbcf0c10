internal import IssueTracker
internal import StyledText

/// Shows the repositories that a search finds, page by page as they come.
struct RepositorySearchList: Sendable {
  /// What to look for.
  let text: String
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  let fields: [Repository.Field]?

  /// The most that GitHub gives of what a search found, however many there are.
  private static let cap = SearchResults<Repository>.maximumCount

  func show() async throws {
    session.progress.update("Searching for \(text)…")
    var writer = ListWriter<Repository>(session, fields: fields)
    let pageSize = min(limit ?? 100, 100)
    let first = GitHub.searchRepositories(query: text, pageSize: pageSize)
    var pages = PagedListing<Repository>(
      provider: connection.provider, first: first, format: .searchResults, maximumPages: Self.cap
    ).makeAsyncIterator()
    var given: Set<Int64> = []
    var (total, isCut, isIncomplete) = (0, false, false)
    // A server that gives more, or the same again and again, isn't read for longer.
    var readCount = 0
    while readCount < Self.cap, limit.map({ writer.count < $0 }) ?? true {
      let page: PagedListing<Repository>.Page?
      do throws(NetworkError) {
        let wanted = min(limit.map { $0 - writer.count } ?? .max, Self.cap - readCount)
        page = try await pages.next(pagesAhead: (wanted - 1) / pageSize)
      } catch {
        throw connection.explanation(
          of: error, "the search for \(text)", afterShowing: writer.count)
      }
      guard let page else { break }
      readCount += page.items.count
      // One that moves down while pages are read comes again.
      let fresh = page.items.filter { given.insert($0.id).inserted }
      let items = Array(fresh.prefix(limit.map { $0 - writer.count } ?? .max))
      isCut = page.hasNext || items.count < fresh.count
      isIncomplete = isIncomplete || page.isIncomplete
      total = max(total, page.totalCount ?? 0)
      try await writer.write(items, heading: heading(items.count, isCut, total))
      session.progress.update("Searching for \(text)… \(writer.count) so far")
    }
    try await writer.finish()
    session.progress.finish()
    explainEnd(writer, isCut: isCut, isIncomplete: isIncomplete, total)
  }

  /// The line above the table. It counts what is shown where the first page is all that will be.
  private func heading(_ count: Int, _ isCut: Bool, _ total: Int) -> String {
    let matching = "matching \(TerminalText(text))"
    if isCut, count != limit {
      return "Showing repositories \(matching) (\(total.grouped) found)"
    }
    let whole = total > count ? " of \(total.grouped)" : ""
    let noun = max(count, total) == 1 ? "repository" : "repositories"
    return "Showing \(count.grouped)\(whole) \(noun) \(matching)"
  }

  /// Says on standard error what isn't there, and how to get it.
  private func explainEnd(
    _ writer: ListWriter<Repository>, isCut: Bool, isIncomplete: Bool, _ total: Int
  ) {
    let count = writer.count.grouped
    if isIncomplete {
      session.errors.write(
        "The search took GitHub too long, and may have missed some: narrow it, or try again.")
    }
    if isCut, writer.count == limit, writer.count < Self.cap {
      let reachable = total > Self.cap ? ", which gives the first \(Self.cap.grouped)" : ""
      session.errors.write(
        "Stopped at the limit of \(count) of \(total.grouped): for more use --limit or --all"
          + "\(reachable).")
    } else if writer.count == 0 {
      if writer.isTable { session.errors.write("No repositories match \(text).") }
    } else if isCut || total > Self.cap && writer.count < total {
      let whole = total > writer.count ? " of \(total.grouped)" : ""
      session.errors.write(
        "Stopped at \(count)\(whole): a search gives no more. For the rest narrow "
          + "it, for example by created:>2025-01-01 or language:swift.")
    }
  }
}

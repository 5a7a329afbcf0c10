internal import IssueTracker
internal import StyledText

/// Shows what a search on the server finds, page by page as it arrives.
struct SearchPages<Found: Decodable & Hashable & Identifiable & Sendable>
where Found.ID: Sendable {
  /// As messages name it.
  let text: String
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  private(set) var total = 0
  private(set) var isCut = false
  private var isIncomplete = false

  /// However many there are.
  static var cap: Int { SearchResults<Found>.maximumCount }

  init(_ text: String, _ connection: Connection, _ session: CommandSession, limit: Int?) {
    self.text = text
    self.connection = connection
    self.session = session
    self.limit = limit
  }

  /// The heading gets the number of rows on the first page.
  mutating func show<Row: ListItem>(
    _ search: (_ pageSize: Int) -> GitHub, to writer: inout ListWriter<Row>, row: (Found) -> Row,
    heading: (_ pages: Self, _ count: Int) -> String
  ) async throws {
    session.progress.update("Searching for \(text)…")
    let pageSize = min(limit ?? 100, 100)
    var pages = PagedListing<Found>(
      provider: connection.provider, first: search(pageSize), format: .searchResults,
      maximumPages: Self.cap
    ).makeAsyncIterator()
    var given: Set<Found.ID> = []
    // Stops where a server repeats itself, or gives more than the cap.
    var readCount = 0
    while readCount < Self.cap, limit.map({ writer.count < $0 }) ?? true {
      let page: PagedListing<Found>.Page?
      do throws(NetworkError) {
        let wanted = min(limit.map { $0 - writer.count } ?? .max, Self.cap - readCount)
        page = try await pages.next(pagesAhead: (wanted - 1) / pageSize)
      } catch {
        throw connection.explanation(
          of: error, "the search for \(text)", afterShowing: writer.count)
      }
      guard let page else { break }
      readCount += page.items.count
      // A result that moves down between two pages comes twice.
      let fresh = page.items.filter { given.insert($0.id).inserted }
      let shown = fresh.prefix(limit.map { $0 - writer.count } ?? .max)
      isCut = page.hasNext || shown.count < fresh.count
      isIncomplete = isIncomplete || page.isIncomplete
      total = max(total, page.totalCount ?? 0)
      try await writer.write(shown.map(row), heading: heading(self, shown.count))
      session.progress.update("Searching for \(text)… \(writer.count) so far")
    }
    do throws(NetworkError) {
      try pages.finish()
    } catch {
      throw connection.explanation(of: error, "the search for \(text)", afterShowing: writer.count)
    }
    try await writer.finish()
    session.progress.finish()
  }

  /// Whether more was asked for than the server gives.
  func isCapped<Row>(_ writer: ListWriter<Row>) -> Bool {
    guard writer.count > 0, !(isCut && writer.count == limit && writer.count < Self.cap) else {
      return false
    }
    return isCut || total > Self.cap && writer.count < total
  }

  /// Says that results are missing, and how to get them. `failsAtCap` makes the cap a failure if all results were asked for.
  func explainEnd<Row>(
    _ writer: ListWriter<Row>, nothing: String, atLimit: String, atCap: String,
    failsAtCap: Bool = false
  ) async throws {
    if isIncomplete {
      try await writer.tell(
        "GitHub's search took too long, and may have missed some: narrow it, or try again.")
    }
    if isCapped(writer) {
      guard !failsAtCap || writer.count == limit else {
        throw CommandFailure(
          .failed, "the list is incomplete: it ends at \(count(writer))\n\(atCap)")
      }
      try await writer.tell("Stopped at \(count(writer)): \(atCap)")
    } else if writer.count == 0 {
      if writer.isTable { try await writer.tell(nothing) }
    } else if isCut {
      try await writer.tellLimit("Stopped at the limit of \(count(writer)): \(atLimit)")
    }
  }

  func count<Row>(_ writer: ListWriter<Row>) -> String {
    writer.count.grouped + (total > writer.count ? " of \(total.grouped)" : "")
  }
}

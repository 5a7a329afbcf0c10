internal import IssueMirror
internal import StyledText

/// What a search found in the mirror, as far as it is shown.
struct ShownMatches: Sendable {
  /// How many rows are written at a time.
  private static let pageSize = 100

  private let mirror: any IssueReader
  private let found: SearchListing

  /// How many are shown.
  let count: Int
  /// Whether there are more.
  let isCut: Bool
  /// How many there are, where that is known and isn't how many are shown.
  var total: Int? { isCut ? found.count : nil }

  /// Searches for as many matches as the limit shows; nil for all.
  init(
    of query: SearchQuery, in repositories: [MirroredRepository], _ mirror: any IssueReader,
    limit: Int?
  ) async throws(MirrorFailure) {
    self.mirror = mirror
    // One more than is shown tells whether there are more.
    found = try await mirror.find(
      query, in: repositories, limit: limit.map { min($0, .max - 1) + 1 } ?? .max)
    count = min(found.resultsCount, limit ?? .max)
    isCut = found.resultsCount > count
  }

  /// Writes them.
  func write<Row>(
    to writer: inout ListWriter<Row>, heading: String, row: (SearchResult) throws -> Row
  ) async throws {
    for start in stride(from: 0, to: count, by: Self.pageSize) {
      let page = start..<min(start + Self.pageSize, count)
      try await writer.write(
        try await mirror.results(page, of: found).map(row), heading: heading)
    }
  }

  /// Says that there is nothing in the place that was searched, or more than was shown.
  func explainEnd<Row>(
    _ writer: ListWriter<Row>, _ query: SearchQuery, in place: String
  ) async throws {
    if isCut {
      try await writer.tell(
        "Stopped at the limit of \(count.grouped): for more use --limit or --all."
          + (found.isExhaustive
            ? "" : " Of so many matches only the newest were compared; --all compares them all."))
    } else if count == 0, writer.isTable {
      try await writer.tell("Nothing in \(place) matches \(query.text).")
    }
  }
}

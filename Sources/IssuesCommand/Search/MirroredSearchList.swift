internal import IssueMirror
internal import IssueOutbox
internal import StyledText

struct MirroredSearchList: Sendable {
  let query: SearchQuery
  let scope: SearchScope
  let session: CommandSession
  let limit: Int?
  let fields: JSONFields?
  let grouping: IssueGrouping?
  /// nil to search the mirror as it is.
  let fresh: FreshMirror?
  let verbosity: Int

  func show() async throws {
    let (mirror, known) = try await scope.repositories(in: session)
    var repositories = known
    if let fresh {
      let named = Set(query.repositories.map { "\($0)".lowercased() })
      for (index, repository) in repositories.enumerated()
      where named.isEmpty || named.contains(repository.fullName.lowercased()) {
        repositories[index] = try await fresh.renewed(repository)
      }
      session.progress.finish()
    }
    session.tellTime(of: repositories, withComments: true, verbosity: verbosity)
    let pending = await PendingLookup(fields: fields, session)?.changes(of: repositories) ?? [:]
    let matches = try await ShownMatches(of: query, in: repositories, mirror, limit: limit)
    let showsRepository = repositories.count > 1
    var writer = try ListWriter<FoundIssue>(
      session, fields: fields,
      columns: FoundIssue.columns(
        showsRepository: showsRepository, showsPending: !pending.isEmpty))
    writer.grouping = FoundIssue.grouping(grouping)
    try await matches.write(to: &writer, heading: heading(matches, repositories)) { result in
      FoundIssue(
        sent: Sent(result.issue, json: result.json), repository: result.repository.typedName,
        showsRepository: showsRepository, title: result.title, snippet: result.snippet,
        pending: pending[result.repository.typedName])
    }
    try await writer.finish()
    try await matches.explainEnd(writer, query, in: Self.place(repositories))
    session.tellFreshness(of: repositories, withComments: true)
  }

  private func heading(
    _ matches: ShownMatches, _ repositories: [MirroredRepository]
  ) -> String {
    let isUncounted = matches.isCut && matches.total == nil
    if isUncounted, matches.count == 1 {
      return "Showing the first match in \(Self.place(repositories))"
    }
    let noun = matches.count == 1 && matches.total == nil ? "match" : "matches"
    let whole = matches.total.map { " of \($0.grouped)" } ?? ""
    let first = isUncounted ? "the first " : ""
    return
      "Showing \(first)\(matches.count.grouped)\(whole) \(noun) in \(Self.place(repositories))"
  }

  private static func place(_ repositories: [MirroredRepository]) -> String {
    repositories.count == 1
      ? "\(TerminalText(repositories[0].typedName))" : "\(repositories.count) repositories"
  }
}

/// What a search found in the mirror, up to a limit.
struct ShownMatches: Sendable {
  private static let pageSize = 100

  private let mirror: any IssueReader
  private let found: SearchListing

  let count: Int
  let isCut: Bool
  /// nil where that isn't known, or all are shown.
  var total: Int? { isCut ? found.count : nil }

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

  func write<Row>(
    to writer: inout ListWriter<Row>, heading: String, row: (SearchResult) throws -> Row
  ) async throws {
    for start in stride(from: 0, to: count, by: Self.pageSize) {
      let page = start..<min(start + Self.pageSize, count)
      try await writer.write(
        try await mirror.results(page, of: found).map(row), heading: heading)
    }
  }

  func explainEnd<Row>(
    _ writer: ListWriter<Row>, _ query: SearchQuery, in place: String
  ) async throws {
    if isCut {
      let notice = "Stopped at the limit of \(count.grouped): for more use --limit or --all."
      if found.isExhaustive {
        try await writer.tellLimit(notice)
      } else {
        try await writer.tell(
          "\(notice) Only the newest of so many matches were ranked; --all ranks them all.")
      }
    } else if count == 0, writer.isTable {
      try await writer.tell("Nothing in \(place) matches \(query.text).")
    }
  }
}

internal import IssueTracker

/// Lists the labels or the milestones of a repository: all are looked up, chosen from and sorted here, since servers
/// order and filter them in ways of their own.
struct PropertyList<Entity: Decodable & Hashable & Sendable>: Sendable {
  let place: Place
  let connection: Connection
  let session: CommandSession
  /// The word for one of them.
  let noun: String
  /// The most to show; nil for all.
  let limit: Int?
  let fields: JSONFields?

  /// Shows the list.
  ///
  /// - Parameters:
  ///   - first: The target of its first page.
  ///   - isWanted: Whether to show one.
  ///   - isAscending: Whether the order is that of `precedes`, or its reverse.
  ///   - precedes: The order.
  ///   - row: Makes the row of one.
  /// - Throws: ``CommandFailure``, ``OutputError``.
  func show<Row: ListItem>(
    _ first: GitHub, where isWanted: (Entity) -> Bool, isAscending: Bool,
    by precedes: (Entity, Entity) -> Bool, as row: (Sent<Entity>) -> Row
  ) async throws {
    session.progress.update("Looking up the \(noun)s of \(place)…")
    var writer = try ListWriter<Row>(session, fields: fields)
    let all = try await connection.explaining("\(place)") { provider throws(NetworkError) in
      var all: [Sent<Entity>] = []
      for try await page in PagedListing<Sent<Entity>>(provider: provider, first: first) {
        all += page.items
      }
      return all
    }
    var wanted = all.filter { isWanted($0.entity) }
    // Equal ones stay in the server's order: the sort is stable.
    wanted.sort { isAscending ? precedes($0.entity, $1.entity) : precedes($1.entity, $0.entity) }
    let shown = wanted.prefix(limit ?? .max)
    let count = wanted.count == 1 ? "1 \(noun)" : "\(wanted.count) \(noun)s"
    session.progress.finish()
    try await writer.write(
      shown.map(row),
      heading: shown.count < wanted.count
        ? "Showing \(shown.count) of \(count) in \(place)" : "\(count) in \(place)")
    try await writer.finish()
    if wanted.isEmpty, writer.isTable {
      try await writer.tell(
        all.isEmpty ? "\(place) has no \(noun)s." : "No \(noun) of \(place) is like that.")
    } else if shown.count < wanted.count {
      try await writer.tell(
        "Stopped at the limit of \(shown.count): for more use --limit or --all.")
    }
  }
}

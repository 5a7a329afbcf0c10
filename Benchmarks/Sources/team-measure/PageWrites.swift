import IssueMirror
import IssueMirrorPostgres

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What it costs to store pages.
struct PageWrites: Sendable {
  let database: TeamDatabase
  /// Of the large mirror.
  let schema: String

  struct Cost: Sendable {
    /// Seconds of the server's processors for each item.
    var processor: Double
    /// Bytes of the log of changes for each item.
    var written: Double
    var itemsPerSecond: Double
  }

  /// Stores pages over some connections. As among workers, one connection stores those of a repository: two would wait
  /// for each other.
  static func store(
    _ pages: [IssuePagesToStore.Page], with mirrors: [PostgresMirror],
    _ repositories: [Int: MirroredRepository]
  ) async throws {
    let next = Next(pages)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for mirror in mirrors {
        group.addTask {
          while let pages = await next.pagesOfRepository() {
            for page in pages {
              guard let repository = repositories[page.repository] else { continue }
              try await mirror.store(page.page, of: repository, sweep: nil, at: Date())
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private actor Next {
    private var pages: ArraySlice<IssuePagesToStore.Page>

    init(_ pages: [IssuePagesToStore.Page]) { self.pages = pages[...] }

    /// Those of the next one.
    func pagesOfRepository() -> ArraySlice<IssuePagesToStore.Page>? {
      guard let first = pages.first else { return nil }
      let found = pages.prefix { $0.repository == first.repository }
      pages = pages.dropFirst(found.count)
      return found
    }
  }

  func cost(
    of pages: [IssuePagesToStore.Page], connections: Int,
    _ repositories: [Int: MirroredRepository]
  ) async throws -> Cost {
    let (mirrors, backends) = try await database.mirrors(connections, schema)
    let (written, time, start) = (
      try await database.written(), try backends.time(), ContinuousClock.now
    )
    try await Self.store(pages, with: mirrors, repositories)
    let seconds = (ContinuousClock.now - start).seconds
    let items = Double(pages.reduce(0) { $0 + $1.page.entries.count })
    return Cost(
      processor: (try backends.time() - time) / items,
      written: (try await database.written() - written) / items,
      itemsPerSecond: items / seconds)
  }

  static func repositories(
    of pages: [IssuePagesToStore.Page], in mirror: PostgresMirror
  ) async throws -> [Int: MirroredRepository] {
    var repositories: [Int: MirroredRepository] = [:]
    for place in Set(pages.map(\.repository)).sorted() {
      repositories[place] = try await IssuePagesToStore.repository(place, in: mirror)
    }
    return repositories
  }

  /// Pages after the first `place` ones, in the large mirror.
  func rows(after place: Int) async throws -> [Row] {
    let mirror = try await database.mirror(schema)
    // New pages for each measure. The server collects the words of some ten thousand issues before it adds them to the
    // index, so fewer would show a measure without that, or with that of the ones before.
    let portion = 160
    let all = try (place..<place + 3 * portion).map { try IssuePagesToStore.page($0) }
    let known = try await Self.repositories(of: all, in: mirror)
    try await database.psql("CHECKPOINT")
    // The first writes after a checkpoint log whole pages of the disk: they aren't measured.
    _ = try await cost(of: Array(all[..<portion]), connections: 1, known)
    let one = try await cost(of: Array(all[portion..<2 * portion]), connections: 1, known)
    let four = try await cost(of: Array(all[(2 * portion)...]), connections: 4, known)
    var rows = [
      Row(
        what: "new items with their texts indexed, 1 connection",
        here: "\(Row.short(one.itemsPerSecond))/s", peer: "139/s, all that a token may ask for",
        value: one.itemsPerSecond / 139, relation: .atLeast, target: 7, unit: "×"),
      Row(
        what: "new items with their texts indexed, 4 connections",
        here: "\(Row.short(four.itemsPerSecond))/s", peer: "347/s, all that an app may ask for",
        value: four.itemsPerSecond / 347, relation: .atLeast, target: 7, unit: "×"),
    ]
    let range = place..<place + portion
    let changed = try await cost(
      of: try range.map { try IssuePagesToStore.page($0, edition: 1) }, connections: 1, known)
    let again = try range.map { try IssuePagesToStore.page($0, edition: 1) }
    // The first look at what has changed also removes the rows from before.
    _ = try await cost(of: again, connections: 1, known)
    let unchanged = try await cost(of: again, connections: 1, known)
    rows += [
      Row(
        what: "unchanged items: log of changes each",
        here: "\(Row.short(unchanged.written)) bytes",
        peer: "\(Row.short(changed.written)) bytes (changed)", value: unchanged.written,
        relation: .atMost, target: 10, unit: " bytes"),
      Row(
        what: "unchanged items against changed ones: the server's processor time",
        here: Self.microseconds(unchanged.processor), peer: Self.microseconds(changed.processor),
        value: unchanged.processor / changed.processor, relation: .atMost, target: 0.25, unit: "×"),
    ]
    rows.append(try await shuffled(all.map(\.repository), known))
    return rows
  }

  /// Eight workers store the same pages, each in an order of its own, and every one changes rows.
  private func shuffled(
    _ places: [Int], _ known: [Int: MirroredRepository]
  ) async throws -> Row {
    let (mirrors, _) = try await database.mirrors(8, schema)
    let (before, pages) = (try await database.deadlocks(), 20)
    let first = (places.min() ?? 0) * IssuePagesToStore.pagesPerRepository
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, mirror) in mirrors.enumerated() {
        let own = try (0..<pages).map { index in
          // Seven has no factor in common with twenty.
          try IssuePagesToStore.page(
            first + (index * 7 + number * 3) % pages, edition: 2 + number)
        }
        group.addTask { try await Self.store(own, with: [mirror], known) }
      }
      try await group.waitForAll()
    }
    let seconds = (ContinuousClock.now - start).seconds
    let found = try await database.deadlocks() - before
    return Row(
      what: "8 workers that store the same \(pages) pages in other orders: deadlocks",
      here: Row.text(found), peer: "\(Row.short(Double(8 * pages) / seconds)) pages/s",
      value: found, relation: .atMost, target: 0)
  }

  static func microseconds(_ seconds: Double) -> String { "\(Row.short(seconds * 1e6)) µs" }
}

/// A page by one statement, against a prepared statement for each row, which stores the same rows.
struct PageAgainstRows: Sendable {
  let database: TeamDatabase
  private static let pages = 40

  func rows() async throws -> [Row] {
    [
      try await row("without the index of words", isIndexed: false),
      try await row("with the index of words", isIndexed: true),
    ]
  }

  private func row(_ how: String, isIndexed: Bool) async throws -> Row {
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for round in 1...5 {
      let name = "\(isIndexed ? "indexed" : "plain")_\(round)"
      for schema in ["page_\(name)", "rows_\(name)"] {
        _ = try await database.mirror(schema)
        if !isIndexed { try await database.setIndexes(of: schema, areThere: false) }
      }
      ours.append(try await byPage("page_\(name)"))
      theirs.append(try await byRow("rows_\(name)", from: "page_\(name)"))
    }
    return Row(
      what: "a page of 100 against prepared rows, \(how): the server's processor time of an item",
      here: PageWrites.microseconds(ours.median), peer: PageWrites.microseconds(theirs.median),
      value: ours.median / theirs.median, relation: .atMost, target: 0.7, unit: "×")
  }

  private func byPage(_ schema: String) async throws -> Double {
    let writes = PageWrites(database: database, schema: schema)
    let pages = try (0..<Self.pages).map { try IssuePagesToStore.page($0) }
    let mirror = try await database.mirror(schema)
    let known = try await PageWrites.repositories(of: pages, in: mirror)
    return try await writes.cost(of: pages, connections: 1, known).processor
  }

  /// Issues and texts only. The page has written people, labels and its place too.
  private func byRow(_ schema: String, from source: String) async throws -> Double {
    let connection = try PlainConnection(database.address)
    try connection.run("SET search_path = \(schema)")
    let items = try connection.rows("SELECT * FROM \(source).item ORDER BY repository, number")
    let texts = try connection.rows("SELECT * FROM \(source).item_text ORDER BY repository, number")
    try connection.prepare(
      "item",
      try await insertion(into: "item", of: schema, unless: "old.updated_at < excluded.updated_at"),
      items.types)
    try connection.prepare(
      "item_text",
      try await insertion(into: "item_text", of: schema, unless: "old.tsv <> excluded.tsv"),
      texts.types)
    let process = try connection.rows("SELECT pg_backend_pid()::text").rows.first?.first
    let backends = Backends(processes: [String(decoding: (process ?? nil) ?? [], as: UTF8.self)])
    let time = try backends.time()
    for start in stride(from: 0, to: items.rows.count, by: IssuePagesToStore.perPage) {
      try connection.run("BEGIN")
      for index in start..<min(start + IssuePagesToStore.perPage, items.rows.count) {
        try connection.execute("item", items.rows[index])
        try connection.execute("item_text", texts.rows[index])
      }
      try connection.run("COMMIT")
    }
    return (try backends.time() - time) / Double(items.rows.count)
  }

  private func insertion(
    into table: String, of schema: String, unless condition: String
  ) async throws -> String {
    let columns = try await database.psql(
      """
      SELECT attname FROM pg_attribute
      WHERE attrelid = '\(schema).\(table)'::regclass AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum
      """)
    let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let updates = columns.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) AS old (\(columns.joined(separator: ", "))) VALUES (\(values))
      ON CONFLICT (repository, number) DO UPDATE SET \(updates) WHERE \(condition)
      """
  }
}

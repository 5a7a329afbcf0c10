import ConcurrencyPrimitives
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite(
  "A mirror in PostgreSQL", .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
  .timeLimit(.minutes(5)))
struct PostgresMirrorTests {
  private static func mirror(
    _ schema: String = PostgresServer.newSchema(), isReadOnly: Bool = false
  ) async throws -> PostgresMirror {
    try await PostgresMirror(
      connecting: try await PostgresServer.running().address, schema: schema,
      isReadOnly: isReadOnly)
  }

  /// Waits until another session says yes.
  private static func wait(for sql: PostgresSQL, in mirror: PostgresMirror) async throws {
    while try await !mirror.reading({ db in try db.first(sql)?.value(0) ?? false }) {
      await Task.yield()
    }
  }

  @Test("of eight simultaneous first starts, one creates the tables and none fails")
  func starts() async throws {
    let schema = PostgresServer.newSchema()
    let versions = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...8 {
        group.addTask {
          let mirror = try await Self.mirror(schema)
          return try await mirror.reading { db in
            try db.first("SELECT version FROM mirror")?.value(0) ?? 0
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions == Array(repeating: PostgresSchema.version, count: 8))
  }

  @Test("a reader doesn't create tables, and refuses the tables of a later version")
  func versions() async throws {
    let schema = PostgresServer.newSchema()
    var failure = await #expect(throws: MirrorFailure.self) {
      _ = try await Self.mirror(schema, isReadOnly: true)
    }
    #expect(failure?.code == .cannotOpen)
    let mirror = try await Self.mirror(schema)
    _ = try await Self.mirror(schema, isReadOnly: true)
    try await mirror.writing { db in
      _ = try db.rows("UPDATE mirror SET version = version + 1, readable_from = version + 1")
    }
    for isReadOnly in [false, true] {
      failure = await #expect(throws: MirrorFailure.self) {
        _ = try await Self.mirror(schema, isReadOnly: isReadOnly)
      }
      #expect(failure?.code == .laterVersion)
    }
  }

  @Test("after a compatible migration, an older program still reads, and stops writing at once")
  func olderProgram() async throws {
    let schema = PostgresServer.newSchema()
    let names = [try #require(RepositoryName("a/b"))]
    let mirror = try await Self.mirror(schema)
    try await mirror.enqueue(names, on: .github, reason: "a test")
    try await mirror.writing { db in _ = try db.rows("UPDATE mirror SET version = version + 1") }
    let reader = try await Self.mirror(schema, isReadOnly: true)
    #expect(try await reader.workerStatus().repositories == 1)
    #expect(try await mirror.repositories() == [])
    for program in [mirror, reader] {
      let failure = await #expect(throws: MirrorFailure.self) {
        try await program.enqueue(names, on: .github, reason: "a test")
      }
      #expect(failure?.code == .laterVersion)
    }
  }

  @Test("a migration waits for a running writer, and the next writer for the migration")
  func migrationBesideWriters() async throws {
    let schema = PostgresServer.newSchema()
    let mirror = try await Self.mirror(schema)
    let names = [try #require(RepositoryName("a/b"))]
    let address = try PostgresAddress(try await PostgresServer.running().address)
    let owner = try await PostgresConnection.open(address, schema: schema)
    try await owner.run { db in
      try db.begin(.migrating)
      _ = try db.rows("UPDATE mirror SET version = version + 1")
    }
    let writer = Task { try await mirror.enqueue(names, on: .github, reason: "a test") }
    let isWaiting: PostgresSQL = """
      SELECT EXISTS (
        SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%xact_lock_shared%')
      """
    try await Self.wait(for: isWaiting, in: mirror)
    try await owner.run { db in try db.run("COMMIT") }
    let failure = await #expect(throws: MirrorFailure.self) { try await writer.value }
    #expect(failure?.code == .laterVersion)
  }

  @Test("a writer uses tables of the previous version, and only their owner migrates them")
  func ownership() async throws {
    let (server, schema) = (try await PostgresServer.running(), PostgresServer.newSchema())
    let names = [try #require(RepositoryName("a/b"))]
    let mirror = try await Self.mirror(schema)
    let role = "writer_\(UInt32.random(in: 0...UInt32.max))"
    try await mirror.writing { db in
      try db.run(
        """
        \(EarlierTables.version6); CREATE ROLE \(role) LOGIN;
        GRANT USAGE ON SCHEMA \(PostgresSession.quoted(schema)) TO \(role);
        GRANT SELECT, INSERT, UPDATE, DELETE
          ON ALL TABLES IN SCHEMA \(PostgresSession.quoted(schema)) TO \(role)
        """)
    }
    let address = server.address(of: "postgres", as: role)
    let writer = try await PostgresMirror(connecting: address, schema: schema)
    #expect(writer.awaitedOwner == "issues" && mirror.awaitedOwner == nil)
    try await writer.enqueue(names, on: .github, reason: "a test")
    let queue = RepositoryQueue(writer, host: GitHubServer.github.host)
    #expect(try await queue.claim(for: .seconds(60), by: "one")?.name == "a/b")
    let registry = WorkerRegistry(writer, host: "h", name: "one", lease: .seconds(60))
    try await registry.report()
    let reader = try await PostgresMirror(connecting: address, schema: schema, isReadOnly: true)
    let status = try await reader.workerStatus()
    #expect(status.held.map(\.repository) == ["a/b"] && status.workers == [])
    try await registry.remove()

    try await mirror.writing { db in _ = try db.rows("UPDATE mirror SET version = 5") }
    let failure = await #expect(throws: MirrorFailure.self) {
      _ = try await PostgresMirror(connecting: address, schema: schema)
    }
    #expect(failure?.code == .readOnly)
    #expect(failure?.message.contains("the owner of its tables, issues, can update") == true)
    try await mirror.writing { db in _ = try db.rows("UPDATE mirror SET version = 6") }
    let version: Int? = try await Self.mirror(schema).reading { db in
      try db.first("SELECT version FROM mirror")?.value(0)
    }
    #expect(version == PostgresSchema.version)
  }

  @Test("an impossible version is reported as damage", arguments: [-1, 0, Int(Int32.min)])
  func impossibleVersion(version: Int) async throws {
    let schema = PostgresServer.newSchema()
    let mirror = try await Self.mirror(schema)
    try await mirror.writing { db in
      _ = try db.rows("UPDATE mirror SET version = \(version)::integer")
    }
    for isReadOnly in [false, true] {
      let failure = await #expect(throws: MirrorFailure.self) {
        _ = try await Self.mirror(schema, isReadOnly: isReadOnly)
      }
      #expect(failure?.code == .damaged)
    }
  }

  @Test("tables of an earlier version are upgraded and keep their rows")
  func migration() async throws {
    let schema = PostgresServer.newSchema()
    let names = [try #require(RepositoryName("a/b"))]
    let mirror = try await Self.mirror(schema)
    try await mirror.enqueue(names, on: .github, reason: "a test")
    // Version 4.
    try await mirror.writing { db in
      try db.run(
        """
        ALTER TABLE feed DROP COLUMN listed_from, DROP COLUMN news_confirmed;
        ALTER TABLE queue DROP COLUMN newest_change, DROP COLUMN listed_to,
          DROP COLUMN is_unlisted, DROP COLUMN has_news;
        \(EarlierTables.version6);
        UPDATE mirror SET version = 4
        """)
    }
    let updated = try await Self.mirror(schema)
    let version: Int? = try await updated.reading { db in
      try db.first("SELECT version FROM mirror")?.value(0)
    }
    #expect(version == PostgresSchema.version)
    #expect(try await updated.workerStatus().repositories == 1)
    let queue = RepositoryQueue(updated, host: GitHubServer.github.host)
    #expect(try await queue.claim(for: .seconds(60), by: "one")?.name == "a/b")
  }

  @Test("a canceled task cancels its statement on the server")
  func cancellation() async throws {
    let mirror = try await Self.mirror()
    let marker = "marker \(PostgresServer.newSchema())"
    let isRunning: PostgresSQL = """
      SELECT EXISTS (
        SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%'
          AND application_name = \(marker))
      """
    let task = Task {
      try await mirror.reading { db in
        try db.rows("SELECT set_config('application_name', \(marker), false)")
        _ = try db.rows("SELECT pg_sleep(600)::text")
      }
    }
    try await Self.wait(for: isRunning, in: mirror)
    task.cancel()
    let failure = await #expect(throws: MirrorFailure.self) { try await task.value }
    #expect(failure?.code == .cancelled)
    try await Self.wait(for: "SELECT NOT (\(isRunning))", in: mirror)
    // The next one has another connection.
    #expect(try await mirror.repositories() == [])
  }

  @Test("a canceled task starts no further statement")
  func cancellationBetween() async throws {
    let mirror = try await Self.mirror()
    let (hasBegun, hasGoneOn) = (Watched(false), Watched(false))
    let task = Task {
      try await mirror.reading { db in
        hasBegun.update { $0 = true }
        while !Task.isCancelled {}
        _ = try db.rows("SELECT 1::bigint")
        hasGoneOn.update { $0 = true }
      }
    }
    try await hasBegun.value { $0 ? () : nil }
    task.cancel()
    let failure = await #expect(throws: MirrorFailure.self) { try await task.value }
    #expect(failure?.code == .cancelled)
    #expect(!hasGoneOn.read { $0 })
  }

  @Test("waiting for a lock doesn't delay other tasks, and ends when the lock is released")
  func waiting() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record()
    let address = try await PostgresServer.running().address
    let holder = try await PostgresConnection.open(
      PostgresAddress(address), schema: mirror.pool.schema)
    try await holder.run { db in
      try db.begin(.writing)
      _ = try db.rows("SELECT true FROM repository FOR UPDATE")
    }
    // More than Swift has threads.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...6 { group.addTask { _ = try await mirror.ticket(of: repository) } }
      let waiting: PostgresSQL = """
        SELECT count(*) = 6 FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE repository SET ticket%'
        """
      try await Self.wait(for: waiting, in: mirror)
      try await holder.run { db in try db.run("COMMIT") }
      try await group.waitForAll()
    }
    #expect(try await mirror.ticket(of: repository) == StoreTicket(place: 7))
  }

  @Test("a deadlock is retried")
  func deadlock() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let keys = [try await test.record(id: 1).id, try await test.record(id: 2, name: "a/b").id]
    let tries = try await withThrowingTaskGroup(of: Int.self) { group in
      for order in [keys, keys.reversed()] {
        group.addTask {
          let runs = Counter()
          try await mirror.writing { db in
            let isFirst = runs.next() == 1
            try db.rows("UPDATE repository SET naming = naming + 1 WHERE key = \(order[0])")
            if isFirst {
              // Each waits until the other has its first row. Each writer also has a shared lock on the version.
              try db.rows("SELECT pg_advisory_xact_lock_shared(\(order[0]))::text")
              let both: PostgresSQL = """
                SELECT count(*) = 4 FROM pg_locks
                WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted
                """
              while try db.first(both)?.value(0) != true {}
            }
            _ = try db.rows("UPDATE repository SET naming = naming + 1 WHERE key = \(order[1])")
          }
          return runs.count
        }
      }
      return try await group.reduce(0, +)
    }
    // One of them was the server's victim, and both were carried out, once.
    #expect(tries > 2)
    let namings: [Int] = try await mirror.reading { db in
      try db.column("SELECT naming FROM repository ORDER BY id")
    }
    #expect(namings == [3, 4])
  }

  private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  @Test("connections that the server closed are replaced")
  func lostConnections() async throws {
    let mirror = try await Self.mirror()
    let marker = "ended \(PostgresServer.newSchema())"
    // As many as are kept.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          try await mirror.reading { db in
            _ = try db.rows("SELECT set_config('application_name', \(marker), false)")
          }
        }
      }
      try await group.waitForAll()
    }
    let ended = try await Self.mirror().reading { db in
      try db.rows(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(marker)
        """
      ).count
    }
    #expect(ended > 0)
    for _ in 1...8 { #expect(try await mirror.repositories() == []) }
  }

  @Test("the server ends a stalled writer, but not a stalled reader or an idle connection")
  func standstill() async throws {
    let mirror = try await Self.mirror()
    let limit: PostgresSQL = "SELECT current_setting('idle_in_transaction_session_timeout')"
    let (writing, reading) = (
      try await mirror.writing { db in try db.first(limit)?.value(0) as String? },
      try await mirror.reading { db in try db.first(limit)?.value(0) as String? }
    )
    #expect(writing == "10s" && reading == "0", "\(writing ?? "") \(reading ?? "")")
  }

  @Test("values survive a round trip through PostgreSQL")
  func values() async throws {
    let mirror = try await Self.mirror()
    try await mirror.reading { db in
      let row = try #require(
        try db.first(
          """
          SELECT \(Int64.min), \(Int?.none), \("é\"\\' 👍"), \(Data([0, 255])), \(true),
            \(.texts(["a\u{0}b", nil, ""])), (\(.reals([0.1, -2])))[2], 7::smallint, 1.5::real, ''::text
          """))
      #expect(try row.value(0) == Int64.min)
      #expect(try row.value(1) == Int?.none)
      #expect(try row.value(2) == "é\"\\' 👍")
      #expect(try row.value(3) == Data([0, 255]))
      #expect(try row.value(4) == true)
      #expect(try row.value(6) == -2.0)
      #expect(try row.value(7) == 7)
      #expect(try row.value(8) == 1.5)
      #expect(try row.value(9) == "")
      let texts: [String?] = try db.column(
        "SELECT * FROM unnest(\(.texts(["a\u{0}b", nil, ""])))")
      #expect(texts == ["a\u{FFFD}b", nil, ""])
      #expect(throws: PostgresFailure.self) { _ = try row.value(0) as String }
      #expect(throws: PostgresFailure.self) { _ = try row.value(1) as Int }
      #expect(throws: PostgresFailure.self) { _ = try row.value(10) as Int }
    }
  }

  @Test("a database error has the server's message and SQLSTATE")
  func errors() async throws {
    let mirror = try await Self.mirror()
    let failure = await #expect(throws: MirrorFailure.self) {
      try await mirror.reading { db in _ = try db.rows("SELECT 1 / \(0)") }
    }
    #expect(failure?.code == .database)
    #expect(failure?.message.contains("division by zero (SQLSTATE 22012)") == true)
    let refused = await #expect(throws: MirrorFailure.self) {
      try await mirror.reading { db in _ = try db.rows("UPDATE mirror SET version = 0") }
    }
    #expect(refused?.code == .readOnly)
  }

  @Test("a removed repository leaves no rows")
  func removal() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record()
    try await test.keep([.numbered(1), .numbered(2)], of: repository)
    try await test.keep([(1, IssueComment(id: 1, body: "Here"))], of: repository)
    try await mirror.remove(repository)
    let rows: Int = try await mirror.reading { db in
      let tables: [String] = try db.column(
        """
        SELECT table_name::text FROM information_schema.columns
        WHERE table_schema = current_schema AND column_name = 'repository'
        """)
      #expect(tables.count > 10)
      return try tables.reduce(0) { count, table in
        try count
          + (db.first("SELECT count(*) FROM \(sql: table)")?.value(0) ?? 0)
      }
    }
    #expect(rows == 0)
  }

  @Test("the search index is rebuilt where it is missing or has another version")
  func repair() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record()
    try await test.keep([.numbered(1, "Crash"), .numbered(2, "Hang")], of: repository)
    try await test.keep([(2, IssueComment(id: 1, body: "a crash"))], of: repository)
    #expect(try await !mirror.repairSearchIndex())
    for change in [
      "DELETE FROM item_text WHERE number = 1", "DELETE FROM comment_text",
      "UPDATE mirror SET search_index = 'other'; UPDATE item_text SET tsv = ''",
    ] {
      try await mirror.writing { db in try db.run(change) }
      #expect(try await test.found("crash", in: repository) != [2, 1])
      #expect(try await mirror.repairSearchIndex())
      #expect(try await test.found("crash", in: repository).sorted() == [1, 2])
      #expect(try await !mirror.repairSearchIndex())
    }
  }

  @Test(
    "a search of many repositories finds only issues in those repositories", arguments: [1, 32, 40])
  func manyRepositories(count: Int) async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    var repositories: [MirroredRepository] = []
    for id in 1...count + 1 {
      let repository = try await test.record(id: Int64(id), name: "a/b\(id)")
      try await test.keep([.numbered(id, "Crash"), .numbered(id + 100, "Hang")], of: repository)
      try await test.keep([(id + 100, IssueComment(id: 1, body: "no crash"))], of: repository)
      repositories.append(repository)
    }
    for (text, numbers) in [
      ("crash in:title", Set(1...count)), ("crash in:comments", Set(101...100 + count)),
      ("crash", Set(1...count).union(101...100 + count)), ("-crash", []),
      ("hang -crash in:title,body sort:created", Set(101...100 + count)),
      ("crash repo:a/b1 sort:updated", [1, 101]),
    ] {
      let found = try await mirror.search(
        SearchQuery(parsing: text), in: Array(repositories.dropLast()), limit: 200)
      #expect(Set(found.map(\.issue.number)) == numbers, "\(text)")
      #expect(found.allSatisfy { $0.issue.number % 100 == Int($0.repository.serverID) }, "\(text)")
    }
  }

  @Test("concurrent writers with the same users in different repositories don't fail")
  func samePeople() async throws {
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let people = (1...40).map { "person\($0)" }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for id in 1...6 {
        let repository = try await test.record(id: Int64(id), name: "a/b\(id)")
        group.addTask {
          var source = FuzzSource(seed: UInt64(id))
          for page in 1...10 {
            let issues = (0..<40).map { place in
              var issue = GitHub.Issue.numbered(page * 40 + place)
              // Another user each time, for the server's JSON.
              issue.user = GitHub.User(
                login: source.pick(people), serverID: Int64(source.below(1_000)))
              return issue
            }
            try await test.keep(issues, of: repository)
          }
          return try await mirror.count(.items, of: repository)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 400, count: 6))
  }

  @Test(
    "the PostgreSQL index finds the same issues as a plain scan for any search", arguments: 1...4)
  func plainScan(seed: UInt64) async throws {
    var source = FuzzSource(seed: seed)
    var (items, comments) = PlainScanTests.corpus(&source)
    let mirror = try await Self.mirror()
    let test = StoreUnderTest(store: mirror, keeping: mirror) { mirror }
    let repository = try await test.record(name: "a/b")
    func store() async throws {
      _ = try await mirror.store(
        FeedPage(JSONEncoder().encode(items), of: .items), of: repository, sweep: nil,
        at: StoreUnderTest.now)
      _ = try await mirror.store(
        FeedPage(JSONEncoder().encode(comments), of: .comments), of: repository, sweep: nil,
        at: StoreUnderTest.now)
    }
    try await store()
    // Some change, so that what they were before must not be found.
    for index in items.indices where source.once(in: 4) {
      items[index].title = PlainScanTests.text(&source, 5)
      items[index].body = source.once(in: 3) ? nil : PlainScanTests.text(&source, 12)
      items[index].updatedAt += 1_000_000
    }
    for index in comments.indices where source.once(in: 4) {
      comments[index].body = PlainScanTests.text(&source, 12)
      comments[index].updatedAt += 1_000_000
    }
    try await store()
    let scan = PlainScan(items: items, comments: comments)
    var found = 0
    for _ in 0..<80 {
      let text = PlainScanTests.query(&source)
      guard let query = try? SearchQuery(parsing: text) else { continue }
      let results = try await mirror.results(of: query, in: [repository], limit: 1_000)
      let numbers = results.results.map(\.issue.number)
      let isByRelevance = query.sort == .relevance
      #expect((isByRelevance ? numbers.sorted() : numbers) == scan.numbers(query), "\(text)")
      #expect(results.count == numbers.count, "\(text)")
      found += numbers.count
    }
    #expect(found > 400)
  }
}

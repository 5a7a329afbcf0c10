import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("A custom SQL query", .timeLimit(.minutes(5)))
struct QueryTests {
  private static func mirror() async throws -> TestMirror {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1, "Crash in the parser")
    issue.labels = [
      GitHub.Label(serverID: 2, name: "zebra"), GitHub.Label(serverID: 1, name: "apple"),
    ]
    issue.body = "It ends"
    try await test.store([issue, .numbered(2)])
    return test
  }

  @Test(
    "a custom query can read tables, views and the index",
    arguments: [
      ("SELECT count(*) AS n FROM item", [[.integer(2)]]),
      (
        "SELECT number, kind, labels, body, author, created_at FROM issues ORDER BY 1;",
        [
          [
            .integer(1), .text("issue"), .text("zebra, apple"), .text("It ends"), .text("octocat"),
            .text("2020-09-13T12:26:40Z"),
          ],
          [
            .integer(2), .text("issue"), .null, .null, .text("octocat"),
            .text("2020-09-13T12:26:40Z"),
          ],
        ]
      ),
      ("SELECT count(*) FROM comments -- none", [[.integer(0)]]),
      ("SELECT 1; -- done", [[.integer(1)]]), ("SELECT 1 ; /* done", [[.integer(1)]]),
      ("SELECT rowid & 255 FROM item_text WHERE item_text MATCH 'parser'", [[.integer(1)]]),
      (
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 2) SELECT i / 2.0 FROM n",
        [[.real(0.5)], [.real(1)]]
      ),
      (
        "PRAGMA table_info(sweep_seen)",
        [
          [.integer(0), .text("sweep"), .text("INTEGER"), .integer(1), .null, .integer(1)],
          [.integer(1), .text("number"), .text("INTEGER"), .integer(1), .null, .integer(2)],
        ]
      ),
    ] as [(String, [[QueryAnswer.Value]])])
  func reading(sql: String, rows: [[QueryAnswer.Value]]) async throws {
    let test = try await Self.mirror()
    #expect(try await test.mirror.query(sql).rows == rows)
  }

  @Test(
    "a custom query is read-only",
    arguments: [
      "", "-- nothing", "SELEC 1", "SELECT x", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM item",
      "SELECT 1; ; -- more\nSELECT 2", "SELECT 1; SELEC", "SELECT abs(-9223372036854775808)",
      "DELETE FROM item", "UPDATE item SET number = 5 RETURNING number", "DROP VIEW issues",
      "CREATE TEMP TABLE t (x)", "ATTACH '/tmp/other.db' AS other", "DETACH main", "VACUUM",
      "VACUUM INTO '/tmp/other.db'", "BEGIN", "COMMIT", "SAVEPOINT a", "REINDEX", "ANALYZE",
      "PRAGMA writable_schema = 1", "PRAGMA journal_mode = DELETE", "PRAGMA trusted_schema = 1",
      "PRAGMA wal_checkpoint", "SELECT load_extension('x')",
      "INSERT INTO item_text(item_text) VALUES ('delete-all')",
    ])
  func refusal(sql: String) async throws {
    let test = try await Self.mirror()
    for mirror in [test.mirror, try Mirror(path: test.mirror.path, isReadOnly: true)] {
      let failure = await #expect(throws: MirrorFailure.self) { try await mirror.query(sql) }
      #expect(failure?.code == .queryRefused, "\(failure?.message ?? "")")
      // Later reads work as before.
      #expect(try await mirror.issue(1, of: test.repository) != nil)
    }
    #expect(try await test.numbers() == [1, 2])
  }

  @Test("a custom query's views have complete texts, with U+FFFD in place of U+0000")
  func nul() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1, "a\0b")
    issue.body = #"c\0d \u0000 \\u0000 "e" \\"# + "\0"
    issue.labels = [GitHub.Label(name: "f\0g")]
    try await test.store([issue])
    try await test.store([(1, IssueComment(id: 7, body: "h\0i"))])
    let answer = try await test.mirror.query(
      "SELECT title, body, labels FROM issues UNION ALL SELECT body, NULL, NULL FROM comments")
    let body = #"c\0d \u0000 \\u0000 "e" \\"# + "\u{FFFD}"
    #expect(
      answer.rows == [
        [.text("a\u{FFFD}b"), .text(body), .text("f\u{FFFD}g")],
        [.text("h\u{FFFD}i"), .null, .null],
      ])
  }

  private static let endless =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test("a custom query ends at its time limit or when its task is canceled")
  func end() async throws {
    let test = try await Self.mirror()
    let mirror = test.mirror
    let late = await #expect(throws: MirrorFailure.self) {
      try await mirror.query(Self.endless, timeLimit: .milliseconds(20))
    }
    #expect(late?.code == .queryTooCostly)
    let task = Task { try await mirror.query(Self.endless) }
    task.cancel()
    let cancelled = await #expect(throws: MirrorFailure.self) { try await task.value }
    #expect(cancelled?.code == .cancelled)
  }

  @Test(
    "a custom query with slow values ends at its time limit"
  )
  func longValues() async throws {
    let test = try await Self.mirror()
    let late = await #expect(throws: MirrorFailure.self) {
      try await test.mirror.query(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
        SELECT sum(length(randomblob(16000000))) FROM n
        """, timeLimit: .milliseconds(20))
    }
    #expect(late?.code == .queryTooCostly)
    // A single value can't be interrupted.
    let large = await #expect(throws: MirrorFailure.self) {
      try await test.mirror.query("SELECT length(randomblob(100 << 20))")
    }
    #expect(large?.code == .queryTooCostly)
  }

  @Test("a custom query's result has a size limit")
  func size() async throws {
    let test = try await Self.mirror()
    for sql in [
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 5)
      SELECT zeroblob(60 << 20) FROM n
      """, "SELECT zeroblob(200 << 20)",
    ] {
      let failure = await #expect(throws: MirrorFailure.self) { try await test.mirror.query(sql) }
      #expect(failure?.code == .queryTooCostly)
    }
  }

  @Test("a custom query of a damaged file reports the damage")
  func damage() async throws {
    let test = try await Self.mirror()
    let page = try await test.mirror.database.read { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'item'")
    }
    try await test.mirror.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try test.mirror.database.close()
    let file = try #require(fopen(test.mirror.path, "r+"))
    fseek(file, (try #require(page) - 1) * 16_384, SEEK_SET)
    let bytes = [UInt8](repeating: 0xFF, count: 16_384)
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    let mirror = try Mirror(path: test.mirror.path, isReadOnly: true)
    let failure = await #expect(throws: MirrorFailure.self) {
      try await mirror.query("SELECT title FROM item WHERE key = 1")
    }
    #expect(failure?.code == .damaged, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("Remove the file") == true)
  }

  @Test("a custom query leaves other readers' connections unchanged")
  func others() async throws {
    let test = try await Self.mirror()
    _ = try await test.mirror.query("SELECT 1")
    // GRDB finds the columns of a statement with the authorizer, which a custom query replaces.
    let region = try await test.mirror.database.read { db in
      "\(try db.makeStatement(sql: "SELECT title FROM item").databaseRegion)"
    }
    #expect(region == "item(title)")
  }

  @Test("a custom query works in any SQLite build, without this package's functions")
  func otherPrograms() async throws {
    let test = try await Self.mirror()
    var configuration = Configuration()
    configuration.readonly = true
    let other = try DatabaseQueue(path: test.mirror.path, configuration: configuration)
    let labels = try await other.read { db in
      _ = try Row.fetchAll(db, sql: "SELECT * FROM comments")
      return try String?.fetchAll(db, sql: "SELECT labels FROM issues ORDER BY number")
    }
    #expect(labels == ["zebra, apple", nil])
  }
}

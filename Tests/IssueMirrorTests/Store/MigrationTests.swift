import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Migrating a mirror", .timeLimit(.minutes(5)))
struct MigrationTests {
  private static let items = [
    1: #"""
    {"id":1,"number":1,"state":"open","state_reason":"reopened","title":"Crash",
     "body":"ask @Octocat, not me@example",
     "labels":[{"name":"zebra"},{"name":"apple"}],"locked":true,"user":{"login":"hubot","id":2},
     "updated_at":"2026-01-01T00:00:00Z"}
    """#,
    2: #"""
    {"id":2,"number":2,"state":"open","title":"Draft","html_url":"https://github.com/a/b/pull/2",
     "body":null,"draft":true,
     "pull_request":{"url":"https://api.github.com/x","merged_at":null},
     "updated_at":"2026-01-01T00:00:00Z"}
    """#,
    3: #"""
    {"id":3,"number":3,"state":"closed","title":"Merged","body":"a parser",
     "pull_request":{"url":"https://api.github.com/x","merged_at":"2025-12-31T00:00:00Z"},
     "updated_at":"2026-01-01T00:00:00Z"}
    """#,
  ]

  private static func version(_ mirror: Mirror) async throws -> Int? {
    try await mirror.database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  private static func found(_ words: String, in mirror: Mirror) async throws -> [Int] {
    try await mirror.search(
      SearchQuery(parsing: words), in: mirror.repositories(), limit: 10
    ).map(\.issue.number).sorted()
  }

  @Test("a reader leaves an earlier version's file unchanged, and its error has the update command")
  func neverWriting() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    try FirstVersion.make(at: path, items: Self.items)
    let bytes = folder.contents("mirror.db")
    let failure = #expect(throws: MirrorFailure.self) { _ = try Mirror(neverWriting: path) }
    #expect(failure?.code == .readOnly)
    #expect(failure?.message.contains("'issues mirror'") == true)
    #expect(folder.contents("mirror.db") == bytes)
    _ = try Mirror(path: path, isReadOnly: true)
    let mirror = try Mirror(neverWriting: path)
    #expect(try await Self.found("is:draft", in: mirror) == [2])
  }

  @Test(
    "a migration adds everything that the first version's file lacks",
    arguments: [false, true])
  func firstVersion(isReadOnly: Bool) async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    try FirstVersion.make(at: path, items: Self.items, comments: [7: "thanks @hubot"])
    let mirror = try Mirror(path: path, isReadOnly: isReadOnly)
    #expect(try await Self.version(mirror) == MirrorSchema.version)
    #expect(try await mirror.check() == [])
    #expect(try await Self.found("is:draft", in: mirror) == [2])
    #expect(try await Self.found("is:locked", in: mirror) == [1])
    #expect(try await Self.found("is:merged", in: mirror) == [3])
    #expect(try await Self.found("mentions:octocat", in: mirror) == [1])
    #expect(try await Self.found("mentions:hubot", in: mirror) == [1])
    #expect(try await Self.found("mentions:example", in: mirror) == [])
    #expect(try await Self.found("pars*", in: mirror) == [3])
    #expect(try await Self.found("thanks", in: mirror) == [1])
    let labels = try await mirror.database.read { db in
      try String.fetchAll(
        db,
        sql:
          "SELECT name FROM item_label JOIN label ON key = label WHERE item = 1 ORDER BY position")
    }
    #expect(labels == ["zebra", "apple"])
    let mergedAt = try await mirror.database.read { db in
      try Int.fetchOne(db, sql: "SELECT merged_at FROM item WHERE number = 3")
    }
    #expect(mergedAt == 1_767_139_200)
    let repository = try #require(try await mirror.repositories().first)
    let list = MirrorList(
      repository: repository, filter: IssueFilter(state: .all, direction: .ascending),
      includesPullRequests: true)
    var rows: [GitHub.Issue] = []
    for try await page in mirror.rows(of: list, pageSize: 100, withAssignees: true) { rows += page }
    #expect(rows.map(\.title) == ["Crash", "Draft", "Merged"])
    #expect(rows.map { $0.labels.map(\.name) } == [["zebra", "apple"], [], []])
    #expect(rows.map(\.stateReason) == [.reopened, nil, nil])
    #expect(rows.map(\.htmlURL) == [nil, "https://github.com/a/b/pull/2", nil])
    #expect(rows.map(\.isDraft) == [nil, true, false])
    #expect(rows.map { $0.pullRequest?.mergedAt == nil } == [true, true, false])
  }

  @Test("a migration happens once, even if several openers start it")
  func again() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    try FirstVersion.make(at: path, items: Self.items)
    let versions = try await withThrowingTaskGroup(of: Int?.self) { group in
      for index in 1...6 {
        group.addTask { try await Self.version(Mirror(path: path, isReadOnly: index > 3)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions == Array(repeating: MirrorSchema.version, count: 6))
    #expect(try await Mirror(path: path).check() == [])
  }

  @Test(
    "a migration that isn't possible is reported with advice",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnly() throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    try FirstVersion.make(at: path, items: Self.items)
    for name in folder.names { chmod(folder[name], 0o400) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let failure = #expect(throws: MirrorFailure.self) { try Mirror(path: path, isReadOnly: true) }
    #expect(failure?.code == .readOnly)
    #expect(failure?.message.contains("earlier version") == true)
  }

  @Test("a migration rebuilds an index from another tokenizer")
  func tokenizer() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1, "Crash in the parser")])
    try await test.mirror.database.write { db in
      try db.execute(sql: "UPDATE property SET value = '0-0' WHERE name = 'search_index'")
      try db.execute(sql: "INSERT INTO item_text(item_text) VALUES ('delete-all')")
    }
    #expect(try await Self.found("parser", in: test.mirror) == [])
    let mirror = try Mirror(path: test.mirror.path, isReadOnly: true)
    #expect(try await Self.found("parser", in: mirror) == [1])
    #expect(try await mirror.check() == [])
  }
  /// Of a file that version 4 made.
  private static let fourth: UInt64 = 1_520_582_602_676_990_407

  @Test(
    "a migration adds timelines and complete text to version 4, and keeps its data",
    arguments: [false, true])
  func fourthVersion(isReadOnly: Bool) async throws {
    let test = try await TestMirror()
    var draft = GitHub.Issue.numbered(2, "Draft\0 of a title")
    draft.body = "text\0 behind @octocat"
    try await test.store([.numbered(1, "Crash"), draft])
    try await test.store([(1, IssueComment(id: 7, body: "thanks\0 @hubot"))])
    let path = test.mirror.path
    // The way back, which ends at what version 4 made, byte by byte.
    try await test.mirror.database.write { db in
      for view in try MirrorSchema.objects(db) where view.type == "view" && view.name != "events" {
        let sql = ["item", "comment"].reduce(view.sql) { sql, table in
          let json = view.name.hasSuffix("_source") ? "json" : "\(table).json"
          return sql.replacing(
            SearchIndex.body(of: table), with: "json_extract(CAST(\(json) AS TEXT), '$.body')")
        }
        try db.execute(sql: "DROP VIEW \(view.name); \(sql)")
      }
      try db.execute(
        sql: """
          UPDATE item SET title = 'Draft' WHERE number = 2; DELETE FROM mention;
          INSERT INTO item_text(item_text) VALUES ('delete-all');
          INSERT INTO comment_text(comment_text) VALUES ('delete-all');
          ALTER TABLE comment DROP COLUMN is_abridged;
          DROP VIEW events; DROP TRIGGER item_forgotten; DROP TABLE event; DROP TABLE timeline;
          ALTER TABLE repository DROP COLUMN timelines_missing_at;
          ALTER TABLE repository DROP COLUMN timelines_checked_at;
          DELETE FROM grdb_migrations WHERE identifier IN ('5', '6');
          PRAGMA user_version = 4;
          """)
      #expect(MirrorSchema.digest(of: try MirrorSchema.objects(db)) == Self.fourth)
    }
    try test.mirror.database.close()
    let mirror = try Mirror(path: path, isReadOnly: isReadOnly)
    #expect(try await Self.version(mirror) == MirrorSchema.version)
    #expect(try await mirror.check() == [])
    let repository = try #require(try await mirror.repositories().first)
    #expect(repository.timelinesCheckedAt == nil && repository.lacksTimelinesSince == nil)
    #expect(try await mirror.issue(1, of: repository)?.title == "Crash")
    #expect(try await mirror.comments(on: 1, of: repository).map(\.body) == ["thanks\0 @hubot"])
    for (words, number) in [
      ("mentions:hubot", 1), ("mentions:octocat", 2), ("hubot", 1), ("behind", 2), ("title", 2),
    ] {
      #expect(try await Self.found(words, in: mirror) == [number], "\(words)")
    }
    #expect(try await mirror.issue(2, of: repository)?.title == draft.title)
    let outdated = try await mirror.outdatedTimelines(of: repository, includingCurrent: false)
    #expect(outdated.map(\.number) == [2, 1])
  }
}

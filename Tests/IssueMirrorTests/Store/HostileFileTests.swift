import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror

@Suite("A hostile mirror file", .tags(.heavy), .timeLimit(.minutes(5)))
struct HostileFileTests {
  /// A closed file with an issue and a comment, modified by other tools.
  private static func file(_ statement: String) async throws -> ScratchFolder {
    let folder = try ScratchFolder()
    do {
      let mirror = try Mirror(path: folder["mirror.db"])
      var repository = try await TestMirror.record(id: 1, name: "a/b", in: mirror)
      try await mirror.store(
        TestMirror.page([.numbered(1, "Crash in the parser")]), of: repository, sweep: nil,
        at: TestMirror.now)
      let comment = IssueComment(
        id: 7, body: "Thanks", user: GitHub.User(login: "hubot", serverID: 2))
      try await mirror.store(
        TestMirror.comments([(1, comment)]), of: repository, sweep: nil, at: TestMirror.now)
      repository = try await mirror.finish(
        .items, of: repository, syncedTo: 1_790_000_000, entityTag: nil, at: TestMirror.now)
      try mirror.database.close()
    }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase(SearchIndex.register)
    let other = try DatabaseQueue(path: folder["mirror.db"], configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: statement) }
    try other.close()
    return folder
  }

  /// Everything that reads.
  private static let readings: [@Sendable (Mirror) async throws -> Void] = [
    { _ = try await $0.repositories() },
    { mirror in
      for repository in try await mirror.repositories() {
        _ = try await mirror.issues(of: repository, filter: IssueFilter(state: .all))
      }
    },
    { mirror in
      for repository in try await mirror.repositories() {
        let list = MirrorList(
          repository: repository, filter: IssueFilter(state: .all), includesPullRequests: true)
        for try await _ in mirror.rows(of: list, pageSize: 100, withAssignees: true) {}
        for try await _ in mirror.documents(of: list, pageSize: 100) {}
      }
    },
    { mirror in
      for repository in try await mirror.repositories() {
        let export = mirror.export(
          of: repository, filter: IssueFilter(state: .all), includesComments: true)
        for try await page in export {
          for entry in page { _ = (try entry.issue(), try entry.decodedComments()) }
        }
      }
    },
    { mirror in
      for repository in try await mirror.repositories() {
        _ = try await mirror.counts(of: repository)
        _ = try await mirror.statistics(of: repository, now: TestMirror.now)
        _ = try await mirror.tombstones(of: repository)
        _ = try await mirror.comments(on: 1, of: repository)
        _ = try await mirror.setAside(of: repository)
        let unexplained = try await mirror.unexplainedNumbers(of: repository, after: 0, limit: 5)
        #expect(unexplained?.count ?? 0 <= 5)
      }
    },
    { mirror in
      for text in ["crash parser", "crash sort:created", "is:open", "thanks", "#1 author:octocat"] {
        _ = try await mirror.search(
          SearchQuery(parsing: text), in: mirror.repositories(), limit: 5)
      }
    },
    { _ = try await $0.check() },
  ]

  @Test(
    "a hostile mirror's column of the wrong type causes only an error",
    arguments: [
      "UPDATE item SET json = 5", "UPDATE item SET json = ''", "UPDATE item SET json = x'FF'",
      "UPDATE item SET number = 'one'", "UPDATE item SET number = 9223372036854775807",
      "UPDATE item SET number = -1", "UPDATE item SET comments = 'many', updated_at = 'soon'",
      "UPDATE item SET created_at = -9223372036854775808",
      "UPDATE item SET created_at = 9223372036854775807, closed_at = 1e300",
      "UPDATE item SET created_at = 'then', state = x'00'",
      "UPDATE item SET is_pull_request = 'no'",
      "UPDATE item SET title = x'C0', author = 7, milestone = 1.5",
      "UPDATE repository SET full_name = x'FF'", "UPDATE repository SET id = 'one', host = 7",
      "UPDATE repository SET synced_to = 'now', checked_at = x'00'",
      "UPDATE repository SET key = 9223372036854775807", "UPDATE repository SET json = 'none'",
      "UPDATE comment SET json = 5", "UPDATE comment SET id = 'one', number = 'one'",
      "UPDATE comment SET created_at = 'then', author = x'FF'",
      """
      INSERT INTO tombstone (repository, number, title, fate, found_at, json)
      VALUES (1, 'nine', x'FF', 'deleted', 'then', 0)
      """,
      "INSERT INTO set_aside VALUES (1, 'items', 9, 'nine', 'reason', 0)",
      "INSERT INTO set_aside VALUES (1, 'comments', 'nine', 9, 'reason', 0)",
      "INSERT INTO set_aside VALUES (1, x'FF', 9, 9, x'FF', 'then')",
      "UPDATE repository SET unproven_to = 9223372036854775807",
      """
      UPDATE repository SET unproven_to = 9223372036854775807;
      UPDATE item SET number = 9223372036854775807
      """,
    ])
  func types(statement: String) async throws {
    let folder = try await Self.file(statement)
    for reading in Self.readings {
      do {
        try await reading(Mirror(path: folder["mirror.db"], isReadOnly: true))
      } catch let failure as MirrorFailure {
        #expect([.damaged, .database].contains(failure.code), "\(failure)")
      }
    }
    let names = try MirrorNames(path: folder["mirror.db"])
    _ = await names.repositories()
    let name = try #require(RepositoryName(owner: "a", name: "b"))
    _ = await names.numbers(of: name, on: .github, prefix: "", limit: 5)
    _ = await names.labels(of: name, on: .github, prefix: "")
    _ = await names.authors(of: name, on: .github, prefix: "", limit: 5)
  }

  private static let numbers = [
    "repository SET synced_to", "repository SET comments_synced_to", "repository SET checked_at",
    "repository SET verified_at", "repository SET properties_checked_at",
    "repository SET open_count", "repository SET unproven_to", "repository SET miscount",
    "repository SET miscount = 1, miscounted_at", "repository SET recounted_at",
    "repository SET miscount = -3, miscounted_at = 1, accepted_difference",
    "repository SET timelines_checked_at", "repository SET timelines_missing_at",
    "item SET updated_at", "item SET created_at", "item SET closed_at", "item SET comments",
    "item SET number", "comment SET created_at", "comment SET updated_at", "comment SET number",
  ].flatMap { column in
    ["9223372036854775807", "-9223372036854775808"].map { "\(column) = \($0)" }
  }

  @Test(
    "a hostile mirror's impossible number or time can't crash a sync",
    .timeLimit(.minutes(5)),
    arguments: numbers.sampled(every: 3))
  func syncOfHugeNumbers(assignment: String) async throws {
    let folder = try await Self.file("UPDATE \(assignment)")
    let mirror = try Mirror(path: folder["mirror.db"])
    try await Self.sync(mirror)
    for reading in Self.readings {
      do {
        try await reading(mirror)
      } catch is MirrorFailure {}
    }
  }

  @Test(
    "a hostile mirror's sweep position can't crash a sync",
    arguments: [
      ["position": Int.max], ["position": .min], ["position": 0, "end": .max],
      ["position": .min, "end": .max],
    ])
  func extremeSweep(stretch: [String: Int]) async throws {
    for purpose in ["first", "changes", "verification"] {
      let numbers = stretch.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
      let json = """
        {"purpose":"\(purpose)","began":\(stretch["end"] ?? .min),"stored":\(Int.max),
        "total":\(Int.max),"latest":\(Int.min),"stretches":[{\(numbers)}]}
        """
      let folder = try await Self.file(
        "INSERT INTO sweep (repository, timeline, began_at, json) VALUES (1, 'items', 0, '\(json)')"
      )
      try await Self.sync(Mirror(path: folder["mirror.db"]))
    }
  }

  /// With a server that has a repository of the file's name.
  private static func sync(_ mirror: Mirror) async throws {
    let repository = LoopbackRepository(
      id: 1, owner: "a", name: "b", issues: SyntheticIssues(count: 3))
    try await withSyncWorld(repository: repository, mirror: mirror) { world in
      // The file says github.com.
      try await mirror.database.write { db in
        try db.execute(
          sql: "UPDATE repository SET host = ?", arguments: [GitHubServer.github.host])
      }
      for verifies in [false, true] {
        do {
          try await world.sync(comments: true, verifies: verifies)
        } catch is MirrorFailure {
        } catch is NetworkError {}
      }
    }
  }

  @Test(
    "a hostile mirror's impossible issue row is reported as damage"
  )
  func isDamaged() async throws {
    let folder = try await Self.file("UPDATE item SET json = 5")
    let mirror = try Mirror(path: folder["mirror.db"], isReadOnly: true)
    let repository = try #require(try await mirror.repositories().first)
    let failure = await #expect(throws: MirrorFailure.self) {
      try await mirror.issues(of: repository)
    }
    #expect(failure?.code == .damaged)
  }

  @Test(
    "a hostile mirror's planted mentions don't prevent storing an issue"
  )
  func mentions() async throws {
    let test = try await TestMirror()
    try await test.mirror.database.write { db in
      try db.execute(
        sql: "INSERT INTO mention VALUES (?, 'hubot', 1, 0)", arguments: [test.repository.id])
    }
    var issue = GitHub.Issue.numbered(1)
    issue.body = "As @hubot said"
    #expect(try await test.store([issue]).inserted == 1)
  }

  @Test(
    "a hostile mirror with other table definitions isn't opened",
    arguments: [
      "CREATE TRIGGER more AFTER UPDATE ON item BEGIN DELETE FROM comment; END",
      "DROP INDEX item_summary", "DROP TABLE mention",
      "DROP VIEW item_source; CREATE VIEW item_source AS SELECT 1 AS place, 'a' AS title, 'b' AS body",
    ], [false, true])
  func schema(statement: String, isReadOnly: Bool) async throws {
    let folder = try await Self.file(statement)
    let failure = #expect(throws: MirrorFailure.self) {
      try Mirror(path: folder["mirror.db"], isReadOnly: isReadOnly)
    }
    #expect(failure?.code == .damaged)
  }

  @Test("a mirror may have additional tables of other programs")
  func otherTables() async throws {
    let folder = try await Self.file("CREATE TABLE note (text); CREATE INDEX notes ON note (text)")
    let mirror = try Mirror(path: folder["mirror.db"], isReadOnly: true)
    #expect(try await mirror.repositories().count == 1)
    #expect(try await mirror.check() == [])
  }

  @Test(
    "a mirror's unchanged table definitions are compared quickly"
  )
  func digest() async throws {
    let test = try await TestMirror()
    let found = try await test.mirror.database.read { db in
      MirrorSchema.digest(of: try MirrorSchema.objects(db))
    }
    #expect(
      found == MirrorSchema.digest,
      "The steps make another schema: set MirrorSchema.digest to \(found)")
  }

  @Test("a mirror's connection doesn't trust the schema, attach files or create huge values")
  func settings() async throws {
    let test = try await TestMirror()
    try await test.mirror.database.writeWithoutTransaction { db in
      let isTrusted = try Bool.fetchOne(db, sql: "PRAGMA trusted_schema")
      #expect(isTrusted == false)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "DELETE FROM item_text_data")
      }
      #expect(throws: DatabaseError.self) { try db.execute(sql: "ATTACH ':memory:' AS other") }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "SELECT length(zeroblob(200 << 20))")
      }
    }
  }

  @Test("reading names without a valid mirror fails with the reason")
  func noNames() throws {
    let folder = try ScratchFolder()
    try Data("no database, but long enough to have a header".utf8)
      .write(to: URL(filePath: folder["diary.txt"]))
    for (file, code) in [
      ("mirror.db", MirrorFailure.Code.cannotOpen), ("diary.txt", .damaged),
    ] {
      let failure = #expect(throws: MirrorFailure.self) { try MirrorNames(path: folder[file]) }
      #expect(failure?.code == code)
      #expect(failure?.message.contains(file) == true)
    }
    #expect(folder.names == ["diary.txt"])
    #expect("\(MirrorFailure.Code.cannotOpen)" == "cannotOpen")
  }

  @Test("a mirror isn't created at the target of a dangling link")
  func danglingLink() throws {
    let folder = try ScratchFolder()
    symlink(folder["elsewhere.db"], folder["mirror.db"])
    for isReadOnly in [false, true] {
      let failure = #expect(throws: MirrorFailure.self) {
        try Mirror(path: folder["mirror.db"], isReadOnly: isReadOnly)
      }
      #expect(failure?.code == .cannotOpen)
    }
    #expect(folder.names == ["mirror.db"])
  }

  @Test(
    "a mirror in another user's folder can't be read",
    .enabled(if: geteuid() == 0, "only root can give a folder away"))
  func otherUsersFolder() throws {
    let folder = try ScratchFolder()
    _ = try Mirror(path: folder["mirror.db"])
    chown(folder.path, 65_534, 65_534)
    defer { chown(folder.path, geteuid(), getegid()) }
    let failure = #expect(throws: MirrorFailure.self) {
      try Mirror(path: folder["mirror.db"], isReadOnly: true)
    }
    #expect(failure?.code == .cannotOpen)
  }

  @Test(
    "a mirror in a read-only folder can be read",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func archive() async throws {
    let folder = try await Self.file("SELECT 1")
    for name in folder.names where name != "mirror.db" { unlink(folder[name]) }
    chmod(folder["mirror.db"], 0o400)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let mirror = try Mirror(path: folder["mirror.db"], isReadOnly: true)
    let repository = try #require(try await mirror.repositories().first)
    #expect(try await mirror.issues(of: repository).map(\.number) == [1])
    // Whole lists are read from a snapshot, with a connection of its own.
    let list = MirrorList(
      repository: repository, filter: IssueFilter(state: .all), limit: nil,
      includesPullRequests: true)
    var numbers: [Int] = []
    for try await page in mirror.rows(of: list, pageSize: 1, withAssignees: true) {
      numbers += page.map(\.number)
    }
    #expect(numbers == [1])
    #expect(folder.names == ["mirror.db"])
  }
}

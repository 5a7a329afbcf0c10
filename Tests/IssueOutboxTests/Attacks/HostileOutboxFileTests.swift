import Foundation
import GRDB
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("A hostile outbox file", .timeLimit(.minutes(5)))
struct HostileOutboxFileTests {
  /// Leaves entries in all states, closes the file, and does something to it with other tools.
  private static func tamper(
    _ bench: OutboxBench, _ statement: String
  ) throws {
    let other = try DatabaseQueue(path: bench.outbox.path)
    try other.writeWithoutTransaction { try $0.execute(sql: statement) }
    try other.close()
  }

  private static func fill(_ bench: OutboxBench) async throws {
    bench.github.strike(.requestLost) { $0.path.hasSuffix("/comments") }
    try await bench.add(
      .createIssue(NewIssue(title: "Mine", body: "Text")), .comment(on: .number(1), body: "Lost"),
      .edit(.number(2), IssueChange(title: TextChange("New", base: "A text of long ago"))),
      .edit(.number(3), IssueChange(milestone: .set(99))))
    _ = try? await bench.send()
    try await bench.add(.comment(on: .number(4), body: "Queued"), .close(.number(4), .completed))
    let states = try await bench.outbox.entries().map(\.state)
    #expect(states == [.sent, .unknown, .conflict, .refused, .queued, .queued])
  }

  private static let values = [
    "NULL", "5", "-1", "''", "'one'", "x'FF'", "x'00'", "9223372036854775807",
    "-9223372036854775808", "1e300", "-1e300", "9e999", "'[]'", "'null'", "'{}'",
    "replace(hex(zeroblob(1000000)), '0', '[')",
  ]
  private static let columns = [
    ("entry", "server"), ("entry", "repository"), ("entry", "number"), ("entry", "pending"),
    ("entry", "fingerprint"), ("entry", "login"), ("entry", "state"), ("entry", "requires"),
    ("entry", "dropped"), ("entry", "created"), ("entry", "changed"), ("entry", "attempts"),
    ("entry", "began"), ("entry", "looks"), ("entry", "item"), ("entry", "delivered"),
    ("entry", "reason"), ("entry", "change"), ("entry", "answer"), ("entry", "conflict"),
    ("entry", "json"), ("setting", "value"), ("lease", "holder"), ("lease", "until"),
    ("lease", "locked"), ("login", "login"), ("written", "time"), ("pause", "until"),
    ("pause", "count"),
  ]

  @Test(
    "a hostile outbox's column of the wrong type causes only an error",
    arguments: columns)
  func types(table: String, column: String) async throws {
    try await OutboxBench.run { bench in
      try await Self.fill(bench)
      try Self.tamper(
        bench,
        """
        INSERT OR REPLACE INTO lease VALUES (1, 'mallory', 5, 0);
        INSERT INTO pause SELECT server, fingerprint, 5, 1 FROM entry LIMIT 1;
        """)
      let original = try #require(bench.folder.contents("outbox.db"))
      for value in Self.values {
        let folder = try ScratchFolder()
        try folder.write(original, to: "outbox.db")
        chmod(folder["outbox.db"], 0o600)
        // Values that the table's constraints reject need no test.
        let other = try DatabaseQueue(path: folder["outbox.db"])
        let isTaken = try await other.writeWithoutTransaction { db in
          (try? db.execute(sql: "UPDATE \(table) SET \(column) = \(value)")) != nil
        }
        try other.close()
        guard isTaken else { continue }
        await Self.useAll(folder["outbox.db"], bench)
      }
    }
  }

  /// Does everything with a file: each succeeds or fails with an error, and none takes long.
  private static func useAll(_ path: String, _ bench: OutboxBench) async {
    func attempt(_ body: () async throws -> Void) async {
      do {
        try await body()
      } catch {
        #expect(error is OutboxFailure || error is NetworkError, "\(error)")
      }
    }
    await attempt {
      let outbox = try Outbox(path: path, clock: bench.clock, now: OutboxBench.now(bench.clock))
      await attempt { _ = try await outbox.entries() }
      await attempt { _ = try await outbox.droppedEntries() }
      for id in OutboxEntry.ID(1)...6 {
        await attempt { _ = try await outbox.entry(id) }
        await attempt { _ = try await outbox.resolve(id, with: "Text") }
        await attempt { _ = try await outbox.markSent(id, number: 3) }
      }
      await attempt {
        try await outbox.add([bench.intention(.comment(on: .pending(1), body: "See new-1"))])
      }
      await attempt { try await bench.with(outbox).send() }
      for id in OutboxEntry.ID(1)...6 {
        await attempt { _ = try await outbox.retry(id, mayRepeat: true) }
        await attempt { _ = try await outbox.replace(id, with: .close(.number(1), .completed)) }
        await attempt { _ = try await outbox.drop(id) }
        await attempt { _ = try await outbox.restore(id) }
      }
    }
  }

  @Test(
    "a hostile outbox file sends nothing to a server that isn't connected"
  )
  func otherServer() async throws {
    let elsewhere = LoopbackGitHub()
    try await withLoopbackServer(answering: elsewhere.handler) { other in
      try await OutboxBench.run { bench in
        try await bench.add(.comment(on: .number(1), body: "Mine"))
        try Self.tamper(bench, "UPDATE entry SET server = '\(other.url)'")
        let (outbox, asked) = (try bench.other(), Watched<[String]>([]))
        await #expect(throws: NetworkError.self) {
          for try await _ in outbox.send(connect: { server in
            asked.update { $0.append(server.apiURL) }
            throw NetworkError(.requestMapping, "no token for \(server.apiURL)")
          }) {}
        }
        #expect(asked.current == [other.url])
        #expect(other.log.requestCount == 0 && bench.server.log.requestCount == 0)
        #expect(try await outbox.entry(1)?.state == .queued)
      }
    }
  }

  @Test(
    "a hostile outbox with other table definitions isn't opened",
    arguments: [
      "CREATE TRIGGER more AFTER UPDATE ON entry BEGIN DELETE FROM setting; END",
      "DROP INDEX entry_by_state", "DROP TABLE login",
      "DROP TABLE pause; CREATE VIEW pause AS SELECT 1",
    ])
  func schema(statement: String) async throws {
    try await OutboxBench.run { bench in
      try await Self.fill(bench)
      try Self.tamper(bench, statement)
      let failure = #expect(throws: OutboxFailure.self) { try bench.other() }
      #expect(failure?.code == .damaged)
    }
  }

  @Test(
    "an outbox from a later version or another program is refused and left alone",
    arguments: [
      ("user_version = 99", OutboxFailure.Code.laterVersion), ("application_id = 7", .cannotOpen),
      ("user_version = 0", .cannotOpen),
    ])
  func otherPrograms(setting: String, code: OutboxFailure.Code) async throws {
    try await OutboxBench.run { bench in
      try await Self.fill(bench)
      try Self.tamper(bench, "PRAGMA \(setting); PRAGMA wal_checkpoint(TRUNCATE)")
      let before = bench.folder.contents("outbox.db")
      let failure = #expect(throws: OutboxFailure.self) { try bench.other() }
      #expect(failure?.code == code)
      #expect(bench.folder.contents("outbox.db") == before)
    }
  }

  @Test("an outbox isn't created at the target of a dangling link")
  func danglingLink() throws {
    let folder = try ScratchFolder()
    symlink(folder["elsewhere.db"], folder["outbox.db"])
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: folder["outbox.db"]) }
    #expect(failure?.code == .cannotOpen)
    #expect(folder.names == ["outbox.db"])
  }

  @Test(
    "a hard-linked file that isn't an outbox is left alone"
  )
  func hardLink() throws {
    let folder = try ScratchFolder()
    let text = Data("Dear diary, today nothing happened that would be worth a line.\n".utf8)
    try folder.write(text, to: "diary.txt")
    chmod(folder["diary.txt"], 0o600)
    link(folder["diary.txt"], folder["outbox.db"])
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: folder["outbox.db"]) }
    #expect(failure?.code == .damaged)
    #expect(folder.contents("diary.txt") == text)
  }

  @Test(
    "an outbox in another user's folder isn't opened",
    .enabled(if: geteuid() == 0, "only root can give a folder away"))
  func otherUsersFolder() throws {
    let folder = try ScratchFolder()
    _ = try Outbox(path: folder["outbox.db"])
    chown(folder.path, 65_534, 65_534)
    defer { chown(folder.path, geteuid(), getegid()) }
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: folder["outbox.db"]) }
    #expect(failure?.code == .cannotOpen)
  }

  @Test(
    "an outbox in a folder writable by others isn't opened",
    arguments: [0o777, 0o775])
  func openFolder(mode: Int) throws {
    let folder = try ScratchFolder()
    chmod(folder.path, mode_t(mode))
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: folder["outbox.db"]) }
    #expect(failure?.code == .cannotOpen)
    #expect(folder.names.isEmpty)
  }

  @Test(
    "an outbox in a read-only folder can't be opened",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    let folder = try ScratchFolder()
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: folder["outbox.db"]) }
    #expect(failure?.code == .cannotOpen)
  }
}

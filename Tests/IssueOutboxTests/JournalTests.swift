import Foundation
import GRDB
import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("The outbox journal", .timeLimit(.minutes(5)))
struct JournalTests {
  private let folder: ScratchFolder
  private let path: String
  private let name: RepositoryName

  init() throws {
    folder = try ScratchFolder()
    path = "\(folder.path)/issues/outbox.db"
    name = try #require(RepositoryName("o/r"))
  }

  private func intention(_ change: Change, followsPrevious: Bool = false) -> Intention {
    Intention(change, in: name, on: .github, followsPrevious: followsPrevious)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("the outbox's journal is private to its user, and syncs writes to the disk")
  func modes() async throws {
    let outbox = try Outbox(path: path)
    try await outbox.add([intention(.reopen(.number(1)))])
    #expect(try mode(path) == 0o600 && mode("\(folder.path)/issues") == 0o700)
    for file in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/issues") {
      #expect(try mode("\(folder.path)/issues/\(file)") == 0o600)
    }
    #expect(
      try await outbox.journal.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
  }

  @Test("the outbox's journal preserves every kind of change")
  func changes() async throws {
    let there = try #require(RepositoryName("o/there"))
    let changes: [Change] = [
      .createIssue(
        NewIssue(
          title: "t", body: "b\r\n🎉", labels: ["a"], assignees: ["u"], milestone: 3, type: "Bug",
          template: "bug.md"),
        createsLabels: true),
      .createIssue(NewIssue(title: "t")), .comment(on: .number(7), body: "b"),
      .comment(on: .pending(1), body: "b"),
      .edit(
        .number(7),
        IssueChange(
          title: TextChange("new", base: "old"), body: TextChange(""), milestone: .clear,
          type: .set("Bug"), addedLabels: ["a"], removedLabels: ["b"], addedAssignees: ["u"],
          removedAssignees: ["v"], createsLabels: true)),
      .edit(.number(7), IssueChange(milestone: .set(3), type: .clear)),
      .edit(.number(7), IssueChange(fields: ["Priority": "High"], clearedFields: ["Effort"])),
      .edit(
        .number(7),
        IssueChange(addedProjects: [
          ProjectPlacement(try #require(ProjectReference("o/1")), status: "Todo"),
          ProjectPlacement(try #require(ProjectReference("o/2"))),
        ])),
      .relate(.number(7), .addSubIssue(RelatedIssue(8), replacesParent: true)),
      .relate(.number(7), .addSubIssue(RelatedIssue(8, in: there))),
      .relate(.pending(1), .setParent(RelatedIssue(8))),
      .relate(.number(7), .removeSubIssue(RelatedIssue(8))), .relate(.number(7), .removeParent),
      .relate(.number(7), .addBlocker(RelatedIssue(8))),
      .relate(.number(7), .removeBlocker(RelatedIssue(8))),
      .relate(.number(7), .block(RelatedIssue(8))),
      .relate(.number(7), .unblock(RelatedIssue(8))),
      .close(.number(7), .duplicate, duplicateOf: 3), .close(.number(7), .notPlanned),
      .reopen(.number(7)), .lock(.number(7), .tooHeated), .lock(.number(7), nil),
      .unlock(.number(7)), .react(.number(7), .thumbsUp), .unreact(.number(7), .thumbsUp),
      .pin(.number(7)), .unpin(.number(7)), .subscribe(.number(7)), .unsubscribe(.pending(1)),
      .relate(.number(7), .moveAfter(RelatedIssue(8, in: there))), .relate(.number(7), .moveFirst),
      .reactToComment(id: 1, on: 7, .heart), .unreactToComment(id: 1, on: nil, .eyes),
      .notification(NotificationThread(id: 523_050_578, issue: 7), .done),
      .notification(NotificationThread(id: 1, issue: nil), .mute),
      .transfer(.number(7), to: there, createsLabels: true), .delete(.number(7)),
      .editComment(id: 5_000_000_000, on: 7, body: TextChange("new", base: "old")),
      .editComment(id: 1, on: nil, body: TextChange("new")), .deleteComment(id: 1, on: 7),
      .deleteComment(id: 1, on: nil),
    ]
    let account = OutboxAccount(fingerprint: "f", login: "ada")
    let added = try await Outbox(path: path).add(
      changes.map { Intention($0, in: name, on: .github, account: account) })
    let entries = try await Outbox(path: path).entries()
    #expect(entries == added)
    #expect(entries.map(\.change) == changes)
    #expect(entries.allSatisfy { $0.account == account && $0.server == .github })
    #expect(entries.map(\.id) == Array(1...41))
  }

  @Test("the outbox's journal identifies tokens by digests that differ in every file")
  func fingerprints() throws {
    let outbox = try Outbox(path: path)
    let (first, second) = (try AccessToken("secret"), try AccessToken("other"))
    let digest = try outbox.fingerprint(of: first)
    #expect(digest == (try Outbox(path: path).fingerprint(of: first)))
    #expect(digest != (try outbox.fingerprint(of: second)))
    #expect(digest != (try Outbox(path: "\(folder.path)/o.db").fingerprint(of: first)))
    #expect(!digest.contains("secret"))
  }

  @Test("two connections can add changes to one file")
  func sharing() async throws {
    let (one, other) = (try Outbox(path: path), try Outbox(path: path))
    let (path, name) = (path, name)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for outbox in [one, other] {
        group.addTask {
          for number in 1...50 {
            try await outbox.add([Intention(.reopen(.number(number)), in: name, on: .github)])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Outbox(path: path).entries().map(\.id) == Array(1...100))
  }

  @Test("a full disk prevents adding changes and is reported")
  func fullDisk() async throws {
    let outbox = try Outbox(path: path)
    try await outbox.add([intention(.reopen(.number(1)))])
    try await outbox.journal.write { db in
      let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(count + 1)")
    }
    let long = String(repeating: "long ", count: 10_000)
    let failure = await #expect(throws: OutboxFailure.self) {
      try await outbox.add([
        intention(.reopen(.number(2))), intention(.comment(on: .number(1), body: long)),
      ])
    }
    #expect(failure?.code == .full)
    #expect(failure?.message.contains("nothing was added") == true)
    #expect(try await outbox.entries().count == 1)
  }

  @Test("a later version's outbox file is left alone")
  func laterVersion() async throws {
    try await Outbox(path: path).add([intention(.reopen(.number(1)))])
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 9") }
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.code == .laterVersion)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/issues").count == 1)
  }

  @Test("another program's database is left alone")
  func foreign() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/issues", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t(x)") }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.code == .cannotOpen)
  }

  @Test("an outbox file that isn't a database is set aside")
  func noDatabase() async throws {
    _ = try Outbox(path: path)
    try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
    try? FileManager.default.removeItem(atPath: "\(path)-wal")
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.code == .damaged)
    #expect(failure?.message.contains("is kept as \(path).damaged-") == true)
    #expect(try await Outbox(path: path).entries().isEmpty)
  }

  @Test("changes recovered from a damaged outbox aren't sent automatically")
  func damage() async throws {
    var outbox: Outbox? = try Outbox(path: path)
    let token = try AccessToken("secret")
    let digest = try outbox?.fingerprint(of: token)
    let body = String(repeating: "A long text. ", count: 1_000)
    try await outbox?.add(
      (1...20).map { intention(.comment(on: .number($0), body: "\($0) \(body)")) })
    outbox = nil
    // Some pages in the middle, away from the schema.
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 4_096 * 30)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 4_096 * 8))
    try file.close()

    let damaged = try Outbox(path: path)
    let failure = await #expect(throws: OutboxFailure.self) { _ = try await damaged.entries() }
    #expect(failure?.code == .damaged)
    #expect(failure?.message.contains("are in the new one") == true)

    let new = try Outbox(path: path)
    let entries = try await new.entries()
    #expect((1..<20).contains(entries.count))
    #expect(entries.allSatisfy { $0.state == .unknown && $0.reason?.contains("damaged") == true })
    for entry in entries {
      #expect(entry.change == .comment(on: .number(Int(entry.id)), body: "\(entry.id) \(body)"))
    }
    #expect(try new.fingerprint(of: token) == digest)
  }

  @Test("a finished change is removed after thirty days, unless another depends on it")
  func purge() async throws {
    let day = 86_400.0
    let begin = Date(timeIntervalSince1970: 1_790_000_000)
    let outbox = try Outbox(path: path) { begin }
    try await outbox.add([
      intention(.createIssue(NewIssue(title: "t"))),
      intention(.comment(on: .pending(1), body: "b")),
      intention(.reopen(.number(1))), intention(.reopen(.number(2))),
    ])
    for id in [1, 3] as [Int64] { _ = try await outbox.drop(id) }
    try await outbox.journal.write { try OutboxJournal.noteServerTime($0, begin + 40 * day) }
    let later = try Outbox(path: path) { begin + 29 * day }
    try await later.add([intention(.reopen(.number(3)))])
    #expect(try await later.droppedEntries().map(\.id) == [1, 3])
    let last = try Outbox(path: path) { begin + 31 * day }
    try await last.add([intention(.reopen(.number(3)))])
    #expect(try await last.droppedEntries().map(\.id) == [1])
    #expect(try await last.entry(2)?.reason == "held back: it needs new-1, which was dropped")
    #expect(try await last.restore(1).map(\.dropped) == [nil])
    #expect(try await last.entry(2)?.reason == nil)
  }

  @Test("a clock that is ahead doesn't remove changes unless a server's time confirms it")
  func purgeByWrongClock() async throws {
    let day = 86_400.0
    let begin = Date(timeIntervalSince1970: 1_790_000_000)
    let outbox = try Outbox(path: path) { begin }
    try await outbox.add([intention(.comment(on: .number(1), body: "Mine."))])
    _ = try await outbox.drop(1)
    let ahead = try Outbox(path: path) { begin + 400 * day }
    try await ahead.add([intention(.reopen(.number(3)))])
    #expect(try await ahead.droppedEntries().map(\.id) == [1])
    for (time, kept) in [(29.0, [1] as [Int64]), (31, [])] {
      try await ahead.journal.write {
        try OutboxJournal.noteServerTime($0, begin + time * day)
        try OutboxJournal.noteServerTime($0, begin)
      }
      try await ahead.add([intention(.reopen(.number(3)))])
      #expect(try await ahead.droppedEntries().map(\.id) == kept)
    }
  }

  @Test("changes dropped together are restored together, without earlier drops")
  func restore() async throws {
    let outbox = try Outbox(path: path)
    try await outbox.add([
      intention(.createIssue(NewIssue(title: "t"))),
      intention(.comment(on: .pending(1), body: "a")),
      intention(.comment(on: .pending(1), body: "b")),
      intention(.close(.pending(1), .completed), followsPrevious: true),
      intention(.reopen(.number(9))),
    ])
    #expect(try await outbox.dependents(of: [1]).map(\.id) == [2, 3, 4])
    _ = try await outbox.drop(2)
    try await outbox.drop([1, 3, 4, 5])
    #expect(try await outbox.entries().isEmpty)
    #expect(try await outbox.restore(1).map(\.id) == [1, 3, 4])
    #expect(try await outbox.droppedEntries().map(\.id) == [2, 5])
    let failure = await #expect(throws: OutboxFailure.self) {
      try await outbox.drop([4, 5])
    }
    #expect(failure?.message == "Change 5 was dropped.")
    #expect(try await outbox.entry(4)?.dropped == nil)
  }

  @Test("a damaged file is left to the process that already sets it aside")
  func damageSeenTwice() throws {
    _ = try Outbox(path: path)
    try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
    try? FileManager.default.removeItem(atPath: "\(path)-wal")
    let descriptor = open(path, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.message.hasSuffix("and was set aside. Run this again.") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/issues")
    #expect(!names.contains { $0.contains("damaged") }, "\(names)")
    close(descriptor)
    let other = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(other?.message.contains("is kept as") == true)
  }
}

import Dispatch
import GRDB
import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Sharing a mirror", .timeLimit(.minutes(5)))
struct SharingTests {
  @Test(
    "concurrent writers lose nothing and keep the newest versions")
  func writers() async throws {
    let test = try await TestMirror()
    let mirrors = [test.mirror, try test.another(), try test.another()]
    let repository = test.repository
    // Each writes every number, with labels of its own and some that all have, at times that differ.
    try await withThrowingTaskGroup { group in
      for (writer, mirror) in mirrors.enumerated() {
        group.addTask {
          for first in stride(from: 0, to: 400, by: 20) {
            let issues = (first..<(first + 20)).map { number -> GitHub.Issue in
              let updated = 1_000 + (number + writer) % mirrors.count
              var issue = GitHub.Issue.numbered(number + 1, "Version \(updated)", updated: updated)
              issue.labels = [
                GitHub.Label(serverID: 1, name: "all"),
                GitHub.Label(serverID: 2 + Int64(writer), name: "writer \(writer)"),
              ]
              issue.assignees = [GitHub.User(login: "user-\(writer)")]
              return issue
            }
            try await mirror.store(
              TestMirror.page(issues), of: repository, sweep: nil, at: TestMirror.now)
          }
        }
      }
      try await group.waitForAll()
    }
    let issues = try await test.mirror.issues(
      of: repository, filter: IssueFilter(direction: .ascending))
    #expect(issues.map(\.number) == Array(1...400))
    #expect(issues.allSatisfy { $0.title == "Version 1002" })
    for writer in mirrors.indices {
      let filter = IssueFilter(labels: ["all", "writer \(writer)"], direction: .ascending)
      let expected = (1...400).filter { ($0 - 1 + writer) % mirrors.count == 2 }
      let kept = try await mirrors[writer].issues(of: repository, filter: filter)
      #expect(kept.map(\.number) == expected)
    }
    #expect(try await test.mirror.check() == [])
  }

  @Test("a reader doesn't wait for a write, and sees the previous state")
  func reader() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1)])
    let (writer, repository) = (test.mirror, test.repository)
    let reader = try test.another()
    let begun = Gate()
    let goOn = DispatchSemaphore(value: 0)
    async let writing: Void = writer.database.write { db in
      try db.execute(sql: "UPDATE item SET title = 'Changed', json = '{}'")
      begun.open()
      goOn.wait()
      try db.execute(sql: "DELETE FROM item")
    }
    await begun.wait()
    let during = try await reader.issues(of: repository)
    let own = try await writer.issues(of: repository)
    goOn.signal()
    try await writing
    #expect(during.map(\.title) == ["Title"])
    #expect(own.map(\.title) == ["Title"])
    #expect(try await reader.issues(of: repository).isEmpty)
  }

  @Test("a mirror is writable during a check, and the check doesn't wait")
  func check() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1)])
    let checking = try test.another()
    let begun = Gate()
    let goOn = DispatchSemaphore(value: 0)
    async let writing: Void = test.mirror.database.write { db in
      try db.execute(sql: "UPDATE item SET title = 'Changed'")
      begun.open()
      goOn.wait()
    }
    await begun.wait()
    let problems = try await checking.check()
    goOn.signal()
    try await writing
    #expect(problems == [])
    // The index isn't of that title.
    #expect(try await checking.check().count == 1)
  }

  @Test(
    "a label or an assignment without its issue is detected",
    arguments: [
      "item_label VALUES (99, 1, 0)", "item_label VALUES (1, 99, 0)",
      "item_assignee VALUES (1, 99, 0)",
    ])
  func references(row: String) async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1)
    issue.labels = [GitHub.Label(serverID: 1, name: "bug")]
    try await test.store([issue])
    #expect(try await test.mirror.check() == [])
    try await test.mirror.database.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA foreign_keys = OFF; INSERT INTO \(row); PRAGMA foreign_keys = ON")
    }
    #expect(try await !test.mirror.check().isEmpty)
  }

  @Test(
    "a missing or changed table, index or trigger is detected",
    arguments: [
      ("DROP TABLE item_label", "The table item_label is missing."),
      ("DROP INDEX comment_by_number", "The index comment_by_number is missing."),
      ("DROP TRIGGER item_removed", "The trigger item_removed is missing."),
      ("DROP TABLE comment_text", "The table comment_text is missing."),
      ("ALTER TABLE label ADD COLUMN x", "The table label was changed."),
    ])
  func schema(change: String, problem: String) async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1)])
    try await test.mirror.database.writeWithoutTransaction { try $0.execute(sql: change) }
    let problems = try await test.mirror.check()
    #expect(problems.contains(problem))
    #expect(problems.allSatisfy { $0.hasPrefix("The ") })
  }

  @Test("a repository removed by another connection is reported as removed")
  func removal() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1)
    issue.labels = [GitHub.Label(serverID: 1, name: "bug")]
    try await test.store([issue])
    let other = try test.another()
    try await other.remove(test.repository)
    #expect(try await other.repositories().isEmpty)
    let failure = await #expect(throws: MirrorFailure.self) { try await test.store([issue]) }
    #expect(failure?.code == .notMirrored)

    // The next one has another key, and rows of its own.
    let repository = try await TestMirror.record(id: 1, name: "a/b", in: other)
    #expect(repository.id != test.repository.id)
    try await test.mirror.store(
      TestMirror.page([issue]), of: repository, sweep: nil, at: TestMirror.now)
    let labelled = try await other.issues(of: repository, filter: IssueFilter(labels: ["bug"]))
    #expect(labelled == [issue])
    #expect(try await other.check() == [])
  }

  @Test("a full disk leaves the mirror intact, and writing continues with free space")
  func fullDisk() async throws {
    let test = try await TestMirror()
    try await test.store((1...100).map { .numbered($0) })
    func limit(_ count: String) async throws {
      try await test.mirror.database.writeWithoutTransaction { db in
        let used = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let maximum = count == "now" ? used + 2 : 1 << 30
        try db.execute(sql: "PRAGMA max_page_count = \(maximum)")
      }
    }
    try await limit("now")
    let more = (50...1_000).map {
      GitHub.Issue.numbered($0, "A later title", updated: 1_800_000_000)
    }
    let failure = await #expect(throws: MirrorFailure.self) { try await test.store(more) }
    #expect(failure?.code == .full)
    #expect(try await test.numbers() == Array(1...100))
    #expect(try await test.mirror.issue(60, of: test.repository)?.title == "Title")
    #expect(try await test.mirror.check() == [])

    try await limit("none")
    #expect(try await test.store(more).inserted == 900)
    #expect(try await test.mirror.check() == [])
  }

  @Test("a user without remaining items is removed")
  func users() async throws {
    let test = try await TestMirror()
    let other = try await TestMirror.record(id: 2, name: "a/b", in: test.mirror)
    var issue = GitHub.Issue.numbered(1)
    issue.user = GitHub.User(login: "author")
    issue.assignees = [GitHub.User(login: "Assignee")]
    try await test.mirror.store(
      TestMirror.page([issue]), of: other, sweep: nil, at: TestMirror.now)
    try await test.mirror.store(
      TestMirror.comments([(1, IssueComment(id: 1, user: GitHub.User(login: "commenter")))]),
      of: other,
      sweep: nil, at: TestMirror.now)
    var own = issue
    own.user = GitHub.User(login: "AUTHOR")
    own.assignees += [GitHub.User(login: "gone"), GitHub.User(login: "assignee")]
    try await test.store([own, .numbered(2)])
    func logins() async throws -> [String] {
      try await test.mirror.database.read { db in
        try String.fetchAll(db, sql: "SELECT lower(login) FROM user ORDER BY lower(login)")
      }
    }
    #expect(try await logins() == ["assignee", "author", "commenter", "gone", "octocat"])
    try await test.mirror.remove(test.repository)
    #expect(try await logins() == ["assignee", "author", "commenter"])
    // Nothing of them is taken for being there.
    try await test.mirror.store(
      TestMirror.page([own]), of: other, sweep: nil, at: TestMirror.now)
    #expect(try await logins() == ["assignee", "author", "commenter", "gone"])
    try await test.mirror.remove(other)
    #expect(try await logins() == [])
    #expect(try await test.mirror.check() == [])
  }

  @Test("a removed repository's space is freed, and other repositories stay")
  func room() async throws {
    let test = try await TestMirror()
    let other = try await TestMirror.record(id: 2, name: "a/b", in: test.mirror)
    try await test.mirror.store(
      TestMirror.page([.numbered(1)]), of: other, sweep: nil, at: TestMirror.now)
    func pages() async throws -> Int {
      try await test.mirror.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }
    let before = try await pages()
    for first in stride(from: 1, to: 1_500, by: 100) {
      try await test.store(
        (first..<(first + 100)).map { .numbered($0, String(repeating: "long ", count: 500)) })
    }
    try await test.store((1...1_200).map { ($0, IssueComment(id: Int64($0), body: "A comment")) })
    let full = try await pages()
    #expect(full > before * 5)
    #expect(test.mirror.size() > 1 << 20)
    try await test.mirror.remove(test.repository)
    #expect(try await test.mirror.repositories() == [other])
    #expect(try await test.mirror.issues(of: other).count == 1)
    #expect(try await pages() < full / 3)
    #expect(try await test.mirror.check() == [])
    // Nor does the index keep words of what is gone.
    try await test.mirror.remove(other)
    let leaves = try await test.mirror.database.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT sum(length(block)) FROM item_text_data)
            + (SELECT sum(length(block)) FROM comment_text_data)
          """) ?? 0
    }
    #expect(leaves < 200)
  }
}

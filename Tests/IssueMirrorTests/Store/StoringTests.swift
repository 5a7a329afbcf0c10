import GRDB
import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Storing pages of items", .timeLimit(.minutes(5)))
struct StoringTests {
  private static let repositoryCreation = 1_500_000_000

  private static func counts(
    inserted: Int = 0, updated: Int = 0, unchanged: Int = 0
  ) -> SyncReport.Counts {
    var counts = SyncReport.Counts()
    (counts.inserted, counts.updated, counts.unchanged) = (inserted, updated, unchanged)
    return counts
  }

  /// The ticket under which the version of an item that is kept was stored.
  private static func stored(_ number: Int, _ test: TestMirror) async throws -> Int {
    try #require(
      try await test.mirror.database.read { db in
        try Int.fetchOne(db, sql: "SELECT stored FROM item WHERE number = ?", arguments: [number])
      })
  }

  private static func rows(_ table: String, _ test: TestMirror) async throws -> Int? {
    try await test.mirror.database.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
    }
  }

  @Test("a new item is inserted and read back unchanged")
  func insertion() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(12, "Ünïcode 🎉")
    issue.body = "Line\r\n\u{1B}[31m and a NUL \0 too"
    issue.labels = [
      GitHub.Label(serverID: 1, name: "bug", color: "ff0000"),
      GitHub.Label(serverID: 2, name: "good first"),
    ]
    issue.assignees = [GitHub.User(login: "one", serverID: 3), GitHub.User(login: "two")]
    issue.milestone = GitHub.Milestone(number: 4, title: "6.3", state: .open)
    #expect(try await test.store([issue]) == Self.counts(inserted: 1))
    #expect(try await test.mirror.issue(12, of: test.repository) == issue)
    #expect(try await test.mirror.issue(13, of: test.repository) == nil)
    #expect(try await Self.rows("label", test) == 2)
    #expect(try await Self.rows("user", test) == 3)
    #expect(try await Self.rows("milestone", test) == 1)
    #expect(try await test.mirror.check() == [])
  }

  @Test("identical bytes aren't written again")
  func unchanged() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1), .numbered(2)])
    let stored = try await Self.stored(1, test)
    let later = TestMirror.now.addingTimeInterval(60)
    #expect(
      try await test.store([.numbered(1), .numbered(2)], at: later) == Self.counts(unchanged: 2))
    #expect(try await Self.stored(1, test) == stored)
  }

  @Test("a later version replaces an older one, including its labels and assignees")
  func update() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1)
    issue.labels = [
      GitHub.Label(serverID: 1, name: "bug"), GitHub.Label(serverID: 2, name: "parser"),
    ]
    issue.assignees = [GitHub.User(login: "one")]
    try await test.store([issue])
    let stored = try await Self.stored(1, test)
    issue.updatedAt = issue.updatedAt?.addingTimeInterval(1)
    issue.title = "Another title"
    issue.labels = [
      GitHub.Label(serverID: 2, name: "parser"), GitHub.Label(serverID: 3, name: "fixed"),
    ]
    issue.assignees = []
    let later = TestMirror.now.addingTimeInterval(60)
    #expect(try await test.store([issue], at: later) == Self.counts(updated: 1))
    #expect(try await test.mirror.issue(1, of: test.repository) == issue)
    #expect(try await Self.stored(1, test) > stored)
    #expect(try await Self.rows("item_label", test) == 2)
    #expect(try await Self.rows("item_assignee", test) == 0)
    #expect(try await test.mirror.check() == [])
  }

  @Test("an older version that arrives late is ignored, and one of the same second isn't")
  func order() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1, "New", updated: 200)])
    #expect(
      try await test.store([.numbered(1, "Old", updated: 199)]) == Self.counts(unchanged: 1))
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "New")
    #expect(
      try await test.store([.numbered(1, "Other", updated: 200)]) == Self.counts(updated: 1))
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "Other")
  }

  @Test("the later of two versions on one page stays, whatever their order")
  func twice() async throws {
    let test = try await TestMirror()
    try await test.store([
      .numbered(1, "New", updated: 200), .numbered(1, "Old", updated: 100),
      .numbered(2, "Old", updated: 100), .numbered(2, "New", updated: 200),
    ])
    #expect(try await test.mirror.issue(1, of: test.repository)?.title == "New")
    #expect(try await test.mirror.issue(2, of: test.repository)?.title == "New")
    #expect(try await test.mirror.check() == [])
  }

  @Test("a changed label or user is written, whatever the case of its name")
  func properties() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1)
    issue.labels = [GitHub.Label(serverID: 1, name: "bug", color: "ff0000")]
    try await test.store([issue])
    issue.updatedAt = issue.updatedAt?.addingTimeInterval(1)
    issue.labels = [GitHub.Label(serverID: 1, name: "Bug", color: "00ff00")]
    issue.user = GitHub.User(login: "Octocat", serverID: 1, type: "User")
    try await test.store([issue])
    let labels = try await test.mirror.database.read { db in
      try String.fetchAll(db, sql: "SELECT name || ' ' || color FROM label")
    }
    #expect(labels == ["Bug 00ff00"])
    #expect(try await Self.rows("user", test) == 1)
    // A bare name tells nothing about the color.
    let bare = Data(
      #"[{"id":7,"number":7,"title":"t","state":"open","labels":["bug","bug"]}]"#.utf8)
    try await test.mirror.store(
      FeedPage(bare, of: .items), of: test.repository, sweep: nil, at: TestMirror.now)
    #expect(
      try await test.mirror.issues(of: test.repository, filter: IssueFilter(labels: ["BUG"])).count
        == 2)
    let color = try await test.mirror.database.read { db in
      try String.fetchOne(db, sql: "SELECT color FROM label")
    }
    #expect(color == "00ff00")
  }

  @Test("comments are stored with their issues, oldest first")
  func comments() async throws {
    let test = try await TestMirror()
    func comment(_ id: Int64, _ body: String, created: Int, updated: Int) -> IssueComment {
      IssueComment(
        id: id, body: body, user: GitHub.User(login: "a"),
        createdAt: Date(timeIntervalSince1970: Double(created)),
        updatedAt: Date(timeIntervalSince1970: Double(updated)))
    }
    let (first, second) = (
      comment(11, "First", created: 10, updated: 30),
      comment(10, "Second", created: 20, updated: 20)
    )
    #expect(
      try await test.store([
        (5, second), (5, first), (6, comment(12, "Else", created: 1, updated: 1)),
      ])
        == Self.counts(inserted: 3))
    // A restored comment has the address of its issue too.
    var kept = try await test.mirror.comments(on: 5, of: test.repository).map(\.body)
    #expect(kept == ["First", "Second"])
    let edited = comment(10, "Edited", created: 20, updated: 40)
    #expect(
      try await test.store([(5, edited), (5, first)]) == Self.counts(updated: 1, unchanged: 1))
    kept = try await test.mirror.comments(on: 5, of: test.repository).map(\.body)
    #expect(kept == ["First", "Edited"])
    #expect(try await test.mirror.counts(of: test.repository).comments == 3)
    #expect(try await test.mirror.check() == [])
  }

  @Test("a page and its sweep are written together or not at all")
  func transaction() async throws {
    let test = try await TestMirror()
    let sweep = Sweep(
      purpose: .first, began: 100, stretches: [Stretch(position: 0, end: 50)])
    let begun = try await test.mirror.begin(
      sweep, .items, of: test.repository, at: TestMirror.now)
    var after = begun
    after.stretches = [Stretch(position: 20, end: 50)]
    try await test.store([.numbered(1)], sweep: after)
    #expect(try await test.mirror.sweep(.items, of: test.repository) == after)
    #expect(try await test.mirror.sweep(.comments, of: test.repository) == nil)

    // A failure at the last entry rolls back the others and the position.
    try await test.mirror.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER fault BEFORE INSERT ON item WHEN new.number = 99
          BEGIN SELECT RAISE(ABORT, 'a fault'); END
          """)
    }
    var last = begun
    last.stretches = []
    var labelled = GitHub.Issue.numbered(2)
    labelled.labels = [GitHub.Label(serverID: 1, name: "bug")]
    let failure = await #expect(throws: MirrorFailure.self) {
      try await test.store([labelled, .numbered(99)], sweep: last)
    }
    #expect(failure?.code == .database)
    #expect(try await test.numbers() == [1])
    #expect(try await test.mirror.sweep(.items, of: test.repository) == after)
    // The label of the page that failed isn't taken for one that is there.
    #expect(try await test.store([labelled]) == Self.counts(inserted: 1))
    #expect(
      try await test.mirror.issues(of: test.repository, filter: IssueFilter(labels: ["bug"])).map(
        \.number)
        == [2])
    try await test.mirror.database.write { db in try db.execute(sql: "DROP TRIGGER fault") }
    #expect(try await test.mirror.check() == [])
  }

  @Test("a process that ends during a transaction leaves the previous state")
  func crash() async throws {
    let test = try await TestMirror()
    try await test.store((1...50).map { .numbered($0) })
    let copy = try ScratchFolder()
    let page = try TestMirror.page(
      (1...200).map { .numbered($0, "Changed", updated: 1_800_000_000) })
    let (mirror, repository, folder) = (test.mirror, test.repository, test.folder)
    // The files as they are on the disk before the commit, with pages of the transaction among them.
    try await mirror.database.write { db in
      try db.execute(sql: "PRAGMA cache_size = 5")
      var rows = RowCache.Content()
      _ = try FeedPageWriter(db, repository, seenAt: 0).write(page, &rows)
      for name in ["mirror.db", "mirror.db-wal"] {
        if let bytes = folder.contents(name) { try copy.write(bytes, to: name) }
      }
    }
    #expect(try await test.numbers() == Array(1...200))
    let left = try Mirror(path: copy["mirror.db"])
    let issues = try await left.issues(of: repository, filter: IssueFilter(direction: .ascending))
    #expect(issues.map(\.number) == Array(1...50))
    #expect(issues.allSatisfy { $0.title == "Title" })
    #expect(try await left.check() == [])
  }

  @Test("a verification finds unseen numbers and replaces them with tombstones")
  func verification() async throws {
    var test = try await TestMirror()
    try await test.store((1...5).map { .numbered($0) })
    try await test.store([(3, IssueComment(id: 1, body: "Here")), (4, IssueComment(id: 2))])
    let began = TestMirror.now.addingTimeInterval(-50)
    let sweep = try await test.mirror.begin(
      Sweep(purpose: .verification, began: 100, stretches: []), .items, of: test.repository,
      at: began)
    #expect(
      try await test.store([.numbered(1), .numbered(2)], sweep: sweep) == Self.counts(unchanged: 2))
    try await test.store([.numbered(5), .numbered(6)], sweep: sweep)
    #expect(try await test.mirror.unseenNumbers(.items, of: test.repository, by: sweep) == [3, 4])

    #expect(try await test.mirror.bury(3, .deleted, of: test.repository, at: TestMirror.now))
    #expect(
      try await test.mirror.bury(
        4, .transferred(to: "a/b#7"), of: test.repository, at: TestMirror.now))
    #expect(
      try await !test.mirror.bury(40, .deleted, of: test.repository, at: TestMirror.now))
    #expect(try await test.numbers() == [1, 2, 5, 6])
    #expect(
      try await test.mirror.tombstones(of: test.repository) == [
        Tombstone(number: 3, title: "Title", fate: .deleted, foundAt: TestMirror.now),
        Tombstone(
          number: 4, title: "Title", fate: .transferred(to: "a/b#7"), foundAt: TestMirror.now),
      ])
    #expect(
      try await test.mirror.counts(of: test.repository) == MirrorCounts(open: 4, tombstones: 2))

    test.repository = try await test.mirror.finish(
      .items, of: test.repository, sweep: sweep, syncedTo: 100, entityTag: "\"x\"",
      isVerified: true, at: TestMirror.now)
    #expect(test.repository.syncedTo == Date(timeIntervalSince1970: 100))
    #expect(test.repository.verifiedAt == began)
    #expect(test.repository.checkedAt == TestMirror.now)
    #expect(try await test.mirror.sweep(.items, of: test.repository) == nil)
    #expect(try await test.mirror.entityTag(of: .items, of: test.repository) == "\"x\"")
    #expect(try await Self.rows("sweep_seen", test) == 0)
    #expect(try await test.mirror.check() == [])

    // A sync that is further behind doesn't bring its entity tag with it.
    for (syncedTo, tag) in [(99, "\"x\""), (100, "\"y\""), (101, "\"y\"")] {
      try await test.mirror.finish(
        .items, of: test.repository, syncedTo: syncedTo, entityTag: "\"y\"", at: TestMirror.now)
      #expect(try await test.mirror.entityTag(of: .items, of: test.repository) == tag)
    }

    // One that comes back from where it was transferred to is there again.
    try await test.store([.numbered(4)])
    #expect(try await test.mirror.tombstones(of: test.repository).map(\.number) == [3])
  }

  @Test("a sync whose sweep was replaced or ended by another sync writes nothing")
  func sweepGone() async throws {
    let test = try await TestMirror()
    try await test.store([.numbered(1), .numbered(2)])
    let verification = Sweep(purpose: .verification, began: 100, stretches: [])
    func begin(_ sweep: Sweep, inPlaceOf old: Sweep? = nil) async throws -> Sweep {
      try await test.mirror.begin(
        sweep, .items, of: test.repository, inPlaceOf: old, at: TestMirror.now)
    }
    let changes = try await begin(Sweep(changesSince: 50, began: 90))
    let old = try await begin(verification)
    #expect(old.id != changes.id)
    // An unfinished sweep that covers as much or more isn't replaced.
    #expect(try await begin(verification) == old)
    #expect(try await begin(Sweep(changesSince: 50, began: 90)) == old)
    func isGone(_ number: Int) async throws -> Bool {
      try await test.mirror.store(
        TestMirror.page([.numbered(number)]), of: test.repository, sweep: old, at: TestMirror.now
      ).isSweepGone
    }
    #expect(try await !isGone(1))
    #expect(try await test.mirror.unseenNumbers(.items, of: test.repository, by: old) == [2])

    let new = try await begin(verification, inPlaceOf: old)
    #expect(try await isGone(2))
    #expect(try await test.mirror.unseenNumbers(.items, of: test.repository, by: old) == nil)
    #expect(try await test.mirror.unseenNumbers(.items, of: test.repository, by: new) == [1, 2])
    let finished = try await test.mirror.finish(
      .items, of: test.repository, sweep: old, syncedTo: 100, entityTag: nil, isVerified: true,
      at: TestMirror.now)
    #expect(finished.verifiedAt == nil)
    #expect(try await test.mirror.sweep(.items, of: test.repository) == new)
  }

  @Test("a renamed repository keeps its data under its new name")
  func renaming() async throws {
    let test = try await TestMirror(id: 7, name: "apple/swift")
    try await test.store([.numbered(1)])
    let renamed = try await TestMirror.record(id: 7, name: "swiftlang/swift", in: test.mirror)
    #expect(renamed.id == test.repository.id)
    #expect(try await test.mirror.issues(of: renamed).count == 1)
    let (old, new) = (
      try #require(RepositoryName("apple/swift")), try #require(RepositoryName("SwiftLang/Swift"))
    )
    #expect(try await test.mirror.repository(named: old, on: .github) == nil)
    #expect(try await test.mirror.repository(named: new, on: .github) == renamed)

    // Another repository takes the old name, and then the new one too: the last one to have it is found.
    let other = try await TestMirror.record(
      id: 8, name: "swiftlang/swift", openCount: 3, in: test.mirror,
      at: TestMirror.now.addingTimeInterval(1))
    #expect(other.id != renamed.id)
    #expect(try await test.mirror.repository(named: new, on: .github) == other)
    #expect(try await test.mirror.openDifference(of: other) == 3)
    #expect(try await test.mirror.repositories().count == 2)
  }
}

import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Every store tracks sync positions and missing items", .timeLimit(.minutes(5)))
struct SyncConformanceTests {
  @Test("a sweep continues from its position", arguments: StoreEngine.all)
  func position(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    #expect(try await test.store.state(of: repository)?.sweeps == [:])
    let begun = try await test.store.begin(
      Sweep(purpose: .first, began: 100, stretches: [Stretch(position: 0, end: 50)]), .items,
      of: repository, inPlaceOf: nil, at: StoreUnderTest.now)
    var after = begun
    after.stretches = [Stretch(position: 20, end: 50)]
    try await test.keep([.numbered(1)], of: repository, sweep: after)
    // Another process sees it.
    let sweeps = try await test.another().state(of: repository)?.sweeps
    #expect(sweeps == [.items: after])

    // A sweep that covers as much or less doesn't replace the one that was begun.
    for purpose in [Sweep.Purpose.first, .changes] {
      let other = Sweep(purpose: purpose, began: 200, stretches: [])
      let kept = try await test.store.begin(
        other, .items, of: repository, inPlaceOf: nil, at: StoreUnderTest.now)
      #expect(kept == after)
    }
    try await test.store.drop(after)
    #expect(try await test.store.state(of: repository)?.sweeps == [:])
  }

  @Test("a sweep that another sync replaced saves no position", arguments: StoreEngine.all)
  func replaced(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    try await test.keep([.numbered(1), .numbered(2)], of: repository)
    let verification = Sweep(purpose: .verification, began: 100, stretches: [])
    func begin(inPlaceOf old: Sweep?) async throws -> Sweep {
      try await test.store.begin(
        verification, .items, of: repository, inPlaceOf: old, at: StoreUnderTest.now)
    }
    let old = try await begin(inPlaceOf: nil)
    let new = try await begin(inPlaceOf: old)
    #expect(old != new)
    let page = try TestMirror.page([.numbered(2), .numbered(3)])
    let stored = try await test.store.store(
      page, of: repository, sweep: old, at: StoreUnderTest.now)
    // The page itself is kept.
    #expect(stored.isSweepGone && stored.counts.inserted == 1)
    #expect(try await test.store.unseenNumbers(.items, of: repository, by: old) == nil)
    #expect(try await test.store.unseenNumbers(.items, of: repository, by: new) == [1, 2, 3])
    let finished = try await test.store.finish(
      .items, of: repository, sweep: old, syncedTo: 100, entityTag: nil, isVerified: true,
      provesTo: nil, at: StoreUnderTest.now)
    #expect(finished.verifiedAt == nil)
    #expect(try await test.store.state(of: repository)?.sweeps == [.items: new])
  }

  @Test(
    "a sync that has progressed less doesn't overwrite a later position", arguments: StoreEngine.all
  )
  func progress(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    var repository = try await test.record()
    #expect(!repository.isComplete)
    for (syncedTo, tag, kept, keptTag) in [
      (100, "a", 100, "a"), (99, "b", 100, "a"), (100, "c", 100, "c"), (101, "d", 101, "d"),
    ] {
      repository = try await test.store.finish(
        .items, of: repository, sweep: nil, syncedTo: syncedTo, entityTag: tag, isVerified: false,
        provesTo: nil, at: StoreUnderTest.now)
      #expect(repository.syncedTo == Date(timeIntervalSince1970: Double(kept)))
      #expect(try await test.store.state(of: repository)?.entityTags == [.items: keptTag])
    }
    #expect(repository.checkedAt == StoreUnderTest.now && repository.commentsSyncedTo == nil)
    let later = StoreUnderTest.now.addingTimeInterval(60)
    repository = try await test.store.confirm(
      .comments, of: repository, counted: nil, at: later)
    #expect(repository.commentsCheckedAt == later && repository.checkedAt == StoreUnderTest.now)
  }

  @Test("a verification finds deleted issues and leaves tombstones", arguments: StoreEngine.all)
  func tombstones(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    var repository = try await test.record()
    try await test.keep((1...5).map { .numbered($0, "Gone \($0)") }, of: repository)
    try await test.keep([(3, IssueComment(id: 1, body: "Here"))], of: repository)
    let began = StoreUnderTest.now.addingTimeInterval(-50)
    let sweep = try await test.store.begin(
      Sweep(purpose: .verification, began: 100, stretches: []), .items, of: repository,
      inPlaceOf: nil, at: began)
    try await test.keep(
      [.numbered(1, "Gone 1"), .numbered(2, "Gone 2")], of: repository, sweep: sweep)
    #expect(try await test.store.count(.items, of: repository) == 5)
    #expect(try await test.store.count(.openItemsSeen(by: sweep), of: repository) == 2)
    #expect(try await test.store.unseenNumbers(.items, of: repository, by: sweep) == [3, 4, 5])

    let tickets = try await test.store.tickets(5, of: repository)
    // Their order decides, not the clocks of those who took them.
    func bury(_ number: Int, _ fate: Tombstone.Fate, asked: Int) async throws -> Bool {
      let found = StoreUnderTest.now.addingTimeInterval(Double(asked - 2) * 3_600)
      return try await test.store.bury(
        number, fate, of: repository, at: found, asked: tickets[asked])
    }
    #expect(try await bury(3, .deleted, asked: 3))
    #expect(try await bury(4, .transferred(to: "a/b#7"), asked: 3))
    #expect(try await !bury(40, .deleted, asked: 3))
    try await test.keep(
      [.numbered(5, "Later", updated: 1_800_000_000)], of: repository,
      asked: FeedPage.Asked(ticket: tickets[1]))
    // It was asked for later than it was found to be gone.
    #expect(try await !bury(5, .deleted, asked: 0))
    #expect(try await test.titles(of: repository).keys.sorted() == [1, 2, 5])
    #expect(try await test.store.sentComments(on: 3, of: repository).isEmpty)
    #expect(try await test.found("here", in: repository) == [])
    let buried = try await test.store.tombstones(of: repository)
    #expect(buried.map(\.number) == [3, 4])
    #expect(buried.map(\.fate) == [.deleted, .transferred(to: "a/b#7")])
    #expect(buried.map(\.title) == ["Gone 3", "Gone 4"])

    repository = try await test.store.finish(
      .items, of: repository, sweep: sweep, syncedTo: 100, entityTag: nil, isVerified: true,
      provesTo: nil, at: StoreUnderTest.now)
    #expect(repository.verifiedAt == began)

    // A response requested before an issue was found deleted doesn't restore it; a later one does.
    try await test.keep(
      [.numbered(3), .numbered(4)], of: repository, asked: FeedPage.Asked(ticket: tickets[2]))
    let late = try await test.keep(
      [(3, IssueComment(id: 2, body: "Late"))], of: repository,
      asked: FeedPage.Asked(ticket: tickets[2]))
    #expect(late.inserted == 0)
    #expect(try await test.titles(of: repository).keys.sorted() == [1, 2, 5])
    #expect(try await test.store.sentComments(on: 3, of: repository).isEmpty)
    try await test.keep(
      [.numbered(4)], of: repository, asked: FeedPage.Asked(ticket: tickets[4]))
    #expect(try await test.store.tombstones(of: repository).map(\.number) == [3])
  }

  @Test(
    "an unreadable entry is set aside until it is readable or deleted", arguments: StoreEngine.all)
  func setAside(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    func keep(_ json: String, sweep: Sweep? = nil) async throws {
      try await test.keep(salvaging: json, of: repository, sweep: sweep)
    }
    func numbers() async throws -> [Int] {
      try await test.store.setAside(of: repository).map(\.number)
    }
    let broken = (1...3).map { #"{"id":\#($0),"number":\#($0),"title":7,"state":"open"}"# }
    let whole = #"{"id":1,"number":1,"title":"t","state":"open"}"#
    try await keep("[\(broken.joined(separator: ","))]")
    #expect(try await numbers() == [1, 2, 3])
    try await keep("[\(whole)]")
    #expect(try await numbers() == [2, 3])
    #expect(try await test.store.setAsideCounts() == [repository.id: 2])

    func verify(_ sweep: Sweep) async throws {
      _ = try await test.store.finish(
        .items, of: repository, sweep: sweep, syncedTo: 100, entityTag: nil, isVerified: true,
        provesTo: nil, at: StoreUnderTest.now)
    }
    func begin(inPlaceOf old: Sweep? = nil) async throws -> Sweep {
      try await test.store.begin(
        Sweep(purpose: .verification, began: 100, stretches: []), .items, of: repository,
        inPlaceOf: old, at: StoreUnderTest.now)
    }
    let old = try await begin()
    let new = try await begin(inPlaceOf: old)
    try await keep("[\(broken[2])]", sweep: new)
    // One that was replaced tells nothing.
    try await verify(old)
    #expect(try await numbers() == [2, 3])
    try await verify(new)
    #expect(try await numbers() == [3])
  }

  @Test(
    "an entry without an ID or a number is set aside until it has one", arguments: StoreEngine.all)
  func setAsideWithoutNumber(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    func keep(_ json: String, sweep: Sweep? = nil) async throws {
      try await test.keep(salvaging: "[\(json)]", of: repository, sweep: sweep)
    }
    func names() async throws -> [String] {
      try await test.store.setAside(of: repository).map(\.name)
    }
    let nameless = #"{"title":"t","state":"open"}"#
    let huge = #"{"id":8,"number":9223372036854775807,"title":"t","state":"open"}"#
    try await keep(#"{"number":7,"title":"t","state":"open"},\#(nameless),\#(huge)"#)
    // The same entry in another page.
    try await keep(nameless)
    #expect(try await names() == ["an issue without a number", "an issue without a number", "#7"])
    try await keep(#"{"id":7,"number":7,"title":"t","state":"open"}"#)
    #expect(try await names() == ["an issue without a number", "an issue without a number"])
    #expect(try await test.store.unexplainedNumbers(of: repository, after: 0, limit: 9) == nil)

    let sweep = try await test.store.begin(
      Sweep(purpose: .verification, began: 100, stretches: []), .items, of: repository,
      inPlaceOf: nil, at: StoreUnderTest.now)
    _ = try await test.store.finish(
      .items, of: repository, sweep: sweep, syncedTo: 100, entityTag: nil, isVerified: true,
      provesTo: nil, at: StoreUnderTest.now)
    #expect(try await names() == [])
  }

  @Test("comments are verified by ID, separately from issues", arguments: StoreEngine.all)
  func commentVerification(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    try await test.keep([.numbered(1), .numbered(2), .numbered(3)], of: repository)
    try await test.keep(
      [
        (1, IssueComment(id: 11, body: "a")), (1, IssueComment(id: 12, body: "b")),
        (2, IssueComment(id: 21, body: "c")), (3, IssueComment(id: 31, body: "d")),
      ], of: repository)
    let unreadable = FeedPage(
      [],
      unreadable: [
        FeedPage.Unreadable(number: 2, id: 22, reason: "no login"),
        FeedPage.Unreadable(number: 2, id: 23, reason: "no login"),
      ], of: .comments)
    _ = try await test.store.store(unreadable, of: repository, sweep: nil, at: StoreUnderTest.now)
    let sweep = try await test.store.begin(
      Sweep(purpose: .verification, began: 100, stretches: []), .comments, of: repository,
      inPlaceOf: nil, at: StoreUnderTest.now)
    var seen = try TestMirror.comments(
      [(1, IssueComment(id: 11, body: "a")), (3, IssueComment(id: 31, body: "d"))])
    _ = try await test.store.store(seen, of: repository, sweep: sweep, at: StoreUnderTest.now)
    seen = FeedPage(
      [], unreadable: [FeedPage.Unreadable(number: 2, id: 22, reason: "no login")], of: .comments)
    _ = try await test.store.store(seen, of: repository, sweep: sweep, at: StoreUnderTest.now)
    #expect(try await test.store.unseenNumbers(.comments, of: repository, by: sweep) == [1, 2])
    #expect(try await test.store.unseenNumbers(.items, of: repository, by: sweep) == nil)
    let finished = try await test.store.finish(
      .comments, of: repository, sweep: sweep, syncedTo: 100, entityTag: nil, isVerified: false,
      provesTo: nil, at: StoreUnderTest.now)
    #expect(finished.verifiedAt == nil)
    #expect(try await test.store.setAside(of: repository).map(\.commentID) == [22])
    #expect(try await test.store.unseenNumbers(.comments, of: repository, by: sweep) == nil)
  }

  @Test(
    "a verification replaces comments that differ on the server",
    arguments: StoreEngine.all)
  func commentsByValue(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    try await withSyncWorld(items: 60) { world in
      let (github, repository) = (world.github, world.repository)
      let name = try #require(RepositoryName(repository.fullName))
      @discardableResult
      func sync(verifies: Bool = false) async throws -> SyncReport {
        try await RepositorySync(
          store: test.store, provider: try world.provider(), name: name,
          options: .init(jobs: 4, includesComments: true, verifies: verifies),
          now: { world.ticks.now() }
        ).run()
      }
      func kept(_ report: SyncReport) async throws -> [Int64: Data] {
        var kept: [Int64: Data] = [:]
        for issue in github.issues(of: repository) {
          for comment in try await test.store.sentComments(
            on: issue.number, of: report.repository)
          {
            kept[comment.entity.id] = comment.json
          }
        }
        return kept
      }
      let numbers = github.issues(of: repository).filter { $0.comments > 2 }.map(\.number)
      try #require(numbers.count > 3)
      // One was edited before the first sync, and its older version is restored after it.
      let edited = world.ticks.seconds
      github.changeComment(0, on: numbers[0], of: repository) {
        $0.body = "Edited"
        $0.updatedAt = edited
      }
      world.ticks.pass(10)
      var report = try await sync()
      #expect(try await kept(report) == world.servedComments())

      world.ticks.pass(3_600)
      github.changeComment(0, on: numbers[0], of: repository) {
        $0.body = "Restored"
        $0.updatedAt = edited - 86_400
      }
      // Minimized, or with another reaction: the time of the last change stays.
      github.changeComment(1, on: numbers[0], of: repository) { $0.body = "Minimized" }
      // An edit that the list shows too late.
      github.changeComment(0, on: numbers[1], of: repository) {
        $0.body = "Late"
        $0.updatedAt = edited - 1_000
      }
      // One for another, so that the count stays.
      github.deleteComment(0, on: numbers[2], of: repository)
      github.addComment(on: numbers[2], of: repository, at: edited - 5_000) { $0.body = "Swapped" }
      report = try await sync()
      #expect(try await kept(report) != world.servedComments())
      report = try await sync(verifies: true)
      #expect(try await kept(report) == world.servedComments())
      #expect(report.comments.updated >= 3 && report.comments.removed == 1)
      #expect(try await !test.store.repairSearchIndex())
      // Nothing is verified that wasn't asked for.
      world.ticks.pass(100)
      #expect(try await sync().requests < 6)
    }
  }

  @Test(
    "an impossible entry is skipped and reported, and its neighbors are mirrored",
    arguments: StoreEngine.all,
    [
      (#""number":42,"#, #""number":"42","#), (#""number":42,"#, ""),
      (#""number":42,"#, #""number":0,"#), (#""number":42,"#, #""number":-42,"#),
      (#""number":42,"#, #""number":9223372036854775807,"#),
      (#""updated_at":"TIME""#, #""updated_at":"0001-01-01T00:00:00Z""#),
    ])
  func impossible(_ engine: StoreEngine, _ change: (String, String)) async throws {
    let test = try await engine.make()
    try await withSyncWorld(items: 60) { world in
      let time = try #require(world.github.issues(of: world.repository).first { $0.number == 42 })
        .updatedAt
      let from = change.0.replacing(
        "TIME", with: Timestamp.string(from: Date(timeIntervalSince1970: Double(time))))
      var configuration = LoopbackGitHub.Configuration()
      configuration.now = { world.ticks.now() }
      configuration.repositories = [world.repository]
      let twin = LoopbackGitHub(configuration)
      world.github.intercept(where: { $0.path.contains("/issues") }) { request, _ in
        var response = twin.respond(to: request)
        let text = String(decoding: response.body, as: UTF8.self)
        // Of all entries only this one has the number or the time.
        response.body = Data(text.replacing(from, with: change.1).utf8)
        return response
      }
      let report = try await RepositorySync(
        store: test.store, provider: try world.provider(),
        name: try #require(RepositoryName(world.repository.fullName)), options: .init(jobs: 4),
        now: { world.ticks.now() }
      ).run()
      #expect(report.inserted == 59)
      #expect(report.setAside.count >= 1)
      #expect(report.setAside.allSatisfy { [0, 42].contains($0.number) })
      #expect(try await test.store.setAside(of: report.repository) == report.setAside)
    }
  }

  @Test("each number is stored, deleted or still to be requested", arguments: StoreEngine.all)
  func coverage(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    func unexplained(after last: Int = 0, limit: Int = 100) async throws -> [Int]? {
      try await test.store.unexplainedNumbers(of: repository, after: last, limit: limit)
    }
    #expect(try await unexplained() == nil)
    try await test.keep([.numbered(2), .numbered(3), .numbered(9)], of: repository)
    try await test.store.bury(9, .deleted, of: repository, at: StoreUnderTest.now)
    _ = try await test.store.finish(
      .items, of: repository, sweep: nil, syncedTo: 100, entityTag: nil, isVerified: false,
      provesTo: 10, at: StoreUnderTest.now)
    #expect(try await unexplained() == [1, 4, 5, 6, 7, 8, 10])
    #expect(try await unexplained(after: 4, limit: 2) == [5, 6])
    try await test.store.noteAbsence(of: [4, 5, 6], in: repository)
    try await test.store.noteAbsence(of: [6, 7], in: repository)
    #expect(try await test.store.count(.absences, of: repository) == 4)
    #expect(try await unexplained() == [1, 8, 10])
    #expect(try await unexplained(after: 10) == [])
    try await test.store.forgetAbsences(of: repository)
    #expect(try await unexplained(limit: 3) == [1, 4, 5])
    try await test.store.endProof(of: repository)
    #expect(try await unexplained() == nil)
  }

  @Test("only one sync at a time changes a difference of counts", arguments: StoreEngine.all)
  func difference(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    var repository = try await test.record(openCount: 3)
    try await test.keep([.numbered(1)], of: repository)
    #expect(try await test.store.openDifference(of: repository) == 2)
    repository = try await test.record(
      id: 2, name: "a/b", openCount: nil)
    #expect(try await test.store.openDifference(of: repository) == nil)
    #expect(try await test.store.latestChange(of: repository) == nil)
    try await test.keep([.numbered(1, updated: 70), .numbered(2, updated: 80)], of: repository)
    #expect(try await test.store.latestChange(of: repository) == 80)

    let none = try #require(try await test.store.state(of: repository)).difference
    #expect(none == CountDifference())
    let seen = CountDifference(pending: 2, noticedAt: 100)
    #expect(try await test.store.replace(none, by: seen, of: repository))
    #expect(try await !test.store.replace(none, by: CountDifference(pending: 5), of: repository))
    #expect(try await test.store.state(of: repository)?.difference == seen)
    let settled = CountDifference(examinedAt: 200, accepted: -1)
    #expect(try await test.store.replace(seen, by: settled, of: repository))
    #expect(try await test.store.state(of: repository)?.difference == settled)
  }

  @Test("a repository is identified by its ID, and found by its names", arguments: StoreEngine.all)
  func names(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let old = try #require(RepositoryName("apple/swift"))
    let new = try #require(RepositoryName("SwiftLang/Swift"))
    let first = try await test.record(id: 7, name: "apple/swift")
    try await test.keep([.numbered(1)], of: first)
    let renamed = try await test.record(id: 7, name: "swiftlang/swift", under: old)
    #expect(renamed.id == first.id)
    #expect(try await test.titles(of: renamed).keys.sorted() == [1])
    for name in [old, new] {
      #expect(try await test.store.repository(named: name, on: .github) == renamed)
    }
    #expect(try await test.store.repository(presentlyNamed: old, on: .github) == nil)
    // Another one takes the name: the last one to have it is found, whatever the clocks say.
    let other = try await test.record(
      id: 8, name: "swiftlang/swift", at: StoreUnderTest.now.addingTimeInterval(-3_600))
    #expect(try await test.store.repository(named: new, on: .github) == other)
    _ = try await test.record(id: 7, name: "swiftlang/swift", under: old)
    #expect(try await test.store.repository(named: new, on: .github) == renamed)
    _ = try await test.record(id: 8, name: "swiftlang/swift")
    #expect(try await test.store.repository(presentlyNamed: new, on: .github) == other)
    #expect(try await test.store.repositories().map(\.serverID).sorted() == [7, 8])
    #expect(try await test.store.description(of: other)?.id == 8)
  }

  @Test("a removed repository is no longer written to", arguments: StoreEngine.all)
  func removal(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let (repository, other) = (try await test.record(), try await test.record(id: 2, name: "a/b"))
    try await test.keep([.numbered(1, "Crash")], of: repository)
    try await test.keep([.numbered(1, "Crash")], of: other)
    let sweep = try await test.store.begin(
      Sweep(purpose: .first, began: 100, stretches: []), .items, of: repository, inPlaceOf: nil,
      at: StoreUnderTest.now)
    try await test.another().remove(repository)
    #expect(try await test.store.repositories() == [other])
    #expect(try await test.store.state(of: repository) == nil)
    #expect(try await test.found("crash", in: repository) == [])
    #expect(try await test.found("crash", in: other) == [1])
    let failures: [@Sendable () async throws -> Void] = [
      { try await test.keep([.numbered(2)], of: repository, sweep: sweep) },
      {
        _ = try await test.store.confirm(
          .items, of: repository, counted: nil, at: StoreUnderTest.now)
      },
      { _ = try await test.store.ticket(of: repository) },
      {
        _ = try await test.store.finish(
          .items, of: repository, sweep: sweep, syncedTo: 1, entityTag: nil, isVerified: true,
          provesTo: nil, at: StoreUnderTest.now)
      },
    ]
    for fails in failures {
      let failure = await #expect(throws: MirrorFailure.self) { try await fails() }
      #expect(failure?.code == .notMirrored)
    }
    #expect(try await test.store.repositories() == [other])
  }
}

extension StoreUnderTest {
  /// Stores the entries of a page that can be read, and sets the others aside.
  fileprivate func keep(
    salvaging json: String, of repository: MirroredRepository, sweep: Sweep?
  ) async throws {
    _ = try await store.store(
      FeedPage(salvaging: Data(json.utf8), of: .items), of: repository, sweep: sweep, at: Self.now)
  }
}

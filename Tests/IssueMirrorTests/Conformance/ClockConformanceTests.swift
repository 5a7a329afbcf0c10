import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import TestTraits
import Testing

@Suite(
  "Every store works with inaccurate machine clocks", .tags(.heavy), .timeLimit(.minutes(5)))
struct ClockConformanceTests {
  /// Brings a store up to date, as a machine does whose clock is ahead of the server's.
  @discardableResult
  private static func sync(
    _ store: any IssueStore, with world: SyncWorld, hoursAhead: Double, verifies: Bool = false
  ) async throws -> SyncReport {
    try await RepositorySync(
      store: store, provider: world.provider(),
      name: #require(RepositoryName(world.repository.fullName)),
      options: .init(jobs: 4, includesComments: true, verifies: verifies),
      now: { [ticks = world.ticks] in ticks.now().addingTimeInterval(hoursAhead * 3_600) }
    ).run()
  }

  /// Whether a store has what the server has.
  private static func isSame(
    _ store: any IssueStore, as world: SyncWorld
  ) async throws -> Bool {
    let repository = try #require(try await store.repositories().first)
    let kept = try await store.sentIssues(
      of: repository, filter: IssueFilter(state: .all), limit: nil, includesPullRequests: true)
    let issues = Dictionary(uniqueKeysWithValues: kept.map { ($0.entity.number, $0.json) })
    var comments: [Int64: Data] = [:]
    for number in issues.keys {
      for comment in try await store.sentComments(on: number, of: repository) {
        comments[comment.entity.id] = comment.json
      }
    }
    let (served, servedComments) = (try await world.served(), try await world.servedComments())
    return issues == served && comments == servedComments
  }

  /// Deletes the first comment on an issue, which changes with it.
  private static func deleteComment(in world: SyncWorld, onIssue index: Int = 0) throws {
    let now = world.ticks.seconds
    let issues = world.github.issues(of: world.repository).filter { $0.comments > 1 }
    let number = try #require(issues.dropLast(index).last).number
    world.github.deleteComment(0, on: number, of: world.repository)
    world.github.changeIssue(number, of: world.repository) { $0.updatedAt = now }
    world.ticks.pass(10)
  }

  @Test(
    "two machines whose clocks differ by hours sync in turns",
    arguments: StoreEngine.all, [[1, 0], [0, 1], [-12, 0.0001]].sampled(every: 3))
  func apart(_ engine: StoreEngine, hoursAhead: [Double]) async throws {
    let test = try await engine.make()
    let stores = [test.store, try await test.another()]
    try await withSyncWorld(items: 60) { world in
      func sync(_ machine: Int, verifies: Bool = false) async throws -> SyncReport {
        try await Self.sync(
          stores[machine % 2], with: world, hoursAhead: hoursAhead[machine % 2], verifies: verifies)
      }
      _ = try await sync(0)
      for round in 1...(runsFullTests ? 4 : 2) {
        try Self.deleteComment(in: world, onIssue: round)
        let report = try await sync(round)
        #expect(report.comments.removed == 1)

        // The server's time doesn't say which of two versions of one second is the newer.
        let now = world.ticks.seconds
        for machine in [round, round + 1] {
          world.github.changeIssue(9, of: world.repository) { issue in
            (issue.title, issue.updatedAt) = ("Round \(round), by \(machine)", now)
          }
          #expect(try await sync(machine).updated == 1)
        }

        world.github.deleteIssue(20 + round, of: world.repository)
        #expect(try await sync(round, verifies: true).removed == 1)
        #expect(try await Self.isSame(stores[round % 2], as: world))
        world.ticks.pass(20)
      }
    }
  }

  @Test(
    "a new difference of counts isn't treated as old by a machine whose clock is ahead",
    arguments: StoreEngine.all
  )
  func laggingCount(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let stores = [test.store, try await test.another()]
    try await withSyncWorld(items: 200) { world in
      try await Self.sync(stores[0], with: world, hoursAhead: 0)
      let path = "/repos/\(world.repository.fullName)"
      let open = world.github.issues(of: world.repository).count(where: \.isOpen)
      world.github.intercept(where: { $0.path == path }) { _, _ in
        .json(
          #"{"id":\#(world.repository.id),"full_name":"swiftlang/swift","has_issues":true,"open_issues_count":\#(open)}"#
        )
      }
      let now = world.ticks.seconds
      world.github.addIssue(to: world.repository) { issue in
        (issue.createdAt, issue.updatedAt) = (now, now)
      }
      for round in 0...3 {
        world.ticks.pass(3)
        let report = try await Self.sync(
          stores[round % 2], with: world, hoursAhead: Double(2 * (round % 2)))
        #expect(!report.isVerified)
      }
      // By the server's clock it is old at last.
      world.ticks.pass(60)
      #expect(try await Self.sync(stores[1], with: world, hoursAhead: -3).isVerified)
    }
  }

  @Test("setting the clock back between two syncs hides no changes", arguments: StoreEngine.all)
  func setBack(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    try await withSyncWorld(items: 60) { world in
      try await Self.sync(test.store, with: world, hoursAhead: 5)
      try Self.deleteComment(in: world)
      world.github.changeLabel("bug", of: world.repository) { $0?.name = "defect" }
      let report = try await Self.sync(test.store, with: world, hoursAhead: 0)
      #expect(report.comments.removed == 1)
      #expect(try await Self.isSame(test.store, as: world))

      world.github.deleteIssue(17, of: world.repository)
      try await Self.sync(test.store, with: world, hoursAhead: -5, verifies: true)
      #expect(try await Self.isSame(test.store, as: world))
      // After a week, and not after a week and a decade.
      world.github.deleteIssue(18, of: world.repository)
      let decade = 87_600.0
      try await Self.sync(test.store, with: world, hoursAhead: decade, verifies: true)
      world.github.deleteIssue(19, of: world.repository)
      #expect(try await Self.sync(test.store, with: world, hoursAhead: 0).isVerified)
      #expect(try await Self.isSame(test.store, as: world))
    }
  }

  @Test(
    "no change is lost if the server's responses have no date",
    arguments: StoreEngine.all, [-24, -1, 0, 1].sampled(every: 4))
  func noDate(_ engine: StoreEngine, hoursAhead: Double) async throws {
    let test = try await engine.make()
    let items = runsFullTests ? 250 : 60
    try await withSyncWorld(items: items, sendsDate: false) { world in
      func sync(verifies: Bool = false) async throws -> SyncReport {
        try await Self.sync(test.store, with: world, hoursAhead: hoursAhead, verifies: verifies)
      }
      #expect(try await sync().inserted == items)
      #expect(try await Self.isSame(test.store, as: world))

      // One that is listed late, behind a newer one.
      world.ticks.pass(1_000)
      let time = world.ticks.seconds
      world.github.schedule(at: time + 20) { github in
        github.changeIssue(3, of: world.repository) { issue in
          (issue.title, issue.updatedAt) = ("Late", time)
        }
      }
      world.github.changeIssue(4, of: world.repository) { $0.updatedAt = time + 3 }
      world.ticks.pass(4)
      #expect(try await sync().updated == 1)
      world.ticks.pass(20)
      #expect(try await sync().updated == 1)

      try Self.deleteComment(in: world)
      #expect(try await sync().comments.removed == 1)
      world.github.deleteIssue(17, of: world.repository)
      #expect(try await sync(verifies: true).removed == 1)
      #expect(try await Self.isSame(test.store, as: world))
    }
  }
}

import ConcurrencyPrimitives
import GRDB
import GitHubAPI
import HTTPTargets
import IssueMirror
import PlatformModules
import TestSupport
import TestTraits
import Testing

@Suite("Syncing a repository", .tags(.heavy), .timeLimit(.minutes(5)))
struct RepositorySyncTests {
  @Test("a sync stores each item as the server sent it, within the limit of concurrent requests")
  func first() async throws {
    try await withSyncWorld(items: 2_000) { world in
      let seen = Locked<[SyncProgress]>([])
      let report = try await world.sync(jobs: 8) { progress in
        seen.withLock { $0.append(progress) }
      }
      #expect(try await world.kept() == world.served())
      #expect(report.inserted == 2_000)
      #expect(report.updated == 0)
      #expect(report.repository.isComplete)
      #expect(report.repository.verifiedAt != nil)
      #expect(world.server.log.peakInFlight <= 8)
      // 20 pages, two look-ups, the newest number, the end of the list; what is on two pages.
      #expect(report.requests <= 20 + 4 + 20)
      let progress = seen.withLock { $0 }
      #expect(progress.first?.phase == .lookingUp)
      #expect(progress.last?.phase == .items)
      #expect(progress.last?.total == 2_000)
      #expect(progress.last?.newItems == 2_000)
      #expect(progress.last?.fraction == 1)
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test(
    "a sync requests all items without an artificial earliest time",
    arguments: [1, 8, 32].sampled(every: 2))
  func earliestTime(jobs: Int) async throws {
    // To a list since 1970-01-01 the server has no answer.
    try await withSyncWorld(items: runsFullTests ? 1_500 : 400) { world in
      for verifies in [false, true] {
        let report = try await world.sync(jobs: jobs, comments: true, verifies: verifies)
        #expect(report.removed == 0)
        #expect(try await world.kept() == world.served())
        #expect(try await world.keptComments() == world.servedComments())
      }
      let times = world.server.log.requests.compactMap { $0.queryValue("since") }
      #expect(!times.contains { $0 < "2000" })
    }
  }

  @Test("a sync finds a change that is listed seconds late, after a newer one")
  func late() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.ticks.pass(1_000)
      let time = world.ticks.seconds
      world.github.schedule(at: time + 20) { github in
        github.changeIssue(3, of: world.repository) { issue in
          issue.title = "Late"
          issue.updatedAt = time
        }
      }
      world.github.changeIssue(4, of: world.repository) { $0.updatedAt = time + 3 }
      world.ticks.pass(4)
      #expect(try await world.sync().updated == 1)
      #expect(try await world.sync().requests == 1)
      world.ticks.pass(20)
      let report = try await world.sync()
      #expect(report.updated == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test(
    "a sync requests smaller pages when the server can't send large ones, and larger pages later",
    arguments: [false, true])
  func heavyPages(pagesByNumber: Bool) async throws {
    let configure = { (configuration: inout LoopbackGitHub.Configuration) in
      configuration.pagesByNumber = pagesByNumber
      configuration.heaviestPage = 1_000_000
    }
    try await withSyncWorld(items: 900, configure: configure) { world in
      for number in 300..<310 {
        world.github.changeIssue(number, of: world.repository) { issue in
          issue.body = String(repeating: "long ", count: 60_000)
          issue.updatedAt = SyntheticIssues(count: 0).newest - 400_000 + number
        }
      }
      let report = try await world.sync(jobs: 1)
      #expect(report.inserted == 900)
      let sizes = world.server.log.requests.compactMap { $0.queryValue("per_page") }
      #expect(Set(["100", "50", "25", "12", "6", "3"]).isSubset(of: sizes))
      #expect(Set(["6", "12", "24"]).isSubset(of: sizes.drop { $0 != "3" }))
      #expect(report.requests < 120)
    }
  }

  @Test(
    "a sync doesn't store tokens echoed in issues, comments or the repository's description"
  )
  func echoedToken() async throws {
    try await withSyncWorld(items: 20) { world in
      let echo = "before \(SyncWorld.token) after"
      world.github.changeIssue(3, of: world.repository) {
        $0.body = echo
        $0.title = echo
      }
      world.github.addComment(on: 5, of: world.repository, at: world.ticks.seconds) {
        $0.body = echo
      }
      try await world.sync(comments: true)
      let kept = try await Array(world.kept().values) + Array(world.keptComments().values)
      #expect(kept.allSatisfy { $0.firstRange(of: Data(SyncWorld.token.utf8)) == nil })
      #expect(kept.count { $0.firstRange(of: Data("before [redacted] after".utf8)) != nil } == 2)
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("a sync of a small repository sends few requests", arguments: [0, 1, 99])
  func small(items: Int) async throws {
    let (lookUps, second) = (Locked(0), Gate(isOpen: items == 0))
    // The end of the list is under way while the repository is looked up for the first page. An end that arrives
    // before that look-up is sent belongs to the same repository, and needs none of its own.
    let hold: @Sendable (LoopbackRequest) async -> Void = { request in
      if request.queryValue("since") != nil { await second.wait() }
      let count = lookUps.withLock { count in
        if request.path == "/repos/swiftlang/swift" { count += 1 }
        return count
      }
      if count == 2 { second.open() }
    }
    try await withSyncWorld(items: items, hold: hold) { world in
      let report = try await world.sync(jobs: 8)
      #expect(report.inserted == items)
      // The repository, the newest number, one stretch, what changed meanwhile, the repository's count, the labels
      // and the milestones; and the repository once more, as a single page doesn't say whose it is.
      #expect(report.requests == (items == 0 ? 7 : 8))
    }
  }

  @Test("a sync of many repositories splits only large ones, and trusts the list of their names")
  func many() async throws {
    try await withSyncWorld(items: 500) { world in
      let fullName = world.repository.fullName
      let response = try await world.provider().request(.repo(fullName: fullName))
      let listed: GitHub.Repository = try response.decode(using: GitHubJSON.decoder())
      var options = RepositorySync.Options(jobs: 8)
      options.leastPagesPerStream = 3
      let sync = RepositorySync(
        store: world.mirror, provider: try world.provider(),
        name: try #require(RepositoryName(fullName)), options: options, listed: listed,
        now: { [ticks = world.ticks] in ticks.now() })
      // The newest number, five pages, the labels and the milestones.
      #expect(try await sync.run().requests == 8)
      #expect(try await world.kept() == world.served())
      // The next one begins a minute earlier, so that it sees what was late.
      #expect(try await sync.run().isUnchanged)
      let free = try await world.requests { try await sync.run() }
      #expect(free.count == 1)
      #expect(free.first?.headers["If-None-Match"] != nil)
      // A mirrored repository is looked up as usual.
      world.github.changeIssue(3, of: world.repository) { issue in
        issue.title = "Changed"
        issue.updatedAt = world.ticks.seconds
      }
      world.ticks.pass(100)
      let next = try await world.requests { try await sync.run() }
      #expect(next.contains { $0.path == "/repos/\(fullName)" })
      #expect(try await world.kept() == world.served())
    }
    try await withSyncWorld(items: 700) { world in
      var options = RepositorySync.Options(jobs: 8)
      options.leastPagesPerStream = 3
      let sync = RepositorySync(
        mirror: world.mirror, provider: try world.provider(),
        name: try #require(RepositoryName(world.repository.fullName)), options: options,
        now: { [ticks = world.ticks] in ticks.now() })
      let requests = try await world.requests { try await sync.run() }
      // Two streams, and the changes meanwhile.
      #expect(Set(requests.compactMap { $0.queryValue("since") }).count == 2)
      #expect(try await world.kept() == world.served())
    }
  }

  private func numbers(
    _ pagesByNumber: Bool
  ) -> (inout LoopbackGitHub.Configuration) -> Void {
    { $0.pagesByNumber = pagesByNumber }
  }

  private func struck(
    by faults: LoopbackFaults
  ) -> (inout LoopbackGitHub.Configuration) -> Void {
    { $0.faults = faults }
  }

  @Test("a sync without changes is one request", arguments: [false, true])
  func unchanged(pagesByNumber: Bool) async throws {
    try await withSyncWorld(configure: numbers(pagesByNumber)) { world in
      try await world.sync()
      let kept = try await world.kept()
      for _ in 0..<2 {
        let requests = try await world.requests {
          let report = try await world.sync()
          #expect(report.isUnchanged)
          #expect(report.requests == 1)
        }
        #expect(requests.count == 1)
        #expect(requests.first?.headers["If-None-Match"] != nil)
      }
      #expect(try await world.kept() == kept)
    }
  }

  @Test("a sync writes only changed items", arguments: [false, true])
  func changed(pagesByNumber: Bool) async throws {
    try await withSyncWorld(items: 400, configure: numbers(pagesByNumber)) { world in
      try await world.sync()
      let before = try await world.rows()
      world.ticks.pass(100)
      let changed = (0..<50).map { 3 + $0 * 7 }
      for number in changed {
        world.ticks.pass(1)
        let now = world.ticks.seconds
        world.github.changeIssue(number, of: world.repository) { issue in
          issue.title = "Changed"
          issue.updatedAt = now
        }
      }
      world.ticks.pass(10)
      let report = try await world.sync()
      #expect(report.inserted == 0)
      #expect(report.updated == 50)
      #expect(report.removed == 0)
      let after = try await world.rows()
      #expect(Set(after).subtracting(before).map(\.number).sorted() == changed)
      #expect(try await world.kept() == world.served())
      // The next one has nothing to ask but whether that is still so.
      let next = try await world.sync()
      #expect(next.requests == 1)
      #expect(next.isUnchanged)
    }
  }

  @Test(
    "a sync converges with a server whose issues keep changing",
    arguments: (0..<10).sampled(every: 10))
  func activity(seed: Int) async throws {
    let configure = { (configuration: inout LoopbackGitHub.Configuration) in
      configuration.pagesByNumber = !seed.isMultiple(of: 2)
      configuration.activity = LoopbackActivity(
        changesPerRequest: 6, maximumCount: 200, seed: UInt64(seed))
      configuration.repositories.append(
        LoopbackRepository(
          id: 77, owner: "swiftlang", name: "elsewhere", issues: SyntheticIssues(count: 3)))
    }
    try await withSyncWorld(items: runsFullTests ? 600 : 300, configure: configure) { world in
      try await world.sync(jobs: 1 + seed, comments: true)
      // Until it is quiet.
      for _ in 0..<40 {
        _ = try await world.provider().request(
          .issues(repositoryFullName: world.repository.fullName, pageSize: 1))
      }
      world.ticks.pass(10)
      try await world.sync(comments: true)
      let served = try await world.served()
      // Some may count comments that were deleted: that is no change.
      let kept = try await world.kept()
      #expect(Set(served.keys).isSubset(of: kept.keys))
      let report = try await world.sync(comments: true, verifies: true)
      #expect(report.isVerified)
      #expect(try await world.kept() == served)
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("a sync resumes at its position after a server failure, without repeating requests")
  func resuming() async throws {
    try await withSyncWorld(items: 2_000) { world in
      let isLate: @Sendable (LoopbackRequest) -> Bool = { $0.queryValue("after") != nil }
      world.github.intercept(where: { isLate($0) && world.server.log.requestCount > 12 }) {
        GitHubError.serverError.response(now: $1)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(jobs: 4) }
      let before = try await world.mirrored()
      #expect(before?.isComplete == false)
      let kept = try await world.kept()
      #expect(kept.count >= 400)
      world.github.stopIntercepting()
      let begin = Locked<SyncProgress?>(nil)
      let report = try await world.sync(jobs: 4) { progress in
        begin.withLock { if $0 == nil, progress.phase == .items { $0 = progress } }
      }
      #expect(begin.withLock { $0?.stored } ?? 0 >= kept.count)
      #expect(begin.withLock { $0?.total } == 2_000)
      #expect(report.inserted == 2_000 - kept.count)
      // Of each of the four stretches, a page at most comes again.
      #expect(report.unchanged <= 600)
      // And the end of the list, twice the repository, its labels and its milestones.
      #expect(report.requests <= (2_000 - kept.count) / 100 + 4 + 6)
      #expect(try await world.kept() == world.served())
      #expect(try await world.mirrored()?.isComplete == true)
    }
  }

  @Test("a sync completes despite faults and restarts")
  func faults() async throws {
    let faults = LoopbackFaults(share: 0.3, seed: 5)
    try await withSyncWorld(items: 900, configure: struck(by: faults)) { world in
      var failures = 0
      var isDone = false
      while !isDone, failures < 200 {
        do {
          try await world.sync()
          isDone = true
        } catch is NetworkError {
          failures += 1
        }
      }
      #expect(isDone)
      #expect(failures > 0)
      #expect(try await world.kept().count == 900)
      let titles = try await world.mirror.database.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM item ORDER BY number")
      }
      #expect(titles == world.github.issues(of: world.repository).map(\.title))
    }
  }

  @Test("two concurrent syncs reach the same mirror")
  func twoAtOnce() async throws {
    try await withSyncWorld(items: 500) { world in
      async let one = world.sync(jobs: 3)
      async let other = world.sync(jobs: 5)
      _ = try await (one, other)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().isUnchanged)
    }
  }

  @Test("a sync doesn't accept a list in another order as complete")
  func otherOrder() async throws {
    try await withSyncWorld(configure: numbers(true)) { world in
      let path = "/repos/\(world.repository.fullName)/issues"
      let newest = try await world.provider().request(
        .issues(
          repositoryFullName: world.repository.fullName, filter: IssueFilter(state: .all),
          pageSize: 100))
      let json = String(decoding: newest.body, as: UTF8.self)
      world.github.intercept(where: { $0.path == path && $0.queryValue("since") != nil }) { _, _ in
        .json(json).with { $0.headers["Link"] = "<\(path)?page=2>; rel=\"next\"" }
      }
      let error = await #expect(throws: NetworkError.self) { try await world.sync() }
      #expect(error?.message.contains("can't be mirrored") == true)
      #expect(try await world.mirrored()?.isComplete == false)
    }
  }
}

extension SyncWorld {
  /// A row of an issue, and when it was written.
  struct ItemRow: Hashable {
    var number: Int
    var title: String
    var stored: Int
  }

  /// All rows of issues.
  func rows() async throws -> [ItemRow] {
    try await mirror.database.read { db in
      try Row.fetchAll(db, sql: "SELECT number, title, stored FROM item").map { row in
        ItemRow(number: row["number"], title: row["title"], stored: row["stored"])
      }
    }
  }
}

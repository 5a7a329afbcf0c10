import ConcurrencyPrimitives
import GitHubAPI
import HTTPTargets
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Verification of deleted items", .timeLimit(.minutes(5)))
struct VerificationTests {
  private static let elsewhere = LoopbackRepository(
    id: 77, owner: "swiftlang", name: "elsewhere", issues: SyntheticIssues(count: 3))

  private static let configure = { @Sendable (configuration: inout LoopbackGitHub.Configuration) in
    configuration.repositories.append(elsewhere)
  }

  @Test("a verification replaces deleted and transferred issues with tombstones")
  func tombstones() async throws {
    try await withSyncWorld(configure: Self.configure) { world in
      try await world.sync()
      world.github.deleteIssue(17, of: world.repository)
      world.github.deleteIssue(18, of: world.repository)
      world.github.transferIssue(200, of: world.repository, to: Self.elsewhere)
      let report = try await world.sync(verifies: true)
      #expect(report.isVerified)
      #expect(report.removed == 3)
      #expect(report.updated + report.inserted == 0)
      let tombstones = try await world.mirror.tombstones(of: report.repository)
      #expect(tombstones.map(\.number) == [17, 18, 200])
      #expect(
        tombstones.map(\.fate) == [
          .deleted, .deleted, .transferred(to: "swiftlang/elsewhere#4"),
        ])
      #expect(try await world.kept() == world.served())
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("a verification reports that it kept a change of the last minute uncompared")
  func uncompared() async throws {
    try await withSyncWorld(items: 30) { world in
      try await world.sync()
      let now = world.ticks.seconds
      world.github.changeIssue(7, of: world.repository) {
        $0.title = "Newer"
        $0.updatedAt = now
      }
      try await world.sync()
      world.github.changeIssue(7, of: world.repository) {
        $0.title = "Restored"
        $0.updatedAt = now - 86_400
      }
      #expect(try await world.sync(verifies: true).hasUncomparedChanges)
      world.ticks.pass(100)
      #expect(try await !world.sync(verifies: true).hasUncomparedChanges)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a verification starts once when the server's count of issues differs")
  func counts() async throws {
    try await withSyncWorld(items: 300) { world in
      try await world.sync()
      world.github.deleteIssue(try world.open(0), of: world.repository)
      // That alone nobody is told of.
      #expect(try await world.sync().isUnchanged)
      world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      world.ticks.pass(70)
      let report = try await world.sync()
      #expect(report.inserted == 1)
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("a verification finds items that were deleted during one an hour earlier")
  func deletedDuringVerification() async throws {
    try await withSyncWorld(items: 300) { world in
      try await world.sync()
      world.github.deleteIssue(try world.open(0), of: world.repository)
      world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      world.ticks.pass(70)
      let other = try world.open(0)
      let isFirst = Locked(true)
      let report = try await world.sync { progress in
        // All pages have been read by then.
        guard case .checking = progress.phase,
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return }
        world.github.deleteIssue(other, of: world.repository)
      }
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(!isFirst.withLock { $0 })
      // Not at once: examining everything takes as long as a first sync.
      #expect(try await world.sync().isUnchanged)
      world.ticks.pass(3_700)
      let later = try await world.sync()
      #expect(later.isVerified)
      #expect(later.removed == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("a verification starts again at once if an interrupted sync had begun it")
  func deletedAfterBreakingOff() async throws {
    try await withSyncWorld(items: 300) { world in
      try await world.sync()
      let (first, second) = (try world.open(0), try world.open(1))
      world.github.deleteIssue(first, of: world.repository)
      world.github.intercept(where: { $0.path.hasSuffix("/issues/\(first)") }) { _, _ in
        .json("{}", status: 500)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      world.github.stopIntercepting()
      // The broken-off one has seen it.
      world.github.deleteIssue(second, of: world.repository)
      let report = try await world.sync()
      #expect(report.isVerified)
      #expect(report.removed == 2)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("a verification starts even if an issue was opened during the first sync")
  func openedMeanwhile() async throws {
    try await withSyncWorld(items: 300) { world in
      let isFirst = Locked(true)
      try await world.sync { progress in
        guard progress.phase == .items,
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return }
        world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      }
      let (open, other) = (try world.open(0), try world.open(1))
      world.github.deleteIssue(open, of: world.repository)
      world.ticks.pass(100)
      let now = world.ticks.seconds
      world.github.changeIssue(other, of: world.repository) { $0.updatedAt = now }
      world.ticks.pass(70)
      let report = try await world.sync()
      #expect(report.removed == 1)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a verification follows a first sync during which an issue was deleted")
  func deletedMeanwhile() async throws {
    try await withSyncWorld(items: 300) { world in
      let open = try world.open(0)
      let isFirst = Locked(true)
      let report = try await world.sync { progress in
        guard progress.newItems == 300,
          isFirst.withLock({ first in
            defer { first = false }
            return first
          })
        else { return }
        world.github.deleteIssue(open, of: world.repository)
      }
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("a verification starts with the next sync if a sync was interrupted before it")
  func cutOffBefore() async throws {
    try await withSyncWorld(items: 300) { world in
      try await world.sync()
      world.github.deleteIssue(try world.open(0), of: world.repository)
      world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      world.ticks.pass(70)
      // The count is asked for once more, and that fails.
      let path = "/repos/\(world.repository.fullName)"
      let count = Locked(0)
      world.github.intercept(where: { request in
        request.path == path
          && count.withLock { count in
            count += 1
            return count > 1
          }
      }) { GitHubError.serverError.response(now: $1) }
      await #expect(throws: NetworkError.self) { try await world.sync() }
      world.github.stopIntercepting()
      let report = try await world.sync()
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test(
    "a verification starts over on request, or if it began long ago",
    arguments: [false, true])
  func anew(verifies: Bool) async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.github.deleteIssue(2, of: world.repository)
      let path = "/repos/\(world.repository.fullName)/issues/2"
      world.github.intercept(where: { $0.path == path }) {
        GitHubError.serverError.response(now: $1)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      world.github.stopIntercepting()
      // It has been seen by then.
      world.github.deleteIssue(3, of: world.repository)
      if !verifies { world.ticks.pass(90_000) }
      let began = world.ticks.now()
      let report = try await world.sync(verifies: verifies)
      #expect(report.isVerified)
      #expect(report.removed == 2)
      #expect(try await world.kept() == world.served())
      // It counts from its beginning.
      let verified = try #require(report.repository.verifiedAt)
      #expect(abs(verified.timeIntervalSince(began)) < 10)
    }
  }

  @Test(
    "two syncs that share a verification, or begin one each, request only missing items",
    arguments: [false, true])
  func twoAtOnce(verifies: Bool) async throws {
    try await withSyncWorld(items: 2_000) { world in
      try await world.sync()
      world.github.deleteIssue(17, of: world.repository)
      let before = world.server.log.requestCount
      world.github.intercept(where: { _ in world.server.log.requestCount > before + 6 }) {
        GitHubError.serverError.response(now: $1)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      world.github.stopIntercepting()
      async let one = world.sync(jobs: 2, verifies: verifies)
      async let other = world.sync(jobs: 3, verifies: verifies)
      let reports = try await [one, other]
      #expect(reports.map(\.removed).reduce(0, +) == 1)
      #expect(reports.map(\.isVerified) == [true, true])
      #expect(reports.map(\.requests).reduce(0, +) < 100)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a verification keeps its findings if it can't request the rest")
  func portions() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      for number in 51...200 { world.github.deleteIssue(number, of: world.repository) }
      let path = "/repos/\(world.repository.fullName)/issues/199"
      world.github.intercept(where: { $0.path == path }) {
        GitHubError.serverError.response(now: $1)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      #expect(try await world.kept().count == 150)
      world.github.stopIntercepting()
      // Changes since the check of the numbers are synced too.
      world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      world.ticks.pass(10)
      let report = try await world.sync()
      #expect(report.removed == 50)
      #expect(report.inserted == 1)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("a verification starts even if the clock was a year ahead at the previous one")
  func wrongClock() async throws {
    try await withSyncWorld { world in
      let name = try #require(RepositoryName(world.repository.fullName))
      try await RepositorySync(
        mirror: world.mirror, provider: world.provider(), name: name,
        now: { world.ticks.now().addingTimeInterval(31_536_000) }
      ).run()
      #expect(try await world.sync().isVerified)
      #expect(try await !world.sync().isVerified)
    }
  }

  @Test("a verification doesn't repeat forever if the server's own count is wrong")
  func wrongCount() async throws {
    try await withSyncWorld(items: 120) { world in
      try await world.sync()
      let path = "/repos/\(world.repository.fullName)"
      let json =
        #"{"id":\#(world.repository.id),"full_name":"swiftlang/swift","open_issues_count":7}"#
      world.github.intercept(where: { $0.path == path }) { _, _ in .json(json) }
      for (index, number) in [5, 6, 7].enumerated() {
        world.ticks.pass(100)
        let now = world.ticks.seconds
        world.github.changeIssue(number, of: world.repository) { $0.updatedAt = now }
        let report = try await world.sync()
        #expect(report.updated == 1)
        // The first time it may be late.
        #expect(report.isVerified == (index == 1))
        #expect(report.removed == 0)
      }
    }
  }

  @Test("a verification starts after a week")
  func week() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.github.deleteIssue(17, of: world.repository)
      world.ticks.pass(604_801)
      let report = try await world.sync()
      #expect(report.isVerified)
      #expect(report.removed == 1)
    }
  }

  @Test("a verification removes nothing before it has seen every item")
  func partial() async throws {
    try await withSyncWorld(items: 900) { world in
      try await world.sync()
      let kept = try await world.kept()
      world.github.deleteIssue(17, of: world.repository)
      let before = world.server.log.requestCount
      world.github.intercept(where: { _ in world.server.log.requestCount > before + 6 }) {
        GitHubError.serverError.response(now: $1)
      }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      #expect(try await world.kept() == kept)
      world.github.stopIntercepting()
      // It goes on by itself.
      let report = try await world.sync()
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test(
    "a verification removes nothing if the repository is gone when it requests missing items"
  )
  func goneMeanwhile() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let kept = try await world.kept()
      world.github.deleteIssue(17, of: world.repository)
      // Once a number is asked for, nothing is there any more.
      let path = "/repos/\(world.repository.fullName)"
      world.github.intercept(where: { _ in
        world.server.log.requests.contains { $0.path == "\(path)/issues/17" }
      }) { GitHubError.notFound.response(now: $1) }
      await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      #expect(try await world.kept() == kept)
      world.github.stopIntercepting()
      #expect(try await world.sync().removed == 1)
    }
  }

  @Test("a verification keeps items that changed during it")
  func stillThere() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      let path = "/repositories/\(world.repository.id)/issues"
      let kept = try await world.kept()
      // A list that leaves one out, as one that is read from a late copy does.
      world.github.intercept(where: { $0.queryValue("since") != nil }) { _, _ in
        .json("[]").with { $0.headers["X-Path"] = path }
      }
      let report = try await world.sync(verifies: true)
      #expect(report.removed == 0)
      #expect(report.unchanged == 250)
      #expect(try await world.kept() == kept)
    }
  }
}

extension SyncWorld {
  /// The number of an issue or pull request that is open.
  fileprivate func open(_ index: Int) throws -> Int {
    let numbers = github.issues(of: repository).filter(\.isOpen).map(\.number)
    return try #require(numbers.dropFirst(index).first)
  }
}

import GitHubAPI
import HTTPTargets
import IssueMirror
import TestSupport
import Testing

@Suite("Looking for what was deleted", .timeLimit(.minutes(5)))
struct VerificationTests {
  private static let elsewhere = LoopbackRepository(
    id: 77, owner: "swiftlang", name: "elsewhere", issues: SyntheticIssues(count: 3))

  private static let configure = { @Sendable (configuration: inout LoopbackGitHub.Configuration) in
    configuration.repositories.append(elsewhere)
  }

  @Test("puts tombstones in the place of deleted and transferred issues")
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

  @Test("happens by itself when the server counts others, once")
  func counts() async throws {
    try await withSyncWorld(items: 300) { world in
      try await world.sync()
      let open = try #require(
        world.github.issues(of: world.repository).first { $0.isOpen }?.number)
      world.github.deleteIssue(open, of: world.repository)
      // That alone nobody is told of.
      #expect(try await world.sync().isUnchanged)
      world.github.addIssue(to: world.repository) { $0.updatedAt = world.ticks.seconds }
      world.ticks.pass(10)
      let report = try await world.sync()
      #expect(report.inserted == 1)
      #expect(report.isVerified)
      #expect(report.removed == 1)
      #expect(try await world.kept() == world.served())
      #expect(try await world.sync().requests == 1)
    }
  }

  @Test("doesn't go on for ever where the server's own count is wrong")
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
        #expect(report.isVerified == (index == 0))
        #expect(report.removed == 0)
      }
    }
  }

  @Test("happens by itself after a week")
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

  @Test("removes nothing before everything was seen")
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

  @Test("removes nothing when the repository is gone by the time it asks for what is missing")
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

  @Test("finds that what has changed while it looked is still there")
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

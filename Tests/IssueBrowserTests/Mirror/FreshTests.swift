import GitHubAPI
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("A mirror that replaces the server", .timeLimit(.minutes(5)))
struct FreshTests {
  private struct Stale: Error {}

  /// A browser with a mirror, and the requests to renew it.
  private static func world(
    _ answer: @escaping @Sendable () throws -> Bool
  ) throws -> (world: BrowserWorld, asked: Watched<[Bool]>) {
    let asked = Watched<[Bool]>([])
    var world = BrowserWorld(issues: SyntheticIssues(count: 250))
    world.mirror = try MirrorFixture()
    world.freshen = { _, isAnew in
      asked.update { $0.append(isAnew) }
      return try answer()
    }
    return (world, asked)
  }

  @Test("a fresh mirror's list is shown without a request, and r renews the mirror")
  func young() async throws {
    let (world, asked) = try Self.world { true }
    try await world.run("swiftlang/swift") { run, server in
      let state = try await run.state { $0.isSettled }
      #expect(state.sheet?.mirror != nil)
      #expect(state.sheet?.standing == .online)
      #expect(state.sheet?.isStandIn == false)
      await run.press(.character("r"))
      try await run.state { $0.isSettled }
      await asked.wait { $0.count == 2 }
      try await run.state { $0.isSettled }
      #expect(asked.current == [false, true])
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test(
    "the server is asked if the mirror isn't fresh or can't be renewed", arguments: [false, true])
  func old(fails: Bool) async throws {
    let (world, asked) = try Self.world {
      if fails { throw Stale() }
      return false
    }
    try await world.run("swiftlang/swift") { run, _ in
      let state = try await run.state { $0.isSettled }
      #expect(state.sheet?.mirror == nil)
      #expect(!state.issues.isEmpty)
      #expect(asked.current == [false])
    }
  }

  @Test("comments that aren't mirrored come from the server")
  func comments() async throws {
    let (world, _) = try Self.world { true }
    let issue = try #require(
      SyntheticIssues(count: 250).make().last { $0.isOpen && !$0.isPullRequest && $0.comments > 0 })
    try await world.run("https://github.com/swiftlang/swift/issues/\(issue.number)") { run, _ in
      let state = try await run.state { $0.reader.map { !$0.isLoading } ?? false }
      #expect(state.sheet?.mirror != nil)
      #expect(state.reader?.comments.count == issue.comments)
      #expect(state.reader?.standing == .online)
    }
  }
}

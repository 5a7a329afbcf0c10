import GitHubAPI
import IssueTracker
import ReactiveTesting
import TestSupport
import Testing

@Suite("A search whose next page is always wanted", .timeLimit(.minutes(5)))
struct UnconditionalSearchTests {
  private func run(
    _ world: SearchWorld,
    _ body: (Probe<RepositorySearchState, Never>, LoopbackServer) async throws -> Void
  ) async throws {
    try await withLoopbackServer(answering: world.github.handler) { server in
      let states = try world.search(asking: server).search(Names(names: ["swift"]))
      let probe = Probe(states: states)
      try await body(probe, server)
      try await probe.finish()
    }
  }

  @Test("loads to the last page, and ends with its texts")
  func all() async throws {
    let world = SearchWorld(found: 65)
    try await run(world) { probe, server in
      for count in [0, 30, 60, 65] {
        #expect(try await probe.nextState().repositories.count == count)
      }
      await #expect(throws: ProbeFailure.self) { _ = try await probe.next() }
      #expect(server.searches.count == 3)
    }
  }

  @Test("waits for the end of a limit")
  func limit() async throws {
    let world = SearchWorld(found: 3)
    let limit = GitHubError.primaryRateLimit(status: 403, reset: 60)
    world.github.fail(SearchWorld.path, with: limit, times: 1)
    try await run(world) { probe, server in
      _ = try await probe.nextState()
      #expect(try await probe.nextState().limitExceededUntil != nil)
      try await world.clock.sleepers(atLeast: 1)
      #expect(world.clock.untilNextDeadline == .seconds(60))
      #expect(server.searches.count == 1)
      world.clock.advance(by: .seconds(60))
      #expect(try await probe.nextState().repositories.count == 3)
    }
  }

  @Test("ends a query that fails: nobody says when to try again")
  func failure() async throws {
    let world = SearchWorld()
    world.github.fail(SearchWorld.path, with: .serverError)
    try await run(world) { probe, server in
      _ = try await probe.nextState()
      #expect(try await probe.nextState().failure != nil)
      await #expect(throws: ProbeFailure.self) { _ = try await probe.next() }
      #expect(server.searches.count == 1)
    }
  }
}

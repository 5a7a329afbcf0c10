import GitHubAPI
import IssueTracker
import TestSupport
import Testing

@Suite("A search that always loads the next page", .timeLimit(.minutes(5)))
struct UnconditionalSearchTests {
  /// All states of a search for "swift".
  private func states(
    of world: SearchWorld, at server: LoopbackServer
  ) async throws -> [RepositorySearchState] {
    var states: [RepositorySearchState] = []
    for await state in try world.search(asking: server).search(Names(names: ["swift"])) {
      states.append(state)
    }
    return states
  }

  @Test("a search that always loads the next page reaches the last page, and ends with its input")
  func all() async throws {
    let world = SearchWorld(found: 65)
    try await withLoopbackServer(answering: world.github.handler) { server in
      let states = try await states(of: world, at: server)
      #expect(states.map(\.repositories.count) == [0, 30, 60, 65])
      #expect(server.searches.count == 3)
    }
  }

  @Test("a search that always loads the next page waits for the end of a limit")
  func limit() async throws {
    let world = SearchWorld(found: 3)
    let limit = GitHubError.primaryRateLimit(status: 403, reset: 60)
    world.github.fail(SearchWorld.path, with: limit, times: 1)
    try await withLoopbackServer(answering: world.github.handler) { server in
      async let all = states(of: world, at: server)
      try await world.clock.sleepers(atLeast: 1)
      #expect(world.clock.untilNextDeadline == .seconds(60))
      #expect(server.searches.count == 1)
      world.clock.advance(by: .seconds(60))
      let states = try await all
      #expect(states.map { $0.limitExceededUntil != nil } == [false, true, false])
      #expect(states.last?.repositories.count == 3)
      #expect(server.searches.count == 2)
    }
  }

  @Test(
    "a search that always loads the next page ends a failed query"
  )
  func failure() async throws {
    let world = SearchWorld()
    world.github.fail(SearchWorld.path, with: .serverError)
    try await withLoopbackServer(answering: world.github.handler) { server in
      let states = try await states(of: world, at: server)
      #expect(states.map { $0.failure != nil } == [false, true])
      #expect(server.searches.count == 1)
    }
  }
}

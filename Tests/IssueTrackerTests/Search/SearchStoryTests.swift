import IssueTracker
import ReactiveTesting
import TestSupport
import Testing

@Suite("A search from start to end", .timeLimit(.minutes(5)))
struct SearchStoryTests {
  private typealias Shown = SearchRun.Shown

  private struct Told {
    var states: [RepositorySearchState] = []
    var requests: [String] = []
    var port: UInt16 = 0
  }

  /// Types "s", "sw", "swift" fast; a page; a page; a rate limit; offline and back; clears.
  private func tell(_ form: SearchForm) async throws -> Told {
    let world = SearchWorld()
    let closed = Gate()
    var told = Told()
    let holding = SearchWorld.holding(query: "s", by: closed)
    try await world.run(form, holding: holding) { run, server in
      told.port = server.port
      try await run.type("s")
      told.states.append(try await run.state())
      try await server.log.requests(count: 1)
      try await run.type("sw")
      try await run.type("swift")
      try await world.clock.sleepers(atLeast: 1)
      world.clock.advance(by: .milliseconds(300))
      for _ in 1...2 { told.states.append(try await run.state()) }
      try await server.log.waitForCancellation { $0.queryValue("q") == "s" }

      for _ in 1...2 {
        try await run.pull()
        told.states.append(try await run.state())
      }

      let limit = GitHubError.primaryRateLimit(status: 403, reset: 60)
      world.github.fail(SearchWorld.path, with: limit, times: 1)
      try await run.pull()
      told.states.append(try await run.state())
      world.clock.advance(by: .seconds(59))
      try await run.pull(3)
      #expect(try await server.settledSearches.count == 5)

      world.clock.advance(by: .milliseconds(1001))
      world.loseNetwork()
      try await run.pull()
      told.states.append(try await run.state())
      try await world.reachability.watchers(1)
      try await run.pull(3)
      #expect(try await server.settledSearches.count == 8)
      world.reachability.set(true)
      told.states.append(try await run.state())

      try await run.type("")
      told.states.append(try await run.state())
      try await run.pull(3)
      told.requests = try await server.settledSearches
    }
    return told
  }

  @Test("a search has the same states and sends the same requests in each form")
  func story() async throws {
    let page = { (number: Int) in
      "q=swift&per_page=30" + (number == 1 ? "" : "&page=\(number)")
    }
    var all: [Told] = []
    for form in SearchForm.allCases {
      let told = try await tell(form)
      #expect(
        told.states.map { Shown($0) } == [
          Shown(query: "s"), Shown(query: "swift"), Shown(query: "swift", count: 30),
          Shown(query: "swift", count: 60), Shown(query: "swift", count: 90),
          Shown(query: "swift", count: 90, limitEnd: 60.3),
          Shown(query: "swift", count: 90, connection: .offline),
          Shown(query: "swift", count: 120), Shown(query: "", hasNext: false),
        ], "\(form)")
      #expect(
        told.requests == [
          "q=s&per_page=30", page(1), page(2), page(3), page(4),
          page(4), page(4), page(4), page(4),
        ], "\(form)")
      all.append(told)
    }
    // The servers differ, and with them the addresses of their next pages; nothing else may.
    for told in all {
      #expect(told.states.map(\.repositories) == all[0].states.map(\.repositories))
      #expect(told.states.map(\.totalCount) == all[0].states.map(\.totalCount))
      #expect(told.requests == all[0].requests)
    }
    #expect(Set(all.map(\.port)).count == SearchForm.allCases.count)
  }
}

import GitHubAPI
import HTTPTargets
import IssueTracker
import Reactive
import ReactiveTesting
import TestSupport
import Testing

@Suite("Rules of a search, in each form", .timeLimit(.minutes(5)))
struct SearchRuleTests {
  private typealias Shown = SearchRun.Shown

  private static func query(_ request: LoopbackRequest) -> String { request.queryValue("q") ?? "" }

  @Test(
    "a search in each form requests the first text at once, and then the newest text every 0.3 s",
    arguments: SearchForm.allCases)
  func throttle(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    try await world.run(form) { run, server in
      try await run.type("a")
      for count in [0, 3] {
        #expect(try await run.shown() == Shown(query: "a", count: count, hasNext: count == 0))
      }
      try await run.type("ab")
      try await run.type("abc")
      try await world.clock.sleepers(atLeast: 1)
      world.clock.advance(by: .milliseconds(299))
      #expect(try await server.settledSearches.count == 1)
      world.clock.advance(by: .milliseconds(1))
      for count in [0, 3] { #expect(try await run.shown().count == count) }
      #expect(server.searches == ["q=a&per_page=30", "q=abc&per_page=30"])
    }
  }

  @Test(
    "a search in each form sends one request for repeated text", arguments: SearchForm.allCases)
  func distinct(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    try await world.run(form) { run, server in
      try await run.type("swift")
      for count in [0, 3] { #expect(try await run.shown().count == count) }
      try await run.type(" swift")
      try await world.clock.sleepers(atLeast: 1)
      // Nothing tells when it has passed: from here on time goes by itself.
      let passing = Task { [clock = world.clock] in
        while true {
          try await clock.sleepers(atLeast: 1)
          clock.advance(by: .milliseconds(300))
        }
      }
      defer { passing.cancel() }
      #expect(try await server.settledSearches.count == 1)
      for text in ["rust", "swift \t"] {
        try await run.type(text)
        let query = text == "rust" ? "rust" : "swift"
        for count in [0, 3] {
          #expect(try await run.shown() == Shown(query: query, count: count, hasNext: count == 0))
        }
      }
      #expect(server.searches == ["swift", "rust", "swift"].map { "q=\($0)&per_page=30" })
    }
  }

  @Test(
    "a search in each form is canceled by empty text, and shows the empty state without a request",
    arguments: SearchForm.allCases, ["", " \n"])
  func empty(form: SearchForm, text: String) async throws {
    let world = SearchWorld()
    let closed = Gate()
    try await world.run(form, holding: SearchWorld.holding(page: 1, by: closed)) { run, server in
      try await run.type("swift")
      #expect(try await run.shown() == Shown(query: "swift"))
      try await server.log.requests(count: 1)
      world.clock.advance(by: .seconds(1))
      try await run.type(text)
      #expect(try await run.state() == RepositorySearchState())
      try await server.log.waitForCancellation()
      try await run.pull(2)
      #expect(try await server.settledSearches.count == 1)
    }
  }

  @Test(
    "a search in each form starts empty and shows all results in the server's order",
    arguments: SearchForm.allCases)
  func order(form: SearchForm) async throws {
    let world = SearchWorld(found: 65)
    try await world.run(form) { run, server in
      try await run.type("swift")
      #expect(try await run.state().repositories.isEmpty)
      var names: [String] = []
      for count in [30, 60, 65] {
        let state = try await run.state()
        #expect(state.repositories.map(\.fullName).prefix(names.count) == names[...])
        names = state.repositories.map(\.fullName)
        #expect(names.count == count)
        #expect(state.totalCount == 65)
        #expect((state.nextPage == nil) == (count == 65))
        if count < 65 { try await run.pull() }
      }
      #expect(
        names.map { $0.split(separator: "-").last.flatMap { Int($0) } }
          == (1...65).map(Optional.init))
      #expect(server.searches.count == 3)
    }
  }

  @Test(
    "a search in each form uses the link to the next page unchanged", arguments: SearchForm.allCases
  )
  func link(form: SearchForm) async throws {
    let world = SearchWorld()
    let target = "/elsewhere?cursor=Y3Vy%3D%3d&x=%7e+a"
    world.github.intercept(
      times: 1, where: { $0.path == SearchWorld.path },
      response: { request, _ in
        .json(
          #"{"total_count":2,"incomplete_results":true,"items":[{"id":1,"full_name":"a/b"}]}"#,
          headers: ["Link": "<\(request.origin)\(target)>; rel=\"next\""])
      })
    world.github.intercept(
      where: { $0.path == "/elsewhere" },
      response: { _, _ in
        // The first of them moved here while the pages were read.
        .json(#"{"items":[{"id":1,"full_name":"a/b"},{"id":2,"full_name":"c/d"}]}"#)
      })
    try await world.run(form) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await run.shown() == Shown(query: "swift", count: 1))
      try await run.pull()
      let state = try await run.state()
      #expect(state.repositories.map(\.fullName) == ["a/b", "c/d"])
      #expect(state.isIncomplete)
      #expect(server.log.requests.last?.target == target)
    }
  }

  @Test(
    "a search in each form ignores pulls during the load of a page",
    arguments: SearchForm.allCases)
  func pullsWhileLoading(form: SearchForm) async throws {
    let world = SearchWorld()
    let gates = [Gate(), Gate()]
    let holdings = [1, 2].map { SearchWorld.holding(page: $0, by: gates[$0 - 1]) }
    let holding: SearchWorld.Holding = { request in
      holdings.lazy.compactMap { $0(request) }.first
    }
    try await world.run(form, holding: holding) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      try await server.log.requests(count: 1)
      try await run.pull(3)
      gates[0].open()
      #expect(try await run.shown().count == 30)
      try await run.pull()
      try await server.log.requests(count: 2)
      try await run.pull(3)
      gates[1].open()
      #expect(try await run.shown().count == 60)
      try await run.pull()
      #expect(try await run.shown().count == 90)
      #expect(server.searches.count == 3)
    }
  }

  @Test(
    "a search in each form ignores pulls after the last page",
    arguments: SearchForm.allCases)
  func pullsAfterTheEnd(form: SearchForm) async throws {
    let world = SearchWorld(found: 31)
    try await world.run(form) { run, server in
      try await run.type("swift")
      for count in [0, 30] { #expect(try await run.shown().count == count) }
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 31, hasNext: false))
      try await run.pull(3)
      #expect(try await server.settledSearches.count == 2)
      world.clock.advance(by: .seconds(1))
      try await run.type("rust")
      for count in [0, 30] { #expect(try await run.shown().count == count) }
      #expect(server.searches.count == 3)
    }
  }

  @Test(
    "a search in each form keeps its results at a limit, and continues only on a pull after it",
    arguments: SearchForm.allCases,
    [
      GitHubError.primaryRateLimit(status: 403, reset: 60),
      .primaryRateLimit(status: 429, reset: 60), .secondaryRateLimit(status: 403, retryAfter: 60),
      .secondaryRateLimitWithoutTime(status: 429),
    ])
  func limit(form: SearchForm, limit: GitHubError) async throws {
    let world = SearchWorld()
    try await world.run(form) { run, server in
      try await run.type("swift")
      for count in [0, 30] { #expect(try await run.shown().count == count) }
      world.github.fail(SearchWorld.path, with: limit, times: 1)
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 30, limitEnd: 60))
      world.clock.advance(by: .milliseconds(59_999))
      try await run.pull(3)
      #expect(try await server.settledSearches.count == 2)
      world.clock.advance(by: .milliseconds(1))
      #expect(try await server.settledSearches.count == 2)
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 60))
      #expect(server.searches.count == 3)
      #expect(world.reachability.failureCount == 0)
    }
  }

  @Test(
    "a search in each form requests the first page again at the end of a limit, without a pull",
    arguments: SearchForm.allCases)
  func limitBeforeResults(form: SearchForm) async throws {
    let world = SearchWorld(found: 31)
    let limit = GitHubError.primaryRateLimit(status: 403, reset: 60)
    world.github.fail(SearchWorld.path, with: limit, times: 2)
    try await world.run(form) { run, server in
      try await run.type("swift")
      #expect(try await run.shown() == Shown(query: "swift"))
      #expect(try await run.shown() == Shown(query: "swift", limitEnd: 60))
      // The interval of the throttle, and the limit.
      try await world.clock.sleepers(2)
      world.clock.advance(by: .milliseconds(59_999))
      try await run.pull(3)
      #expect(try await server.settledSearches.count == 1)
      world.clock.advance(by: .milliseconds(1))
      #expect(try await run.shown() == Shown(query: "swift", limitEnd: 120))
      try await world.clock.sleepers(1)
      world.clock.advance(by: .seconds(60))
      #expect(try await run.shown() == Shown(query: "swift", count: 30))
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 31, hasNext: false))
      #expect(server.searches.count == 4)
    }
  }

  @Test(
    "a search in each form requests a new query during a limit",
    arguments: SearchForm.allCases)
  func otherQuery(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    let limit = GitHubError.primaryRateLimit(status: 403, reset: 60)
    world.github.fail(SearchWorld.path, with: limit, times: 1)
    try await world.run(form) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await run.shown() == Shown(query: "swift", limitEnd: 60))
      world.clock.advance(by: .seconds(1))
      try await run.type("rust")
      for count in [0, 3] {
        #expect(try await run.shown() == Shown(query: "rust", count: count, hasNext: count == 0))
      }
      #expect(server.searches.count == 2)
    }
  }

  @Test(
    "a search in each form is offline after three attempts, and retries once when reachable",
    arguments: SearchForm.allCases)
  func offline(form: SearchForm) async throws {
    let world = SearchWorld()
    try await world.run(form) { run, server in
      try await run.type("swift")
      for count in [0, 30] { #expect(try await run.shown().count == count) }
      world.loseNetwork()
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 30, connection: .offline))
      try await world.reachability.watchers(1)
      try await run.pull(5)
      #expect(try await server.settledSearches.count == 4)
      #expect(world.reachability.failureCount == 1)

      world.loseNetwork()
      let before = server.log.requestCount
      world.reachability.set(true)
      try await server.log.requests(count: before + 3)
      try await world.reachability.watchers(1)
      try await run.pull(5)
      #expect(try await server.settledSearches.count == 7)

      world.reachability.set(true)
      #expect(try await run.shown() == Shown(query: "swift", count: 60))
      #expect(try await server.settledSearches.count == 8)
      #expect(Set(server.searches.dropFirst()).count == 1, "the same page each time")
    }
  }

  @Test(
    "a search in each form waits longer after each interrupted page while the server is reachable",
    arguments: SearchForm.allCases)
  func brokenPage(form: SearchForm) async throws {
    let world = SearchWorld()
    world.loseNetwork(times: .max)
    try await world.run(form) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await run.shown().connection == .offline)
      // From here on the throttle waits for nothing.
      world.clock.advance(by: .seconds(1))
      var tries = 0
      for pause in [nil, nil, 1, 2, 4, 8, 16, 32, 60, 60] as [Int?] {
        tries += 3
        try await server.log.requests(count: tries)
        try await world.reachability.watchers(1)
        world.reachability.set(true)
        guard let pause else { continue }
        try await world.clock.nextDeadline(in: .seconds(pause))
        #expect(server.searches.count == tries)
        world.clock.advance(by: .seconds(pause))
      }
      try await server.log.requests(count: tries + 3)
    }
  }

  @Test(
    "a search in each form shows an invalid response as a failure, and retries on a pull",
    arguments: SearchForm.allCases,
    ["{", "[]", "500", "422", "link"])
  func badAnswer(form: SearchForm, kind: String) async throws {
    let world = SearchWorld()
    world.github.intercept(
      times: 1, where: { $0.path == SearchWorld.path },
      response: { _, now in
        switch kind {
        case "500": GitHubError.serverError.response(now: now)
        case "422": GitHubError.unprocessable("no").response(now: now)
        case "link":
          .json(#"{"items":[]}"#, headers: ["Link": "<https://evil.example/>; rel=next"])
        default: .json(kind)
        }
      })
    try await world.run(form) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await run.shown() == Shown(query: "swift", hasFailed: true))
      #expect(server.searches.count == 1)
      try await run.pull()
      #expect(try await run.shown() == Shown(query: "swift", count: 30))
      #expect(server.searches.count == 2)
      #expect(world.reachability.failureCount == 0)
    }
  }

  @Test(
    "a search in each form stops waiting for the network on a new query",
    arguments: SearchForm.allCases)
  func queryWhileOffline(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    world.loseNetwork()
    try await world.run(form) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await run.shown().connection == .offline)
      try await world.reachability.watchers(1)
      world.clock.advance(by: .seconds(1))
      try await run.type("rust")
      for count in [0, 3] { #expect(try await run.shown().count == count) }
      try await world.reachability.watchers(0)
      world.reachability.set(true)
      try await run.pull(2)
      let queries = try await server.settledSearches
      #expect(queries.map { $0.contains("q=swift&") } == [true, true, true, false])
    }
  }

  @Test(
    "a search in each form cancels its request on a new query, and the server sees it closed",
    arguments: SearchForm.allCases)
  func superseded(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    let closed = Gate()
    let holding = SearchWorld.holding(query: "swift", by: closed)
    try await world.run(form, holding: holding) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      try await server.log.requests(count: 1)
      world.clock.advance(by: .seconds(1))
      try await run.type("rust")
      try await server.log.waitForCancellation { Self.query($0) == "swift" }
      for count in [0, 3] {
        #expect(try await run.shown() == Shown(query: "rust", count: count, hasNext: count == 0))
      }
      #expect(server.searches.count == 2)
    }
  }

  @Test(
    "a search in each form ends with its consumer at any stage",
    arguments: SearchForm.allCases)
  func consumerLeaves(form: SearchForm) async throws {
    let world = SearchWorld()
    let closed = Gate()
    let holding = SearchWorld.holding(query: "swift", by: closed)
    try await world.run(form, holding: holding) { run, server in
      try await run.type("swift")
      _ = try await run.state()
      try await server.log.requests(count: 1)
      await run.stop()
      try await server.log.waitForCancellation { Self.query($0) == "swift" }
    }
    world.loseNetwork()
    try await world.run(form) { run, server in
      try await run.type("rust")
      _ = try await run.state()
      _ = try await run.state()
      try await world.reachability.watchers(1)
      await run.stop()
      try await world.reachability.watchers(0)
      try await run.typing.end()
      try await run.pulling.end()
      world.reachability.set(true)
      #expect(try await server.settledSearches.count == 3)
    }
  }

  @Test(
    "a search in each form is active during a request, and inactive while it is offline",
    arguments: SearchForm.allCases)
  func activity(form: SearchForm) async throws {
    let world = SearchWorld()
    let activity = Probe(states: world.activity.isActive, patience: SearchRun.patience)
    #expect(try await activity.nextState() == false)
    world.loseNetwork()
    try await world.run(form) { run, _ in
      try await run.type("swift")
      _ = try await run.state()
      #expect(try await activity.nextState() == true)
      #expect(try await run.shown().connection == .offline)
      #expect(try await activity.nextState() == false)
      try await world.reachability.watchers(1)
      world.reachability.set(true)
      #expect(try await activity.nextState() == true)
      #expect(try await run.shown().count == 30)
      #expect(try await activity.nextState() == false)
    }
    let late = Probe(states: world.activity.isActive, patience: SearchRun.patience)
    #expect(try await late.nextState() == false)
    try await activity.finish()
  }
}

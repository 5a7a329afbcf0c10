import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Failures to load the list", .timeLimit(.minutes(5)))
struct FailureTests {
  @Test(
    "a request that failed offline is repeated once the server is reachable",
    arguments: ["/repos/swiftlang/swift", "/repos/swiftlang/swift/issues"])
  func offline(path: String) async throws {
    let world = BrowserWorld()
    world.github.intercept(
      times: 1, where: { $0.path == path }, response: { _, _ in BrowserWorld.lost })
    try await world.run("swiftlang/swift") { run, server in
      try await world.reachability.watchers(1)
      let state = try await run.state { $0.sheet?.standing == .offline }
      #expect(!state.list.isLoading)
      #expect(world.reachability.failureCount == 1)
      // Settled: the request for the list may still be on its way when the look-up beside it has failed.
      let count = try await server.settledRequests.count
      await run.press(.end, .down, .pageDown)
      #expect(try await server.settledRequests.count == count)
      world.reachability.set(true)
      let back = try await run.state { $0.isSettled }
      #expect(back.sheet?.standing == .online)
      #expect(!back.issues.isEmpty)
    }
  }

  @Test("a rate limit is shown, and the request is repeated when the limit ends")
  func limit() async throws {
    let world = BrowserWorld()
    world.github.fail(
      "/repos/swiftlang/swift/issues", with: .primaryRateLimit(status: 403, reset: 300), times: 1)
    try await world.run("swiftlang/swift") { run, server in
      let end = BrowserWorld.start.addingTimeInterval(300)
      let state = try await run.state { $0.sheet?.standing == .limited(until: end) }
      #expect(!state.list.isLoading)
      try await run.clock.sleepers(2)  // The minute and the limit.
      run.clock.advance(by: .seconds(1))
      let counted = try await run.state { $0.now == BrowserWorld.start.addingTimeInterval(1) }
      #expect(counted.problem?.text.hasSuffix(", retrying in 4:59") == true)
      try await run.clock.sleepers(2)
      run.clock.advance(by: .seconds(298))
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 1)
      try await run.eventualState { $0.isSettled && $0.sheet?.standing == .online }
    }
  }

  @Test("searches stay within the server's quota")
  func searchQuota() async throws {
    let world = BrowserWorld(searchRateLimit: 3)
    try await world.run { run, server in
      for text in ["a", "b", "c", "d", "e"] {
        await run.press(.control("u"))
        await run.type("swift \(text)")
        await run.press(.enter)
        try await run.state {
          guard case .repositories(let found) = $0.list.content else { return false }
          return found.query == "swift \(text)" && !$0.list.isLoading
        }
        await run.press(.character("/"))
      }
      guard case .limited? = Optional(run.state.list.standing) else {
        Issue.record("not limited: \(run.state.list.standing)")
        return
      }
      #expect(run.state.problem?.text.contains(", retrying in ") == true)
      // The last two weren't sent: the third answer had said that nothing was left.
      #expect(try await server.settledRequests.count { $0.hasPrefix("/search") } == 3)
    }
  }

  @Test("the next scroll repeats a failed page, and the loaded rows stay")
  func failedPage() async throws {
    let world = BrowserWorld(issues: SyntheticIssues(count: 150, pullRequests: 0, closed: 0))
    world.github.intercept(
      times: 1, where: { $0.queryValue("after") != nil },
      response: { _, now in GitHubError.serverError.response(now: now) })
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.end)
      let state = try await run.state { !$0.list.isLoading && $0.sheet?.standing != .online }
      guard case .failed(let reason)? = state.sheet?.standing else {
        Issue.record("not a failure: \(String(describing: state.sheet?.standing))")
        return
      }
      #expect(!reason.isEmpty)
      #expect(state.issues.count == 100)
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 2)
      await run.press(.down)
      try await run.state { $0.issues.count == 150 && !$0.list.isLoading }
      #expect(run.state.sheet?.standing == .online)
    }
  }

  @Test("a missing repository is reported, and r sends the request again")
  func notFound() async throws {
    try await BrowserWorld().run("no/where") { run, server in
      let state = try await run.state { $0.sheet != nil && !$0.list.isLoading }
      let reason = "no/where doesn't exist, or you may not see it."
      #expect(state.sheet?.standing == .missing(reason))
      #expect(state.issues.isEmpty)
      #expect(BrowserScreen.canvas(of: state).text.contains(reason))
      await run.press(.character("v"))
      let raw = BrowserScreen.canvas(of: run.state).text
      #expect(raw.contains("/repos/no/where answered with status 404"))
      #expect(!raw.contains(reason))
      await run.press(.character("v"))
      #expect(BrowserScreen.canvas(of: run.state).text.contains(reason))
      await run.press(.character("r"))
      try await server.log.requests(count: 2)
      try await run.state { !$0.list.isLoading }
    }
  }

  @Test("while a name is typed, a missing repository isn't reported")
  func notFoundYet() async throws {
    try await BrowserWorld().run { run, server in
      await run.type("no/where")
      var state = try await run.eventualState { $0.sheet != nil && !$0.list.isLoading }
      guard case .missing? = state.sheet?.standing else {
        Issue.record("not missing: \(String(describing: state.sheet?.standing))")
        return
      }
      #expect(state.problem == nil)
      // Names would cover the list.
      state.search.completions = nil
      let text = BrowserScreen.canvas(of: state).text
      #expect(!text.contains("isn't there"))
      #expect(text.contains("press Enter to open no/where"))
      await run.press(.enter)
      try await run.state { !$0.list.isLoading && $0.problem != nil }
    }
  }

  @Test("a problem and its advice have one line each, without the request")
  func twoLines() async throws {
    let world = BrowserWorld()
    world.github.intercept(
      where: { $0.path == "/repos/swiftlang/swift" },
      response: { _, now in GitHubError.serverError.response(now: now) })
    try await withLoopbackServer(answering: world.github.handler) { server in
      let connection = try world.connection(to: server)
      let explained = BrowserConnection(
        server: connection.server, provider: connection.provider,
        reachability: connection.reachability
      ) { error, subject in "\(error.problem)\nTry \(subject) again later" }
      let error = await #expect(throws: NetworkError.self) {
        _ = try await explained.provider.request(.repo(fullName: "swiftlang/swift"))
      }
      let words = explained.explain(try #require(error), "swiftlang/swift")
      #expect(
        words
          == "\(explained.server.host) has an internal problem.\nTry swiftlang/swift again later.")
      var state = try SampleStates.issues(60, 10, count: 0)
      var sheet = try SampleStates.sheet(count: 0)
      sheet.standing = .failed(words)
      state.list.content = .issues(sheet)
      let rows = BrowserScreen.canvas(of: state).text.split(separator: "\n")
      #expect(rows.contains { $0.hasSuffix("has an internal problem.") })
      #expect(rows.contains { $0.hasPrefix("  Try swiftlang/swift") })
    }
  }

  @Test("a search reports its failures and recovers")
  func search() async throws {
    let world = BrowserWorld()
    world.github.intercept(
      times: 3, where: { $0.path == "/search/repositories" },
      response: { _, _ in BrowserWorld.lost })
    try await world.run("swift") { run, _ in
      try await world.reachability.watchers(1)
      #expect(run.state.list.content != .nothing)
      #expect(!run.state.list.isLoading)
      world.reachability.set(true)
      try await run.state { $0.repositories.count == 100 }
    }
  }

  @Test(
    "a connection failure is shown with its own message",
    arguments: ["apple/swift", "swift http"])
  func noConnection(text: String) async throws {
    struct Refusal: Error, CustomStringConvertible { let description = "no token\nof use" }
    let reactor = BrowserReactor(
      source: BrowserSource { _ in throw Refusal() }, host: "github.com", size: BrowserWorld.size,
      initialText: text, clock: TestClock()
    ) { _, _ in true }
    await reactor.send(.start).applied
    for await state in reactor.allStates where state.list.standing == .failed("no token of use") {
      #expect(!state.list.isLoading)
      return
    }
  }
}

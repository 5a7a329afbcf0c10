import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The mirror of an unreachable server", .timeLimit(.minutes(5)))
struct StandInTests {
  /// About 290 open issues.
  private static let recipe = SyntheticIssues(count: 700)
  private static let open = LoopbackNumbers.open(recipe)

  private static func world(_ issues: SyntheticIssues = recipe) throws -> BrowserWorld {
    var world = BrowserWorld(issues: issues)
    world.mirror = try MirrorFixture()
    world.isAway = true
    return world
  }

  @Test("all issues of the mirror are shown, and the server's list once the server is back")
  func andBack() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await world.reachability.watchers(1)
      let state = run.state
      #expect(state.sheet?.isStandIn == true)
      #expect(!state.list.isLoading)
      #expect(state.issues.map(\.number) == Array(Self.open.prefix(NextPage.MirrorRows.size)))
      await run.press(.end)
      try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      #expect(run.state.issues.map(\.number) == Self.open)
      #expect(run.state.sheet?.isStandIn == true)
      await run.press(.home, .down)
      // The look-up, and beside it the list, unless that was cancelled before it was sent.
      let asked = try await server.settledRequests.count - run.requestsBefore
      #expect(1...2 ~= asked)
      let before = server.issueRequests.count

      world.github.stopIntercepting()
      world.reachability.set(true)
      let back = try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      #expect(back.sheet?.standing == .online)
      #expect(back.selectedIssue?.number == Self.open[1])
      while run.state.sheet?.hasMore == true {
        await run.press(.end)
        try await run.state { !$0.list.isLoading }
      }
      #expect(run.state.issues.map(\.number) == Self.open)
      let pages = server.issueRequests.dropFirst(before)
        .filter { $0.queryValue("state") == "open" }.map(\.target)
      #expect(pages.count > 1)
      #expect(Set(pages).count == pages.count)
    }
  }

  @Test(
    "mirror rows that are still loading when the server returns aren't added to its list")
  func pagesOfBoth() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await world.reachability.watchers(1)
      let old = try #require(run.state.sheet)
      world.github.stopIntercepting()
      world.reachability.set(true)
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      var state = run.state
      let count = state.issues.count
      let rest = try #require(old.nextPage)
      guard case .mirror(let page) = rest, let mirror = world.mirror?.mirror else {
        Issue.record("not of the mirror")
        return
      }
      state.append(try await IssuesPage(page, in: old.scope, from: mirror))
      #expect(state.issues.count == count)
    }
  }

  @Test("another sort order is applied from the mirror at once, without a request")
  func order() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await world.reachability.watchers(1)
      let requests = server.requests.count
      await run.sort(.oldest)
      try await run.state { $0.isSettled && $0.sheet?.filter.direction == .ascending }
      #expect(run.state.sheet?.isStandIn == true)
      #expect(run.state.issues.first?.number == Self.open.last)
      #expect(try await server.settledRequests.count == requests)
      try await world.reachability.watchers(1)
      world.github.stopIntercepting()
      world.reachability.set(true)
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      #expect(run.state.sheet?.filter.direction == .ascending)
      #expect(run.state.issues.first?.number == Self.open.last)
    }
  }

  @Test("r asks the server at once, and reads the mirror again in the meantime")
  func refresh() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await world.reachability.watchers(1)
      await run.press(.end)
      try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      await run.press(.home, .character("r"))
      try await run.state { $0.sheet?.hasMore == true && !$0.list.isLoading }
      try await server.log.requests(count: run.requestsBefore + 2)
      #expect(run.state.sheet?.isStandIn == true)
      world.github.stopIntercepting()
      await run.press(.character("r"))
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
    }
  }

  @Test("the mirror's list stays when the server returns with a rate limit")
  func limited() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await world.reachability.watchers(1)
      world.github.stopIntercepting()
      world.github.fail(
        "/repos/swiftlang/swift", with: .primaryRateLimit(status: 403, reset: 300), times: 1)
      world.reachability.set(true)
      let end = BrowserWorld.start.addingTimeInterval(300)
      try await run.state { $0.sheet?.standing == .limited(until: end) }
      await run.press(.end)
      try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      #expect(run.state.issues.map(\.number) == Self.open)
      // More rows of the mirror are no answer from the server.
      #expect(run.state.sheet?.standing == .limited(until: end))
      try await run.eventualState { $0.sheet?.mirror == nil && $0.isSettled }
      while run.state.sheet?.hasMore == true {
        await run.press(.end)
        try await run.state { !$0.list.isLoading }
      }
      #expect(run.state.issues.map(\.number) == Self.open)
    }
  }

  @Test("the mirror stands in again if the server is unreachable after a rate limit")
  func limitedAndAway() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await world.reachability.watchers(1)
      world.github.stopIntercepting()
      world.github.fail(
        "/repos/swiftlang/swift", with: .primaryRateLimit(status: 403, reset: 300), times: 1)
      world.github.intercept(where: { $0.path != "/rate_limit" }) { _, _ in BrowserWorld.lost }
      world.reachability.set(true)
      let end = BrowserWorld.start.addingTimeInterval(300)
      try await run.state { $0.sheet?.standing == .limited(until: end) }
      try await run.eventualState { $0.sheet?.isStandIn == true }
    }
  }

  @Test("an issue is shown with the comments in the mirror")
  func reading() async throws {
    let few = SyntheticIssues(count: 30)
    var world = try Self.world(few)
    world.mirror?.hasComments = true
    let issue = try #require(
      few.make().last {
        $0.isOpen && !$0.isPullRequest && $0.comments > 0
      })
    try await world.run(
      "https://github.com/swiftlang/swift/issues/\(issue.number)"
    ) { run, _ in
      let state = try await run.state { $0.reader.map { !$0.isLoading } ?? false }
      #expect(state.reader?.issue.number == issue.number)
      #expect(state.reader?.comments.count == issue.comments)
      #expect(state.reader?.standing == .online)
    }
  }

  @Test("a mirror with an unfinished first sync doesn't stand in")
  func incomplete() async throws {
    var world = try Self.world()
    world.mirror?.isComplete = false
    try await world.run("swiftlang/swift") { run, _ in
      try await world.reachability.watchers(1)
      #expect(run.state.sheet?.standing == .offline)
      #expect(run.state.issues.isEmpty)
      #expect(run.state.sheet?.mirror == nil)
    }
  }

  @Test(
    "a broken connection is reported beside the mirror's rows, and retried",
    arguments: [.interrupted, .certificate, .contentEncoding] as [TransportFailure.Reason])
  func broken(reason: TransportFailure.Reason) async throws {
    var world = try Self.world()
    world.loss = reason
    try await world.run("swiftlang/swift") { run, _ in
      let state = try await run.state { $0.sheet.map { $0.standing != .online } ?? false }
      #expect((state.sheet?.standing == .offline) == (reason == .interrupted))
      // Without a network, the mirror's age would be told in its place.
      #expect(state.problem != nil)
      #expect(state.sheet?.mirror != nil)
      let words = reason == .interrupted ? " · synced about " : "From the mirror: "
      #expect(BrowserScreen.canvas(of: state).text.contains(words))
      guard reason == .interrupted else { return }
      try await world.reachability.watchers(1)
      #expect(run.state.sheet?.isStandIn == false)
      world.github.stopIntercepting()
      world.reachability.set(true)
      try await run.eventualState { $0.isSettled && $0.sheet?.mirror == nil }
    }
  }

  @Test("the mirror doesn't stand in for a server that responds with an error")
  func answered() async throws {
    var world = try Self.world()
    world.isAway = false
    let github = world.github
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      github.fail("/repos/swiftlang/swift/issues", with: .badCredentials)
      await run.press(.character("r"))
      let state = try await run.state { !$0.list.isLoading && $0.sheet?.standing != .online }
      guard case .failed? = state.sheet?.standing else {
        Issue.record("not a failure")
        return
      }
      #expect(state.sheet?.mirror == nil)
    }
  }
}

import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The offline browser", .timeLimit(.minutes(5)))
struct OfflineTests {
  /// About 290 open issues.
  private static let recipe = SyntheticIssues(count: 700)

  private static func world(_ issues: SyntheticIssues = recipe) throws -> BrowserWorld {
    var world = BrowserWorld(issues: issues)
    world.mirror = try MirrorFixture()
    world.isOffline = true
    return world
  }

  @Test("a repository's issues are listed page by page to the end, without a request")
  func list() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, server in
      let state = try await run.state { $0.isSettled }
      let open = LoopbackNumbers.open(Self.recipe)
      #expect(open.count > NextPage.MirrorRows.size)
      #expect(state.issues.map(\.number) == Array(open.prefix(NextPage.MirrorRows.size)))
      #expect(state.sheet?.standing == .online)
      #expect(state.sheet?.repository?.fullName == "swiftlang/swift")
      await run.press(.end)
      let whole = try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      #expect(whole.issues.map(\.number) == open)
      await run.sort(.oldest)
      try await run.state { $0.isSettled && $0.sheet?.filter.direction == .ascending }
      #expect(
        run.state.issues.map(\.number) == Array(open.reversed().prefix(NextPage.MirrorRows.size)))
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("typed text finds mirrored repositories, and Enter opens one")
  func repositories() async throws {
    let world = try Self.world()
    try await world.run { run, server in
      let state = try await run.state { $0.holds(.repositories("")) }
      #expect(state.pane == .search)
      #expect(state.repositories.map(\.fullName) == ["swiftlang/swift"])
      await run.type("loopback")
      try await run.eventualState { $0.holds(.repositories("loopback")) }
      await run.type(" nosuchword")
      let none = try await run.eventualState {
        $0.holds(.repositories("loopback nosuchword"))
      }
      #expect(none.repositories.isEmpty)
      await run.press(.control("u"))
      await run.type("SWI")
      try await run.eventualState { $0.holds(.repositories("SWI")) && !$0.list.isLoading }
      await run.press(.enter, .enter)
      try await run.state { $0.isSettled }
      #expect(run.state.issues.count == NextPage.MirrorRows.size)
      await run.press(.escape)
      #expect(run.state.holds(.repositories("SWI")))
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("the mirror completes typed names")
  func completion() async throws {
    try await Self.world().run { run, _ in
      await run.type("swiftl")
      let state = try await run.state { $0.search.completions != nil }
      #expect(state.search.completions?.predictions.map(\.text) == ["swiftlang/swift"])
    }
  }

  @Test("an issue is shown with the mirror's comments, and o opens its page")
  func reading() async throws {
    var world = try Self.world(SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    world.mirror?.hasComments = true
    let repository = LoopbackRepository.swift(issues: world.issues)
    world.github.changeIssue(30, of: repository) { $0.comments = 12 }
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(
        state.reader?.comments.map(\.body)
          == world.github.comments(on: 30, of: repository).map(\.body))
      #expect(state.reader?.comments.count == 12)
      #expect(state.reader?.standing == .online)
      await run.press(.character("o"))
      let opened = try await run.opened.value { $0.first }
      #expect(opened == "\(server.url)/swiftlang/swift/issues/30")
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("the preview shows the mirror's comments without a pause")
  func preview() async throws {
    var world = try Self.world(SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    world.size = ScreenSize(columns: 160, rows: 24)
    world.mirror?.hasComments = true
    let repository = LoopbackRepository.swift(issues: world.issues)
    for number in [30, 29] { world.github.changeIssue(number, of: repository) { $0.comments = 3 } }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("p"), .down)
      // No time passes.
      let state = try await run.state {
        $0.reader?.issue.number == 29 && $0.reader?.isLoading == false
      }
      #expect(state.reader?.comments.count == 3)
    }
  }

  @Test("missing comments are reported, with the command that mirrors them")
  func noComments() async throws {
    let world = try Self.world(SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    world.github.changeIssue(30, of: .swift(issues: world.issues)) { $0.comments = 12 }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.comments.isEmpty == true)
      guard case .failed(let reason)? = state.reader?.standing else { return #expect(Bool(false)) }
      #expect(reason.contains("issues sync --comments swiftlang/swift"))
    }
  }

  @Test("incomplete mirrored comments are reported, with the command that mirrors them")
  func someComments() async throws {
    var world = try Self.world(SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    world.mirror?.hasComments = true
    world.mirror?.hasAllComments = false
    world.github.changeIssue(30, of: .swift(issues: world.issues)) { $0.comments = 12 }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.comments.count == 12)
      guard case .failed(let reason)? = state.reader?.standing else { return #expect(Bool(false)) }
      #expect(reason.contains("issues sync --comments swiftlang/swift"))
    }
  }

  @Test("an address opens its issue, even if the issue is closed")
  func address() async throws {
    let issues = SyntheticIssues(count: 250, pullRequests: 0)
    let closed = try #require(issues.make().first { !$0.isOpen })
    try await Self.world(issues).run(
      "https://github.com/swiftlang/swift/issues/\(closed.number)"
    ) { run, server in
      let state = try await run.state { $0.reader != nil }
      #expect(state.reader?.issue.number == closed.number)
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test(
    "a repository that isn't mirrored is reported, with the command that mirrors it",
    arguments: ["no/where", "https://github.com/no/where/issues/3"])
  func absent(text: String) async throws {
    try await Self.world().run(text) { run, server in
      let state = try await run.state { $0.sheet != nil && !$0.list.isLoading }
      guard case .failed(let reason)? = state.sheet?.standing else {
        Issue.record("not a failure")
        return
      }
      #expect(reason.contains("no/where isn't mirrored: run 'issues sync "))
      #expect(try await server.settledRequests.count == run.requestsBefore)
    }
  }

  @Test("r reads the mirror again")
  func refresh() async throws {
    let world = try Self.world(SyntheticIssues(count: 30, pullRequests: 0, closed: 0))
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down)
      world.github.addIssue(to: .swift(issues: world.issues)) { $0.title = "Just now" }
      try await world.mirror?.fill(from: world.connection(to: server))
      #expect(run.state.issues.first?.number == 30)
      await run.press(.character("r"))
      try await run.state { $0.issues.first?.number == 31 && !$0.list.isLoading }
      #expect(run.state.issues.first?.title == "Just now")
      #expect(run.state.selectedIssue?.number == 29)
    }
  }
}

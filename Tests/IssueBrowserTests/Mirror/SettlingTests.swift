import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("A list that begins with the mirror", .timeLimit(.minutes(5)))
struct SettlingTests {
  private static let recipe = SyntheticIssues(count: 300, pullRequests: 0, closed: 0)
  private static let repository = LoopbackRepository.swift(issues: recipe)

  private static func world(searchRateLimit: Int? = nil) throws -> BrowserWorld {
    var world = BrowserWorld(issues: recipe, searchRateLimit: searchRateLimit)
    world.mirror = try MirrorFixture()
    world.size.columns = 120
    return world
  }

  /// Holds the server's lists of open issues, which the mirror isn't filled from.
  private static func holding(_ gate: Gate) -> BrowserWorld.Holding {
    BrowserWorld.holding(gate) { $0.queryValue("state") == "open" }
  }

  private static func status(_ state: BrowserState) -> String {
    let canvas = BrowserScreen.canvas(of: state)
    return canvas[row: state.size.rows - 1].map(\.text).joined()
  }

  @Test("the mirror's rows appear at once, and the server's rows replace them under the selection")
  func settles() async throws {
    let gate = Gate()
    let world = try Self.world()
    try await world.run("swiftlang/swift", holding: Self.holding(gate)) { run, _ in
      let first = try await run.state { $0.sheet?.isLoaded == true }
      #expect(first.sheet?.isSettling == true)
      #expect(Self.status(first).contains(" · synced about 3 hours ago, asking github.com"))
      world.github.changeIssue(298, of: Self.repository) { $0.title = "Retitled meanwhile" }
      world.github.changeIssue(300, of: Self.repository) { $0.closedAt = 1_790_000_000 }
      await run.press(.down, .down, .down)
      #expect(run.state.selectedIssue?.number == 297)
      gate.open()
      let settled = try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      #expect(settled.issues.first?.number == 299)
      #expect(settled.issues[1].title == "Retitled meanwhile")
      #expect(settled.selectedIssue?.number == 297)
      #expect(Self.status(settled).contains(" · from github.com"))
    }
  }

  @Test("the list stays at its top until the user moves down")
  func beginning() async throws {
    let gate = Gate()
    let world = try Self.world()
    try await world.run("swiftlang/swift", holding: Self.holding(gate)) { run, _ in
      try await run.state { $0.sheet?.isSettling == true }
      let newest = world.github.addIssue(to: Self.repository)
      gate.open()
      let settled = try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      #expect(settled.selectedIssue?.number == newest)
    }
  }

  @Test("stopping the jump to the end also discards the server's list")
  func stopped() async throws {
    let gate = Gate()
    let world = try Self.world()
    try await world.run("swiftlang/swift", holding: Self.holding(gate)) { run, _ in
      try await run.state { $0.sheet?.isSettling == true }
      await run.press(.character("G"), .escape)
      #expect(run.state.sheet?.isSettling == false)
      #expect(!Self.status(run.state).contains("asking"))
      gate.open()
      await run.press(.character("r"))
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
    }
  }

  @Test("a row far down stays selected, and the mirror's pages load in the meantime")
  func farDown() async throws {
    let gate = Gate()
    let world = try Self.world()
    try await world.run("swiftlang/swift", holding: Self.holding(gate)) { run, server in
      try await run.state { $0.sheet?.isSettling == true }
      await run.press(.end)
      try await run.state { !$0.list.goesToEnd && $0.issues.count == 300 }
      await run.press(.pageUp)
      let selected = try #require(run.state.selectedIssue?.number)
      gate.open()
      let settled = try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      #expect(settled.selectedIssue?.number == selected)
      #expect(settled.sheet?.settling == .settled)
    }
  }

  @Test("the mirror filters after each typed letter, and the server after each finished word")
  func typed() async throws {
    let world = try Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      let added = world.github.addIssue(to: Self.repository) { $0.title = "Linker of this minute" }
      await run.press(.character("f"))
      await run.type("linke")
      // No time passes.
      let typed = try await run.state {
        $0.sheet?.search?.text == "is:open linke" && !$0.list.isLoading
      }
      #expect(typed.sheet?.mirror != nil && typed.sheet?.settling == nil)
      #expect(!typed.issues.isEmpty && !typed.issues.contains { $0.number == added })
      await run.type("r ")
      let settled = try await run.eventualState { $0.sheet?.found != nil && $0.isSettled }
      #expect(settled.issues.contains { $0.number == added })
      #expect(settled.filter.field?.text == "is:open linker ")
      let searches = try await server.settledRequests.filter { $0.hasPrefix("/search") }
      #expect(searches == ["/search/issues?linker is:open is:issue repo:swiftlang/swift"])
    }
  }

  @Test("the mirror's matches by word prefix stay if the server finds no whole word")
  func prefix() async throws {
    let world = try Self.world()
    // The made-up search finds parts of words, which GitHub's doesn't.
    world.github.intercept(
      where: { $0.path == "/search/issues" },
      response: { _, _ in .json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#) })
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      await run.filter("linke")
      await run.press(.enter)
      let state = try await run.state { $0.isSettled && $0.sheet?.search != nil }
      #expect(!state.issues.isEmpty)
      #expect(state.sheet?.mirror != nil && state.sheet?.standing == .online)
      #expect(server.requests.contains { $0.hasPrefix("/search/issues?linke ") })
    }
  }

  @Test("while searches are limited, the mirror's rows stay, and the status line reports both")
  func limited() async throws {
    let world = try Self.world(searchRateLimit: 1)
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      await run.filter("linker ")
      await run.press(.enter)
      try await run.state { $0.sheet?.found != nil && $0.isSettled }
      await run.filter("macro ")
      await run.press(.enter)
      let state = try await run.state {
        if case .limited = $0.sheet?.standing { $0.sheet?.search?.text == "macro " } else { false }
      }
      #expect(!state.issues.isEmpty)
      #expect(Self.status(state).hasPrefix("limited, retrying in "))
      let back = try await run.eventualState { $0.sheet?.found != nil && $0.isSettled }
      #expect(back.sheet?.search?.text == "macro ")
      #expect(server.requests.count { $0.hasPrefix("/search") } == 2)
    }
  }

  @Test("the mirror sorts issues by reactions")
  func reactions() async throws {
    var world = try Self.world()
    world.isOffline = true
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.sort(.mostReactions)
      let state = try await run.state { $0.isSettled && $0.sheet?.search != nil }
      let wanted = Self.recipe.make().sorted {
        ($0.reactionCount, $0.number) > ($1.reactionCount, $1.number)
      }
      #expect(state.issues.map(\.number) == wanted.prefix(200).map(\.number))
    }
  }

  @Test("labels from the mirror complete a filter, without a request")
  func names() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.sheet?.mirror == nil && $0.isSettled }
      let before = server.requests.count
      await run.filter("label:goo")
      try await run.state {
        $0.filter.completions?.predictions.map(\.text) == ["label:\"good first issue\""]
      }
      #expect(try await server.settledRequests.count == before)
    }
  }
}

import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Completions of typed names", .timeLimit(.minutes(5)))
struct CompletionTests {
  private static func names(_ state: BrowserState) -> [String] {
    state.search.completions?.predictions.map(\.text) ?? []
  }

  private static func world(in folder: String) async throws -> BrowserWorld {
    var world = BrowserWorld(others: SyntheticIssues(count: 5))
    let history = RepositoryHistory(folder: folder)
    for name in ["swiftlang/swift", "apple/swift-nio", "rust-lang/rust"] {
      let name = try #require(RepositoryName(name))
      await history.record(RepositoryHistory.Entry(server: .github, name: name))
    }
    world.history = history
    return world
  }

  @Test("completions from the user's history appear at once, without a request")
  func history() async throws {
    let folder = try ScratchFolder()
    let world = try await Self.world(in: folder.path)
    try await world.run { run, server in
      await run.type("s")
      try await run.state { !Self.names($0).isEmpty }
      #expect(try await server.settledRequests.isEmpty)
    }
  }

  @Test("the server is asked once for an owner's repositories after a pause in typing")
  func server() async throws {
    try await BrowserWorld().run { run, server in
      await run.type("swiftlang/sw")
      let state = try await run.eventualState { $0.search.completions != nil }
      #expect(Self.names(state).contains("swiftlang/swift"))
      #expect(state.search.completions?.selection == nil)
      #expect(server.requests.count { $0.hasPrefix("/search") } == 1)
      // Matching names stay while typing goes on, but not the typed name itself.
      await run.type("if")
      #expect(Self.names(run.state).contains("swiftlang/swift"))
      await run.type("t")
      #expect(!Self.names(run.state).contains("swiftlang/swift"))
      await run.type("zzz")
      #expect(run.state.search.completions == nil)
    }
  }

  @Test("Tab accepts the selected name, and Enter also shows its issues")
  func take() async throws {
    for key: InputEvent.Key in [.tab, .enter] {
      try await BrowserWorld().run { run, _ in
        await run.type("swiftlang/sw")
        let state = try await run.eventualState { $0.search.completions != nil }
        let index = try #require(Self.names(state).firstIndex(of: "swiftlang/swift"))
        for _ in 0...index { await run.press(.down) }
        #expect(run.state.search.completions?.selection == index)
        await run.press(key)
        #expect(run.state.search.field == TextField("swiftlang/swift"))
        #expect(run.state.search.completions == nil)
        #expect(run.state.pane == (key == .tab ? .search : .list))
        let shown = try await run.eventualState { $0.isSettled }
        #expect(shown.sheet?.repository?.fullName == "swiftlang/swift")
      }
    }
  }

  @Test("leaving the search bar removes completions, even completions still loading")
  func leaving() async throws {
    let gate = Gate()
    try await BrowserWorld().run(
      holding: BrowserWorld.holding(gate) { $0.path.hasPrefix("/search") }
    ) {
      run, server in
      await run.type("swiftlang/swift-")
      try await run.eventualState { _ in server.requests.contains { $0.hasPrefix("/search") } }
      await run.input(.key(.tab))
      #expect(run.state.pane == .list)
      try await server.log.waitForCancellation { $0.path.hasPrefix("/search") }
      gate.open()
      _ = try await server.settledRequests
      #expect(run.state.search.completions == nil)
    }
  }

  @Test("server failures during completion are ignored")
  func failure() async throws {
    let world = BrowserWorld()
    world.github.intercept(
      where: { $0.path.hasPrefix("/search") },
      response: { _, now in GitHubError.serverError.response(now: now) })
    try await world.run { run, server in
      await run.type("apple/swift")
      let state = try await run.eventualState { $0.isSettled }
      #expect(state.search.completions == nil)
      #expect(state.message == nil)
      #expect(state.sheet?.standing == .online)
    }
  }

  @Test("opening a repository adds it to the history")
  func recorded() async throws {
    let folder = try ScratchFolder()
    let world = try await Self.world(in: folder.path)
    try await world.run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      let first = await world.history?.entries().first
      #expect(first?.description.hasPrefix("127.0.0.1") == true)
      #expect(first?.name.description == "swiftlang/swift")
    }
  }
}

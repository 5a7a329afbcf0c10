import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Typing into the search bar", .timeLimit(.minutes(5)))
struct TypingTests {
  @Test("typing sends requests only for the final text", arguments: [0, 200])
  func finalText(latency: Int) async throws {
    let world = BrowserWorld(latency: .milliseconds(latency))
    try await world.run { run, server in
      await run.type("apple/swift")
      #expect(run.state.search.text == "apple/swift")
      #expect(run.state.list.isLoading)
      #expect(try await server.settledRequests.isEmpty)
      let state = try await run.eventualState { $0.isSettled }
      #expect(state.sheet?.repository?.fullName == "swiftlang/swift")
      #expect(state.pane == .search)
      let wanted: Set = [
        "/search/repositories?swift in:name user:apple", "/repos/apple/swift",
        "/repositories/44838949", "/repos/apple/swift/issues", "/repositories/44838949/issues",
      ]
      let requests = try await server.settledRequests
      #expect(requests.count == 5)
      #expect(Set(requests) == wanted)
    }
  }

  @Test("text without a slash is searched for after a pause of 0.3 s in typing")
  func search() async throws {
    try await BrowserWorld().run { run, server in
      await run.type("swi")
      try await run.clock.sleepers(3)  // The minute, the pause and the spinner.
      run.clock.advance(by: .milliseconds(299))
      #expect(try await server.settledRequests.isEmpty)
      await run.type("ft")
      let state = try await run.eventualState { !$0.repositories.isEmpty && !$0.list.isLoading }
      #expect(state.repositories.count == 100)
      #expect(try await server.settledRequests == ["/search/repositories?swift"])
    }
  }

  @Test("an incomplete or invalid repository name doesn't send a request")
  func halfTyped() async throws {
    try await BrowserWorld().run("swiftlang/swift") { run, server in
      let before = try await run.eventualState { $0.isSettled }
      let requests = server.requests
      await run.press(.character("/"))
      for text in ["apple/", "a/b c", "/", "//", "a/b/c/d"] {
        await run.press(.control("u"))
        #expect(run.state.list.content == .nothing)
        await run.input(.paste(text))
        #expect(!run.state.list.isLoading, "\(text)")
        #expect(run.state.list.query == .incomplete)
      }
      #expect(!before.issues.isEmpty)
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test("the list keeps its content until the new one arrives")
  func keepsContent() async throws {
    let gate = Gate()
    try await BrowserWorld(others: SyntheticIssues(count: 5)).run(
      "swiftlang/swift", holding: BrowserWorld.holding(gate) { $0.path == "/repos/a/b" }
    ) { run, server in
      let before = try await run.eventualState { $0.isSettled }
      await run.press(.character("/"), .control("w"))
      #expect(run.state.search.text == "")
      #expect(run.state.list.content == .nothing)
      await run.input(.paste("swiftlang/swift"))
      try await run.eventualState { $0.isSettled }
      await run.press(.backspace)
      #expect(run.state.issues == before.issues)
      #expect(run.state.list.isLoading)
      await run.press(.character("t"))
      // It is already there, so no request is sent.
      let requests = server.requests.filter { !$0.hasPrefix("/search") }
      try await run.eventualState { !$0.list.isLoading }
      let settled = try await server.settledRequests
      #expect(settled.filter { !$0.hasPrefix("/search") } == requests)
    }
  }

  @Test("Enter sends the request at once and moves to the list")
  func enter() async throws {
    try await BrowserWorld().run { run, server in
      await run.type("apple/swift")
      await run.press(.enter)
      #expect(run.state.pane == .list)
      let state = try await run.state { $0.isSettled }
      #expect(state.issues.count == LoopbackNumbers.open(among: 100).count)
      #expect(run.clock.now.offset == .zero)
      // Entered again, it is already there.
      let requests = server.requests
      await run.press(.character("/"), .enter)
      #expect(!run.state.list.isLoading)
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test("Enter on an invalid name reports the problem without sending a request")
  func enterHalf() async throws {
    try await BrowserWorld().run { run, server in
      await run.press(.enter)
      #expect(run.state.message == nil)
      await run.type("apple/")
      await run.press(.enter)
      #expect(run.state.pane == .search)
      #expect(run.state.message?.contains("use OWNER/REPO") == true)
      await run.press(.left)
      #expect(run.state.message == nil)
      let requests = try await server.settledRequests
      #expect(requests.isEmpty)
    }
  }

  @Test("a silent server doesn't delay keys, and another name is loaded at once")
  func silent() async throws {
    let closed = Gate()
    let world = BrowserWorld()
    try await world.run(
      "slow/one", holding: BrowserWorld.holding(closed) { $0.path.hasPrefix("/repos/slow/") }
    ) { run, server in
      try await server.log.waitForRequest { $0.path == "/repos/slow/one" }
      await run.press(.character("j"), .character("G"), .pageUp, .character("s"), .character("?"))
      #expect(run.state.isHelpShown)
      // The help, then the menu of orders.
      await run.press(.escape, .escape, .tab)
      #expect(run.state.pane == .search)
      #expect(run.state.list.isLoading)
      await run.press(.control("u"))
      try await server.log.waitForCancellation { $0.path == "/repos/slow/one" }
      #expect(!run.state.list.isLoading)
      await run.input(.paste("apple/swift"))
      let state = try await run.eventualState { $0.isSettled }
      #expect(state.sheet?.repository?.fullName == "swiftlang/swift")
    }
  }

  @Test(
    "results for an outdated text never appear", arguments: ["/repos/a/b", "/repos/a/b/issues"])
  func olderAnswer(path: String) async throws {
    let gate = Gate()
    let world = BrowserWorld(others: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
    try await world.run(holding: BrowserWorld.holding(gate) { $0.path == path }) { run, server in
      let shown = Watched<Set<String>>([])
      let watching = Task { [states = run.reactor.allStates] in
        for await state in states {
          if let sheet = state.sheet { shown.update { _ = $0.insert(sheet.scope.words) } }
        }
      }
      defer { watching.cancel() }
      await run.input(.paste("a/b"))
      await run.press(.enter)
      try await server.log.waitForRequest { $0.path == path }
      await run.press(.character("/"), .end, .character("c"))
      gate.open()
      try await run.eventualState { $0.isSettled }
      #expect(run.state.sheet?.reference?.description == "a/bc")
      try await shown.value { $0.contains("a/bc") ? () : nil }
      #expect(shown.current == ["a/bc"])
    }
  }

  @Test("the initial text is searched for at once")
  func initialText() async throws {
    try await BrowserWorld().run("https://github.com/apple/swift/issues/12") { run, _ in
      #expect(run.state.pane == .list)
      let state = try await run.state { $0.isSettled }
      #expect(state.sheet?.repository?.fullName == "swiftlang/swift")
    }
  }

  @Test("entering a found repository puts its name in the search bar")
  func enterRepository() async throws {
    try await BrowserWorld(others: SyntheticIssues(count: 5)).run("swift") { run, server in
      try await run.state { $0.repositories.count == 100 }
      await run.press(.down, .enter, .enter)
      let name = try #require(run.state.repositories.dropFirst().first?.fullName)
      #expect(run.state.search.text == name)
      try await run.state { $0.isSettled }
      #expect(run.state.pane == .list)
      #expect(try await server.settledRequests.count { $0 == "/repos/\(name)" } == 1)
    }
  }
}

/// The contents of the loopback's repository.
enum LoopbackNumbers {
  /// The numbers of the open issues, newest first, among the newest open items.
  static func open(
    _ recipe: SyntheticIssues = SyntheticIssues(count: 250), among count: Int = .max
  ) -> [Int] {
    recipe.make().reversed().filter(\.isOpen).prefix(count).filter { !$0.isPullRequest }
      .map(\.number)
  }
}

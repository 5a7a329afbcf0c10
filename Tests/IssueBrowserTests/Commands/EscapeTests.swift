import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Esc goes one step back", .timeLimit(.minutes(5)))
struct EscapeTests {
  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  /// A list that was requested, as in the program.
  private static func list(_ filter: String = "is:open") throws -> BrowserState {
    var state = try SampleStates.issues()
    state.list.query = try .filtered(
      filter, in: .repository(RepositoryReference(parsing: "apple/swift")))
    return state
  }

  @Test("a letter after Esc is never typed into the search bar")
  func letters() throws {
    var started = SampleStates.empty()
    started.search.field = TextField("app")
    var typing = try Self.list()
    Self.press(.character("/"), .character("x"), in: &typing)
    for state in [
      try Self.list(), try SampleStates.reading(), try SampleStates.reading(160),
      try SampleStates.typing(), SampleStates.repositories(), try ViewsHandlingTests.start(),
      SampleStates.empty(), started, typing,
    ] {
      var state = state
      for _ in 1...4 {
        Self.press(.escape, in: &state)
        let text = state.search.text
        var after = state
        Self.press(.character("w"), in: &after)
        #expect(after.search.text == text && after.pane != .search)
      }
      #expect(!state.isFinished)
    }
  }

  @Test("in the search bar, Esc returns to the list from before, without a request")
  func search() async throws {
    let world = BrowserWorld(others: SyntheticIssues(count: 5))
    try await world.run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .down)
      let before = run.state
      await run.press(.character("/"))
      await run.type("a/b")
      try await run.eventualState { $0.isSettled && $0.sheet?.repository?.fullName == "a/b" }
      let requests = try await server.settledRequests
      await run.press(.escape)
      #expect(run.state.pane == .list && run.state.search == before.search)
      #expect(run.state.list.content == before.list.content)
      #expect(run.state.list.cursor.selection == 2)
      #expect(run.state.history.back.isEmpty)
      try await run.state { !$0.isBusy }
      #expect(try await server.settledRequests == requests)
    }
  }

  @Test("after a number, Esc returns to the reader that it covered")
  func number() throws {
    var state = try Self.list()
    Self.press(.enter, in: &state)
    let issue = state.reader?.issue
    Self.press(.character(":"), .character("1"), .escape, in: &state)
    #expect(state.pane == .reader && state.reader?.issue == issue)
    #expect(state.search.text == "apple/swift")
  }

  @Test("Esc first removes a message")
  func message() throws {
    var state = try SampleStates.reading()
    state.message = "Opened"
    Self.press(.escape, in: &state)
    #expect(state.message == nil && state.pane == .reader)
    Self.press(.escape, in: &state)
    #expect(state.pane == .list)
  }

  @Test("Esc removes one applied filter after the other, and stops at the list")
  func filter() throws {
    var state = try Self.list()
    let first = state.list.query
    for text in ["label:bug", "label:bug is:closed"] {
      Self.press(.character("f"), .control("u"), in: &state)
      state.handle(.input(.paste(text)))
      Self.press(.enter, in: &state)
      #expect(state.list.query.filterText?.contains("label:bug") == true)
    }
    // Reading an issue changes nothing.
    Self.press(.enter, .escape, in: &state)
    #expect(state.list.query.filterText?.contains("is:closed") == true)
    Self.press(.escape, in: &state)
    #expect(state.list.query.filterText == "is:open label:bug")
    Self.press(.escape, in: &state)
    #expect(state.list.query == first)
    #expect(state.list.cursor.selection == 2)
    let stopped = state
    Self.press(.escape, in: &state)
    #expect(state == stopped)
    // The filter is one step forward.
    Self.press(.character("]"), in: &state)
    #expect(state.list.query.filterText == "is:open label:bug")
  }

  @Test("an empty list says what to do")
  func empty() throws {
    var state = try Self.list()
    Self.press(.character("f"), in: &state)
    state.handle(.input(.paste("label:bug")))
    Self.press(.enter, in: &state)
    var sheet = try #require(IssueSheet(state.list.query))
    sheet.repository = SampleStates.swift
    sheet.hasMore = false
    state.list.content = .issues(sheet)
    state.list.isLoading = false
    func shows(_ text: String) -> Bool { BrowserScreen.canvas(of: state).text.contains(text) }
    #expect(shows("No open issues match. Esc removes the filter, f changes the filter"))
    state.history = BrowsingHistory()
    #expect(shows("No open issues match. f changes the filter"))
    Self.press(.character("f"), in: &state)
    #expect(shows("No open issues match. Esc restores the list"))
    state = SampleStates.empty()
    #expect(shows("Type a name or words, such as"))
    Self.press(.escape, in: &state)
    #expect(shows("Press / and type a name or words, such as"))
  }

  @Test("a repository that doesn't exist isn't recorded as recent")
  func recent() async throws {
    let folder = try ScratchFolder()
    var world = BrowserWorld()
    let history = RepositoryHistory(folder: folder.path)
    world.history = history
    try await world.run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("/"))
      await run.type("apple/swi")
      try await run.eventualState { !$0.list.isLoading && $0.sheet?.standing != .online }
      await run.press(.enter)
      try await run.state { !$0.list.isLoading }
      #expect(await history.entries().map(\.name.description) == ["swiftlang/swift"])
    }
  }
}

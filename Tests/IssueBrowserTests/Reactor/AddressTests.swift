import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Issue addresses", .timeLimit(.minutes(5)))
struct AddressTests {
  private static func world() -> BrowserWorld {
    let recipe = SyntheticIssues(count: 250, pullRequests: 0, closed: 0)
    let world = BrowserWorld(issues: recipe)
    let repository = LoopbackRepository.swift(issues: recipe)
    world.github.changeIssue(3, of: repository) { $0.comments = 2 }
    world.github.changeIssue(240, of: repository) { $0.comments = 2 }
    return world
  }

  private static func address(_ number: Int) -> String {
    "https://github.com/apple/swift/issues/\(number)"
  }

  @Test(
    "an entered address opens the issue with its comments, even if it isn't in the list",
    arguments: [3, 240])
  func entered(number: Int) async throws {
    try await Self.world().run { run, server in
      await run.input(.paste(Self.address(number)))
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.issue.number == number)
      #expect(state.reader?.comments.count == 2)
      #expect(state.pane == .reader)
      #expect(state.sheet?.reference?.issueNumber == number)
      let asked = try await server.settledRequests.contains { $0.hasSuffix("/issues/\(number)") }
      #expect(asked == (number == 3))
      // The next one is found from here.
      if number == 240 { #expect(state.selectedIssue?.number == 240) }
    }
  }

  @Test(
    "an issue passed at the start opens at once",
    arguments: [address(3), "apple/swift#3", "github.com/apple/swift#3"])
  func atStart(text: String) async throws {
    try await Self.world().run(text) { run, _ in
      let state = try await run.state { $0.reader != nil }
      #expect(state.reader?.issue.number == 3)
    }
  }

  @Test("only the list is shown until Enter is pressed")
  func typed() async throws {
    try await Self.world().run { run, _ in
      await run.input(.paste(Self.address(240)))
      try await run.eventualState { $0.isSettled }
      #expect(run.state.reader == nil)
      #expect(run.state.pane == .search)
      await run.press(.enter)
      try await run.state { $0.reader?.issue.number == 240 }
    }
  }

  @Test("opening an issue doesn't interrupt further typing")
  func goesOnTyping() async throws {
    let gate = Gate()
    try await Self.world().run(
      Self.address(3), holding: BrowserWorld.holding(gate) { $0.path.hasSuffix("/issues/3") }
    ) { run, server in
      try await run.state { $0.sheet?.isLoaded == true }
      await run.press(.character("/"))
      gate.open()
      _ = try await server.settledRequests
      try await run.state { !$0.list.isLoading }
      #expect(run.state.reader == nil)
      #expect(run.state.pane == .search)
    }
  }

  @Test(
    "a number opens an issue in the list's repository, whether loaded or not", arguments: [3, 240],
    ["#", ":"])
  func number(number: Int, mark: Character) async throws {
    try await Self.world().run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      let before = server.requests.count
      await run.press(.character(mark))
      #expect(run.state.pane == .search)
      await run.type("\(number)")
      #expect(try await server.settledRequests.count == before)
      #expect(!run.state.list.isLoading)
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.issue.number == number)
      #expect(state.search.text == "apple/swift#\(number)")
      #expect(state.pane == .reader)
      let asked = try await server.settledRequests[before...].filter { $0.hasSuffix("/issues") }
      // An issue of the list needs no list.
      #expect(asked.isEmpty == (number == 240))
    }
  }

  @Test("a name with a number loads the list once, and Enter opens the issue")
  func nameAndNumber() async throws {
    try await Self.world().run { run, server in
      await run.type("apple/swift")
      try await run.eventualState { $0.isSettled }
      let before = server.requests.count
      await run.type("#240")
      #expect(try await server.settledRequests.count == before)
      #expect(run.state.reader == nil)
      await run.press(.enter)
      try await run.state { $0.reader?.issue.number == 240 }
    }
  }

  @Test("a number typed into the filter opens its issue")
  func filter() async throws {
    try await Self.world().run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("f"), .control("u"))
      await run.type("#240")
      await run.press(.enter)
      let state = try await run.state { $0.reader?.issue.number == 240 }
      #expect(state.filter.field == nil)
      #expect(state.sheet?.filter == IssueFilter())
    }
  }

  @Test("a number that isn't entered changes nothing")
  func left() async throws {
    try await Self.world().run("apple/swift") { run, server in
      let before = try await run.state { $0.isSettled }
      for key in [InputEvent.Key.escape, .tab, .down] {
        await run.press(.character("#"), .character("9"), key)
        #expect(run.state.search.text == "apple/swift")
        #expect(run.state.pane == .list)
        #expect(run.state.list.content == before.list.content)
      }
    }
  }

  @Test("a number without a repository reports that it needs a repository")
  func alone() async throws {
    try await BrowserWorld().run { run, server in
      await run.type("#42")
      await run.press(.enter)
      #expect(run.state.message?.contains("apple/swift#42") == true)
      let requests = try await server.settledRequests
      #expect(requests.isEmpty)
    }
  }

  @Test("a missing issue is reported beside the list, and v shows the request")
  func missing() async throws {
    try await Self.world().run(Self.address(4_711)) { run, _ in
      let state = try await run.state { $0.acting.notice != nil }
      let lines = try #require(state.acting.notice?.lines)
      #expect(lines == ["#4711 of swiftlang/swift doesn't exist, or you may not see it."])
      #expect(!state.issues.isEmpty)
      #expect(state.reader == nil)
      await run.press(.character("v"))
      #expect(run.state.message?.contains("/issues/4711 answered with status 404") == true)
    }
  }
}

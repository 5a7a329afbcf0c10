import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The address of an issue", .timeLimit(.minutes(5)))
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
    "the issue opens with its comments, whether or not the list has it", arguments: [3, 240])
  func entered(number: Int) async throws {
    try await Self.world().run { run, server in
      await run.input(.paste(Self.address(number)))
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.issue.number == number)
      #expect(state.reader?.comments.count == 2)
      #expect(state.pane == .reader)
      #expect(state.sheet?.reference.issueNumber == number)
      let asked = try await server.settledRequests.contains { $0.hasSuffix("/issues/\(number)") }
      #expect(asked == (number == 3))
      // The next one is found from here.
      if number == 240 { #expect(state.selectedIssue?.number == 240) }
    }
  }

  @Test("an address given at the start opens at once")
  func atStart() async throws {
    try await Self.world().run(Self.address(3)) { run, _ in
      let state = try await run.state { $0.reader != nil }
      #expect(state.reader?.issue.number == 3)
    }
  }

  @Test("until Enter, only the list is shown")
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

  @Test("opening doesn't interrupt further typing")
  func goesOnTyping() async throws {
    let gate = Gate()
    try await Self.world().run(
      Self.address(3), holding: BrowserWorld.holding(gate) { $0.path.hasSuffix("/issues/3") }
    ) { run, server in
      try await run.state { $0.sheet?.isLoaded == true }
      await run.press(.character("/"))
      gate.open()
      _ = try await server.settledRequests
      try await run.state { !$0.isLoading }
      #expect(run.state.reader == nil)
      #expect(run.state.pane == .search)
    }
  }

  @Test("a missing issue is reported beside the list")
  func missing() async throws {
    try await Self.world().run(Self.address(4_711)) { run, _ in
      let state = try await run.state { $0.message != nil }
      #expect(state.message?.contains("4711") == true)
      #expect(!state.issues.isEmpty)
      #expect(state.reader == nil)
    }
  }
}

import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Going back to search results", .timeLimit(.minutes(5)))
struct GoingBackTests {
  private static func world() -> BrowserWorld { BrowserWorld(others: SyntheticIssues(count: 5)) }

  @Test(
    "going back from a repository's issues shows the old results without a request",
    arguments: [.character("q"), .escape] as [InputEvent.Key])
  func results(key: InputEvent.Key) async throws {
    try await Self.world().run("swift") { run, server in
      try await run.state { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.pageDown, .pageDown, .pageDown, .up)
      let before = run.state
      await run.press(.enter)
      try await run.state { $0.isSettled }
      await run.press(.enter, key)
      #expect(run.state.reader == nil)
      #expect(!run.state.issues.isEmpty)
      await run.press(key)
      #expect(run.state.list.content == before.list.content)
      #expect(
        (run.state.list.cursor.selection, run.state.list.cursor.top) == (
          before.list.cursor.selection, before.list.cursor.top
        ))
      #expect(run.state.search == before.search)
      #expect(run.state.pane == .list)
      try await run.state { !$0.list.isLoading }
      #expect(
        try await server.settledRequests.count { $0.hasPrefix("/search/repositories") } == 1)
      await run.press(.character("q"))
      #expect(run.state.isFinished)
    }
  }

  @Test("going back from a repository that is still loading keeps the results")
  func loading() async throws {
    let gate = Gate()
    try await Self.world().run(
      "swift", holding: BrowserWorld.holding(gate) { $0.path.hasPrefix("/repos/") }
    ) { run, server in
      try await run.state { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.enter, .character("q"))
      gate.open()
      _ = try await server.settledRequests
      try await run.state { !$0.list.isLoading }
      #expect(run.state.repositories.count == 100)
      #expect(run.state.search.text == "swift")
    }
  }

  @Test("typing another text removes the way back to the results")
  func typed() async throws {
    try await Self.world().run("swift") { run, _ in
      try await run.state { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.enter)
      try await run.state { $0.isSettled }
      await run.press(
        .character("/"), .end, .character("x"), .backspace, .tab, .character("q"))
      #expect(run.state.isFinished)
    }
  }
}

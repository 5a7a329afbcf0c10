import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Lists that are shown again after a change", .timeLimit(.minutes(5)))
struct ReturningTests {
  private static let recipe = SyntheticIssues(count: 30, pullRequests: 0, closed: 0)

  /// Closes #29, leaves the list before the server has that, and comes back once it has.
  private static func closing(
    leaving leave: (BrowserRun) async throws -> Void, returning keys: [InputEvent.Key]
  ) async throws {
    var world = BrowserWorld(issues: recipe, others: SyntheticIssues(count: 3))
    world.outbox = try OutboxFixture()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("x"), .enter)
      let waiting = try await run.state {
        $0.acting.batches.first?.phase == .waiting && $0.sheet?.pending.isEmpty == false
      }
      #expect(waiting.issues[1].state == .closed)
      try await leave(run)
      try await run.eventualState { $0.acting.batches.isEmpty && $0.isSettled }
      for key in keys { await run.press(key) }
      let back = try await run.eventualState { $0.list.query == waiting.list.query && $0.isSettled }
      #expect(back.filter.field == nil)
      #expect(back.sheet?.pending.isEmpty == true)
      #expect(!back.issues.contains { $0.number == 29 })
      #expect(back.issues.count == 29)
    }
  }

  @Test("a list shown again after closing a filter has the change")
  func filter() async throws {
    try await Self.closing(
      leaving: { run in
        await run.filter("is:open sort:created-asc ")
        try await run.eventualState { $0.filter.unfiltered != nil && $0.isSettled }
      }, returning: [.escape])
  }

  @Test("a list shown again with [ after another repository has the change")
  func history() async throws {
    try await Self.closing(
      leaving: { run in
        await run.press(.character("/"), .control("u"))
        await run.input(.paste("a/b"))
        await run.press(.enter)
        try await run.eventualState { $0.sheet?.repository?.fullName == "a/b" && $0.isSettled }
      }, returning: [.character("[")])
  }
}

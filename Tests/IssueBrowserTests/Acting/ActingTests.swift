import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Changes of issues, up to the server's answer", .timeLimit(.minutes(5)))
struct ActingTests {
  private static let recipe = SyntheticIssues(count: 30, pullRequests: 0, closed: 0)
  private static let repository = LoopbackRepository.swift(issues: recipe)

  private static func world() throws -> (BrowserWorld, OutboxFixture) {
    var world = BrowserWorld(issues: recipe)
    let fixture = try OutboxFixture()
    world.outbox = fixture
    return (world, fixture)
  }

  private static func text(_ state: BrowserState) -> String { BrowserScreen.canvas(of: state).text }

  private static func server(_ world: BrowserWorld, _ number: Int) -> SyntheticIssue? {
    world.github.issues(of: repository).first { $0.number == number }
  }

  @Test("closed, it shows at once as pending, is sent a little later, and is what the server says")
  func close() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("x"), .down, .enter)
      let waiting = try await run.state {
        $0.acting.batches.first?.phase == .waiting && $0.sheet?.pending != nil
      }
      #expect(waiting.issues[1].state == .closed)
      #expect(Self.text(waiting).contains("[close as"))
      #expect(Self.text(waiting).contains("Close #29 as not planned: u undoes"))
      #expect(try await fixture.states == [.queued])
      #expect(world.github.receipts.isEmpty)
      let sent = try await run.eventualState {
        $0.acting.batches.isEmpty && $0.sheet?.pending == nil
      }
      #expect(sent.issues[1].state == .closed)
      #expect(sent.issues[1].stateReason == .notPlanned)
      #expect(sent.issues[1].closedAt != nil)
      #expect(sent.selectedIssue?.number == 29)
      #expect(world.github.receipts.count == 1)
      #expect(Self.server(world, 29)?.stateReason == "not_planned")
      #expect(try await fixture.states == [.sent])
    }
  }

  @Test("undone in time, nothing is sent, and the row is as it was")
  func undo() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      let before = try await run.state { $0.isSettled }
      await run.press(.down, .character("x"), .enter)
      try await run.state { $0.issues[1].state == .closed }
      await run.press(.character("u"))
      let after = try await run.state { $0.message?.hasPrefix("Undone") == true }
      #expect(after.message == "Undone: close #29 as completed")
      #expect(after.issues == before.issues)
      #expect(try await fixture.states == [])
      #expect(try await fixture.outbox.droppedEntries().count == 1)
      run.clock.advance(by: .seconds(60))
      #expect(world.github.receipts.isEmpty)
    }
  }

  @Test("while it is read, the page says what isn't sent, and then what the server has")
  func reading() async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.lines.isEmpty == false }
      await run.press(.character("x"), .enter)
      try await run.state { state in
        state.reader?.lines.contains { $0.plain == "Not sent yet: close" } == true
      }
      let sent = try await run.eventualState { state in
        state.acting.batches.isEmpty
          && state.reader?.lines.contains { $0.plain.hasPrefix("Closed as completed") } == true
          && state.reader?.lines.contains { $0.plain.hasPrefix("Not sent yet") } == false
      }
      #expect(sent.reader?.issue.state == .closed)
    }
  }

  @Test("a refused change is told in two lines, and stays in the outbox")
  func refused() async throws {
    var world = BrowserWorld(issues: Self.recipe, permission: .read)
    let fixture = try OutboxFixture()
    world.outbox = fixture
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("x"), .enter)
      let told = try await run.eventualState {
        $0.acting.notice != nil && $0.acting.batches.isEmpty
      }
      let lines = try #require(told.acting.notice?.lines)
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("Close #30 as completed:"), "\(lines)")
      #expect(lines[0].contains("permission"), "\(lines)")
      #expect(lines[1].contains("kept in the outbox"))
      #expect(told.issues[0].state == .open)
      #expect(Self.text(told).contains("(refused)") || Self.text(told).contains("[close"))
      #expect(try await fixture.states == [.refused])
    }
  }

  @Test("without a token the question is answered at once")
  func noToken() async throws {
    let (world, fixture) = try Self.world()
    fixture.refusal.withLock { $0 = "There is no token.\nSign in." }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("x"))
      let told = try await run.state { $0.acting.notice != nil }
      #expect(told.acting.dialog == nil)
      #expect(Self.text(told).contains("There is no token."))
      #expect(Self.text(told).contains("Sign in."))
    }
  }

  @Test("while the network is away a change is kept, and sent when it is back")
  func away() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      world.github.intercept(where: { _ in true }, response: { _, _ in BrowserWorld.lost })
      await run.press(.character("x"), .enter)
      let kept = try await run.eventualState { $0.acting.batches.first?.phase == .kept }
      #expect(kept.acting.notice?.lines.first?.contains("kept in the outbox") == true)
      #expect(try await fixture.states == [.queued])
      world.github.stopIntercepting()
      world.reachability.set(true)
      try await run.eventualState { $0.acting.batches.isEmpty }
      #expect(Self.server(world, 30)?.isOpen == false)
    }
  }

  @Test("offline a change is kept, is shown, and can be undone")
  func offline() async throws {
    var (world, fixture) = try Self.world()
    world.mirror = try MirrorFixture()
    world.isOffline = true
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("x"), .enter)
      let kept = try await run.state { $0.acting.batches.first?.phase == .kept }
      #expect(kept.issues[0].state == .closed)
      #expect(Self.text(kept).contains("kept in the outbox, u undoes"))
      run.clock.advance(by: .seconds(60))
      #expect(try await fixture.states == [.queued])
      await run.press(.character("u"))
      let undone = try await run.state { $0.message?.hasPrefix("Undone") == true }
      #expect(undone.issues[0].state == .open)
      #expect(world.github.receipts.isEmpty)
    }
  }
}

import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Rows after the server's response to a change", .timeLimit(.minutes(5)))
struct SentChangeTests {
  private static let recipe = SyntheticIssues(count: 30, pullRequests: 0, closed: 0)
  private static let repository = LoopbackRepository.swift(issues: recipe)
  private static let name = RepositoryName("swiftlang/swift")

  private static func world(
    others: SyntheticIssues? = nil
  ) throws -> (BrowserWorld, OutboxFixture) {
    let (world, fixture) = try BrowserWorld(issues: recipe, others: others).withOutbox()
    fixture.written.withLock { $0 = "It crashes" }
    return (world, fixture)
  }

  /// Holds the answers to requests for the list once a gate is open, and notes the first.
  private static func late(
    _ isOn: Gate, _ asked: Watched<Bool>, _ gate: Gate
  ) -> BrowserWorld.Holding {
    { request in
      guard isOn.isOpen, request.method == "GET", request.path.hasSuffix("/issues") else {
        return nil
      }
      asked.update { $0 = true }
      return gate
    }
  }

  private static func isDone(_ state: BrowserState) -> Bool {
    state.acting.batches.isEmpty && state.sheet?.pending.isEmpty == true && state.message != nil
  }

  @Test("a new issue stays, even if the list was requested before its creation")
  func createdMeanwhile() async throws {
    var (world, _) = try Self.world()
    let (isOn, asked, gate) = (Gate(), Watched(false), Gate())
    world.late = Self.late(isOn, asked, gate)
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("n"))
      try await run.state { $0.issues.first?.number == -1 }
      isOn.open()
      await run.press(.character("r"))
      _ = try await asked.value { $0 ? true : nil }
      try await run.eventualState { Self.isDone($0) && $0.issues.first?.number == 31 }
      gate.open()
      let state = try await run.state { $0.isSettled }
      #expect(state.issues.map(\.number).prefix(3) == [31, 30, 29])
      #expect(state.selectedIssue?.number == 29)
    }
  }

  @Test("a new issue stays while GitHub's list lags behind, and no longer")
  func listBehind() async throws {
    var (world, _) = try Self.world()
    world.refreshInterval = .seconds(30)
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("n"))
      try await run.eventualState { Self.isDone($0) && $0.issues.first?.number == 31 }
      world.github.deleteIssue(31, of: Self.repository)
      world.github.changeIssue(30, of: Self.repository) { $0.title = "Another title" }
      let behind = try await run.eventualState { state in
        state.issues.contains { $0.title == "Another title" }
      }
      #expect(behind.issues.first?.number == 31)
      world.github.changeIssue(30, of: Self.repository) { $0.title = "A third title" }
      try await run.eventualState { state in
        state.issues.first?.number == 30 && state.issues.first?.title == "A third title"
      }
    }
  }

  @Test(
    "a new issue appears where the sort order puts it, and the selection stays",
    arguments: [
      ("sort:created-asc", [1, 2], 31), ("sort:updated-desc", [31], nil),
      ("sort:created-desc label:nowhere", [], nil),
    ] as [(String, [Int], Int?)])
  func order(filter: String, first: [Int], last: Int?) async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.filter(filter)
      await run.press(.enter)
      let before = try await run.eventualState { state in
        state.isSettled && state.sheet?.filter.query.contains(filter.prefix(12)) == true
          || state.isSettled && filter.contains("nowhere") && state.issues.isEmpty
      }
      await run.press(.character("n"))
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.issues.map(\.number).starts(with: first))
      if let last { #expect(sent.issues.last?.number == last) }
      #expect(sent.selectedIssue?.number == before.selectedIssue?.number)
      #expect(
        sent.message
          == (sent.issues.isEmpty
            ? "Done: create “It crashes” (#31, which isn't among these rows)"
            : "Done: create “It crashes” (#31)"))
    }
  }

  @Test(
    "a closed issue stays in a list of open issues until the next reload, and the screen says so")
  func closed() async throws {
    var (world, _) = try Self.world()
    let (isOn, asked, gate) = (Gate(), Watched(false), Gate())
    world.late = Self.late(isOn, asked, gate)
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("x"), .enter)
      try await run.state { $0.issues[1].state == .closed && $0.sheet?.pending.isEmpty == false }
      isOn.open()
      await run.press(.character("r"))
      _ = try await asked.value { $0 ? true : nil }
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.issues[1].state == .closed)
      #expect(
        sent.message
          == "Done: close #29 as completed, and it leaves the list at the next reload")
      // The answer to the reload was made before the issue was closed.
      gate.open()
      let reloaded = try await run.state { $0.isSettled }
      #expect(!reloaded.issues.contains { $0.number == 29 })
      #expect(reloaded.issues.count == 29)
    }
  }

  @Test("an issue that is reopened in the reader enters the list of open issues")
  func reopened() async throws {
    let (world, _) = try Self.world()
    world.github.changeIssue(29, of: Self.repository) { $0.closedAt = $0.updatedAt + 60 }
    try await world.run("swiftlang/swift#29") { run, _ in
      let before = try await run.state { $0.isSettled && $0.reader?.issue.number == 29 }
      #expect(before.issues.prefix(2).map(\.number) == [30, 28])
      await run.press(.character("X"))
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.issues.prefix(3).map(\.number) == [30, 29, 28])
      #expect(sent.message == "Done: reopen #29")
    }
  }

  @Test("a search keeps its rows until the next reload, after issues were closed and created")
  func searched() async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.filter("macro -label:nowhere")
      await run.press(.enter)
      let found = try await run.eventualState {
        $0.isSettled && $0.sheet?.search != nil && !$0.issues.isEmpty
      }
      let number = try #require(found.selectedIssue?.number)
      await run.press(.character("x"), .enter)
      let closed = try await run.eventualState { Self.isDone($0) }
      #expect(closed.message?.hasSuffix("it leaves the list at the next reload") == true)
      #expect(closed.selectedIssue?.number == number)
      await run.press(.character("n"))
      let created = try await run.eventualState {
        Self.isDone($0) && $0.message?.hasPrefix("Done: create") == true
      }
      #expect(created.message?.hasSuffix("(#31, which isn't among these rows)") == true)
      #expect(created.issues.map(\.number) == found.issues.map(\.number))
    }
  }

  @Test("a transferred issue leaves the list, and the row with its new number isn't changed")
  func transferred() async throws {
    let (world, fixture) = try Self.world(
      others: SyntheticIssues(count: 28, pullRequests: 0, closed: 0))
    try await world.run("swiftlang/swift") { run, server in
      let before = try await run.state { $0.isSettled }
      let elsewhere = try #require(RepositoryName("swiftlang/elsewhere"))
      try await fixture.outbox.add([
        Intention(
          .transfer(.number(20), to: elsewhere), in: try #require(Self.name),
          on: try GitHubServer(apiURL: server.url))
      ])
      await run.press(.down, .character("O"))
      try await run.state { state in
        guard case .outbox(let page)? = state.acting.dialog else { return false }
        return page.entry != nil
      }
      await run.press(.character("r"))
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.acting.answers.last?.entry.answer?.number == 29)
      #expect(sent.issues == before.issues.filter { $0.number != 20 })
      #expect(sent.selectedIssue?.number == 29)
    }
  }

  @Test("a new issue appears in a list that comes from the mirror instead of the server")
  func mirrored() async throws {
    var (world, _) = try Self.world()
    world.mirror = try MirrorFixture()
    world.freshen = { _, _ in true }
    try await world.run("swiftlang/swift") { run, _ in
      let before = try await run.state { $0.isSettled }
      #expect(before.sheet?.mirror != nil)
      await run.press(.character("n"))
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.issues.prefix(2).map(\.number) == [31, 30])
      #expect(sent.selectedIssue?.number == 30)
    }
  }

  @Test("a change that another process sent appears in the list")
  func otherProcess() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("n"))
      let waiting = try await run.state { $0.acting.batches.first?.phase == .waiting }
      let ids = try #require(waiting.acting.batches.first?.entries)
      for try await _ in fixture.send(ids) {}
      let sent = try await run.eventualState { Self.isDone($0) }
      #expect(sent.issues.first?.number == 31)
      #expect(sent.message == "Done: create “It crashes” (#31)")
      #expect(world.github.receipts.count == 1)
    }
  }

  @Test("a list that is shown again after closing a filter has the new issue")
  func filterClosed() async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("n"))
      try await run.state { $0.issues.first?.number == -1 }
      await run.filter("is:closed ")
      try await run.eventualState { state in
        Self.isSent(state) && state.sheet?.filter.state == .closed && state.isSettled
      }
      await run.press(.escape)
      let back = try await run.state {
        $0.sheet?.filter.state == .open && $0.sheet?.pending.isEmpty == true
      }
      #expect(back.issues.prefix(3).map(\.number) == [31, 30, 29])
      #expect(back.selectedIssue?.number == 29)
    }
  }

  private static func isSent(_ state: BrowserState) -> Bool {
    state.acting.batches.isEmpty && !state.acting.answers.isEmpty
  }
}

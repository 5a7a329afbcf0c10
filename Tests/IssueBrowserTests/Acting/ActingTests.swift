import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Sending changes of issues", .timeLimit(.minutes(5)))
struct ActingTests {
  private static let recipe = SyntheticIssues(count: 30, pullRequests: 0, closed: 0)
  private static let repository = LoopbackRepository.swift(issues: recipe)

  private static func world() throws -> (BrowserWorld, OutboxFixture) {
    try BrowserWorld(issues: recipe).withOutbox()
  }

  private static func text(_ state: BrowserState) -> String { BrowserScreen.canvas(of: state).text }

  private static func server(_ world: BrowserWorld, _ number: Int) -> SyntheticIssue? {
    world.github.issues(of: repository).first { $0.number == number }
  }

  @Test("a closed issue is pending at once, is sent later, and then matches the server")
  func close() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("x"), .down, .enter)
      let waiting = try await run.state {
        $0.acting.batches.first?.phase == .waiting && $0.sheet?.pending.isEmpty == false
      }
      #expect(waiting.issues[1].state == .closed)
      #expect(Self.text(waiting).contains("[close as"))
      #expect(Self.text(waiting).contains("Waiting: close #29 as not planned (u undoes)"))
      #expect(try await fixture.states == [.queued])
      #expect(world.github.receipts.isEmpty)
      let sent = try await run.eventualState {
        $0.acting.batches.isEmpty && $0.sheet?.pending.isEmpty == true
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

  @Test("a change that is undone in time isn't sent, and its row is restored")
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

  @Test("an issue's page shows its unsent changes, and then the server's version")
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
          && state.reader?.issue.stateReason == .completed
          && state.reader?.lines.contains { $0.plain.hasPrefix("Not sent yet") } == false
      }
      #expect(BrowserScreen.canvas(of: sent).text.contains("Closed as completed"))
    }
  }

  @Test("a refused change is reported in two lines and stays in the outbox")
  func refused() async throws {
    let (world, fixture) = try BrowserWorld(issues: Self.recipe, permission: .read).withOutbox()
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

  @Test("a missing token is reported as soon as the question opens")
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

  @Test("a change is kept while the network is down, and sent when the network returns")
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
      let sent = try await run.eventualState { $0.acting.batches.isEmpty }
      #expect(Self.server(world, 30)?.isOpen == false)
      #expect(sent.acting.notice == nil)
      #expect(Self.text(sent).contains("Done: close #30 as completed"))
    }
  }

  @Test("a limit of changes is counted down, and then the change is sent")
  func limited() async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      world.github.intercept(
        where: { $0.method != "GET" },
        response: { _, now in
          GitHubError.secondaryRateLimit(status: 403, retryAfter: 90).response(now: now)
        })
      await run.press(.character("x"), .enter)
      try await run.eventualState { Self.text($0).contains("(u undoes), retrying in 1:") }
      world.github.stopIntercepting()
      let sent = try await run.eventualState { $0.acting.batches.isEmpty }
      #expect(Self.server(world, 30)?.isOpen == false)
      #expect(sent.acting.notice == nil)
    }
  }

  @Test("unsent changes of earlier runs are counted, also those of other repositories")
  func earlier() async throws {
    let (world, fixture) = try Self.world()
    try await world.run { run, server in
      let github = try GitHubServer(apiURL: server.url)
      let name = try #require(RepositoryName("some/other"))
      try await fixture.outbox.add([
        Intention(.comment(on: .number(1), body: "Hi"), in: name, on: github)
      ])
      _ = run
    }
    try await world.run("swiftlang/swift") { run, _ in
      let state = try await run.state { $0.isSettled && $0.acting.unsent.all > 0 }
      #expect(Self.text(state).contains("\n↑1 unsent · row 1 of 30"), "\(Self.text(state))")
    }
  }

  @Test("an offline change is kept and shown, and can be undone")
  func offline() async throws {
    var (world, fixture) = try Self.world()
    world.mirror = try MirrorFixture()
    world.isOffline = true
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("x"), .enter)
      let kept = try await run.state { $0.acting.batches.first?.phase == .kept }
      #expect(kept.issues[0].state == .closed)
      #expect(Self.text(kept).contains("Kept in the outbox: close #30 as completed (u undoes)"))
      run.clock.advance(by: .seconds(60))
      #expect(try await fixture.states == [.queued])
      await run.press(.character("u"))
      let undone = try await run.state { $0.message?.hasPrefix("Undone") == true }
      #expect(undone.issues[0].state == .open)
      #expect(world.github.receipts.isEmpty)
    }
  }

  @Test("labels and a milestone of the server are applied to several issues")
  func pickers() async throws {
    let (world, _) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character(" "), .character(" "), .character("L"))
      let offered = try await run.state { $0.acting.names.values.first?.labels?.isEmpty == false }
      let label = try #require(
        offered.acting.names.values.first?.labels?.first { label in
          !offered.issues.prefix(2).contains { $0.labels.contains { $0.name == label.name } }
        })
      await run.type(label.name.filter { $0 != " " })
      await run.press(.enter)
      let shown = try await run.state { $0.acting.dialog != nil }
      guard case .preview(let preview)? = shown.acting.dialog else {
        Issue.record("\(String(describing: shown.acting.dialog))")
        return
      }
      #expect(preview.task == "change 2 issues: +\(label.name)")
      await run.press(.enter)
      let pending = try await run.state { state in
        state.issues.prefix(2).allSatisfy { $0.labels.contains { $0.name == label.name } }
      }
      // In its color, though the change knows only the name.
      #expect(pending.issues[0].labels.last?.color == label.color)
      try await run.eventualState { $0.acting.batches.isEmpty && $0.sheet?.pending.isEmpty == true }
      for number in [30, 29] {
        #expect(Self.server(world, number)?.labels.contains { $0.name == label.name } == true)
      }
      await run.press(.character("m"))
      let milestones = try await run.state { $0.acting.names.values.first?.milestones != nil }
      let present = milestones.issues[2].milestone?.title
      let first = try #require(
        milestones.acting.names.values.first?.milestones?.first { $0.title != present })
      await run.type(first.title.filter { $0 != " " })
      await run.press(.enter)
      let set = try await run.state { $0.issues[2].milestone?.title == first.title }
      #expect(
        set.acting.batches.first?.task
          == "change #\(set.issues[2].number): milestone “\(first.title)”")
      let done = try await run.eventualState {
        $0.acting.batches.isEmpty && $0.sheet?.pending.isEmpty == true
      }
      #expect(done.issues[2].milestone?.number == first.number)
    }
  }

  @Test("a comment on several issues is announced, written once, and sent to each issue")
  func comment() async throws {
    let (world, fixture) = try Self.world()
    fixture.written.withLock { $0 = "Me too." }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character(" "), .character(" "), .character("c"))
      #expect(Self.text(run.state).contains("Write one comment for 2 issues?"))
      #expect(fixture.compositions.withLock { $0 }.isEmpty)
      await run.press(.enter)
      let waiting = try await run.state { $0.acting.batches.first?.phase == .waiting }
      #expect(waiting.chosen == nil)
      try await run.eventualState { $0.acting.batches.isEmpty && $0.sheet?.pending.isEmpty == true }
      for number in [30, 29] {
        let comments = world.github.comments(on: number, of: Self.repository)
        #expect(comments.filter(\.isWritten).map(\.body) == ["Me too."])
      }
    }
  }

  @Test("an unsent comment ends the page until the server's comment replaces it")
  func readComment() async throws {
    let (world, fixture) = try Self.world()
    fixture.written.withLock { $0 = "At last." }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.lines.isEmpty == false && $0.reader?.isLoading == false }
      await run.press(.character("c"))
      try await run.state { state in
        state.reader?.lines.contains { $0.plain.contains("not sent yet: comment") } == true
      }
      let sent = try await run.eventualState { state in
        state.acting.batches.isEmpty && state.reader?.comments.last?.body == "At last."
          && state.reader?.lines.contains { $0.plain.contains("not sent yet") } == false
      }
      #expect(sent.reader?.lines.contains { $0.plain == "At last." } == true)
    }
  }

  @Test("a new issue becomes the first row, and gets its number in place")
  func newIssue() async throws {
    let (world, fixture) = try Self.world()
    fixture.written.withLock { $0 = "It crashes" }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("n"))
      let waiting = try await run.state { $0.issues.first?.number == -1 }
      #expect(waiting.selectedIssue?.number == 29)
      await run.press(.home)
      let sent = try await run.eventualState { $0.issues.first?.number == 31 }
      #expect(sent.selectedIssue?.number == 31)
      #expect(sent.issues.count == 31)
      #expect(Self.server(world, 31)?.title == "It crashes")
    }
  }

  @Test("empty text changes nothing and is reported")
  func nothingWritten() async throws {
    let (world, fixture) = try Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("e"))
      let told = try await run.state { $0.message != nil }
      #expect(told.message == "Nothing was written, so nothing is sent.")
      #expect(
        fixture.compositions.withLock { $0 } == [
          .edit(number: 30, of: try RepositoryReference(parsing: "swiftlang/swift"))
        ])
      #expect(try await fixture.states == [])
    }
  }

  @Test("the outbox page shows both texts of a conflict, and the user's text can win")
  func conflict() async throws {
    let (world, fixture) = try Self.world()
    fixture.written.withLock { $0 = "My title" }
    fixture.base.withLock { $0 = "What I saw" }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("e"))
      let told = try await run.eventualState {
        $0.acting.notice != nil && $0.acting.batches.isEmpty
      }
      #expect(told.acting.notice?.lines.last == "Press O to see both texts and to choose.")
      #expect(try await fixture.states == [.conflict])
      await run.press(.character("O"))
      let shown = try await run.state { state in
        guard case .outbox(let page)? = state.acting.dialog else { return false }
        return page.entry?.conflict != nil
      }
      let text = Self.text(shown)
      let title = try #require(Self.server(world, 30)?.title)
      #expect(text.contains("Your title") && text.contains("The server's title"), "\(text)")
      #expect(text.contains("My title") && text.contains(title.prefix(20)), "\(text)")
      #expect(text.contains("m take mine"), "\(text)")
      await run.press(.character("m"))
      try await run.eventualState { state in
        guard case .outbox(let page)? = state.acting.dialog else { return false }
        return page.entries.isEmpty && state.acting.batches.isEmpty
      }
      #expect(Self.server(world, 30)?.title == "My title")
      await run.press(.escape)
      #expect(run.state.issues[0].title == "My title")
    }
  }

  @Test("a refused change can be dropped on the outbox page")
  func drop() async throws {
    let (world, fixture) = try BrowserWorld(issues: Self.recipe, permission: .read).withOutbox()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("x"), .enter)
      try await run.eventualState { $0.acting.notice != nil && $0.acting.batches.isEmpty }
      await run.press(.character("O"))
      let shown = try await run.state {
        Self.text($0).contains("refused") && $0.acting.dialog != nil
      }
      #expect(Self.text(shown).contains("The server refused it."))
      await run.press(.character("d"))
      try await run.state {
        Self.text($0).contains("Nothing is waiting") && $0.sheet?.pending.isEmpty == true
      }
      #expect(try await fixture.states == [])
    }
  }
}

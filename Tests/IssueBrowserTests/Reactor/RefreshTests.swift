import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Refreshing in the background", .timeLimit(.minutes(5)))
struct RefreshTests {
  private static let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
  private static let repository = LoopbackRepository.swift(issues: recipe)

  private static func world() -> BrowserWorld {
    var world = BrowserWorld(issues: recipe)
    world.hasToken = true
    world.refreshInterval = .seconds(180)
    world.size = ScreenSize(columns: 80, rows: 13)
    return world
  }

  private static func expectUnread(
    _ numbers: [Int], in state: BrowserState, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      state.sheet?.unread == Set(numbers.map { IssueKey(number: $0) }),
      sourceLocation: sourceLocation)
  }

  @Test("an idle screen wakes only for the refresh interval and to update ages")
  func idle() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      try await run.clock.sleepers(2)
      #expect(run.clock.untilNextDeadline == .seconds(60))
      let before = run.state
      run.clock.advance(by: .seconds(59))
      #expect(run.state == before)
      #expect(server.issueRequests.count == 1)
    }
  }

  @Test("new rows keep the selection at its place on the screen")
  func newRows() async throws {
    let world = Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.pageDown, .pageDown, .up, .up)
      let before = run.state
      let new = [1, 2].map { _ in world.github.addIssue(to: Self.repository) }
      world.github.changeIssue(
        before.issues[before.list.cursor.selection + 1].number, of: Self.repository
      ) {
        $0.title = "Another title"
        $0.updatedAt += 3_600
      }
      run.clock.advance(by: .seconds(180))
      let state = try await run.state { $0.issues.count == 62 }
      #expect(state.selectedIssue?.number == before.selectedIssue?.number)
      #expect(state.list.cursor.selection == before.list.cursor.selection + 2)
      #expect(state.list.cursor.top == before.list.cursor.top + 2)
      let changed = before.issues[before.list.cursor.selection + 1].number
      #expect(state.issues[state.list.cursor.selection + 1].title == "Another title")
      Self.expectUnread(new + [changed], in: state)
      #expect(BrowserScreen.canvas(of: state).text.contains("3 updated"))

      await run.press(.down, .enter)
      Self.expectUnread(new, in: run.state)
    }
  }

  @Test("a closed issue leaves the list, and a selected one leaves it when deselected")
  func leaving() async throws {
    let world = Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .down)
      #expect(run.state.selectedIssue?.number == 58)
      for number in [58, 57, 60] {
        world.github.changeIssue(number, of: Self.repository) {
          $0.closedAt = $0.updatedAt + 3_600
          $0.updatedAt += 3_600
        }
      }
      run.clock.advance(by: .seconds(180))
      var state = try await run.state { $0.issues.count == 58 }
      #expect(state.issues.prefix(3).map(\.number) == [59, 58, 56])
      #expect(state.selectedIssue?.number == 58)
      await run.press(.down)
      world.github.addIssue(to: Self.repository)
      try await run.clock.sleepers(2)
      run.clock.advance(by: .seconds(180))
      state = try await run.state { $0.issues.first?.number == 61 }
      #expect(state.issues.prefix(3).map(\.number) == [61, 59, 56])
      #expect(state.selectedIssue?.number == 56)
    }
  }

  @Test("an unchanged list costs a 304 response and changes nothing")
  func unchanged() async throws {
    var world = Self.world()
    world.isCaching = true
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      let before = run.state.list.content
      run.clock.advance(by: .seconds(180))
      try await server.log.waitForRequest {
        $0.path.hasSuffix("/issues") && $0.headers["If-None-Match"] != nil
      }
      _ = try await server.settledRequests
      #expect(run.state.list.content == before)
      #expect(server.issueRequests.count == 2)
    }
  }

  @Test(
    "nothing is refreshed while the user types, filters, searches or chooses an action",
    arguments: [
      [.character("/")], [.character("f")], [.enter, .character("/")], [.control("p")],
      [.character("?")],
    ] as [[InputEvent.Key]])
  func busy(keys: [InputEvent.Key]) async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      for key in keys { await run.press(key) }
      try await run.state { !$0.isBusy }
      run.clock.advance(by: .seconds(180))
      try await run.clock.sleepers(2)
      _ = try await server.settledRequests
      #expect(server.issueRequests.count == 1)
    }
  }

  @Test("nothing is refreshed without a token or with an interval of zero")
  func never() async throws {
    var anonymous = Self.world()
    anonymous.hasToken = false
    try await anonymous.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      run.clock.advance(by: .seconds(180))
      try await run.clock.sleepers(2)
      _ = try await server.settledRequests
      #expect(server.issueRequests.count == 1)
    }
    var disabled = Self.world()
    disabled.refreshInterval = .zero
    try await disabled.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      try await run.clock.sleepers(1)
    }
  }

  @Test("a failed refresh is silent, and the next interval tries again")
  func failure() async throws {
    let world = Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      let before = run.state.list.content
      world.github.intercept(
        times: 1, where: { $0.path.hasSuffix("/issues") },
        response: { _, now in GitHubError.serverError.response(now: now) })
      run.clock.advance(by: .seconds(180))
      try await run.clock.sleepers(2)
      #expect(run.state.list.content == before)
      #expect(run.state.message == nil && run.state.problem == nil)
      world.github.addIssue(to: Self.repository)
      run.clock.advance(by: .seconds(180))
      try await run.state { $0.issues.count == 61 }
    }
  }

  @Test("a refreshed first page changes a longer list only where necessary")
  func pages() throws {
    var sheet = IssueSheet(reference: try RepositoryReference(parsing: "a/b"))
    func issue(_ number: Int, updated: Double = 0) -> GitHub.Issue {
      GitHub.Issue(
        id: Int64(number), number: number, title: "\(number)",
        createdAt: SampleStates.now.addingTimeInterval(Double(number)),
        updatedAt: SampleStates.now.addingTimeInterval(updated))
    }
    sheet.append((1...9).reversed().map { issue($0) })
    // The first page had 9 to 6. Since then 10 is new, 8 has changed and 7 was closed.
    let page = [issue(10), issue(9), issue(8, updated: 5), issue(6)]
    let isChanged = sheet.refresh(page, isLast: false, keeping: 3)
    #expect(isChanged)
    #expect(sheet.unread == [IssueKey(number: 10), IssueKey(number: 8)])
    #expect(sheet.issues.map(\.number) == [10, 9, 8, 6, 5, 4, 3, 2, 1])
    let isChangedAgain = sheet.refresh(page, isLast: false, keeping: 3)
    #expect(!isChangedAgain)
    // A page without a next one has all there is.
    let isShortened = sheet.refresh(page, isLast: true, keeping: 3)
    #expect(isShortened)
    #expect(sheet.issues.map(\.number) == [10, 9, 8, 6, 3])
  }
}

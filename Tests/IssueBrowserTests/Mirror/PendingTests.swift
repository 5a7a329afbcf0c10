import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Unsent changes on the screen", .timeLimit(.minutes(5)))
struct PendingTests {
  private static let recipe = SyntheticIssues(count: 30, pullRequests: 0, closed: 0)

  /// #30 closed and commented on, #29 in conflict, and a new issue with a comment.
  private static func changes(
    in repository: RepositoryName, on host: String
  ) throws -> PendingChanges {
    let server = try GitHubServer(apiURL: "http://\(host)")
    let changes: [(Change, OutboxState)] = [
      (.close(.number(30), .notPlanned), .queued),
      (.comment(on: .number(30), body: "Not for now."), .queued),
      (.edit(.number(29), IssueChange(title: TextChange("Mine"))), .conflict),
      (.createIssue(NewIssue(title: "Brand new", body: "It is new.")), .queued),
      (.comment(on: .pending(4), body: "And more."), .queued),
    ]
    let entries = changes.enumerated().map { index, change in
      OutboxEntry(
        id: Int64(index + 1), server: server, repository: repository, change: change.0,
        account: nil, state: change.1, reason: nil, created: BrowserWorld.start,
        changed: BrowserWorld.start, attempts: 0, dependencies: [], answer: nil, conflict: nil,
        dropped: nil)
    }
    return PendingChanges(entries, of: repository, on: server.host)
  }

  private static func world() -> BrowserWorld {
    var world = BrowserWorld(issues: recipe)
    world.pending = { try? changes(in: $0, on: $1) }
    return world
  }

  private static func lines(_ state: BrowserState) -> [String] {
    let canvas = BrowserScreen.canvas(of: state)
    return (0..<canvas.size.rows).map { canvas[row: $0].map(\.text).joined() }
  }

  @Test("a pending change is whole where there is room beside the title or in empty cells")
  func whole() throws {
    var state = try SampleStates.issues(80, 12)
    var sheet = try SampleStates.sheet()
    sheet.issues[0].number = 30
    sheet.issues[0].title = "Short"
    sheet.issues[1].number = 29
    sheet.issues[1].title = "A title that is as long as its column"
    for index in 0...1 {
      sheet.issues[index].labels = []
      sheet.issues[index].commentsCount = 0
    }
    sheet.pending[nil] = try Self.changes(
      in: try #require(RepositoryName("a/b")), on: "localhost")
    state.list.content = .issues(sheet)
    let rows = Self.lines(state)
    #expect(rows[2].contains("Short [close as not planned, comment]"))
    #expect(rows[3].contains("\(sheet.issues[1].title) [title (conflict)]"))
  }

  @Test(
    "the list begins with uncreated issues, and marks pending changes",
    arguments: [false, true])
  func list(isOffline: Bool) async throws {
    var world = Self.world()
    if isOffline {
      world.mirror = try MirrorFixture()
      world.isOffline = true
    }
    try await world.run("swiftlang/swift") { run, _ in
      let state = try await run.state { $0.isSettled }
      #expect(state.issues.count == 31)
      #expect(state.issues.map(\.number).prefix(3) == [-4, 30, 29])
      #expect(state.issues[1].state == .closed)
      let lines = Self.lines(state)
      #expect(lines.contains { $0.contains("new-4") && $0.contains("Brand new [new,") })
      #expect(lines.contains { $0.contains("#30") && $0.contains("[close") })
      #expect(lines.contains { $0.contains("#29") && $0.contains("Mine [title") })
    }
  }

  @Test("the reader lists unsent changes, and ends with unsent comments")
  func reader() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .enter)
      let state = try await run.state {
        $0.reader?.issue.number == 30 && $0.reader?.isLoading == false
          && $0.reader?.lines.isEmpty == false
      }
      let page = (state.reader?.lines ?? []).map(\.plain)
      #expect(page.contains("Not sent yet: close as not planned, comment"), "\(page)")
      #expect(
        page.suffix(3) == [
          "you · less than a minute ago · not sent yet: comment", "", "Not for now.",
        ])
      await run.press(.character("k"))
      await run.press(.escape, .home, .enter)
      let new = try await run.state {
        $0.reader?.issue.number == -4 && $0.reader?.lines.isEmpty == false
      }
      #expect(new.reader?.isLoading == false)
      let text = (new.reader?.lines ?? []).map(\.plain)
      #expect(text.first == "Brand new")
      #expect(text.contains("It is new."))
      #expect(text.last == "And more.")
    }
  }

  @Test("o on an uncreated issue opens the repository's page")
  func open() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("o"))
      let state = try await run.state { $0.message != nil }
      #expect(state.message == "Opened \(server.url)/swiftlang/swift")
    }
  }
}

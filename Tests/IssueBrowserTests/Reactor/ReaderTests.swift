import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Reading an issue", .timeLimit(.minutes(5)))
struct ReaderTests {
  /// 60 open issues. The newest, selected at first, has 250 comments, and the next none.
  private static func world(columns: Int = 80) -> BrowserWorld {
    let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
    var world = BrowserWorld(issues: recipe)
    world.size = ScreenSize(columns: columns, rows: 24)
    let repository = LoopbackRepository.swift(issues: recipe)
    world.github.changeIssue(60, of: repository) { $0.comments = 250 }
    world.github.changeIssue(59, of: repository) { $0.comments = 0 }
    return world
  }

  private static func commentRequests(_ server: LoopbackServer) -> [String] {
    server.requests.filter { $0.hasSuffix("/comments") }
  }

  @Test("the issue appears at once, and its comments page by page")
  func comments() async throws {
    let gate = Gate()
    try await Self.world().run(
      "apple/swift", holding: BrowserWorld.holding(gate) { $0.path.hasSuffix("/comments") }
    ) { run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      #expect(run.state.pane == .reader)
      #expect(run.state.reader?.issue.number == 60)
      #expect(run.state.reader?.isLoading == true)
      let first = try await run.state { $0.reader?.lines.isEmpty == false }
      #expect(first.reader?.comments.isEmpty == true)
      gate.open()
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.comments.count == 250)
      #expect(state.reader?.standing == .online)
      #expect((state.reader?.lines.count ?? 0) > (first.reader?.lines.count ?? 0) + 250)
      let requests = Self.commentRequests(server)
      #expect(requests.count == 3)
      await run.press(.end)
      #expect(run.state.reader.map { $0.top + 21 == $0.lines.count } == true)
    }
  }

  @Test("an issue without comments doesn't send a request")
  func noComments() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .enter)
      #expect(run.state.reader?.isLoading == false)
      try await run.state { $0.reader?.lines.isEmpty == false }
      #expect(try await server.settledRequests.allSatisfy { !$0.hasSuffix("/comments") })
    }
  }

  @Test("the number and the state are shown once", arguments: [80, 120])
  func once(columns: Int) async throws {
    try await Self.world(columns: columns).run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.down, .enter)
      let state = try await run.state { $0.reader?.lines.isEmpty == false }
      let area = try #require(state.layout.reader)
      let canvas = BrowserScreen.canvas(of: state)
      let shown = (1..<23).map { canvas[row: $0].dropFirst(area.column).map(\.text).joined() }
        .joined(separator: "\n")
      #expect(
        shown.split(separator: "#59", omittingEmptySubsequences: false).count == 2, "\(shown)")
      #expect(shown.split(separator: "Open", omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test("strikethrough text keeps its tildes, since ncurses can't strike it through")
  func struckText() async throws {
    let world = Self.world()
    world.github.changeIssue(60, of: .swift(issues: SyntheticIssues(count: 60))) {
      $0.body = "It ~~works~~ crashes."
    }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.lines.isEmpty == false }
      #expect(state.reader?.lines.contains { $0.plain == "It ~~works~~ crashes." } == true)
    }
  }

  @Test("a change of width lays out the page again")
  func resize() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.isLoading == false }
      for (columns, rows) in [(40, 10), (200, 60), (30, 24)] {
        await run.input(.resized(ScreenSize(columns: columns, rows: rows)))
        let width = try #require(run.state.layout.reader?.width)
        let state = try await run.state { state in
          guard let lines = state.reader?.lines, !lines.isEmpty else { return false }
          let longest = lines.map(\.columns).max() ?? 0
          return longest <= width && longest > min(width, 100) * 2 / 3
        }
        #expect(state.reader?.comments.count == 250)
        #expect(state.layout.isWide == (columns == 200))
      }
    }
  }

  @Test("closing the issue cancels the loading of its comments")
  func closed() async throws {
    let closed = Gate()
    try await Self.world().run(
      "apple/swift", holding: BrowserWorld.holding(closed) { $0.path.hasSuffix("/comments") }
    ) { run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await server.log.waitForRequest { $0.path.hasSuffix("/comments") }
      await run.press(.escape)
      #expect(run.state.reader == nil)
      try await server.log.waitForCancellation { $0.path.hasSuffix("/comments") }
      #expect(run.state.pane == .list)
      #expect(!run.state.isBusy)
    }
  }

  @Test("J and K open the next and the previous issue")
  func nextAndBefore() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter, .character("K"))
      #expect(run.state.reader?.issue.number == 60)
      for (key, number) in [("J", 59), ("J", 58), ("K", 59), ("K", 60)] as [(Character, Int)] {
        await run.press(.character(key))
        #expect(run.state.reader?.issue.number == number)
        #expect(run.state.selectedIssue?.number == number)
      }
      let state = try await run.eventualState { $0.reader?.isLoading == false }
      #expect(state.reader?.comments.count == 250)
    }
  }

  @Test("beside the list, the reader follows the selection and loads comments when it rests")
  func follows() async throws {
    try await Self.world(columns: 160).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.isLoading == false }
      #expect(run.state.layout.isWide)
      await run.press(.backTab)
      #expect(run.state.pane == .list)
      for number in [59, 58, 57, 56] {
        await run.press(.character("j"))
        #expect(run.state.reader?.issue.number == number)
      }
      #expect(try await server.settledRequests.count { $0.hasSuffix("/comments") } == 3)
      let state = try await run.eventualState {
        $0.reader?.isLoading == false && $0.reader?.lines.isEmpty == false
      }
      #expect(state.reader?.comments.count == state.reader?.issue.commentsCount)
      let numbers = Set(
        Self.commentRequests(server).map { $0.split(separator: "/").dropLast().last })
      #expect(numbers == ["60", "56"])
    }
  }

  @Test("comments that failed to load are reported, and r sends the request again")
  func failure() async throws {
    let world = Self.world()
    world.github.intercept(
      times: 1, where: { $0.path.hasSuffix("/comments") },
      response: { _, now in GitHubError.serverError.response(now: now) })
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      guard case .failed? = state.reader?.standing else { return #expect(Bool(false)) }
      #expect(state.sheet?.standing == .online)
      await run.press(.character("r"))
      #expect(run.state.reader?.isLoading == true)
      let again = try await run.state { $0.reader?.isLoading == false }
      #expect(again.reader?.standing == .online)
      #expect(again.reader?.comments.count == 250)
      #expect(server.issueRequests.count == 1)
    }
  }

  @Test("a limit is counted down in the reader, and then the comments load by themselves")
  func limited() async throws {
    let world = Self.world()
    world.github.intercept(
      times: 1, where: { $0.path.hasSuffix("/comments") },
      response: { _, now in
        GitHubError.secondaryRateLimit(status: 403, retryAfter: 90).response(now: now)
      })
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      let end = BrowserWorld.start.addingTimeInterval(90)
      #expect(state.reader?.standing == .limited(until: end))
      #expect(Self.status(state).hasPrefix("limited, retrying in 1:30 · "))
      let counted = try await run.eventualState { $0.now > BrowserWorld.start }
      #expect(Self.status(counted).hasPrefix("limited, retrying in 1:"))
      let loaded = try await run.eventualState {
        $0.reader?.comments.count == 250 && $0.reader?.isLoading == false
      }
      #expect(loaded.reader?.standing == .online)
    }
  }

  @Test("comments that are missing without a network load when the server is reachable again")
  func away() async throws {
    let world = Self.world()
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      world.github.intercept(
        where: {
          $0.path.hasSuffix("/comments") && $0.query.contains { $0.name == "page" }
        },
        response: { _, _ in BrowserWorld.lost })
      await run.press(.enter)
      let missing = try await run.state { $0.reader?.standing == .offline }
      #expect(missing.reader?.comments.count == 100)
      #expect(Self.status(missing).hasPrefix("offline: can't reach github.com"))
      #expect(!missing.isBusy)
      world.github.stopIntercepting()
      world.reachability.set(true)
      let loaded = try await run.eventualState { $0.reader?.comments.count == 250 }
      #expect(Set(loaded.reader?.comments.map(\.id) ?? []).count == 250)
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(Self.status(state).hasPrefix("250 comments"))
    }
  }

  private static func status(_ state: BrowserState) -> String {
    String(BrowserScreen.canvas(of: state).text.split(separator: "\n").last ?? "")
  }

  @Test("o opens a locally built address, whatever address the server sends")
  func open() async throws {
    let world = Self.world()
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.down, .character("o"))
      try await run.state { $0.message != nil }
      await run.press(.up, .enter, .character("o"))
      try await run.state { $0.message != nil }
      #expect(
        run.opened.current == [59, 60].map { "\(server.url)/swiftlang/swift/issues/\($0)" })
    }
    try await BrowserWorld().run("swift") { run, server in
      let state = try await run.state { !$0.repositories.isEmpty }
      await run.press(.character("o"))
      try await run.state { $0.message != nil }
      #expect(run.opened.current == ["\(server.url)/\(state.repositories[0].fullName)"])
    }
  }
}

import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Paging through a list", .timeLimit(.minutes(5)))
struct PagingTests {
  private static let many = SyntheticIssues(count: 500, pullRequests: 0, closed: 0)

  @Test("each page of a list of 500 issues is requested once", arguments: [true, false])
  func toTheEnd(isByPage: Bool) async throws {
    try await BrowserWorld(issues: Self.many).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      while run.state.sheet?.hasMore == true {
        let before = run.state
        await run.press(isByPage ? .pageDown : .end)
        if run.state.list.cursor.selection == before.list.cursor.selection {
          try await run.state { !$0.list.isLoading }
        }
      }
      try await run.state { !$0.list.isLoading }
      #expect(run.state.issues.map(\.number) == Array((1...500).reversed()))
      let targets = server.issueRequests.map(\.target)
      #expect(targets.count == 5)
      #expect(Set(targets).count == 5)
      await run.press(.end, .down, .pageDown)
      #expect(run.state.list.cursor.selection == 499)
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 5)
    }
  }

  /// Runs the browser with its first page loaded. The gate holds the others.
  private func withHeldPages(
    _ body: (BrowserRun, LoopbackServer, Gate) async throws -> Void
  ) async throws {
    let gate = Gate()
    try await BrowserWorld(issues: Self.many).run(
      "swiftlang/swift", holding: BrowserWorld.holding(gate) { $0.queryValue("after") != nil }
    ) { run, server in
      try await run.state { $0.isSettled }
      try await body(run, server, gate)
    }
  }

  @Test("one key loads the list to its end, and the screen shows the progress")
  func end() async throws {
    try await withHeldPages { run, server, gate in
      await run.press(.character("G"))
      #expect(run.state.list.cursor.selection == 99)
      let text = BrowserScreen.canvas(of: run.state).text
      #expect(text.contains("row 100 of 100+, going to the end") && text.contains("Esc stop"))
      gate.open()
      let state = try await run.state { $0.sheet?.hasMore == false && !$0.list.isLoading }
      #expect((state.list.cursor.selection, state.issues.count) == (499, 500))
      #expect(!state.list.goesToEnd)
      #expect(server.issueRequests.count == 5)
    }
  }

  @Test("Esc during a jump to the end cancels the request and keeps the rows, and other keys don't")
  func stopped() async throws {
    try await withHeldPages { run, server, gate in
      await run.press(.character("G"))
      try await server.log.waitForRequest { $0.queryValue("after") != nil }
      await run.press(.escape)
      try await server.log.waitForCancellation { $0.queryValue("after") != nil }
      #expect(!run.state.list.isLoading && !run.state.list.goesToEnd)
      #expect(run.state.pane == .list)
      #expect((run.state.list.cursor.selection, run.state.issues.count) == (99, 100))
      gate.open()
      await run.press(.character("G"), .character("g"))
      let state = try await run.state { !$0.list.isLoading }
      #expect((state.list.cursor.selection, state.issues.count) == (0, 200))
    }
  }

  @Test("a key pressed when a page arrives requests the next page once")
  func atOnce() async throws {
    let more = SyntheticIssues(count: 3_000, pullRequests: 0, closed: 0)
    try await BrowserWorld(issues: more).run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      while run.state.sheet?.hasMore == true {
        await run.press(.end)
        try await run.state { !$0.list.isLoading }
      }
      #expect(run.state.sheet?.standing == .online)
      #expect(run.state.issues.count == 3_000)
      #expect(server.issueRequests.count == 30)
    }
  }

  @Test("keys send no requests while a page is loading")
  func whileLoading() async throws {
    try await withHeldPages { run, server, gate in
      #expect(server.issueRequests.count == 1)
      await run.press(.end, .up, .down, .end, .pageUp, .end)
      await run.input(.mouse(.wheelDown, column: 3, row: 5))
      try await server.log.waitForRequest { $0.queryValue("after") != nil }
      #expect(run.state.list.isLoading)
      gate.open()
      try await run.state { !$0.list.isLoading }
      #expect(run.state.issues.count == 200)
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 2)
    }
  }

  @Test("a window higher than a page loads enough pages to fill it")
  func highWindow() async throws {
    var world = BrowserWorld(issues: Self.many)
    world.size = ScreenSize(columns: 80, rows: 140)
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      #expect(run.state.issues.count == 300)
      #expect(server.issueRequests.count == 3)
    }
  }

  @Test("repository search results are loaded page by page")
  func search() async throws {
    var world = BrowserWorld()
    // 21 rows below the titles of the columns.
    world.size = ScreenSize(columns: 80, rows: 25)
    try await world.run("swift") { run, server in
      try await run.state { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.pageDown, .pageDown, .pageDown, .pageDown)
      try await run.state { $0.repositories.count == 200 && !$0.list.isLoading }
      #expect(run.state.list.cursor.selection == 80)
      #expect(server.requests.count == 2)
    }
  }

  @Test("pages that contain only pull requests are skipped")
  func pullRequests() async throws {
    let few = SyntheticIssues(count: 400, pullRequests: 0.99, closed: 0)
    try await BrowserWorld(issues: few).run("swiftlang/swift") { run, server in
      let state = try await run.state { $0.isSettled }
      #expect(state.issues.map(\.number) == LoopbackNumbers.open(few))
      #expect(state.sheet?.hasMore == false)
      #expect(server.issueRequests.count == 4)
    }
  }

  @Test("an unreadable entry doesn't hide other entries, and the screen counts it")
  func unreadable() async throws {
    let world = BrowserWorld()
    let unreadable =
      #"{"id":2,"number":2,"title":"b","state":"open","labels":[{"color":"ffffff"}]}"#
    let pages = [
      #"[{"id":3,"number":3,"title":"c","state":"open"},\#(unreadable)]"#,
      #"[\#(unreadable),{"id":1,"number":1,"title":"a","state":"open"}]"#,
    ]
    world.github.intercept(
      where: { $0.path.hasSuffix("/issues") },
      response: { request, _ in
        let next = "<\(request.origin)/repos/a/b/issues?after=2>; rel=\"next\""
        return request.queryValue("after") == nil
          ? .json(pages[0], headers: ["Link": next]) : .json(pages[1])
      })
    try await world.run("swiftlang/swift") { run, _ in
      let state = try await run.state { $0.isSettled && $0.sheet?.hasMore == false }
      #expect(state.issues.map(\.number) == [3, 1])
      #expect(state.sheet?.standing == .online)
      let text = BrowserScreen.canvas(of: state).text
      #expect(text.contains("2 couldn't be read"))
      #expect(text.contains("row 1 of 2"))
    }
  }

  @Test("a cycle of pages ends with a message")
  func circle() async throws {
    let world = BrowserWorld()
    world.github.intercept(
      where: { $0.path.hasSuffix("/issues") },
      response: { request, _ in
        .json("[]", headers: ["Link": "<\(request.origin)/repos/a/b/issues?page=2>; rel=\"next\""])
      })
    try await world.run("swiftlang/swift") { run, server in
      let state = try await run.state { $0.isSettled }
      #expect(state.sheet?.standing == .failed("The pages of the list form a loop."))
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 2)
    }
  }

  @Test("endless pages without new issues end with a message")
  func stale() async throws {
    var world = BrowserWorld()
    world.size = ScreenSize(columns: 80, rows: 140)
    world.github.intercept(
      where: { $0.path.hasSuffix("/issues") },
      response: { request, _ in
        let page = (request.queryValue("page").flatMap(Int.init) ?? 1) + 1
        let next = "<\(request.origin)/repos/a/b/issues?page=\(page)>; rel=\"next\""
        let issue = "{\"id\": 1, \"number\": 1, \"title\": \"a\", \"state\": \"open\"}"
        return .json("[\(issue)]", headers: ["Link": next])
      })
    try await world.run("swiftlang/swift") { run, server in
      let state = try await run.state { $0.isSettled && $0.sheet?.standing != .online }
      #expect(
        state.sheet?.standing
          == .failed("The list continues, but its last 20 pages had nothing new."))
      #expect(state.issues.map(\.number) == [1])
      #expect(try await server.settledRequests.count { $0.hasSuffix("/issues") } == 21)
    }
  }
}

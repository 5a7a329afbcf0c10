import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The preview", .timeLimit(.minutes(5)))
struct PreviewTests {
  private static let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)

  /// 60 open issues, the newest of them with comments.
  private static func world(columns: Int = 80, rows: Int = 30) -> BrowserWorld {
    var world = BrowserWorld(issues: recipe)
    world.size = ScreenSize(columns: columns, rows: rows)
    world.hasToken = true
    for (number, count) in [(60, 2), (59, 3), (58, 0), (57, 4), (56, 250), (55, 1)] {
      world.github.changeIssue(number, of: .swift(issues: recipe)) { $0.comments = count }
    }
    return world
  }

  private static func commentRequests(_ requests: [String]) -> [Int] {
    requests.filter { $0.hasSuffix("/comments") }
      .compactMap { $0.split(separator: "/").dropLast().last.flatMap { Int($0) } }
  }

  @Test("the preview is below the list in a high window, and beside it in a wide one")
  func layout() throws {
    var high = try SampleStates.issues(80, 30)
    high.handle(.input(.key(.character("p"))))
    let (list, reader) = (high.layout.list, try #require(high.layout.reader))
    #expect(high.pane == .list)
    #expect(list.row + list.height == high.layout.readerHeadingRow)
    #expect(reader.row == high.layout.readerHeadingRow + 1 && reader.width == 80)
    #expect(reader.row + reader.height == high.layout.statusRow)
    var wide = try SampleStates.issues(160, 24)
    wide.handle(.input(.key(.character("p"))))
    #expect(wide.layout.isWide && wide.pane == .list)
    var small = try SampleStates.issues(80, 15)
    small.handle(.input(.key(.character("p"))))
    #expect(small.reader == nil)
    #expect(small.message == "The window is too small for a preview")
  }

  @Test("the screen shows the preview")
  func picture() throws {
    var state = try SampleStates.issues(80, 24)
    state.handle(.input(.key(.character("p"))))
    state.reader?.isLoading = false
    try ScreenSnapshot.expect(BrowserScreen.canvas(of: state), named: "preview-80x24")
  }

  @Test(
    "clearing the search text closes the preview and the list, and keeps focus in the search bar")
  func emptied() throws {
    var state = try SampleStates.issues(80, 30)
    for key in ["p", "/"] { state.handle(.input(.key(.character(Character(key))))) }
    state.handle(.input(.key(.control("u"))))
    #expect(state.search.text.isEmpty && state.reader == nil)
    #expect(state.pane == .search)
  }

  @Test(
    "the preview follows the selection, Enter opens it in the whole window, and q goes back"
  )
  func following() throws {
    var state = try SampleStates.issues(80, 30)
    func press(_ keys: InputEvent.Key...) {
      for key in keys { state.handle(.input(.key(key))) }
    }
    press(.character("p"))
    for index in [3, 4, 5] {
      press(.down)
      #expect(state.reader?.issue == SampleStates.issue(index))
    }
    press(.enter)
    #expect(state.pane == .reader && state.layout.list.height == 0)
    press(.character("q"))
    #expect(state.pane == .list && state.reader?.issue == SampleStates.issue(5))
    press(.tab, .tab, .tab)
    #expect(state.pane == .list)
    press(.character("p"))
    #expect(state.reader == nil && state.pane == .list)
    press(.down, .character("p"), .character("q"))
    #expect(state.isFinished)
  }

  @Test("the preview disappears in a window that is too small, and returns when the window grows")
  func resizing() throws {
    var state = try SampleStates.issues(80, 30)
    state.handle(.input(.key(.character("p"))))
    state.handle(.input(.resized(ScreenSize(columns: 80, rows: 12))))
    #expect(state.reader == nil && state.pane == .list)
    #expect(state.layout.list.height == 9)
    state.handle(.input(.resized(ScreenSize(columns: 80, rows: 30))))
    #expect(state.reader?.issue == state.selectedIssue)
  }

  @Test(
    "the preview loads comments when the selection rests, and then preloads its neighbors")
  func ahead() async throws {
    try await Self.world().run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("p"))
      try await run.state { $0.reader?.isLoading == false }
      // 58 has no comments, and there is none before 60.
      try await server.log.waitForRequest { $0.path.hasSuffix("/59/comments") }
      try await run.state { state in
        state.sheet.map { state.preview.comments(on: state.issues[1], in: $0.scope) } != nil
      }
      #expect(Self.commentRequests(try await server.settledRequests) == [60, 59])
      await run.press(.down)
      #expect(run.state.reader?.issue.number == 59)
      #expect(run.state.reader?.comments.count == 3)
      #expect(run.state.reader?.isLoading == false)
      // Passed on the way, so that nothing is loaded for them.
      await run.press(.down, .down)
      #expect(run.state.reader?.issue.number == 57)
      try await run.eventualState { $0.reader?.isLoading == false }
      try await server.log.waitForRequest { $0.path.hasSuffix("/55/comments") }
      // 56 has more than a page.
      #expect(Self.commentRequests(try await server.settledRequests) == [60, 59, 57, 55])
    }
  }

  @Test("nothing is preloaded without a token")
  func anonymous() async throws {
    var world = Self.world()
    world.hasToken = false
    try await world.run("swiftlang/swift") { run, server in
      try await run.state { $0.isSettled }
      await run.press(.character("p"))
      try await run.state { $0.reader?.isLoading == false }
      #expect(Self.commentRequests(try await server.settledRequests) == [60])
    }
  }

  @Test("a typed number opens its issue while the preview shows another issue")
  func number() async throws {
    try await Self.world().run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("p"))
      await run.input(.paste("#7"))
      try await run.state { $0.pane == .reader && $0.reader?.issue.number == 7 }
    }
  }

  @Test("the history keeps the list and the opened issue, and omits previewed issues")
  func history() throws {
    var state = try SampleStates.issues(80, 30)
    state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
    func press(_ keys: InputEvent.Key...) {
      for key in keys { state.handle(.input(.key(key))) }
    }
    press(.character("p"), .down, .down, .enter)
    #expect(state.history.back.map(\.identity.issue) == [nil])
    press(.character("["))
    #expect(state.pane == .list)
    press(.character("]"))
    #expect(state.pane == .reader && state.reader?.issue == SampleStates.issue(4))
  }
}

import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The back and forward history", .timeLimit(.minutes(5)))
struct BrowsingHistoryTests {
  private static func world() -> BrowserWorld { BrowserWorld(others: SyntheticIssues(count: 5)) }

  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  @Test(
    "the history restores searches, repositories and issues, with their positions"
  )
  func worlds() async throws {
    try await Self.world().run("swift") { run, server in
      try await run.state { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.pageDown, .pageDown, .up)
      let results = run.state
      await run.press(.enter)
      try await run.state { $0.isSettled }
      await run.press(.down, .down)
      let list = run.state
      await run.press(.enter)
      try await run.state { $0.reader?.isLoading == false && $0.reader?.lines.isEmpty == false }
      await run.press(.down, .down)
      let reading = run.state
      await run.input(.paste("apple/swift#7"))
      try await run.state { $0.reader?.issue.number == 7 && !$0.isBusy }
      #expect(run.state.sheet?.repository?.fullName == "swiftlang/swift")
      let requests = try await server.settledRequests.count

      await run.press(.character("["))
      #expect(run.state.reader == reading.reader)
      #expect(run.state.list.content == reading.list.content)
      #expect(run.state.search == reading.search)
      #expect(run.state.pane == .reader)
      await run.press(.character("["))
      #expect(run.state.reader == nil)
      #expect(run.state.list.content == list.list.content)
      #expect(run.state.list.cursor.selection == list.list.cursor.selection)
      await run.press(.character("["))
      #expect(run.state.list.content == results.list.content)
      #expect(
        (run.state.list.cursor.selection, run.state.list.cursor.top) == (
          results.list.cursor.selection, results.list.cursor.top
        ))
      #expect(run.state.search.text == "swift")
      await run.press(.character("["))
      #expect(run.state.message == "There is nothing to go back to")
      #expect(run.state.list.content == results.list.content)

      await run.press(.character("]"), .character("]"))
      #expect(run.state.reader?.issue == reading.reader?.issue)
      #expect(run.state.reader?.top == reading.reader?.top)
      await run.press(.character("]"))
      #expect(run.state.reader?.issue.number == 7)
      await run.press(.character("]"))
      #expect(run.state.message == "There is nothing to go forward to")
      try await run.state { !$0.isBusy }
      #expect(try await server.settledRequests.count == requests)
    }
  }

  @Test("closing an issue goes back, and opening another one clears the forward history")
  func closing() throws {
    var state = try SampleStates.issues()
    state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
    Self.press(.enter, .character("q"), in: &state)
    #expect(state.history.back.isEmpty)
    #expect(state.history.forward.count == 1)
    Self.press(.character("]"), in: &state)
    #expect(state.reader?.issue.number == SampleStates.issue(2).number)
    Self.press(.character("h"), .down, .enter, in: &state)
    #expect(state.history.forward.isEmpty)
    Self.press(.character("["), in: &state)
    #expect(state.reader == nil)
    #expect(state.list.cursor.selection == 3)
  }

  @Test("the next issue, another row and another order add nothing to the history")
  func moving() throws {
    var state = try SampleStates.issues(160)
    state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
    Self.press(.enter, .character("J"), .character("J"), .backTab, .down, in: &state)
    #expect(state.history.back.map(\.identity.issue) == [nil])
    Self.press(.character("s"), .down, .enter, in: &state)
    #expect(state.list.query.filterText?.hasSuffix("sort:created-asc") == true)
    #expect(state.history.back.count == 1)
  }

  @Test("lists shown while a name is typed don't enter the history")
  func typing() async throws {
    try await Self.world().run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.character("/"), .control("u"))
      await run.type("swift")
      try await run.eventualState { $0.repositories.count == 100 && !$0.list.isLoading }
      await run.press(.control("u"))
      await run.type("a/b")
      await run.press(.enter)
      try await run.state { $0.isSettled && $0.sheet?.repository?.fullName == "a/b" }
      #expect(run.state.history.back.count == 1)
      await run.press(.character("["))
      #expect(run.state.sheet?.repository?.fullName == "swiftlang/swift")
      #expect(run.state.search.text == "apple/swift")
      #expect(run.state.pane == .list)
    }
  }

  @Test("comments that were still loading continue to load when their issue is shown again")
  func unfinished() async throws {
    let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
    let world = BrowserWorld(issues: recipe)
    world.github.changeIssue(60, of: .swift(issues: recipe)) { $0.comments = 250 }
    let gate = Gate()
    let isSecondPage: @Sendable (LoopbackRequest) -> Bool = {
      $0.path.hasSuffix("/comments") && $0.queryValue("page") == "2"
    }
    try await world.run("apple/swift", holding: BrowserWorld.holding(gate, where: isSecondPage)) {
      run, server in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.comments.isEmpty == false }
      await run.press(.character("["))
      #expect(run.state.reader == nil)
      gate.open()
      await run.press(.character("]"))
      let state = try await run.state { $0.reader?.isLoading == false }
      #expect(state.reader?.comments.count == 250)
      #expect(Set(state.reader?.comments.map(\.id) ?? []).count == 250)
    }
  }

  @Test("the history keeps the last fifty places")
  func bound() throws {
    var state = try SampleStates.issues()
    for number in 0..<60 {
      state.list.query = .repositories("\(number)")
      let place = try #require(state.place)
      state.history.leave(place)
    }
    #expect(state.history.back.count == 50)
    #expect(state.history.back.last?.identity.query == .repositories("59"))
  }

  @Test("an issue that is shown again at another width is laid out again")
  func width() throws {
    var state = try SampleStates.issues(160)
    state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
    Self.press(.enter, .character("["), in: &state)
    state.handle(.input(.resized(ScreenSize(columns: 60, rows: 20))))
    let effects = state.handle(.input(.key(.character("]"))))
    #expect(state.pane == .reader)
    #expect(effects.contains(.begin(.reader(revision: state.revisions.reader, pause: nil))))
  }
}

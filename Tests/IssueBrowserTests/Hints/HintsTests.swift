import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalMarkdown
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Link hints and copying in the reader", .timeLimit(.minutes(5)))
struct HintsTests {
  /// An issue that is read, laid out as the reader shows it.
  private static func reading(
    _ body: String, _ columns: Int = 80, _ rows: Int = 24
  ) throws -> BrowserState {
    var state = try SampleStates.reading(columns, rows)
    var issue = SampleStates.issue(2)
    issue.body = body
    issue.commentsCount = 0
    var reader = ReaderState(issue: issue)
    reader.document =
      IssuePage(
        issue: issue, now: state.now, width: columns,
        repositoryURL: "https://github.com/swiftlang/swift"
      ).document
    state.reader = reader
    return state
  }

  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  /// The command that the keys end with.
  private static func command(of keys: String, in state: BrowserState) -> BrowserCommand? {
    var state = state
    for key in keys.dropLast() { press(.character(key), in: &state) }
    return keys.last.flatMap { BrowserKeys.command(for: .key(.character($0)), in: state) }
  }

  // MARK: Links

  @Test("visible links are numbered in order")
  func labels() throws {
    var state = try Self.reading("See #12 and [the site](https://swift.org/page).")
    Self.press(.character("f"), in: &state)
    #expect(state.hints?.hints.map(\.label) == ["1", "2"])
    let text = BrowserScreen.canvas(of: state).text
    #expect(text.contains("See 1 #12 and 2 the site [1]."))
    Self.press(.escape, in: &state)
    #expect(state.hints == nil && state.reader != nil)
  }

  @Test("numbers that have no room before their links remain visible", arguments: [20, 40])
  func crowded(columns: Int) throws {
    var state = try Self.reading("#1 #22 #333, #4444 #55555 #6666666", columns, 20)
    Self.press(.character("f"), in: &state)
    let canvas = BrowserScreen.canvas(of: state)
    #expect(canvas.text.contains("1 #1 2 #22 3 #333"))
    let numbers = canvas.cells.filter { $0.style == state.look[.selection] }.map(\.text)
    #expect(numbers.joined() == "123456", "\(canvas.text)")
  }

  @Test("issues of any repository open in the browser, and other pages open in a web browser")
  func targets() throws {
    let state = try Self.reading(
      """
      #12 apple/llvm#7 https://github.com/apple/swift/pull/5 <https://swift.org/page>
      <https://git.example.org/a/b/issues/3>
      """)
    let repository = { (name: String) in try RepositoryReference(parsing: name) }
    #expect(Self.command(of: "f1", in: state) == .openIssue(IssueReference(number: 12)))
    #expect(
      try Self.command(of: "f2", in: state)
        == .openIssue(IssueReference(repository: repository("apple/llvm"), number: 7)))
    #expect(Self.command(of: "f3", in: state) == .openIssue(IssueReference(number: 5)))
    let site = try #require(WebLink("https://swift.org/page"))
    #expect(Self.command(of: "f4", in: state) == .openLink(site))
    let foreign = try #require(WebLink("https://git.example.org/a/b/issues/3"))
    #expect(Self.command(of: "f5", in: state) == .openLink(foreign))
  }

  @Test("more than nine links get two-digit numbers")
  func many() throws {
    var state = try Self.reading((1...12).map { "#\($0)" }.joined(separator: "\n\n"), 80, 40)
    #expect(Self.command(of: "f12", in: state) == .openIssue(IssueReference(number: 12)))
    #expect(Self.command(of: "f02", in: state) == .openIssue(IssueReference(number: 2)))
    Self.press(.character("f"), .character("1"), in: &state)
    #expect(state.hints?.open.map(\.label) == ["10", "11", "12"])
    #expect(BrowserKeys.command(for: .key(.character("9")), in: state) == nil)
    #expect(BrowserKeys.command(for: .key(.character("x")), in: state) == .closeHints)
    #expect(BrowserKeys.command(for: .mouse(.click, column: 0, row: 0), in: state) == .closeHints)
  }

  @Test("links out of sight aren't numbered")
  func outOfSight() throws {
    var state = try Self.reading(
      "#1\n\n" + (1...60).map { "Line \($0)." }.joined(separator: "\n\n") + "\n\n#2")
    Self.press(.character("f"), in: &state)
    #expect(state.hints?.hints.count == 1)
    Self.press(.escape, .pageDown, .character("f"), in: &state)
    #expect(state.hints == nil)
    #expect(state.message == "There is no link in sight")
  }

  @Test("following a reference opens its issue, and [ returns to the referring issue")
  func following() async throws {
    let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
    let world = BrowserWorld(issues: recipe)
    world.github.changeIssue(60, of: .swift(issues: recipe)) {
      $0.body = "As https://github.com/swiftlang/swift/issues/7 says. See https://swift.org/page"
      $0.comments = 0
    }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.lines.isEmpty == false }
      await run.press(.character("f"), .character("1"))
      try await run.state { $0.reader?.issue.number == 7 }
      #expect(run.state.hints == nil)
      await run.press(.character("["))
      #expect(run.state.reader?.issue.number == 60)
      await run.press(.character("f"), .character("2"))
      try await run.state { $0.message == "Opened https://swift.org/page" }
      #expect(run.opened.current == ["https://swift.org/page"])
    }
  }

  // MARK: Copies

  @Test("y copies the number, then b the description, and c the visible code block")
  func copying() throws {
    var state = try Self.reading("Text.\n\n```swift\nlet a = 1\nlet b = 2\n```")
    Self.press(.character("y"), in: &state)
    #expect(state.copying.text == "#\(SampleStates.issue(2).number)")
    #expect(state.copying.count == 1)
    Self.press(.character("b"), in: &state)
    #expect(state.copying.text == state.reader?.issue.body)
    Self.press(.character("y"), .character("c"), in: &state)
    #expect(state.copying.text == "let a = 1\nlet b = 2\n")
    #expect(state.copying.count == 4)
    // Only right after y.
    #expect(BrowserKeys.command(for: .key(.character("b")), in: state) != .copy(.body))
  }

  @Test("a number chooses one of several visible code blocks")
  func codeBlocks() throws {
    var state = try Self.reading("```\none\n```\n\n```\ntwo\n```")
    Self.press(.character("y"), .character("c"), in: &state)
    #expect(state.hints?.hints.count == 2)
    Self.press(.character("2"), in: &state)
    #expect(state.copying.text == "two\n")
    #expect(state.hints == nil)
  }

  @Test("a missing description or code block is reported instead of copied")
  func nothing() throws {
    var state = try Self.reading("")
    Self.press(.character("y"), .character("b"), in: &state)
    #expect(state.message == "There is no description to copy")
    Self.press(.character("y"), .character("c"), in: &state)
    #expect(state.message == "There is no code block in sight")
    #expect(
      BrowserKeys.command(for: .key(.character("y")), in: SampleStates.repositories()) == nil)
  }

  @Test("the message reports the outcome of a copy")
  func outcomes() throws {
    var state = try Self.reading("Text.")
    Self.press(.character("y"), .character("b"), in: &state)
    for (outcome, words) in [
      (CopyOutcome.sent, "Copied the description"),
      (.unsupported, "This terminal can't copy the description"),
      (.refusedByTmux, "Not copied: first run 'tmux set -s set-clipboard on'"),
      (.tooLong, "That is too long to copy through a terminal"),
    ] {
      state.handle(.copied(outcome))
      #expect(state.message == words)
    }
  }

  @Test("the message shows the copied address, cut inside in a narrow window")
  func copiedAddress() throws {
    var state = try SampleStates.issues(80, 12)
    state.copying.copy(
      "https://github.com/apple/swift/issues/85954", "https://github.com/apple/swift/issues/85954")
    state.handle(.copied(.sent))
    #expect(state.message == "Copied https://github.com/apple/swift/issues/85954")
    state.size.columns = 40
    state.handle(.copied(.sent))
    #expect(state.message == "Copied https://github.c…ift/issues/85954")
  }

  @Test("Y copies the address of the page, which is built locally")
  func address() async throws {
    try await BrowserWorld().run("apple/swift") { run, server in
      try await run.state { $0.isSettled }
      let number = try #require(run.state.selectedIssue?.number)
      await run.press(.character("Y"))
      let state = try await run.state { $0.copying.count == 1 }
      #expect(state.copying.text == "\(server.url)/swiftlang/swift/issues/\(number)")
    }
  }
}

import GitHubAPI
import IssueTracker
import StyledText
import TerminalMarkdown
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Counts and commands")
struct CountTests {
  private static func type(_ text: String, in state: inout BrowserState) {
    for character in text {
      state.handle(.input(.key(character == "^" ? .escape : .character(character))))
    }
  }

  @Test(
    "a count repeats a motion in the list, or is the number of a row",
    arguments: [
      ("5j", 7), ("2k", 0), ("10G", 9), ("7gg", 0), ("7g", 6), ("99G", 29), ("3^j", 3), ("12rj", 3),
      (":10G", 9), (":5j", 7), ("1:1^j", 3),
    ])
  func list(keys: String, row: Int) throws {
    var state = try SampleStates.issues()
    Self.type(keys, in: &state)
    #expect(state.list.cursor.selection == row)
    #expect(state.count == nil && state.pane == .list)
    #expect(state.search.text == "apple/swift")
  }

  @Test(
    "in the reader, a count is a number of lines, issues or matches",
    arguments: [("5j", 35), ("2k", 28), ("10G", 9), (":10G", 9), ("3g", 2)])
  func reader(keys: String, top: Int) throws {
    var state = try SampleStates.reading()
    state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
    Self.type(keys, in: &state)
    #expect(state.reader?.top == top)
    state.handle(.input(.key(.character("2"))))
    state.handle(.input(.key(.control("d"))))
    #expect(state.reader?.top == top + 2 * 10)
    Self.type("3J", in: &state)
    #expect(state.list.cursor.selection == 5)
    Self.type("2K", in: &state)
    #expect(state.list.cursor.selection == 3)
  }

  @Test("a count goes to a match")
  func matches() throws {
    var state = try SampleStates.reading()
    Self.type("/line", in: &state)
    state.handle(.input(.key(.enter)))
    let first = try #require(state.reader?.find?.current)
    Self.type("5n", in: &state)
    #expect(state.reader?.find?.current == first + 5)
    Self.type("7N", in: &state)
    #expect(state.reader?.find?.current == first - 2)
    Self.type("250N", in: &state)
    #expect(state.reader?.find?.current == (first - 252 + 300) % 100)
  }

  @Test("the digit of a view opens it, any other digit begins a count, and 0 is the start screen")
  func views() throws {
    var state = try SampleStates.issues()
    state.views = ViewsState(try ViewsHandlingTests.views(), hasStart: true)
    Self.type("5", in: &state)
    #expect(state.count == 5 && state.tab == nil)
    #expect(BrowserScreen.canvas(of: state).text.contains("5: G goes to the row, j moves down"))
    // Once begun, every digit belongs to the count.
    Self.type("10j", in: &state)
    #expect(state.list.cursor.selection == 29 && state.tab == nil)
    Self.type(":10G", in: &state)
    #expect(state.list.cursor.selection == 9 && state.tab == nil)
    Self.type("1", in: &state)
    #expect(state.tab == 1)
    Self.type("0", in: &state)
    #expect(state.tab == 0)
  }

  @Test(
    "`:q` and `:q!` quit, from the list, the reader and the start screen", arguments: [":q", ":q!"])
  func quit(command: String) throws {
    for state in [
      try SampleStates.issues(), try SampleStates.reading(), try ViewsHandlingTests.start(),
    ] {
      var state = state
      if state.pane == .search { state.pane = .list }
      Self.type(command, in: &state)
      #expect(state.search.text == command && !state.isFinished)
      state.handle(.input(.key(.enter)))
      #expect(state.isFinished)
    }
  }

  @Test("an unknown command says what can be typed, and Esc drops it")
  func unknown() throws {
    var state = try SampleStates.issues()
    Self.type(":", in: &state)
    #expect(BrowserScreen.canvas(of: state).text.contains("q quit  Esc back"))
    Self.type("wq", in: &state)
    state.handle(.input(.key(.enter)))
    #expect(state.message == "Type :q to quit, or :12 to open the issue #12")
    Self.type("^^", in: &state)
    #expect(state.pane == .list && state.search.text == "apple/swift")
  }

  @Test("} and { go to the next and the previous comment")
  func comments() throws {
    var state = try SampleStates.reading()
    state.reader?.document = RenderedDocument(
      lines: (1...100).map { StyledLine("\($0)") }, comments: [10, 20, 50, 95])
    state.reader?.top = 0
    for (keys, top) in [
      ("}", 10), ("}", 20), ("{", 10), ("2}", 50), ("}", 79), ("}", 79), ("{", 50), ("j{", 50),
      ("3{", 0), ("{", 0), ("99}", 79),
    ] {
      Self.type(keys, in: &state)
      #expect(state.reader?.top == top, "\(keys)")
    }
    let page = IssuePage(
      issue: SampleStates.issue(0),
      comments: [IssueComment(id: 1, body: "One"), IssueComment(id: 2, body: "Two")],
      now: SampleStates.now, width: 60)
    let document = page.document
    #expect(document.comments.map { document.lines[$0 + 1].plain.prefix(5) } == ["ghost", "ghost"])
  }

  @Test(
    "keys that edit text edit the number of a count",
    arguments: [.home, .control("a")] as [InputEvent.Key])
  func editing(key: InputEvent.Key) throws {
    var state = try SampleStates.issues()
    Self.type(":12", in: &state)
    state.handle(.input(.key(key)))
    #expect(state.pane == .search && state.list.cursor.selection == 2)
  }

  @Test("a row that isn't loaded yet is reported")
  func missing() {
    var state = SampleStates.repositories()
    state.list.content = .repositories(RepositorySearchState(query: "swift"))
    Self.type("500G", in: &state)
    #expect(state.message == "Row 500 isn't loaded yet: G loads all rows")
  }
}

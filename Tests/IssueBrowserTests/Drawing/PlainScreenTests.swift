import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import Testing

@testable import IssueBrowser

/// The screen of `--plain`, read as a screen reader reads it: from top to bottom, from left to right.
@Suite("The text-only screen")
struct PlainScreenTests {
  private static let sizes = [(40, 10), (80, 24), (120, 40)]

  private static func canvas(_ state: BrowserState) -> Canvas {
    var state = state
    state.look = Look(symbols: .plain)
    return BrowserScreen.canvas(of: state)
  }

  private static func rows(_ state: BrowserState) -> [Substring] {
    canvas(state).text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Every state that has a picture.
  private static func states(_ columns: Int, _ rows: Int) throws -> [String: BrowserState] {
    var helped = try SampleStates.issues(columns, rows)
    helped.help = KeyHelp()
    var filtered = try SampleStates.issues(columns, rows)
    filtered.filter.field = TextField("is:open label:bug")
    var loading = try SampleStates.issues(columns, rows)
    loading.list.isLoading = true
    return try dialogs(columns, rows).merging([
      "empty": SampleStates.empty(columns, rows), "issues": try SampleStates.issues(columns, rows),
      "repositories": SampleStates.repositories(columns, rows),
      "typing": try SampleStates.typing(columns, rows),
      "reading": try SampleStates.reading(columns, rows), "help": helped, "filter": filtered,
      "loading": loading,
    ]) { $1 }
  }

  /// Whatever is in front of the panes, and the pages of views.
  private static func dialogs(_ columns: Int, _ rows: Int) throws -> [String: BrowserState] {
    let pressing = ActingDrawingTests.pressing
    let issues = try SampleStates.issues(columns, rows)
    let selecting = try ActingDrawingTests.selecting(columns, rows)
    let closing = pressing([.character("x")], selecting)
    var start = try ViewsHandlingTests.start(columns, rows)
    start.pane = .list
    let view = try ViewsHandlingTests.several(3, columns, rows)
    var labels = selecting
    var picker = Picker(
      .labels, "Labels of 3 issues", action: "change")
    picker.isMultiple = true
    let items = ["bug", "crash", "regression"].map { Picker.Item(id: $0, text: $0) }
    picker.show(items, marks: ["bug": .all, "crash": .some])
    labels.acting.dialog = .picker(picker)
    var completing = issues
    completing.filter.field = TextField("is:")
    completing.filter.completions = Completions(
      predictions: ["is:open", "is:closed"].map { Prediction($0) }, selection: 0)
    var links = try SampleStates.reading(columns, rows)
    let link = try #require(WebLink("https://example.com/a"))
    links.hints = Hints([(31, 0, .link(link)), (33, 0, .code("let a = 1\nlet b = 2"))])
    var noticed = issues
    noticed.note("Close #85954: you may not write here.\nPress O to send it again.")
    return [
      "start": start, "view": view, "selection": selecting, "closing": closing,
      "preview": pressing([.enter], closing), "labels": labels,
      "outbox": try ActingDrawingTests.outbox(columns, rows),
      "palette": pressing([.control("p"), .character("c"), .character("l"), .down], issues),
      "orders": pressing([.character("s"), .down], issues), "completing": completing,
      "links": links, "notice": noticed,
    ]
  }

  @Test("the text-only screen shows every state")
  func pictures() throws {
    // The table of keys has a test of its own.
    for (name, state) in try Self.states(80, 24) where name != "help" {
      try ScreenSnapshot.expect(Self.canvas(state), named: "plain-\(name)-80x24")
    }
  }

  @Test("the text-only screen has no boxes, bars, glyphs or braille", arguments: sizes)
  func wordsOnly(columns: Int, rows: Int) throws {
    // Arrows, technical and box-drawing characters, blocks, shapes, dingbats, and braille that is a picture.
    let drawn: [ClosedRange<UInt32>] = [0x2190...0x27BF, 0x2800...0x28FF, 0xE000...0xF8FF]
    // Titles of the samples have some of their own.
    let own = Set((0..<6).flatMap { SampleStates.issue($0).title.unicodeScalars })
    for (name, state) in try Self.states(columns, rows) {
      let found = Self.canvas(state).text.unicodeScalars.filter { scalar in
        drawn.contains { $0.contains(scalar.value) } && !own.contains(scalar)
      }
      #expect(found.isEmpty, "\(name): \(found)")
    }
  }

  @Test("a row lists number, state, title, labels, author, comments and time, in this order")
  func order() throws {
    let rows = Self.rows(try SampleStates.issues(200, 24))
    #expect(
      rows[2]
        == "  #85968 open, Compiler crashes when a package has no targets, labels bug and crash, by octocat, "
        + "created about 11 hours ago")
    #expect(rows[4].hasPrefix("> current, #85954 open, "))
    #expect(rows[4].hasSuffix(", by ghost, 1234 comments, created about 2 days ago"))
    let all = rows.joined(separator: "\n")
    #expect(all.contains("#85947 closed as not planned, หน้าจอ"))
    #expect(all.contains("#85912 closed as completed, "))
  }

  @Test("the title is shortened first, and keeps half of the row", arguments: 20...200)
  func widths(columns: Int) throws {
    for row in Self.rows(try SampleStates.issues(columns, 12))[2..<11] {
      #expect(row.hasPrefix("  #") || row.hasPrefix("> #") || row.hasPrefix("> current, #"))
      #expect(!row.hasSuffix(","))
    }
    let first = Self.rows(try SampleStates.issues(columns, 12))[2]
    #expect(columns < 24 || first.contains(", Com"))
    // As wide as half of the row, the title leaves room for everything.
    #expect(columns < 128 || first.hasSuffix("created about 11 hours ago"))
  }

  @Test("the panes appear one at a time: an issue hides the list, and a box hides both")
  func oneColumn() throws {
    let reading = Self.rows(try SampleStates.reading(200, 40))
    #expect(reading[1].hasPrefix("#85954 "))
    #expect(reading[2].hasPrefix("Line 31 "))
    #expect(!reading.contains { $0.contains("#85968") })
    for name in ["help", "typing"] {
      let state = try #require(try Self.states(120, 40)[name])
      #expect(!Self.canvas(state).text.contains("Compiler crashes"), "\(name)")
    }
  }

  @Test("the current row is labeled, and the cursor is on it", arguments: sizes)
  func current(columns: Int, rows: Int) throws {
    let expected = [
      "issues": "#85954 open", "start": "clone: me/work", "view": "swiftlang/swift#1 open",
      "closing": "", "labels": "bug, marked", "outbox": "conflict, change #12: text",
      "palette": "", "orders": "", "completing": "is:open", "typing": "apple/swift-nio",
    ]
    let states = try Self.states(columns, rows)
    for (name, words) in expected {
      let canvas = Self.canvas(try #require(states[name]))
      let cursor = try #require(canvas.cursor, "\(name)")
      let row = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)[cursor.row]
      let text = row.drop { $0 == ">" || $0 == " " }
      let said = columns < 80 && !text.hasPrefix("current") ? words : "current, \(words)"
      #expect(text.replacing("  ", with: " ").hasPrefix(said), "\(name): \(row)")
      #expect(row.hasPrefix("> ") && cursor.column == 0, "\(name)")
    }
  }

  @Test("selected rows and marked labels are labeled")
  func marked() throws {
    let states = try Self.states(80, 24)
    let rows = Self.rows(try #require(states["selection"]))
    #expect(rows.count { $0.contains("selected, #") } == 3)
    let labels = Self.rows(try #require(states["labels"])).joined(separator: "\n")
    #expect(labels.contains("bug, marked") && labels.contains("crash, on some"))
    #expect(!labels.contains("regression,") && !labels.contains("["))
    let outbox = Self.rows(try #require(states["outbox"])).joined(separator: "\n")
    #expect(outbox.contains("only here: Mine") && outbox.contains("only here: Theirs"))
  }

  @Test("the search bar is the first line, and the status line the last")
  func ends() throws {
    let rows = Self.rows(try SampleStates.issues())
    #expect(rows.first?.hasPrefix("Search: apple/swift") == true)
    #expect(rows.last?.hasPrefix("row 3 of 30+ ") == true)
  }

  @Test("the cursor is on the current row of a list, or on the first line of an issue")
  func cursor() throws {
    func place(_ state: BrowserState) -> [Int]? {
      Self.canvas(state).cursor.map { [$0.column, $0.row] }
    }
    var state = try SampleStates.issues()
    #expect(place(state) == [0, 4])
    state.list.cursor.top = 10
    #expect(place(state) == nil)
    #expect(place(try SampleStates.reading()) == [0, 2])
    #expect(place(SampleStates.empty()) == [8, 0])
    #expect(BrowserScreen.canvas(of: try SampleStates.issues()).cursor == nil)
  }

  @Test("the selected completion begins with a mark")
  func completion() throws {
    let rows = Self.rows(try SampleStates.typing())
    #expect(rows[1...3].map { $0.prefix(2) } == ["  ", "> ", "  "])
  }
}

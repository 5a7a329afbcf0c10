import IssueTracker
import StyledText
import TerminalScreen
import Testing

@testable import IssueBrowser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The screen of `--plain`, read as a screen reader reads it: from top to bottom, from left to right.
@Suite("The screen in words")
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
    filtered.filter = TextField("is:open label:bug")
    var loading = try SampleStates.issues(columns, rows)
    loading.isLoading = true
    return [
      "empty": SampleStates.empty(columns, rows), "issues": try SampleStates.issues(columns, rows),
      "repositories": SampleStates.repositories(columns, rows),
      "typing": try SampleStates.typing(columns, rows),
      "reading": try SampleStates.reading(columns, rows), "help": helped, "filter": filtered,
      "loading": loading,
    ]
  }

  @Test("pictures of all states")
  func pictures() throws {
    // The table of keys has a test of its own.
    for (name, state) in try Self.states(80, 24) where name != "help" {
      try ScreenSnapshot.expect(Self.canvas(state), named: "plain-\(name)-80x24")
    }
  }

  @Test("no boxes, bars, glyphs or braille", arguments: sizes)
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

  @Test("a row says number, state, title, labels, author, comments and time, in this order")
  func order() throws {
    let rows = Self.rows(try SampleStates.issues(200, 24))
    #expect(
      rows[2]
        == "  #85968 open, Compiler crashes when a package has no targets, labels bug and crash, by octocat, "
        + "created about 11 hours ago")
    #expect(rows[4].hasPrefix("> #85954 open, "))
    #expect(rows[4].hasSuffix(", by ghost, 1234 comments, created about 2 days ago"))
    let all = rows.joined(separator: "\n")
    #expect(all.contains("#85947 closed as not planned, หน้าจอ"))
    #expect(all.contains("#85912 closed as completed, "))
  }

  @Test("the title gives way to the other words, and keeps half of the row", arguments: 20...200)
  func widths(columns: Int) throws {
    for row in Self.rows(try SampleStates.issues(columns, 12))[2..<11] {
      #expect(row.hasPrefix("  #") || row.hasPrefix("> #"))
      #expect(!row.hasSuffix(","))
    }
    let first = Self.rows(try SampleStates.issues(columns, 12))[2]
    #expect(columns < 24 || first.contains(", Com"))
    // As wide as half of the row, the title leaves room for everything.
    #expect(columns < 128 || first.hasSuffix("created about 11 hours ago"))
  }

  @Test("one thing after another: an issue covers the list, a box covers both")
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

  @Test("the search bar is first, the status line last")
  func ends() throws {
    let rows = Self.rows(try SampleStates.issues())
    #expect(rows.first?.hasPrefix("Search: apple/swift") == true)
    #expect(rows.last?.hasPrefix("30 loaded, more below ") == true)
  }

  @Test("the cursor is where the reading goes on")
  func cursor() throws {
    func place(_ state: BrowserState) -> [Int]? {
      Self.canvas(state).cursor.map { [$0.column, $0.row] }
    }
    var state = try SampleStates.issues()
    #expect(place(state) == [0, 4])
    state.top = 10
    #expect(place(state) == nil)
    #expect(place(try SampleStates.reading()) == [0, 2])
    #expect(place(SampleStates.empty()) == [8, 0])
    #expect(BrowserScreen.canvas(of: try SampleStates.issues()).cursor == nil)
  }

  @Test("the selected completion begins with its mark")
  func completion() throws {
    let rows = Self.rows(try SampleStates.typing())
    #expect(rows[1...3].map { $0.prefix(2) } == ["  ", "> ", "  "])
  }
}

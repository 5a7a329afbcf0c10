import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Finding text in the reader", .timeLimit(.minutes(5)))
struct FindTests {
  /// 100 numbered lines, the 31st at the top.
  private static func reading(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserState {
    try SampleStates.reading(columns, rows)
  }

  private static func type(_ text: String, in state: inout BrowserState) {
    for character in text { state.handle(.input(.key(.character(character)))) }
  }

  private static func found(_ text: String, in lines: [String]) -> [ReaderFind.Match] {
    var find = ReaderFind(text: text, start: 0)
    find.search(lines.map { StyledLine($0) })
    return find.matches
  }

  private static func match(_ line: Int, _ bytes: Range<Int>) -> ReaderFind.Match {
    ReaderFind.Match(line: line, bytes: bytes)
  }

  // MARK: Matches

  @Test("case is ignored unless the text has a capital letter")
  func smartCase() {
    let lines = ["a Macro, a macro, a MACRO", "größe GRÖSSE"]
    #expect(
      Self.found("macro", in: lines)
        == [Self.match(0, 2..<7), Self.match(0, 11..<16), Self.match(0, 20..<25)])
    #expect(Self.found("Macro", in: lines) == [Self.match(0, 2..<7)])
    #expect(Self.found("größe", in: lines) == [Self.match(1, 0..<7), Self.match(1, 8..<15)])
    #expect(Self.found("Größe", in: lines) == [])
    #expect(Self.found("", in: lines) == [])
  }

  @Test("matches don't overlap, and their number is limited")
  func bounds() {
    #expect(Self.found("aa", in: ["aaaaa"]) == [Self.match(0, 0..<2), Self.match(0, 2..<4)])
    let many = Self.found("a", in: Array(repeating: "aaaaaaaaaa", count: 2_000))
    #expect(many.count == ReaderFind.maximumMatches)
  }

  @Test("a match has the same columns as on the screen")
  func columns() {
    let line = StyledLine(runs: [
      StyledLine.Run("日本 "), StyledLine.Run("語 mac", style: .heading), StyledLine.Run("ro"),
    ])
    var find = ReaderFind(text: "macro", start: 0)
    find.search([line])
    #expect(find.matches.map { $0.columns(in: line) } == [8..<13])
  }

  // MARK: Keys

  @Test("the page follows the text while it is typed, and Esc returns to the previous position")
  func typing() throws {
    var state = try Self.reading()
    Self.type("/line 9", in: &state)
    // Lines 9 and 90 to 99. The first after the top is line 90.
    #expect(state.reader?.find?.matches.count == 11)
    #expect(state.reader?.find?.current == 1)
    #expect(BrowserScreen.canvas(of: state).text.hasSuffix("2 of 11"))
    #expect(state.reader?.top == 79)
    Self.type("5", in: &state)
    #expect(state.reader?.find?.standing == "1 of 1")
    Self.type("x", in: &state)
    #expect(BrowserScreen.canvas(of: state).text.hasSuffix("no match"))
    #expect(state.reader?.top == 30)
    state.handle(.input(.key(.escape)))
    #expect(state.reader?.find == nil)
    #expect(state.reader?.top == 30)
    #expect(state.pane == .reader)
  }

  @Test("Enter keeps the matches, and n and N wrap around")
  func stepping() throws {
    var state = try Self.reading()
    Self.type("/line 10", in: &state)
    state.handle(.input(.key(.enter)))
    #expect(!state.isFinding)
    // Lines 10 and 100.
    #expect(state.reader?.find?.standing == "2 of 2")
    #expect(BrowserScreen.canvas(of: state).text.contains("“line 10”: 2 of 2"))
    Self.type("n", in: &state)
    #expect(state.reader?.find?.standing == "1 of 2")
    #expect(state.reader?.top == 9 - 21 / 3)
    Self.type("N", in: &state)
    #expect(state.reader?.find?.standing == "2 of 2")
    #expect(state.reader?.top == 79)
    state.handle(.input(.key(.escape)))
    #expect(state.reader?.find == nil)
    #expect(state.reader?.top == 79)
    state.handle(.input(.key(.escape)))
    #expect(state.reader == nil)
  }

  @Test("empty text has no matches, and Enter closes the find field")
  func nothing() throws {
    var state = try Self.reading()
    Self.type("/", in: &state)
    #expect(state.isFinding)
    state.handle(.input(.key(.enter)))
    #expect(state.reader?.find == nil)
  }

  @Test("matches are highlighted even without colors, and the current match differs")
  func marks() throws {
    var state = try Self.reading()
    Self.type("/the page", in: &state)
    let canvas = BrowserScreen.canvas(of: state)
    let current = try #require(canvas.styles(of: "the page", row: 2))
    #expect(current.allSatisfy { $0.style.isReversed })
    let other = try #require(canvas.styles(of: "the page", row: 3))
    #expect(other.allSatisfy { $0.style.isUnderlined && !$0.style.isReversed })
    let rest = try #require(canvas.styles(of: "Line 32", row: 3))
    #expect(rest.allSatisfy { !$0.style.isUnderlined && !$0.style.isReversed })
  }

  @Test("the screen shows the text while it is typed")
  func picture() throws {
    var state = try Self.reading(60, 10)
    Self.type("/line 3", in: &state)
    try ScreenSnapshot.expect(BrowserScreen.canvas(of: state), named: "find-60x10")
  }

  // MARK: The page changes

  @Test("the text and its match survive a change of width and new comments")
  func layout() async throws {
    let recipe = SyntheticIssues(count: 3, pullRequests: 0, closed: 0)
    let world = BrowserWorld(issues: recipe)
    let repository = LoopbackRepository.swift(issues: recipe)
    world.github.changeIssue(3, of: repository) {
      $0.body = "A needle.\n\n" + String(repeating: "Hay and straw. ", count: 200) + "\n\nA needle."
      $0.comments = 120
    }
    let gate = Gate()
    try await world.run(
      "swiftlang/swift", holding: BrowserWorld.holding(gate) { $0.path.hasSuffix("/comments") }
    ) { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      try await run.state { $0.reader?.lines.isEmpty == false }
      await run.press(.character("/"))
      await run.type("needle")
      await run.press(.enter, .character("n"))
      #expect(run.state.reader?.find?.standing == "2 of 2")
      gate.open()
      let loaded = try await run.state { $0.reader?.isLoading == false }
      #expect(loaded.reader?.find?.standing == "2 of 2")
      await run.input(.resized(ScreenSize(columns: 40, rows: 12)))
      let narrow = try await run.state { $0.reader?.lines.allSatisfy { $0.columns <= 40 } == true }
      #expect(narrow.reader?.find?.standing == "2 of 2")
      #expect(narrow.reader?.showsMatch(height: narrow.readerHeight) == true)
      await run.press(.character("r"))
      let again = try await run.state { $0.reader?.isLoading == false }
      #expect(again.reader?.find?.standing == "2 of 2")
      await run.press(.character("J"))
      #expect(run.state.reader?.find == nil)
    }
  }
}

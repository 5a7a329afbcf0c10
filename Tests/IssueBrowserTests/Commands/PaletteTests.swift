import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The palette and the help")
struct PaletteTests {
  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  private static func type(_ text: String, in state: inout BrowserState) {
    for character in text { press(.character(character), in: &state) }
  }

  // MARK: The palette

  @Test("Enter runs the same command as the key of the selected action, in every pane")
  func choosing() throws {
    for pane in [BrowserState.Pane.list, .search] {
      var state = try SampleStates.issues()
      state.pane = pane
      state.list.query = .issues(try RepositoryReference(parsing: "apple/swift"), IssueFilter())
      Self.press(.control("p"), in: &state)
      Self.type("order", in: &state)
      #expect(state.paletteRows.first?.command == .sort)
      Self.press(.enter, in: &state)
      #expect(state.palette == nil)
      #expect(state.filter.orders?.selection == 0)
    }
    var reading = try SampleStates.reading()
    Self.press(.control("p"), in: &reading)
    Self.type("findtext", in: &reading)
    Self.press(.enter, in: &reading)
    #expect(reading.isFinding)
  }

  @Test("an action from the palette has the effects of its command")
  func effects() throws {
    var state = try SampleStates.issues()
    Self.press(.control("p"), in: &state)
    Self.type("web browser", in: &state)
    let names = state.paletteRows.map(\.title)
    #expect(names == ["open in the web browser"])
    let page = try #require(state.selectedPage)
    #expect(state.handle(.input(.key(.enter))) == [.begin(.open(page))])
  }

  @Test("Esc closes the palette without an effect, and Enter without a match does nothing")
  func closing() throws {
    let before = try SampleStates.issues()
    var state = before
    Self.press(.control("p"), .down, .escape, in: &state)
    #expect(state == before)
    Self.press(.control("p"), in: &state)
    Self.type("qqq", in: &state)
    #expect(state.paletteRows.isEmpty)
    #expect(BrowserScreen.canvas(of: state).text.contains("Nothing matches"))
    Self.press(.enter, in: &state)
    #expect(state.palette != nil)
  }

  @Test("the palette's selection stays within its rows")
  func selection() throws {
    var state = try SampleStates.issues()
    Self.press(.control("p"), .up, in: &state)
    #expect(state.palette?.selection == 0)
    for _ in 1...100 { Self.press(.down, in: &state) }
    #expect(state.palette?.selection == state.paletteRows.count - 1)
    Self.type("o", in: &state)
    #expect(state.palette?.selection == 0)
  }

  @Test("the palette offers only actions that are currently possible")
  func available() throws {
    func names(_ state: BrowserState) -> [String] {
      var state = state
      state.palette = Palette()
      return state.paletteRows.map(\.title)
    }
    let (list, reader) = (try names(SampleStates.issues()), try names(SampleStates.reading()))
    #expect(list.contains("go to an issue by its number"))
    #expect(!names(SampleStates.repositories()).contains("go to an issue by its number"))
    #expect(!list.contains("find text on this page"))
    #expect(reader.contains("find text on this page"))
    #expect(!list.contains("show the request that failed"))
  }

  @Test("each key in the key table has a readable name, and an effect in some pane")
  func table() throws {
    var list = try SampleStates.issues()
    list.list.request = "a request"
    list.views.hasStart = true
    var reader = try SampleStates.reading()
    reader.reader?.find = ReaderFind(field: nil, text: "page", start: 0)
    list.copying.expectsMore = true
    for binding in KeyTable.bindings {
      #expect(binding.keys.count == binding.keyNames.count, "\(binding.keyNames)")
      let commands = [list, reader, InboxActionTests.inbox()].compactMap { binding.meaning($0) }
      #expect(!commands.isEmpty, "\(binding.keyNames)")
    }
  }

  @Test("pasted text is typed into the palette, and a click closes the palette")
  func otherInput() throws {
    var state = try SampleStates.issues()
    Self.press(.control("p"), in: &state)
    state.handle(.input(.paste("order")))
    #expect(state.palette?.field.text == "order")
    state.handle(.input(.mouse(.click, column: 0, row: 0)))
    #expect(state.palette == nil)
    #expect(state.pane == .list)
  }

  @Test("the palette matches its snapshot", arguments: [(80, 24), (40, 10)])
  func picture(columns: Int, rows: Int) throws {
    var state = try SampleStates.issues(columns, rows)
    Self.press(.control("p"), in: &state)
    Self.type("go", in: &state)
    Self.press(.down, in: &state)
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: "palette-\(columns)x\(rows)")
  }

  // MARK: The help

  @Test("typing in the help searches keys and their meanings, and Esc first clears the text")
  func search() throws {
    var state = try SampleStates.issues()
    Self.press(.character("?"), in: &state)
    Self.type("web page", in: &state)
    #expect(state.help?.rows.isEmpty == true)
    #expect(BrowserScreen.canvas(of: state).text.contains("No key does that"))
    Self.press(.control("w"), in: &state)
    #expect(state.help?.rows.map(\.keys) == ["[ ]", "o"])
    Self.press(.escape, in: &state)
    #expect(state.help == KeyHelp())
    Self.press(.escape, in: &state)
    #expect(!state.isHelpShown)
    #expect(state.list.cursor.selection == 2)
  }

  @Test(
    "the help scrolls to every key in a small window", arguments: [(20, 5), (40, 10), (80, 24)])
  func scrolling(columns: Int, rows: Int) throws {
    var state = try SampleStates.issues(columns, rows)
    Self.press(.character("?"), in: &state)
    Self.press(.end, in: &state)
    #expect(BrowserScreen.canvas(of: state).text.contains(columns == 80 ? "Mouse " : "Mouse"))
    let last = state.help
    Self.press(.pageDown, .down, .control("d"), in: &state)
    #expect(state.help == last)
    Self.press(.home, in: &state)
    #expect(state.help?.top == 0)
    state.handle(.input(.mouse(.wheelDown, column: 1, row: 1)))
    #expect(state.help?.top == 1)
    Self.press(.control("d"), .control("u"), .up, in: &state)
    #expect(state.help?.top == 0)
  }
}

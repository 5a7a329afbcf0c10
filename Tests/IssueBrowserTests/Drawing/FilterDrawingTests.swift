import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Drawing a filter")
struct FilterDrawingTests {
  private static func searching(
    _ text: String, _ columns: Int = 80, _ rows: Int = 14
  ) throws -> BrowserState {
    var state = try SampleStates.issues(columns, rows)
    var sheet = try SampleStates.sheet(count: 12)
    sheet.search = try ListQuery.Search(text)
    state.list.content = .issues(sheet)
    state.list.query = sheet.query
    return state
  }

  @Test("search terms are highlighted in titles, ignoring case and diacritics")
  func matches() throws {
    let state = try Self.searching("compiler -hearts label:bug shor")
    let canvas = BrowserScreen.canvas(of: state)
    let look = state.look
    for (text, row) in [("Compiler", 2), ("Short", 6)] {
      let cells = try #require(canvas.styles(of: text, row: row))
      #expect(cells.allSatisfy { $0.style == look[.match] }, "\(text)")
    }
    let rest = try #require(canvas.styles(of: "crashes", row: 2))
    #expect(rest.allSatisfy { $0.style == look[.text] })
    // The selected row is tinted up to the scrollbar.
    #expect(
      canvas[row: 4].dropLast()
        .allSatisfy { $0.style.background == look[.selection].background })
    try ScreenSnapshot.expect(canvas, named: "matches-80x14")
  }

  @Test("completions appear above the filter, at the term being typed")
  func completions() throws {
    var state = try Self.searching("crash")
    state.openFilter()
    state.filter.field = TextField("is:open crash labe")
    state.editFilter(.insert("l"))
    state.editFilter(.insert(":"))
    state.handle(.input(.key(.down)))
    #expect(state.filter.completions?.selection == 0)
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: "filter-completions-80x14")
    let dropdown = try #require(CompletionDropdown(state))
    #expect(dropdown.index(atColumn: dropdown.area.column, row: dropdown.area.row) == 0)
    // A click takes it.
    let click = InputEvent.mouse(.click, column: dropdown.area.column, row: dropdown.area.row)
    #expect(BrowserKeys.command(for: click, in: state) == .completeFilter(0))
  }

  @Test("the sort menu shows the list's current order")
  func orders() throws {
    var state = try Self.searching("crash sort:updated")
    state.handle(.input(.key(.character("s"))))
    #expect(state.filter.orders.map { $0.orders[$0.selection] } == .recentlyUpdated)
    try ScreenSnapshot.expect(BrowserScreen.canvas(of: state), named: "orders-80x14")
    let area = try #require(CompletionDropdown(state)).area
    #expect(
      BrowserKeys.command(
        for: .mouse(.click, column: area.column, row: area.row + 1), in: state)
        == .takeOrder(1))
    #expect(
      BrowserKeys.command(for: .mouse(.click, column: 79, row: 13), in: state) == .closeOrders)
    for key in [InputEvent.Key.down, .character("j"), .character("s"), .tab] {
      let before = try #require(state.filter.orders?.selection)
      state.handle(.input(.key(key)))
      #expect(state.filter.orders?.selection == before + 1)
    }
    for key in [InputEvent.Key.up, .character("k"), .backTab] {
      let before = try #require(state.filter.orders?.selection)
      state.handle(.input(.key(key)))
      #expect(state.filter.orders?.selection == before - 1)
    }
    state.handle(.input(.key(.escape)))
    #expect(state.filter.orders == nil)
  }

  @Test(
    "the sort menu and the completions fit into a narrow or low window",
    arguments: [(20, 5), (24, 6), (40, 10)])
  func small(columns: Int, rows: Int) throws {
    var state = try Self.searching("crash", columns, rows)
    state.handle(.input(.key(.character("s"))))
    let menu = try #require(CompletionDropdown(state)).area
    #expect(menu.row + menu.height < rows && menu.column + menu.width < columns)
    state.handle(.input(.key(.escape)))
    state.openFilter()
    state.editFilter(.insert("is:"))
    let names = try #require(CompletionDropdown(state)).area
    #expect(names.row >= 1 && names.row + names.height < rows)
    #expect(names.column + names.width < columns)
    _ = BrowserScreen.canvas(of: state)
  }
}

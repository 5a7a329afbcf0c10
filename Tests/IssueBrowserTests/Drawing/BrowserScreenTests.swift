import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The browser on the screen")
struct BrowserScreenTests {
  private static let sizes = [(40, 10), (80, 24), (120, 40), (200, 60)]

  private func expect(
    _ state: BrowserState, named name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: name, sourceLocation: sourceLocation)
  }

  // MARK: Pictures

  @Test("the screen shows a browser without typed text", arguments: [(40, 10), (80, 24)])
  func empty(columns: Int, rows: Int) throws {
    try expect(SampleStates.empty(columns, rows), named: "empty-\(columns)x\(rows)")
  }

  @Test("the screen shows issues with titles in all scripts", arguments: sizes)
  func issues(columns: Int, rows: Int) throws {
    try expect(SampleStates.issues(columns, rows), named: "issues-\(columns)x\(rows)")
  }

  @Test("the screen shows the repositories that a search found", arguments: sizes)
  func repositories(columns: Int, rows: Int) throws {
    try expect(SampleStates.repositories(columns, rows), named: "repositories-\(columns)x\(rows)")
  }

  @Test("the screen shows completions", arguments: [(40, 10), (80, 24)])
  func typing(columns: Int, rows: Int) throws {
    try expect(SampleStates.typing(columns, rows), named: "typing-\(columns)x\(rows)")
  }

  @Test("the screen shows an issue over or beside the list", arguments: sizes)
  func reading(columns: Int, rows: Int) throws {
    try expect(SampleStates.reading(columns, rows), named: "reading-\(columns)x\(rows)")
  }

  @Test("the screen shows the help with its keys", arguments: [(20, 5), (40, 10), (80, 24)])
  func help(columns: Int, rows: Int) throws {
    var state = try SampleStates.issues(columns, rows)
    state.help = KeyHelp()
    try expect(state, named: "help-\(columns)x\(rows)")
  }

  @Test("the screen shows a filter being typed, and its problem")
  func filter() throws {
    var state = try SampleStates.issues(60, 10)
    state.filter.field = TextField(
      "is:open label:\"good first issue\" author:nobody-in-particular sort:x")
    state.filter.problem = "there is no order 'x': use created, updated or comments"
    try expect(state, named: "filter-60x10")
  }

  @Test("the screen shows a browser without Unicode")
  func ascii() throws {
    var state = try SampleStates.reading(120, 12)
    state.list.isLoading = true
    state.look.symbols = .ascii
    try expect(state, named: "ascii-120x12")
  }

  // MARK: Words

  private func text(of state: BrowserState) -> String { BrowserScreen.canvas(of: state).text }

  private func lastRow(of state: BrowserState) -> String {
    String(text(of: state).split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
  }

  @Test("the status line shows the state of the list")
  func statusLine() throws {
    var state = try SampleStates.issues(100, 12)
    #expect(lastRow(of: state).hasPrefix("row 3 of 30+ "))

    func stand(_ standing: IssueSheet.Standing, hasMore: Bool = true) throws {
      var sheet = try SampleStates.sheet()
      (sheet.standing, sheet.hasMore) = (standing, hasMore)
      state.list.content = .issues(sheet)
    }
    try stand(.online, hasMore: false)
    #expect(lastRow(of: state).hasPrefix("row 3 of 30 "))
    try stand(.offline)
    #expect(
      lastRow(of: state).hasPrefix(
        "offline: can't reach github.com · row 3 of 30+ "))
    let end = SampleStates.now.addingTimeInterval(600)
    try stand(.limited(until: end))
    #expect(lastRow(of: state).hasPrefix("limited, retrying in 10:00 · row 3 of 30+ "))
    state.now = end.addingTimeInterval(-0.5)
    #expect(lastRow(of: state).hasPrefix("limited, retrying in 0:01 · "))
    state.now = end
    #expect(lastRow(of: state).hasPrefix("limited · row "))
    state.now = SampleStates.now
    try stand(.limited(until: nil))
    #expect(lastRow(of: state).hasPrefix("limited · row "))
    try stand(.failed("the server has a problem"))
    #expect(lastRow(of: state).hasPrefix("the server has a problem · row "))
    state.acting.unsent = UnsentChanges(all: 5)
    #expect(lastRow(of: state).hasPrefix("↑5 unsent · the server has a problem · row 3 of 30+ "))
    state.acting.unsent.needingPerson = 1
    #expect(lastRow(of: state).hasPrefix("↑5 unsent, 1 needs you (O) · the server "))
    state.message = "Opened it"
    #expect(lastRow(of: state).hasPrefix("Opened it · ↑5 unsent, 1 needs you (O) · the server "))
    state.size.columns = 40
    #expect(lastRow(of: state).hasPrefix("Opened it · ↑5, see O"))
  }

  @Test("the status line counts all results of a search, and the loaded comments")
  func counts() throws {
    #expect(lastRow(of: SampleStates.repositories()).hasPrefix("row 1 of 1,234 "))
    var state = try SampleStates.reading()
    #expect(lastRow(of: state).hasPrefix("1,234 comments "))
    state.reader?.isLoading = true
    #expect(lastRow(of: state).hasPrefix("loading comments, 0 of 1,234 "))
    let issue = SampleStates.issue(2)
    for (count, words) in [(0, "no comments "), (1, "1 comment "), (2, "2 comments ")] {
      var other = issue
      other.commentsCount = count
      state.reader = ReaderState(issue: other)
      #expect(lastRow(of: state).hasPrefix(words))
    }
    state.reader?.standing = .failed("no connection")
    #expect(lastRow(of: state).hasPrefix("The comments are missing: no connection "))
  }

  @Test(
    "the status line shows as many hints as fit, and no hints over a message", arguments: 20...120)
  func hints(columns: Int) throws {
    var state = try SampleStates.issues(columns, 10)
    #expect(lastRow(of: state).hasPrefix("row 3 of 30+"))
    state.message = String(repeating: "m", count: 300)
    #expect(lastRow(of: state).hasSuffix("m…"))
    #expect(lastRow(of: state).count == columns)
  }

  @Test("a list of repositories offers neither a sort order nor a filter")
  func hintsOfRepositories() throws {
    let ofIssues = lastRow(of: try SampleStates.issues(120, 10))
    #expect(ofIssues.contains("Enter read") && ofIssues.contains("f filter  c comment"))
    let ofRepositories = lastRow(of: SampleStates.repositories(120, 10))
    #expect(ofRepositories.contains("Enter issues  o open  r reload"))
  }

  @Test("an issue's heading shows its state, and its title when the title is scrolled away")
  func readerHeading() throws {
    var state = try SampleStates.reading()
    state.reader?.top = 0
    #expect(text(of: state).split(separator: "\n")[1].hasPrefix("● #85954 Open   "))
    state.reader?.top = 1
    #expect(text(of: state).split(separator: "\n")[1].hasPrefix("● #85954 👨‍👩‍👧 Families and"))
  }

  @Test("an empty list shows the reason")
  func notices() throws {
    func notice(
      _ change: (inout IssueSheet) -> Void = { _ in }, isLoading: Bool = false
    ) throws -> String {
      var state = try SampleStates.issues(100, 10)
      state.list.isLoading = isLoading
      var sheet = try SampleStates.sheet(count: 0)
      sheet.hasMore = false
      change(&sheet)
      state.list.content = .issues(sheet)
      let rows = text(of: state).split(separator: "\n", omittingEmptySubsequences: false)
      return rows[2..<9].joined(separator: "").trimmingBlanks
    }
    let advice = "n writes one; f, then is:all, lists all"
    #expect(try notice() == "There are no open issues. \(advice)")
    #expect(try notice({ $0.filter.state = .closed }) == "There are no closed issues. \(advice)")
    #expect(try notice({ $0.filter.state = .all }) == "There are no issues. n writes one")
    #expect(
      try notice({ $0.filter.labels = ["bug"] }) == "No open issues match. f changes the filter")
    #expect(
      try notice({ ($0.filter.labels, $0.filter.state) = (["bug"], .all) })
        == "No issues match. f changes the filter")
    #expect(
      try notice({ $0.hasMore = true }, isLoading: true) == "Loading the issues of swiftlang/swift…"
    )
    #expect(try notice({ $0.repository = nil }, isLoading: true) == "Looking up apple/swift…")
    #expect(
      try notice({ ($0.repository, $0.standing) = (nil, .failed("apple/swift was not found")) })
        == "apple/swift was not found")
    #expect(
      try notice({ $0.standing = .offline })
        == "Offline: github.com can't be reached, trying again")

    var state = SampleStates.repositories()
    var found = RepositorySearchState(query: "qqq")
    state.list.content = .repositories(found)
    #expect(text(of: state).contains("Searching for “qqq”…"))
    found.apply(.page(RepositorySearchPage(repositories: [], totalCount: 0)))
    state.list.content = .repositories(found)
    #expect(text(of: state).contains("Nothing found for “qqq”: / changes the words"))
    found.apply(.failed(reason: "the server has a problem"))
    state.list.content = .repositories(found)
    #expect(text(of: state).contains("the server has a problem"))
    found.apply(.offline)
    state.list.content = .repositories(found)
    #expect(text(of: state).contains("Offline: github.com can't be reached"))
  }

  @Test("the heading describes the filter")
  func heading() throws {
    var state = try SampleStates.issues(200, 10)
    var sheet = try SampleStates.sheet()
    sheet.filter = IssueFilter(
      state: .closed, labels: ["bug", "crash"], assignee: .nobody, creator: Username("octocat"),
      sort: .comments)
    state.list.content = .issues(sheet)
    #expect(
      text(of: state).contains(
        "swiftlang/swift · closed issues, labelled “bug” and “crash”, by octocat, assigned to no one · "
          + "most comments first · ★ 69k · The Swift Programming Language"))
  }

  @Test(
    "the last column shows the time that the list is sorted by, and names that time",
    arguments: [10, 24])
  func ages(rows: Int) throws {
    var state = try SampleStates.issues(80, rows)
    // The titles of columns have a row of their own if the window is high.
    let titles = rows == 10 ? 1 : 2
    var sheet = try SampleStates.sheet(count: 2)
    sheet.issues[0].createdAt = SampleStates.now.addingTimeInterval(-3 * 86_400)
    sheet.issues[0].updatedAt = SampleStates.now.addingTimeInterval(-7_200)
    let orders: [(IssueFilter.Sort, String, String)] = [
      (.created, " created", " 3d"), (.updated, " updated", " 2h"), (.comments, " created", " 3d"),
    ]
    for (sort, title, age) in orders {
      sheet.filter.sort = sort
      state.list.content = .issues(sheet)
      let rows = text(of: state).split(separator: "\n")
      #expect(
        rows[titles].hasSuffix(title) && rows[titles + 1].trimmed.hasSuffix(age),
        "\(sort): \(rows[1...3])")
    }
    sheet.search = try ListQuery.Search("crash sort:updated")
    state.list.content = .issues(sheet)
    #expect(text(of: state).split(separator: "\n")[titles].hasSuffix(" updated"))
    // Too narrow for the column.
    state.size.columns = 40
    #expect(!text(of: state).contains("updated"))
    state = SampleStates.repositories()
    #expect(!text(of: state).contains("created"))
  }

  @Test("the search bar shows the host if it isn't github.com")
  func host() throws {
    var state = try SampleStates.issues()
    #expect(!text(of: state).contains("github.com"))
    state.host = "github.example.com"
    #expect(text(of: state).split(separator: "\n").first?.hasSuffix(" github.example.com") == true)
  }

  @Test("the spinner turns during work, and its appearance moves nothing else")
  func spinner() throws {
    var state = try SampleStates.issues()
    let still = BrowserScreen.canvas(of: state)
    state.list.isLoading = true
    var pictures: Set<String> = []
    for turn in 0..<10 {
      state.spinner = turn
      let turning = BrowserScreen.canvas(of: state)
      pictures.insert(turning[row: 0].last?.text ?? "")
      #expect(turning[row: 0].dropLast() == still[row: 0].dropLast())
    }
    #expect(pictures.count == 10)
    state.spinner = -3
    #expect(BrowserScreen.canvas(of: state)[row: 0].last?.text != " ")
  }

  // MARK: Styles

  @Test(
    "without background colors, the selected row is reversed, or only marked if the list has no focus",
    arguments: [ColorMode.none, .basic])
  func selection(colors: ColorMode) throws {
    var state = try SampleStates.issues(80, 10)
    (state.look.colors, state.look.background) = (colors, .black)
    let canvas = BrowserScreen.canvas(of: state)
    #expect(canvas[row: 4].dropLast().allSatisfy { $0.style.isReversed })
    #expect(canvas[row: 4].allSatisfy { $0.style.foreground == .standard || !$0.style.isReversed })
    #expect(canvas[row: 3].allSatisfy { !$0.style.isReversed })
    state.pane = .search
    let other = BrowserScreen.canvas(of: state)
    #expect(other[row: 4].allSatisfy { !$0.style.isReversed })
    #expect(other[row: 4].first?.text == Symbols.unicode.marker)
    #expect(other[row: 3].first?.text == " ")
  }

  @Test(
    "a tint marks the selected row and keeps its colors, and is weaker if the list has no focus")
  func tint() throws {
    var state = try SampleStates.issues(80, 10)
    state.list.cursor.selection = 0
    state.look.background = .black
    let canvas = BrowserScreen.canvas(of: state)
    let selected = try #require(canvas.styles(of: "#85968", row: 2)?.first?.style)
    #expect(selected.background == state.look[.selection].background)
    #expect(selected.foreground != .standard)
    #expect(canvas.styles(of: " bug ", row: 2)?.first?.style == state.look.pill(bug).style)
    state.pane = .search
    let other = BrowserScreen.canvas(of: state)
    #expect(
      other.styles(of: "#85968", row: 2)?.first?.style.background
        == state.look[.inactiveSelection].background)
    #expect(
      state.look[.inactiveSelection].background != state.look[.selection].background)
  }

  private let bug = GitHub.Label(name: "bug", color: "d73a4a")

  @Test(
    "each state has its glyph, even without colors",
    arguments: [(Symbols.unicode, ["●", "✓", "⊘"]), (.ascii, ["o", "x", "-"])])
  func states(symbols: Symbols, glyphs: [String]) throws {
    var state = try SampleStates.issues(40, 20)
    state.look.symbols = symbols
    let rows = BrowserScreen.canvas(of: state).text.split(separator: "\n")
    for (number, glyph) in zip(["#85968", "#85912", "#85947"], glyphs) {
      #expect(rows.contains { $0.dropFirst().hasPrefix("\(glyph) \(number) ") }, "\(number)")
    }
  }

  @Test("states and labels have their own colors, and search matches stand out")
  func colors() throws {
    var state = try SampleStates.issues(120, 20)
    state.look.background = .black
    let canvas = BrowserScreen.canvas(of: state)
    let look = state.look
    for (row, role) in [(3, Theme.Role.open), (6, .notPlanned), (11, .completed)] {
      #expect(Array(canvas[row: row])[1].style == look[role], "\(row)")
    }
    let pill = try #require(canvas.styles(of: " bug ", row: 3))
    #expect(pill.allSatisfy { $0.style == look.pill(bug).style })

    let typing = BrowserScreen.canvas(of: try SampleStates.typing())
    #expect(
      typing.styles(of: "apple/sw", row: 1)?.allSatisfy { $0.style == Look()[.match] } == true)
    #expect(typing.styles(of: "ift", row: 1)?.allSatisfy { $0.style == .plain } == true)
    #expect(typing[row: 2].dropFirst().prefix(24).allSatisfy { $0.style.isReversed })
  }

  @Test("the heading and the line beside it show the focused pane")
  func focus() throws {
    var state = try SampleStates.reading(120, 20)
    let reader = BrowserScreen.canvas(of: state)
    #expect(reader.styles(of: "swiftlang", row: 1)?.allSatisfy { !$0.style.isBold } == true)
    #expect(reader.styles(of: "Families", row: 1)?.allSatisfy { $0.style.isBold } == true)
    state.pane = .list
    let list = BrowserScreen.canvas(of: state)
    #expect(list.styles(of: "swiftlang", row: 1)?.allSatisfy { $0.style.isBold } == true)
    #expect(list.styles(of: "Families", row: 1)?.allSatisfy { !$0.style.isBold } == true)
    let column = state.layout.list.width
    #expect(reader[row: 5].dropFirst(column).first?.text == "┃")
    #expect(list[row: 5].dropFirst(column).first?.text == "│")
  }

  // MARK: The cursor

  @Test(
    "the cursor follows the typed text, which scrolls if it is too long", arguments: 1...90)
  func cursor(length: Int) throws {
    var state = SampleStates.empty(40, 10)
    state.search.field = TextField(String(repeating: "漢", count: length / 2) + "x")
    let canvas = BrowserScreen.canvas(of: state)
    let cursor = try #require(canvas.cursor)
    #expect(cursor.row == 0)
    #expect((3..<39).contains(cursor.column))
    #expect(Array(canvas[row: 0])[cursor.column - 1].text == "x")
    #expect(length > 30 || cursor.column == 2 + length / 2 * 2 + 1)
  }

  @Test("the cursor is in the focused pane, or hidden")
  func cursorOfPanes() throws {
    var state = try SampleStates.issues()
    #expect(BrowserScreen.canvas(of: state).cursor == nil)
    state.filter.field = TextField("is:open")
    #expect(BrowserScreen.canvas(of: state).cursor?.row == 23)
    state.help = KeyHelp()
    let area = KeyHelp.popup(in: state.size, isPlain: false).area
    let cursor = try #require(BrowserScreen.canvas(of: state).cursor)
    #expect(cursor == (area.column, area.row))
  }

  // MARK: Popups

  @Test(
    "a popup leaves the keys in the status line visible, and no part of a heading beside it",
    arguments: [(20, 5), (40, 10), (40, 15), (80, 24), (120, 40), (200, 60)])
  func popups(columns: Int, rows: Int) throws {
    let plain = try SampleStates.issues(columns, rows)
    var (help, palette, orders) = (plain, plain, plain)
    help.help = KeyHelp()
    palette.palette = Palette()
    orders.handle(.input(.key(.character("s"))))
    for state in [help, palette, orders, try SampleStates.typing(columns, rows)] {
      let canvas = BrowserScreen.canvas(of: state)
      if columns >= 80 { #expect(canvas[row: rows - 1].map(\.text).joined().contains("Esc")) }
      #expect(!canvas[row: rows - 1].contains { "╰│╯".contains($0.text) })
      let lines = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines.prefix(3) where line.contains("│") || line.contains("╭") {
        // Only the popup itself.
        let words = line.drop { $0 == " " }
        #expect("╭│".contains(words.first ?? " ") && "╮│".contains(words.last ?? " "), "\(line)")
      }
    }
  }

  // MARK: The dropdown

  @Test("a click on the dropdown selects the name at that position")
  func dropdown() throws {
    var state = try SampleStates.typing()
    let dropdown = try #require(CompletionDropdown(state))
    #expect(dropdown.index(atColumn: 3, row: 1) == 0)
    #expect(dropdown.index(atColumn: 3, row: 3) == 2)
    #expect(dropdown.index(atColumn: 3, row: 4) == nil)
    #expect(dropdown.index(atColumn: 0, row: 1) == nil)

    // More than fit. The selected one is always visible.
    state.search.completions?.predictions = (0..<20).map { Prediction("owner/name-\($0)") }
    state.search.completions?.selection = 12
    #expect(CompletionDropdown(state)?.index(atColumn: 3, row: 8) == 12)
    #expect(text(of: state).contains("owner/name-12"))
    state.pane = .list
    #expect(CompletionDropdown(state) == nil)
  }

  // MARK: Cost

  @Test("rows out of sight aren't read")
  func visibleRowsOnly() throws {
    var state = try SampleStates.issues(80, 24, count: 5_000)
    state.list.cursor.top = 4_990
    state.list.cursor.selection = 4_999
    let canvas = BrowserScreen.canvas(of: state)
    #expect(canvas[row: 12].dropLast().allSatisfy { $0.style == state.look[.selection] })
    #expect(canvas[row: 13].dropLast().allSatisfy { $0.text == " " })
    // Beyond the end, as after a shorter list replaces a longer one.
    state.list.cursor.top = 90_000
    #expect(text(of: state).contains("#\(SampleStates.issue(4_999).number)"))
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { String(self).trimmingBlanks }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

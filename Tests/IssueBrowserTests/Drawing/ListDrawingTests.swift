import GitHubAPI
import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The rows of a list")
struct ListDrawingTests {
  // MARK: Columns

  private func rows(of state: BrowserState) -> [String] {
    BrowserScreen.canvas(of: state).text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  @Test(
    "column titles are aligned with their cells",
    arguments: [(80, 24), (120, 24), (130, 24), (200, 24)])
  func titles(columns: Int, height: Int) throws {
    let state = try SampleStates.issues(columns, height)
    let rows = rows(of: state)
    let (titles, first) = (Array(rows[2]), Array(rows[3]))
    func column(_ text: String, in row: [Character]) -> Int? {
      (0..<row.count).first { String(row[$0...].prefix(text.count)) == text }
    }
    let number = try #require(column("#85968", in: first))
    #expect(column("number", in: titles) == number)
    #expect(column("title", in: titles) == column("Compiler", in: first))
    #expect(column("labels", in: titles) == column(" bug ", in: first))
    if columns >= 130 { #expect(column("author", in: titles) == column("OC octocat", in: first)) }
    let age = columns == 200 ? "about 11 hours ago" : "11h"
    let end = try #require(column(age, in: first)) + age.count
    #expect(titles.count == end && rows[2].hasSuffix("created"))
  }

  /// An issue with something in each column.
  private static let full: GitHub.Issue = {
    var issue = SampleStates.issue(0)
    issue.assignees = [GitHub.User(login: "ada"), GitHub.User(login: "grace")]
    issue.milestone = GitHub.Milestone(title: "6.4")
    issue.commentsCount = 7
    issue.updatedAt = SampleStates.now.addingTimeInterval(-7_200)
    return issue
  }()

  private func state(_ columns: Int, _ chosen: [ListColumn]) throws -> BrowserState {
    var state = try SampleStates.issues(columns, 24)
    var sheet = try SampleStates.sheet()
    sheet.issues[0] = Self.full
    state.list.content = .issues(sheet)
    state.columns = chosen
    return state
  }

  @Test("a list shows the chosen columns in the chosen order")
  func chosen() throws {
    let rows = rows(
      of: try state(200, [.updated, .milestone, .comments, .assignees, .author, .labels]))
    let titles = rows[2].split(separator: " ")
    #expect(
      titles == [
        "number", "title", "updated", "milestone", "comments", "assignees", "author", "labels",
      ])
    let cells = ["2 hours ago", "6.4", "7", "ada, grace", "OC octocat", "bug   crash"]
    var rest = rows[3][...]
    for cell in cells {
      let found = try #require(rest.firstRange(of: cell), "\(cell) in \(rows[3])")
      rest = rest[found.upperBound...]
    }
  }

  @Test("without chosen columns, the title has the full width")
  func noColumns() throws {
    let rows = rows(of: try state(120, []))
    #expect(rows[2].split(separator: " ") == ["number", "title"])
    #expect(rows[8].contains("before the matter is reached"))
  }

  // MARK: Empty columns

  /// A list with chosen columns that are empty in its first hundred rows.
  private func empty(_ columns: Int, _ change: (inout GitHub.Issue) -> Void) throws -> BrowserState
  {
    var state = try SampleStates.issues(columns, 24, count: 120)
    var sheet = try SampleStates.sheet(count: 120)
    for index in sheet.issues.indices {
      sheet.issues[index].labels = []
      sheet.issues[index].commentsCount = 0
    }
    change(&sheet.issues[0])
    sheet.issues[110].milestone = GitHub.Milestone(title: "6.4")
    state.list.content = .issues(sheet)
    state.list.cursor.selection = 0
    return state
  }

  @Test(
    "columns that are empty in the first rows leave titles half of the width, also further down")
  func emptyColumns() throws {
    var state = try empty(100) { _ in }
    state.columns = [.author, .milestone, .assignees, .labels, .created]
    let titles = rows(of: state)[2]
    #expect(titles.split(separator: " ") == ["number", "title", "author", "created"])
    state.list.cursor.top = 100
    #expect(rows(of: state)[2] == titles)
    // Where there is room, the chosen columns stay.
    state.size = ScreenSize(columns: 200, rows: 24)
    #expect(rows(of: state)[2].contains("milestone"))
  }

  @Test("a title takes the place of the empty cells after it, without moving the others")
  func emptyCells() throws {
    let title = "A title that takes the place of its labels, and of nothing else"
    var state = try empty(120) { $0.labels = [GitHub.Label(name: "bug")] }
    guard case .issues(var sheet) = state.list.content else { return }
    for index in 0...1 { sheet.issues[index].title = title }
    sheet.issues[1].commentsCount = 7
    state.list.content = .issues(sheet)
    state.columns = [.labels, .comments, .created]
    let rows = rows(of: state)
    #expect(!rows[3].contains(title) && rows[4].contains("\(title)  "))
    #expect(rows[3].count == rows[4].count)
  }

  @Test("a narrow window omits the last of the chosen columns", arguments: 20...200)
  func fewerColumns(width: Int) throws {
    let chosen = [ListColumn.created, .assignees, .milestone, .labels]
    let rows = rows(of: try state(width, chosen))
    let shown = rows[2].split(separator: " ").dropFirst(2).map(String.init)
    #expect(shown == chosen.prefix(shown.count).map(\.rawValue))
    #expect(shown.count == [45, 61, 77, 100].count { $0 <= width }, "\(width): \(shown)")
    #expect(shown.isEmpty || rows[3].contains("Compiler crashes when a"))
    #expect(rows[2...].allSatisfy { $0.count <= width })
  }

  @Test("the text-only screen shows the chosen columns")
  func chosenWords() throws {
    var state = try state(160, [.updated, .milestone, .assignees])
    state.look = Look(symbols: .plain)
    #expect(
      rows(of: state)[2]
        == "  #85968 open, Compiler crashes when a package has no targets, updated about 2 hours ago, "
        + "milestone 6.4, assigned to ada and grace")
  }

  @Test("a low window and an empty list have no column titles")
  func noTitles() throws {
    #expect(try rows(of: SampleStates.issues(80, 15))[2].contains("#85968"))
    #expect(try rows(of: SampleStates.issues(80, 16))[2].contains("number"))
    #expect(SampleStates.empty(80, 24).layout.columnTitleRow == nil)
    #expect(rows(of: SampleStates.repositories(80, 24))[2].hasPrefix(" repository "))
    // The reader covers them.
    #expect(try SampleStates.reading(80, 24).layout.columnTitleRow == nil)
    #expect(try SampleStates.reading(120, 24).layout.columnTitleRow == 2)
  }

  @Test("a click selects the correct row below the column titles")
  func click() throws {
    let state = try SampleStates.issues(80, 24)
    #expect(state.layout.list.row == 3)
    #expect(state.layout.list.height == 20)
    #expect(rows(of: state)[3].contains("#85968"))
  }

  @Test(
    "a row shows as many labels as fit, and the number of omitted labels",
    arguments: [
      (["bug"], 20, " bug "), (["bug", "crash"], 13, " bug   crash "),
      (["bug", "crash"], 12, " bug  +1"), (["good first issue", "bug"], 12, " good f…  +1"),
      (["good first issue"], 12, " good firs… "), (["a", "b", "c", "d"], 11, " a   b  +2"),
    ])
  func labels(names: [String], columns: Int, expected: String) {
    let line = Look().pills(names.map { GitHub.Label(name: $0) }, within: columns)
    #expect(line.plain == expected)
    #expect(line.columns <= columns)
  }

  @Test(
    "initials are two letters of a login",
    arguments: [
      ("octocat", "OC"), ("a-very-long-login", "AV"), ("dependabot[bot]", "DB"), ("x", "X"),
      ("日本", ""), ("", ""),
    ])
  func initials(login: String, expected: String) {
    #expect(Look().initials(of: login).text.string == expected)
    #expect(Look().initials(of: login) == Look().initials(of: login))
  }

  @Test("users have several colors")
  func people() {
    let styles = (0..<60).map { Look().initials(of: "person\($0)").style }
    #expect(Set(styles).count == 6)
  }

  @Test(
    "an unread issue has a dot and a bold title, even on the selected row", arguments: [0, 1],
    [nil, Color.black])
  func unread(index: Int, background: Color?) throws {
    var state = try SampleStates.issues(80, 10)
    state.list.cursor.selection = 0
    state.look.background = background
    var sheet = try SampleStates.sheet()
    sheet.issues[index].title = "Title"
    sheet.unread = [sheet.key(of: sheet.issues[index])]
    state.list.content = .issues(sheet)
    let canvas = BrowserScreen.canvas(of: state)
    let row = 2 + index
    #expect(canvas[row: row].first?.text == (index == 0 ? "▌" : "•"))
    #expect(canvas.styles(of: "Title", row: row)?.first?.style.isBold == true)
    sheet.unread = []
    state.list.content = .issues(sheet)
    let read = BrowserScreen.canvas(of: state)
    #expect(read[row: row].first?.text == (index == 0 ? "▌" : " "))
    #expect(read.styles(of: "Title", row: row)?.first?.style.isBold == false)
  }

  @Test("ages grow while the screen is open")
  func ages() throws {
    var state = try SampleStates.issues(80, 10)
    var sheet = try SampleStates.sheet(count: 1)
    sheet.issues[0].createdAt = state.now
    state.list.content = .issues(sheet)
    func age() -> String? { rows(of: state)[2].split(separator: " ").last.map(String.init) }
    #expect(age() == "now")
    state.now += 59
    #expect(age() == "now")
    state.now += 1
    #expect(age() == "1m")
    state.now += 3_600
    #expect(age() == "1h")
  }

  // MARK: The scrollbar

  @Test("a list that fits the window has no scrollbar")
  func noScrollbar() throws {
    #expect(Scrollbar(top: 0, height: 20, total: 20, hasMore: false).thumb == nil)
    #expect(Scrollbar(top: 0, height: 20, total: 19, hasMore: true).thumb == nil)
    #expect(Scrollbar(top: 0, height: 20, total: 20, hasMore: true).thumb != nil)
    #expect(Scrollbar(top: 0, height: 0, total: 10, hasMore: false).thumb == nil)
  }

  @Test(
    "the scrollbar's thumb touches an edge only at that end of the list",
    arguments: [1, 2, 3, 20, 50])
  func ends(height: Int) throws {
    for total in [height + 1, height + 5, 100, 100_000] {
      for hasMore in [false, true] {
        var last = 0
        let tops = [0, 1, total / 2, total - height - 1, total - height]
        for top in Set(tops).sorted() where (0...total - height).contains(top) {
          let thumb = try #require(
            Scrollbar(top: top, height: height, total: total, hasMore: hasMore).thumb)
          #expect(!thumb.isEmpty && thumb.lowerBound >= last && thumb.upperBound <= height)
          last = thumb.lowerBound
          guard height > thumb.count + 1 else { continue }
          #expect((thumb.lowerBound == 0) == (top == 0), "\(top) of \(total)")
          let isEnd = top == total - height && !hasMore
          #expect((thumb.upperBound == height) == isEnd, "\(top) of \(total), \(hasMore)")
        }
      }
    }
  }

  @Test(
    "the scrollbar is at the right of the list, and reflects the mirror's total",
    arguments: [80, 200])
  func scrollbar(columns: Int) throws {
    var state = try SampleStates.reading(columns, 24)
    if columns == 80 { state.reader = nil }
    state.pane = .list
    let column = state.layout.list.width - 1
    func thumb(_ symbol: String = "▐") -> [Int] {
      let canvas = BrowserScreen.canvas(of: state)
      return (0..<24).filter { Array(canvas[row: $0])[column].text == symbol }
    }
    let rows = thumb()
    #expect(rows.first == 3 && rows.count > 10)
    state.list.cursor.top = 10
    #expect(thumb().first == 22 - rows.count)
    state.look.symbols = .ascii
    #expect(thumb().isEmpty && thumb("#").count == rows.count)
  }
}

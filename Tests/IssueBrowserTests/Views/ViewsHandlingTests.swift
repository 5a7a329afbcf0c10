import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The start screen and views")
struct ViewsHandlingTests {
  static let swift = "swiftlang/swift"

  static func reference(_ name: String) throws -> RepositoryReference {
    try RepositoryReference(parsing: name)
  }

  static func views() throws -> [SavedView] {
    [
      SavedView(
        name: "triage", query: "is:open label:bug", sort: "created-asc",
        place: .repositories([try reference(swift)])),
      SavedView(name: "closed", query: "is:closed"),
      SavedView(
        name: "both", query: "is:open crash",
        place: .repositories([try reference(swift), try reference("a/b")])),
    ]
  }

  static func page() throws -> StartPage {
    let now = SampleStates.now
    return StartPage(
      rows: [
        .clone(try reference("me/work")), .outbox(waiting: 3, needingPerson: 1),
      ] + StartPage.own.map { .search($0) }
        + (try views()).enumerated().map { .view($0.offset + 1, $0.element) } + [
          .recent(try reference(swift)), .recent(try reference("ghe.example.com/team/project")),
          .mirror(try reference(swift), syncedAt: now.addingTimeInterval(-7_200)),
          .mirror(try reference("a/b"), syncedAt: nil),
        ])
  }

  static func start(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserState {
    var state = SampleStates.empty(columns, rows)
    state.views = ViewsState(try views(), hasStart: true)
    state.handle(.start)
    state.handle(.result(.startPage(try page()), of: .views(revision: state.revisions.views)))
    return state
  }

  @Test("without an argument, the browser opens the start screen and focuses the search bar")
  func begins() throws {
    var state = SampleStates.empty()
    state.views = ViewsState([], hasStart: true)
    #expect(
      state.handle(.start) == [
        .begin(.clock), .begin(.acting(.follow)), .begin(.views(revision: 1)),
      ])
    #expect(state.pane == .search)
    state.handle(.result(.startPage(try Self.page()), of: .views(revision: 1)))
    #expect(state.rowCount == 11)
    // Enter in the empty bar chooses the first.
    let effects = state.handle(.input(.key(.enter)))
    #expect(state.list.query == .issues(try Self.reference("me/work"), IssueFilter()))
    #expect(effects.contains { if case .begin(.list) = $0 { true } else { false } })
    var typing = try Self.start()
    typing.handle(.input(.key(.character("1"))))
    #expect(typing.search.text == "1")
  }

  @Test("a start screen that loads after a list was requested leaves focus on the list")
  func late() throws {
    var state = try Self.start()
    state.handle(.input(.paste("a/b")))
    state.handle(.input(.key(.enter)))
    for rows in [[], try Self.page().rows] {
      state.handle(.result(.startPage(StartPage(rows: rows)), of: .views(revision: 1)))
      #expect(state.pane == .list)
      #expect(state.rowCount == 0)
    }
    state.handle(.input(.key(.enter)))
    #expect(state.list.query == .issues(try Self.reference("a/b"), IssueFilter()))
  }

  @Test("without a start screen, no start page is loaded")
  func none() {
    var state = SampleStates.empty()
    #expect(state.handle(.start) == [.begin(.clock), .begin(.acting(.follow))])
    state.pane = .list
    #expect(BrowserKeys.command(for: .key(.character("0")), in: state) == nil)
  }

  @Test("a row of the start screen opens its place, and going back selects that row")
  func rows() throws {
    var state = try Self.start()
    state.handle(.input(.key(.down)))
    #expect(state.pane == .list)
    for _ in 1...7 { state.handle(.input(.key(.character("j")))) }
    state.handle(.input(.key(.enter)))
    #expect(state.list.query == .issues(try Self.reference(Self.swift), IssueFilter()))
    state.list.content = .issues(try SampleStates.sheet())
    #expect(BrowserKeys.command(for: .key(.character("q")), in: state) == .leaveToViews)
    state.handle(.input(.key(.character("q"))))
    #expect(state.list.content == .nothing)
    #expect(state.list.cursor.selection == 7)
    #expect(state.pane == .list)
    #expect(BrowserKeys.command(for: .key(.character("q")), in: state) == .quit)
  }

  @Test("the history leads to the start screen and to a view of several repositories")
  func history() throws {
    var state = try Self.start()
    func press(_ keys: String) {
      for key in keys { state.handle(.input(.key(.character(key)))) }
    }
    state.handle(.input(.key(.down)))
    press("jj1")
    #expect(state.tab == 1)
    press("[")
    #expect(state.tab == 0 && state.list.cursor.selection == 2)
    press("3")
    try Self.answer(3, in: &state)
    press("j0")
    #expect(state.tab == 0)
    press("[")
    #expect(state.tab == 3 && state.rowCount == 3 && state.list.cursor.selection == 1)
    press("[")
    #expect(state.tab == 0)
    press("]]")
    #expect(state.tab == 0)
    press("[")
    #expect(state.tab == 3)
    // A name that is typed on the start screen leads back there, too.
    var typed = try Self.start()
    typed.handle(.input(.paste("a/b")))
    typed.handle(.input(.key(.enter)))
    typed.handle(.input(.key(.character("["))))
    #expect(typed.tab == 0 && typed.pane == .list)
  }

  @Test("the selection stays on its row when rows are inserted above it")
  func selection() throws {
    var state = try Self.start()
    var early = try Self.page()
    early.rows.removeAll { if case .search = $0 { true } else { false } }
    let work = BrowserWork.views(revision: state.revisions.views)
    state.handle(.result(.startPage(early), of: work))
    state.handle(.input(.key(.down)))
    for _ in 1...5 { state.handle(.input(.key(.character("j")))) }
    let row = early.rows[state.list.cursor.selection]
    state.handle(.result(.startPage(try Self.page()), of: work))
    #expect(try Self.page().rows[state.list.cursor.selection] == row)
  }

  @Test("the selection stays on its row when the start screen is loaded again")
  func reloaded() throws {
    var state = try Self.start()
    var early = try Self.page()
    early.account = nil
    early.rows.removeAll { $0.title == "yours" }
    let row = try #require(try Self.page().rows.lastIndex { $0.title == "yours" })
    var page = try Self.page()
    page.account = .token(from: "GH_TOKEN")
    let work = BrowserWork.views(revision: state.revisions.views)
    state.handle(.result(.startPage(page), of: work))
    state.list.cursor.selection = row
    for loaded in [early, page] {
      state.handle(.result(.startPage(loaded), of: work))
      #expect(state.list.cursor.selection == row)
    }
  }

  @Test("the start screen counts again when a change was sent")
  func unsent() throws {
    var state = try Self.start()
    let revision = state.revisions.views
    let work = BrowserWork.acting(.follow)
    let effects = state.handle(
      .result(.acting(.unsent(UnsentChanges(all: 1, needingPerson: 0))), of: work))
    #expect(effects == [.begin(.views(revision: revision + 1))])
    #expect(
      state.handle(
        .result(.acting(.unsent(UnsentChanges(all: 1, needingPerson: 0))), of: work)) == [])
  }

  @Test("a view of one repository opens the repository's list with the view's filter and a tab")
  func view() throws {
    var state = try SampleStates.issues()
    state.views = ViewsState(try Self.views(), hasStart: true)
    state.handle(.input(.key(.character("1"))))
    let filter = try IssueFilter(query: "is:open label:bug sort:created-asc")
    #expect(state.list.query == .issues(try Self.reference(Self.swift), filter))
    #expect(state.search.text == Self.swift)
    #expect(state.tab == 1)
    // Another order is no longer the view.
    for key in [InputEvent.Key.character("s"), .down, .enter] { state.handle(.input(.key(key))) }
    #expect(state.tab == nil)
    state.handle(.input(.key(.character("1"))))
    #expect(state.tab == 1)
    state.handle(.input(.key(.character("0"))))
    #expect(state.tab == 0)
    #expect(state.list.content == .nothing)
  }

  @Test("a view without repositories uses the repository on the screen, or the clone's")
  func here() throws {
    var state = try SampleStates.issues()
    state.views = ViewsState(try Self.views(), hasStart: true)
    state.handle(.input(.key(.character("2"))))
    let filter = try IssueFilter(query: "is:closed")
    #expect(state.list.query == .issues(try Self.reference("apple/swift"), filter))
    var start = try Self.start()
    start.pane = .list
    start.handle(.input(.key(.character("2"))))
    #expect(start.list.query == .issues(try Self.reference("me/work"), filter))
    var empty = SampleStates.empty()
    empty.views = ViewsState(try Self.views(), hasStart: true)
    empty.pane = .list
    empty.handle(.input(.key(.character("2"))))
    #expect(empty.message == "The view “closed” needs a repository: open one first")
  }

  /// The third view with issues of its two repositories.
  static func several(_ count: Int, _ columns: Int = 80, _ rows: Int = 24) throws -> BrowserState {
    var state = try start(columns, rows)
    state.pane = .list
    state.handle(.input(.key(.character("3"))))
    try answer(count, in: &state)
    return state
  }

  /// Answers the search of several repositories.
  private static func answer(_ count: Int, in state: inout BrowserState) throws {
    guard case .searched(let scope, let search) = state.list.query else { return }
    var sheet = IssueSheet(scope, search)
    sheet.append(try (1...count).map(issue))
    state.handle(
      .result(.issues(sheet), of: .list(revision: state.revisions.list, pause: nil)))
  }

  @Test("a view of several repositories is a list whose issues are read in place")
  func found() throws {
    var state = try Self.start()
    state.pane = .list
    #expect(
      state.handle(.input(.key(.character("3")))).contains(
        .begin(.list(revision: state.revisions.list, pause: nil))))
    #expect(state.list.isLoading && state.tab == 3)
    state = try Self.several(3)
    #expect(!state.list.isLoading && state.rowCount == 3)
    state.handle(.input(.key(.character("j"))))
    #expect(state.selectedPage == (try Self.reference("https://github.com/a/b/issues/2")).here)
    state.handle(.input(.key(.enter)))
    #expect(state.reader?.issue.number == 2 && state.rowCount == 3 && state.tab == 3)
    #expect(state.list.addressed == nil)
    // Back leads to the row, and further back to the start.
    state.handle(.input(.key(.character("q"))))
    #expect(state.list.cursor.selection == 1 && state.reader == nil && state.tab == 3)
    state.handle(.input(.key(.character("q"))))
    #expect(state.tab == 0 && state.list.content == .nothing)
  }

  static func issue(_ number: Int) throws -> GitHub.Issue {
    var issue = SampleStates.issue(number)
    issue = GitHub.Issue(
      id: Int64(number), number: number, title: issue.title, state: .open, user: issue.user,
      labels: issue.labels, createdAt: issue.createdAt,
      htmlURL: "https://github.com/\(number == 2 ? "a/b" : "swiftlang/swift")/issues/\(number)")
    return issue
  }

  @Test("the browser can open with a view")
  func first() throws {
    var state = SampleStates.empty()
    state.views = ViewsState(try Self.views(), hasStart: true, first: "triage")
    state.handle(.start)
    #expect(state.tab == 1)
    #expect(state.pane == .list)
    var here = SampleStates.empty()
    here.views = ViewsState(try Self.views(), hasStart: true, first: "closed")
    here.search.field = TextField("me/work")
    here.handle(.start)
    #expect(
      here.list.query == .issues(try Self.reference("me/work"), try IssueFilter(query: "is:closed"))
    )
  }

  // MARK: Pictures

  @Test(
    "the first start explains the program and how to begin",
    arguments: [(40, 15, false), (80, 24, false), (200, 60, false), (80, 24, true)])
  func firstPicture(columns: Int, rows: Int, isPlain: Bool) throws {
    var state = SampleStates.empty(columns, rows)
    if isPlain { state.look = Look(symbols: .plain) }
    state.views = ViewsState([], hasStart: true)
    state.handle(.start)
    var page = StartPage(version: "1.2.3")
    page.account = .missing(variable: "GH_TOKEN")
    state.handle(.result(.startPage(page), of: .views(revision: state.revisions.views)))
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state),
      named: "\(isPlain ? "plain-" : "")first-\(columns)x\(rows)")
  }

  @Test("the start screen matches its snapshot", arguments: [(40, 10), (80, 24), (120, 40)])
  func startPicture(columns: Int, rows: Int) throws {
    var state = try Self.start(columns, rows)
    state.handle(.input(.key(.down)))
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: "start-\(columns)x\(rows)")
  }

  @Test(
    "a view of several repositories matches its snapshot",
    arguments: [(40, 10), (80, 24), (120, 40)])
  func foundPicture(columns: Int, rows: Int) throws {
    let state = try Self.several(12, columns, rows)
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: "view-\(columns)x\(rows)")
  }
}

extension RepositoryReference {
  /// The reference without its host.
  fileprivate var here: RepositoryReference {
    RepositoryReference(name: name, issueNumber: issueNumber)
  }
}

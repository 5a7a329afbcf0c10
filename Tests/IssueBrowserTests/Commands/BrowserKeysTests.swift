import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Key bindings of the browser")
struct BrowserKeysTests {
  private typealias Key = InputEvent.Key

  /// 30 issues, the third selected.
  private static func list(_ columns: Int = 80) throws -> BrowserState {
    try SampleStates.issues(columns)
  }

  private static func reading(_ columns: Int = 80) throws -> BrowserState {
    try SampleStates.reading(columns)
  }

  private static func typing(_ text: String = "apple/swift") throws -> BrowserState {
    var state = try list()
    state.pane = .search
    state.search.field = TextField(text)
    return state
  }

  @Test(
    "list keys map to their commands",
    arguments: [
      (.character("j"), .move(.down)), (.down, .move(.down)), (.character("k"), .move(.up)),
      (.up, .move(.up)), (.pageDown, .move(.pageDown)), (.pageUp, .move(.pageUp)),
      (.home, .move(.first)), (.character("g"), .move(.first)), (.end, .move(.last)),
      (.character("G"), .move(.last)), (.enter, .enter), (.character("r"), .refresh),
      (.character("f"), .openFilter), (.character("s"), .sort), (.character("o"), .openPage),
      (.character("/"), .focus(.search)), (.tab, .focus(.search)), (.backTab, .focus(.search)),
      (.character("?"), .showHelp), (.help, .showHelp), (.character("q"), .quit), (.escape, nil),
      (.interrupt, .quit), (.control("z"), .suspend), (.control("l"), .repaint),
      (.character("#"), .beginCommand("#")), (.character(":"), .beginCommand(":")),
      (.character("5"), .count(5)), (.character("0"), nil), (.character("{"), nil),
      (.control("d"), .move(.halfPageDown)), (.control("u"), .move(.halfPageUp)),
      (.control("f"), .move(.pageDown)), (.control("b"), .move(.pageUp)),
      (.character("["), .travel(-1)), (.character("]"), .travel(1)),
      (.character("l"), .enter), (.character("h"), nil), (.character("N"), nil),
      (.character("x"), .act(.close)), (.character("X"), .act(.reopen)),
      (.character("u"), .act(.undo)), (.character("c"), .act(.comment)),
      (.character("e"), .act(.edit)), (.character("n"), .act(.newIssue)),
      (.character("L"), .act(.labels)), (.character("a"), .act(.assignees)),
      (.character("m"), .act(.milestone)), (.character("+"), .act(.react)),
      (.character("O"), .act(.outbox)), (.character(" "), .act(.toggleRow)),
      (.character("V"), .act(.range)), (.character("*"), .act(.selectAll)),
      (.left, nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inList(key: InputEvent.Key, command: BrowserCommand?) throws {
    #expect(try BrowserKeys.command(for: .key(key), in: Self.list()) == command)
  }

  @Test(
    "reader keys map to their commands",
    arguments: [
      (.character("j"), .moveReader(.down)), (.up, .moveReader(.up)),
      (.pageDown, .moveReader(.pageDown)), (.pageUp, .moveReader(.pageUp)),
      (.home, .moveReader(.first)), (.character("G"), .moveReader(.last)),
      (.control("d"), .moveReader(.halfPageDown)), (.control("u"), .moveReader(.halfPageUp)),
      (.control("f"), .moveReader(.pageDown)), (.control("b"), .moveReader(.pageUp)),
      (.character(" "), .moveReader(.pageDown)),
      (.character("J"), .readOther(1)), (.character("K"), .readOther(-1)),
      (.character("n"), nil), (.character("N"), nil), (.character("h"), .closeReader),
      (.character("f"), .openHints),
      (.character("["), .travel(-1)), (.character("]"), .travel(1)),
      (.character("q"), .closeReader), (.escape, .closeReader), (.character("o"), .openPage),
      (.character("r"), .refresh), (.character("/"), .openFind),
      (.character("?"), .showHelp), (.tab, .focus(.search)), (.interrupt, .quit),
      (.character("#"), .beginCommand("#")), (.character("s"), nil), (.enter, nil),
      (.character("}"), .goToComment(1)), (.character("{"), .goToComment(-1)),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inReader(key: InputEvent.Key, command: BrowserCommand?) throws {
    #expect(try BrowserKeys.command(for: .key(key), in: Self.reading()) == command)
  }

  @Test(
    "search bar keys map to their commands",
    arguments: [
      (.character("q"), .editSearch(.insert("q"))), (.character("?"), .editSearch(.insert("?"))),
      (.backspace, .editSearch(.deleteBackward)), (.delete, .editSearch(.deleteForward)),
      (.control("d"), .editSearch(.deleteForward)), (.left, .editSearch(.moveLeft)),
      (.right, .editSearch(.moveRight)), (.home, .editSearch(.moveToStart)),
      (.control("a"), .editSearch(.moveToStart)), (.end, .editSearch(.moveToEnd)),
      (.control("e"), .editSearch(.moveToEnd)), (.control("u"), .editSearch(.deleteToStart)),
      (.control("k"), .editSearch(.deleteToEnd)), (.control("w"), .editSearch(.deleteWord)),
      (.wordLeft, .editSearch(.moveWordLeft)), (.wordRight, .editSearch(.moveWordRight)),
      (.deleteWordBackward, .editSearch(.deleteWord)),
      (.deleteWordForward, .editSearch(.deleteWordForward)),
      (.enter, .submitSearch), (.tab, .focus(.list)), (.down, .focus(.list)), (.up, nil),
      (.escape, .leaveSearch), (.interrupt, .quit), (.control("x"), nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inSearch(key: InputEvent.Key, command: BrowserCommand?) throws {
    #expect(try BrowserKeys.command(for: .key(key), in: Self.typing()) == command)
  }

  @Test("in an empty search bar, Ctrl-D quits")
  func emptySearch() throws {
    let state = try Self.typing("")
    #expect(BrowserKeys.command(for: .key(.control("d")), in: state) == .quit)
  }

  @Test(
    "completion keys act on the selected completion",
    arguments: [
      (.down, .selectCompletion(2)), (.up, .selectCompletion(0)),
      (.tab, .takeCompletion(1, isFinal: false)), (.right, .takeCompletion(1, isFinal: false)),
      (.enter, .takeCompletion(1, isFinal: true)), (.escape, .leaveSearch),
      (.character("i"), .editSearch(.insert("i"))),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inCompletions(key: InputEvent.Key, command: BrowserCommand?) throws {
    #expect(try BrowserKeys.command(for: .key(key), in: SampleStates.typing()) == command)
  }

  @Test("completion keys map to their commands without a selected completion")
  func noneSelected() throws {
    var state = try SampleStates.typing()
    state.search.completions?.selection = nil
    let commands: [(Key, BrowserCommand?)] = [
      (.down, .selectCompletion(0)), (.up, nil), (.enter, .submitSearch),
      (.tab, .takeCompletion(0, isFinal: false)),
    ]
    for (key, command) in commands {
      #expect(BrowserKeys.command(for: .key(key), in: state) == command)
    }
    state.search.completions?.selection = 2
    #expect(BrowserKeys.command(for: .key(.down), in: state) == .selectCompletion(2))
    state.search.completions?.selection = 0
    #expect(BrowserKeys.command(for: .key(.up), in: state) == .selectCompletion(nil))
    state.search.field.edit(.moveLeft)
    #expect(BrowserKeys.command(for: .key(.right), in: state) == .editSearch(.moveRight))
  }

  @Test(
    "filter keys map to their commands",
    arguments: [
      (.character("q"), .editFilter(.insert("q"))), (.enter, .applyFilter), (.escape, .closeFilter),
      (.tab, .completeFilter(nil)), (.control("w"), .editFilter(.deleteWord)), (.interrupt, .quit),
      (.up, nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inFilter(key: InputEvent.Key, command: BrowserCommand?) throws {
    var state = try Self.list()
    state.filter.field = TextField("is:open")
    #expect(BrowserKeys.command(for: .key(key), in: state) == command)
    #expect(
      BrowserKeys.command(for: .paste("x"), in: state) == .editFilter(.insert("x")))
    #expect(BrowserKeys.command(for: .mouse(.click, column: 2, row: 4), in: state) == nil)
  }

  @Test(
    "keys of the find field map to their commands",
    arguments: [
      (.character("q"), .editFind(.insert("q"))), (.enter, .keepFind), (.escape, .dropFind),
      (.down, .goToMatch(1)), (.up, .goToMatch(-1)), (.control("w"), .editFind(.deleteWord)),
      (.control("d"), .dropFind), (.interrupt, .quit), (.tab, nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inFind(key: InputEvent.Key, command: BrowserCommand?) throws {
    var state = try Self.reading()
    state.reader?.find = ReaderFind(start: 0)
    #expect(BrowserKeys.command(for: .key(key), in: state) == command)
    #expect(BrowserKeys.command(for: .paste("x"), in: state) == .editFind(.insert("x")))
    #expect(BrowserKeys.command(for: .mouse(.click, column: 2, row: 4), in: state) == nil)
  }

  @Test(
    "reader keys map to their commands while matches are shown",
    arguments: [
      (.character("n"), .goToMatch(1)), (.character("N"), .goToMatch(-1)),
      (.escape, .dropFind), (.character("q"), .closeReader), (.character("/"), .openFind),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func withFound(key: InputEvent.Key, command: BrowserCommand?) throws {
    var state = try Self.reading()
    state.reader?.find = ReaderFind(field: nil, text: "page", start: 0)
    #expect(BrowserKeys.command(for: .key(key), in: state) == command)
  }

  @Test("h goes back to the search that led to a repository")
  func leftGoesBack() throws {
    var state = try Self.list()
    state.list.found = ListState.FoundRepositories(
      list: state.kept(as: .repositories("swift")), search: TextField("swift"))
    #expect(BrowserKeys.command(for: .key(.character("h")), in: state) == .goBack)
  }

  @Test(
    "help keys map to their commands",
    arguments: [
      (.escape, .hideHelp), (.enter, .hideHelp), (.character("?"), .hideHelp),
      (.character("q"), .editHelp(.insert("q"))), (.character("j"), .editHelp(.insert("j"))),
      (.down, .scrollHelp(.down)), (.pageUp, .scrollHelp(.pageUp)),
      (.control("d"), .scrollHelp(.halfPageDown)), (.backspace, .editHelp(.deleteBackward)),
      (.interrupt, .quit), (.control("p"), nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inHelp(key: InputEvent.Key, command: BrowserCommand?) throws {
    var state = try Self.list()
    state.help = KeyHelp()
    #expect(BrowserKeys.command(for: .key(key), in: state) == command)
    state.help?.field = TextField("x")
    #expect(BrowserKeys.command(for: .key(.escape), in: state) == .editHelp(.deleteAll))
  }

  @Test(
    "palette keys map to their commands",
    arguments: [
      (.escape, .closePalette), (.enter, .focus(.search)),
      (.character("q"), .editPalette(.insert("q"))),
      (.down, .selectAction(1)), (.control("n"), .selectAction(1)), (.up, .selectAction(-1)),
      (.interrupt, .quit), (.tab, nil),
    ] as [(InputEvent.Key, BrowserCommand?)])
  func inPalette(key: InputEvent.Key, command: BrowserCommand?) throws {
    var state = try Self.list()
    #expect(BrowserKeys.command(for: .key(.control("p")), in: state) == .openPalette)
    state.palette = Palette()
    #expect(BrowserKeys.command(for: .key(key), in: state) == command)
  }

  @Test("the mouse selects, reads, scrolls and changes the pane")
  func mouse() throws {
    let list = try Self.list()
    func command(_ action: InputEvent.MouseAction, _ column: Int, _ row: Int, _ state: BrowserState)
      -> BrowserCommand?
    {
      BrowserKeys.command(for: .mouse(action, column: column, row: row), in: state)
    }
    #expect(command(.click, 5, 3, list) == .select(row: 0))
    #expect(command(.doubleClick, 5, 6, list) == .enter)
    #expect(command(.wheelDown, 5, 6, list) == .scrollList(by: 3))
    #expect(command(.wheelUp, 5, 6, list) == .scrollList(by: -3))
    #expect(command(.click, 5, 0, list) == .focus(.search))
    #expect(command(.click, 5, 23, list) == nil)
    var short = try SampleStates.issues(80, 24, count: 3)
    short.list.cursor.top = 0
    #expect(command(.click, 5, 10, short) == .focus(.list))
    let wide = try Self.reading(160)
    #expect(command(.click, 150, 6, wide) == .focus(.reader))
    #expect(command(.wheelDown, 150, 6, wide) == .scrollReader(by: 3))
    #expect(command(.wheelDown, 5, 6, wide) == .scrollList(by: 3))
    #expect(try command(.click, 5, 3, SampleStates.typing()) == .takeCompletion(2, isFinal: true))
  }

  @Test("the hint for Enter describes its effect")
  func enterHint() throws {
    for (selection, hint, command) in [
      (nil, "Enter search", BrowserCommand.submitSearch),
      (1, "Enter take", .takeCompletion(1, isFinal: true)),
    ] as [(Int?, String, BrowserCommand)] {
      var state = try SampleStates.typing()
      state.search.completions?.selection = selection
      #expect(BrowserScreen.canvas(of: state).text.contains(hint))
      #expect(BrowserKeys.command(for: .key(.enter), in: state) == command)
    }
  }

  @Test("Enter takes the first completion if the typed text leads nowhere")
  func enteredCompletion() throws {
    let reference = try RepositoryReference(parsing: "apple/sw")
    var missing = IssueSheet(reference: reference)
    missing.standing = .missing("apple/sw doesn't exist")
    for (query, sheet, hint, command) in [
      (.incomplete, nil, "Enter take", .takeCompletion(0, isFinal: true)),
      (.issues(reference, IssueFilter()), missing, "Enter take", .takeCompletion(0, isFinal: true)),
      // It may be a whole name.
      (.issues(reference, IssueFilter()), nil, "Enter search", .submitSearch),
      (.repositories("sw"), nil, "Enter search", .submitSearch),
    ] as [(ListQuery, IssueSheet?, String, BrowserCommand)] {
      var state = try SampleStates.typing()
      state.search.completions?.selection = nil
      state.list.query = query
      if let sheet { state.list.content = .issues(sheet) }
      #expect(BrowserScreen.canvas(of: state).text.contains(hint))
      #expect(BrowserKeys.command(for: .key(.enter), in: state) == command)
    }
  }

  @Test("Esc ends the entry of a number, and so does deleting its #")
  func number() throws {
    #expect(
      try BrowserKeys.command(for: .key(.escape), in: Self.typing("#12")) == .leaveSearch)
    #expect(
      try BrowserKeys.command(for: .key(.backspace), in: Self.typing("#1"))
        == .editSearch(.deleteBackward))
    #expect(
      try BrowserKeys.command(for: .key(.backspace), in: Self.typing("#")) == .leaveSearch)
    #expect(
      BrowserKeys.command(for: .key(.character("#")), in: SampleStates.repositories()) == nil)
  }

  @Test(
    "a pasted issue reference opens its issue",
    arguments: [
      "#12", " :12\n", "apple/swift#12", "https://github.com/apple/swift/issues/12",
      "github.example.com/apple/swift#12",
    ])
  func pastedIssue(text: String) throws {
    for state in [try Self.list(), try Self.reading()] {
      guard case .openIssue(let issue)? = BrowserKeys.command(for: .paste(text), in: state) else {
        Issue.record("no issue")
        continue
      }
      #expect(issue.number == 12)
    }
  }

  @Test("pasted text enters only text fields", arguments: ["q", "12", "apple/swift", "#a"])
  func paste(text: String) throws {
    #expect(
      try BrowserKeys.command(for: .paste(text), in: Self.typing()) == .editSearch(.insert(text)))
    #expect(try BrowserKeys.command(for: .paste(text), in: Self.list()) == nil)
    #expect(try BrowserKeys.command(for: .paste(text), in: Self.reading()) == nil)
  }

  @Test("beside an open reader, q and Esc in the list close the reader, and Tab cycles panes")
  func besideReader() throws {
    var state = try Self.reading(160)
    state.pane = .list
    #expect(BrowserKeys.command(for: .key(.character("q")), in: state) == .closeReader)
    #expect(BrowserKeys.command(for: .key(.escape), in: state) == .closeReader)
    for pane in [BrowserState.Pane.reader, .search, .list] {
      state.handle(.input(.key(.tab)))
      #expect(state.pane == pane)
    }
    for pane in [BrowserState.Pane.search, .reader, .list] {
      state.handle(.input(.key(.backTab)))
      #expect(state.pane == pane)
    }
    #expect(state.reader != nil)
  }
}

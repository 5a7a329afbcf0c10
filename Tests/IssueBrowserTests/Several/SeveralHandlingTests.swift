import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("A list of several repositories: keys")
struct SeveralHandlingTests {
  /// Issues of `swiftlang/swift` but for the second, which `a/b` has.
  private static func list() throws -> BrowserState {
    try ViewsHandlingTests.several(5, 120, 40)
  }

  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  private static func type(_ text: String, in state: inout BrowserState) {
    for letter in text { press(.character(letter), in: &state) }
  }

  private static func picker(_ state: BrowserState) throws -> Picker {
    guard case .picker(let picker)? = state.acting.dialog else { throw NoPicker() }
    return picker
  }

  private struct NoPicker: Error {}

  private static func reference(_ name: String) throws -> RepositoryReference {
    try RepositoryReference(parsing: name)
  }

  @Test("the keys of a list do what they do in a list of one repository")
  func keys() throws {
    var state = try Self.list()
    Self.press(.character("p"), in: &state)
    #expect(state.isPreviewing && state.reader?.issue.number == 1)
    Self.press(.character("j"), in: &state)
    #expect(state.reader?.issue.number == 2)
    Self.press(.character("s"), in: &state)
    #expect(state.filter.orders != nil)
    Self.press(.escape, .character("f"), in: &state)
    #expect(state.filter.field?.text == "is:open crash ")
    Self.press(.escape, .character("y"), in: &state)
    #expect(state.copying.text == "a/b#2")
    Self.press(.enter, .character("J"), in: &state)
    #expect(state.pane == .reader && state.reader?.issue.number == 3)
    #expect(state.rowCount == 5 && state.tab == 3)
  }

  @Test("another filter or order searches the same repositories")
  func filter() throws {
    var state = try Self.list()
    Self.press(.character("f"), .control("u"), in: &state)
    Self.type("is:closed crash", in: &state)
    Self.press(.enter, in: &state)
    let scope = ListScope.repositories([
      try Self.reference("swiftlang/swift"), try Self.reference("a/b"),
    ])
    #expect(state.list.query == .searched(scope, try ListQuery.Search("is:closed crash")))
    Self.press(.character("s"), .down, .enter, in: &state)
    #expect(state.list.query.scope == scope)
    #expect(state.list.query.filterText?.contains("sort:") == true)
    // The heading still names the view.
    guard case .searched(_, let search) = state.list.query else { throw NoPicker() }
    var sheet = IssueSheet(scope, search)
    sheet.append([try ViewsHandlingTests.issue(1)])
    state.handle(
      .result(.issues(sheet), of: .list(revision: state.revisions.list, pause: nil)))
    #expect(BrowserScreen.canvas(of: state).text.contains("both · is:closed crash"))
  }

  @Test("selected issues of several repositories are changed together, each in its repository")
  func bulk() throws {
    var state = try Self.list()
    Self.press(.character(" "), .character(" "), .character("x"), .enter, in: &state)
    guard case .preview(let preview)? = state.acting.dialog else { throw NoPicker() }
    #expect(preview.task == "close 2 issues as completed")
    #expect(preview.issues.map(\.name) == ["swiftlang/swift#1", "a/b#2"])
    Self.press(.enter, in: &state)
    #expect(
      state.acting.batches.last?.changes == [
        RepositoryChange(.close(.number(1), .completed), in: try Self.reference("swiftlang/swift")),
        RepositoryChange(.close(.number(2), .completed), in: try Self.reference("a/b")),
      ])
  }

  @Test("equal numbers in two repositories are two issues")
  func numbers() throws {
    var state = try Self.list()
    guard case .issues(var sheet) = state.list.content else { throw NoPicker() }
    var twin = try ViewsHandlingTests.issue(2)
    twin.htmlURL = "https://github.com/swiftlang/swift/issues/2"
    sheet.append([twin])
    #expect(sheet.issues.count == 6)
    state.list.content = .issues(sheet)
    Self.press(.character("j"), .character(" "), in: &state)
    #expect(state.chosenIssues.map(\.htmlURL) == ["https://github.com/a/b/issues/2"])
  }

  /// Answers the open picker's request for names.
  private static func load(
    _ names: [RepositoryReference: NamesOfRepository], in state: inout BrowserState
  ) {
    state.handle(
      .result(.acting(.names(names, revision: state.acting.revision)), of: .acting(.follow)))
  }

  @Test("the labels that all repositories have are offered, and the others are counted")
  func labels() throws {
    var state = try Self.list()
    Self.press(.character(" "), .character(" "), .character("L"), in: &state)
    #expect(try Self.picker(state).items.isEmpty && Self.picker(state).isLoading)
    func names(_ labels: String...) -> NamesOfRepository {
      NamesOfRepository(labels: labels.map { GitHub.Label(name: $0) })
    }
    let loaded = [
      try Self.reference("swiftlang/swift"): names("bug", "crash"),
      try Self.reference("a/b"): names("Bug", "docs", "good first issue"),
    ]
    Self.load(loaded, in: &state)
    #expect(try Self.picker(state).items.map(\.id) == ["bug"])
    #expect(
      try Self.picker(state).problem
        == "3 labels are missing, because not all 2 repositories have them.")
  }

  @Test("a milestone is set by its number in each repository")
  func milestone() throws {
    var state = try Self.list()
    Self.press(.character(" "), .character(" "), .character("m"), in: &state)
    func names(_ number: Int) -> NamesOfRepository {
      NamesOfRepository(milestones: [GitHub.Milestone(number: number, title: "6.3")])
    }
    let loaded = [
      try Self.reference("swiftlang/swift"): names(40), try Self.reference("a/b"): names(7),
    ]
    Self.load(loaded, in: &state)
    Self.type("6", in: &state)
    Self.press(.enter, .enter, in: &state)
    #expect(
      state.acting.batches.last?.changes.map(\.change) == [
        .edit(.number(1), IssueChange(milestone: .set(40))),
        .edit(.number(2), IssueChange(milestone: .set(7))),
      ])
  }

  @Test("a duplicate's original is one of the same repository, and isn't asked for several")
  func duplicate() throws {
    var state = try Self.list()
    Self.press(.character("x"), in: &state)
    Self.type("dup", in: &state)
    Self.press(.enter, in: &state)
    #expect(try Self.picker(state).items.map(\.id) == ["3", "4", "5"])
    Self.press(.escape, .character(" "), .character(" "), .character("x"), in: &state)
    Self.type("dup", in: &state)
    Self.press(.enter, in: &state)
    #expect(try Self.picker(state).purpose == .closing)
    #expect(state.message?.hasPrefix("A number means an issue of one repository") == true)
  }

  @Test("a new issue is written in a chosen repository, at first that of the selected row")
  func newIssue() throws {
    var state = try Self.list()
    Self.press(.character("j"), .character("n"), in: &state)
    #expect(try Self.picker(state).items.map(\.id) == ["a/b", "swiftlang/swift"])
    Self.press(.down, .enter, in: &state)
    #expect(state.acting.isComposing && state.acting.dialog == nil)
  }

  @Test(
    "messages about a written text name its repository",
    arguments: [
      (Change.comment(on: .number(2), body: "Yes."), "comment on a/b#2"),
      (.createIssue(NewIssue(title: "Crash")), "create “Crash” in a/b"),
    ])
  func written(change: Change, task: String) throws {
    var state = try Self.list()
    let entry = try OutboxPageTests.entry(7, change, in: "a/b", .unknown)
    state.handle(.result(.acting(.composed([entry])), of: .acting(.follow)))
    #expect(state.acting.batches.last?.task == task)
    let batch = try #require(state.acting.batches.last?.id)
    state.handle(.result(.acting(.settled(entry, batch: batch)), of: .acting(.follow)))
    #expect(state.acting.notice?.lines.first?.hasPrefix("\(task.capitalizedFirst): ") == true)
  }

  @Test("a number opens the issue of the selected row's repository")
  func number() throws {
    var state = try Self.list()
    Self.press(.character("j"), .character("#"), in: &state)
    Self.type("12", in: &state)
    Self.press(.enter, in: &state)
    #expect(state.search.text == "a/b#12" && state.list.addressed == 12)
    Self.press(.character("["), in: &state)
    #expect(state.list.cursor.selection == 1 && state.tab == 3)
  }

  @Test("unsent changes show on the issue of their repository")
  func pending() throws {
    var state = try Self.list()
    let name = try #require(RepositoryName("a/b"))
    let entry = try OutboxPageTests.entry(2, in: "a/b")
    let pending = PendingChanges([entry], of: name, on: "github.com")
    guard let scope = state.sheet?.scope else { throw NoPicker() }
    state.handle(
      .result(
        .acting(.pending(["a/b": pending], of: scope, nil)), of: .acting(.follow)))
    #expect(state.sheet?.issues.map(\.state) == [.open, .closed, .open, .open, .open])
    #expect(BrowserScreen.canvas(of: state).text.contains("[close"))
  }

  @Test("a notification about something other than an issue says that it isn't shown")
  func release() throws {
    var state = SampleStates.empty()
    state.pane = .list
    Self.press(.character("i"), in: &state)
    var inbox = InboxList()
    let repository = GitHub.Repository(id: 1, fullName: "a/b", name: "b")
    inbox.append(
      [GitHub.Notification(id: "1", title: "6.3", kind: "CheckSuite", repository: repository)],
      next: nil)
    state.handle(
      .result(.inbox(inbox), of: .list(revision: state.revisions.list, pause: nil)))
    Self.press(.enter, in: &state)
    #expect(state.message == "A check suite isn't shown here: o opens its repository.")
    #expect(state.selectedPage == (try Self.reference("a/b")))
  }

  @Test(
    "a key without an effect says why, and the palette omits it",
    arguments: [
      ("s", "Only in a list of issues: choose the order"),
      ("x", "Only in a list of issues: close with a reason"),
      ("J", "Only while reading: read the next issue"),
      ("z", "No action has the key “z”: ? shows all keys"),
    ])
  func silent(key: String, reason: String) throws {
    var state = try ViewsHandlingTests.start()
    state.pane = .list
    Self.type(key, in: &state)
    #expect(state.message == reason)
    Self.press(.control("p"), in: &state)
    #expect(!state.paletteRows.contains { reason.hasSuffix(": \($0.title)") })
  }

  @Test("in the reader, a key of the list says so")
  func silentReader() throws {
    var state = try Self.list()
    Self.press(.enter, .character("n"), in: &state)
    #expect(state.message == "Not possible here: go to the next match")
    Self.press(.character("V"), in: &state)
    #expect(state.message == "Only in a list: select rows from here on")
  }

  @Test("a name that doesn't fit keeps its number", arguments: [(20, "swift#12"), (6, "…ft#12")])
  func shortName(width: Int, expected: String) {
    #expect(IssueColumns.short("a-long-organization/swift#12", within: width) == expected)
  }
}

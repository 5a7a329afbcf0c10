import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Selecting several issues with the keyboard")
struct SelectionTests {
  private static func press(_ keys: InputEvent.Key..., in state: inout BrowserState) {
    for key in keys { state.handle(.input(.key(key))) }
  }

  private static func type(_ text: String, in state: inout BrowserState) {
    for letter in text { state.handle(.input(.key(.character(letter)))) }
  }

  private static func numbers(_ state: BrowserState) -> [Int] { state.chosenIssues.map(\.number) }

  /// 30 issues with the third selected: of the first five, the fourth is closed.
  private static func list() throws -> BrowserState { try SampleStates.issues() }

  @Test("Space selects a row and moves down, and deselects a selected row")
  func toggle() throws {
    var state = try Self.list()
    Self.press(.character(" "), .character("j"), .character(" "), in: &state)
    #expect(state.list.cursor.selection == 5)
    #expect(Self.numbers(state) == [85_954, 85_940])
    #expect(state.chosenCount == 2)
    #expect(BrowserScreen.canvas(of: state).text.contains("2 selected"))
    Self.press(.character("k"), .character(" "), in: &state)
    #expect(Self.numbers(state) == [85_954])
    Self.press(.escape, in: &state)
    #expect(state.chosen == nil && state.pane == .list)
  }

  @Test("V selects rows up to the cursor, and a second V keeps the range")
  func range() throws {
    var state = try Self.list()
    Self.press(.character("V"), .character("j"), .character("j"), in: &state)
    #expect(Self.numbers(state) == [85_954, 85_947, 85_940])
    Self.press(.character("k"), .character("k"), .character("k"), in: &state)
    #expect(Self.numbers(state) == [85_961, 85_954])
    Self.press(.character("V"), .character("G"), in: &state)
    #expect(Self.numbers(state) == [85_961, 85_954])
  }

  @Test("a range keeps its issues when new rows appear above it or its first row disappears")
  func movedRange() throws {
    var state = try Self.list()
    Self.press(.character("V"), .character("j"), in: &state)
    var sheet = try SampleStates.sheet()
    let arrived = (41...43).map(SampleStates.issue)
    sheet.issues = arrived + sheet.issues
    state.list.content = .issues(sheet)
    state.list.cursor.selection += 3
    #expect(Self.numbers(state) == [85_954, 85_947])
    #expect(state.chosenCount == 2)
    sheet.issues.removeAll { $0.number == 85_954 }
    state.list.content = .issues(sheet)
    state.list.cursor.selection -= 1
    #expect(Self.numbers(state) == [85_947])
  }

  @Test("a selection doesn't carry over to another filter")
  func otherFilter() throws {
    var state = try Self.list()
    Self.press(.character("*"), in: &state)
    #expect(state.chosenCount == 30)
    let reference = try RepositoryReference(parsing: "apple/swift")
    var sheet = IssueSheet(reference: reference, filter: IssueFilter(labels: ["bug"]))
    sheet.repository = SampleStates.swift
    sheet.issues = (0..<5).map(SampleStates.issue)
    state.list.content = .issues(sheet)
    #expect(state.chosen == nil && state.chosenCount == nil && state.chosenIssues.isEmpty)
    state.list.content = .issues(try SampleStates.sheet())
    #expect(state.chosenCount == 30)
  }

  @Test("* selects the loaded rows, and a second * selects the rows not yet loaded")
  func all() throws {
    var state = try Self.list()
    var sheet = try SampleStates.sheet(count: 0)
    sheet.append(
      (0..<30).map(SampleStates.issue),
      next: .server(.issues(repositoryFullName: "swiftlang/swift")))
    state.list.content = .issues(sheet)
    let effects = state.handle(.input(.key(.character("*"))))
    #expect(effects == [.begin(.pages(revision: 0, turn: 1))])
    #expect(state.chosenCount == 30)
    #expect(state.message == "30 selected, the loaded ones; * again selects all")
    state.handle(.input(.key(.character("*"))))
    #expect(state.list.goesToEnd)
    var page = sheet
    page.append((30..<40).map(SampleStates.issue))
    state.list.content = .issues(page)
    #expect(state.chosenCount == 40)
    Self.press(.escape, in: &state)
    #expect(!state.list.goesToEnd && state.chosen != nil)
  }

  @Test("a selection doesn't carry over to another repository")
  func otherRepository() throws {
    var state = try Self.list()
    Self.press(.character(" "), in: &state)
    var sheet = IssueSheet(reference: try RepositoryReference(parsing: "other/one"))
    sheet.repository = SampleStates.swift
    sheet.issues = (0..<5).map(SampleStates.issue)
    state.list.content = .issues(sheet)
    #expect(state.chosen == nil && state.chosenIssues.isEmpty)
  }

  @Test("several issues are previewed before a change, without those that need no change")
  func preview() throws {
    var state = try Self.list()
    Self.press(.character(" "), .character(" "), .character(" "), .character("x"), in: &state)
    Self.press(.enter, in: &state)
    guard case .preview(let preview)? = state.acting.dialog else {
      Issue.record("\(String(describing: state.acting.dialog))")
      return
    }
    #expect(preview.task == "close 2 issues as completed")
    #expect(preview.issues.map(\.issue.number) == [85_954, 85_940])
    let text = BrowserScreen.canvas(of: state).text
    #expect(text.contains("Close 2 issues as completed?"), "\(text)")
    #expect(text.contains("#85954 ") && text.contains("1 of those selected is already like that."))
    var left = state
    Self.press(.escape, in: &left)
    #expect(left.acting.batches.isEmpty && left.chosenCount == 3)
    Self.press(.enter, in: &state)
    #expect(state.acting.batches.last?.changes.count == 2)
    #expect(state.chosen == nil)
  }

  @Test("labels on some of the selected issues can be added to all or removed from all")
  func labels() throws {
    var state = try Self.list()
    state.list.cursor.selection = 0
    // The first has “bug” and “crash”, the second another label, the third none.
    Self.press(.character(" "), .character(" "), .character(" "), .character("L"), in: &state)
    #expect(BrowserScreen.canvas(of: state).text.contains("[-] bug"))
    Self.type("bug", in: &state)
    Self.press(.character(" "), .control("u"), in: &state)
    Self.type("crash", in: &state)
    Self.press(.character(" "), .character(" "), .enter, in: &state)
    guard case .preview(let preview)? = state.acting.dialog else {
      Issue.record("\(String(describing: state.acting.dialog))")
      return
    }
    #expect(preview.task == "change 3 issues: +bug, -crash")
    #expect(
      preview.changes.map(\.change) == [
        .edit(.number(85_968), IssueChange(removedLabels: ["crash"])),
        .edit(.number(85_961), IssueChange(addedLabels: ["bug"])),
        .edit(.number(85_954), IssueChange(addedLabels: ["bug"])),
      ])
  }

  @Test("a typed label and Enter apply the label, and Enter alone changes nothing")
  func typedLabel() throws {
    var state = try Self.list()
    Self.press(.character("L"), .enter, in: &state)
    #expect(state.acting.batches.isEmpty)
    #expect(state.message?.hasPrefix("Nothing to change") == true)
    Self.press(.character("L"), in: &state)
    Self.type("crash", in: &state)
    Self.press(.enter, in: &state)
    #expect(
      state.acting.batches.last?.changes.map(\.change) == [
        .edit(.number(85_954), IssueChange(addedLabels: ["crash"]))
      ])
  }

  @Test("a login that isn't in the list can be assigned")
  func typedLogin() throws {
    var state = try Self.list()
    Self.press(.character("a"), in: &state)
    Self.type("somebody-new", in: &state)
    Self.press(.character(" "), .enter, in: &state)
    #expect(
      state.acting.batches.last?.changes.map(\.change) == [
        .edit(.number(85_954), IssueChange(addedAssignees: ["somebody-new"]))
      ])
  }

  @Test("+ offers the eight reactions")
  func reactions() throws {
    var state = try Self.list()
    Self.press(.character("+"), in: &state)
    guard case .picker(let picker)? = state.acting.dialog else { return }
    #expect(picker.items.map(\.id) == Reactions.Kind.allCases.map(\.rawValue))
    Self.type("roc", in: &state)
    Self.press(.enter, in: &state)
    #expect(state.acting.batches.last?.changes.map(\.change) == [.react(.number(85_954), .rocket)])
  }
}

import GitHubAPI
import IssueTracker
import PlatformModules
import TerminalScreen
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Drawing questions, selections and the outbox")
struct ActingDrawingTests {
  static func pressing(
    _ keys: [InputEvent.Key], in state: BrowserState
  ) -> BrowserState {
    keys.reduce(into: state) { $0.handle(.input(.key($1))) }
  }

  /// Three rows are selected; the cursor is below them.
  static func selecting(_ columns: Int, _ rows: Int) throws -> BrowserState {
    pressing(
      [.character(" "), .character(" "), .character(" ")],
      in: try SampleStates.issues(columns, rows))
  }

  /// A conflict, a refusal, a lost answer and a change that waits.
  static func outbox(_ columns: Int, _ rows: Int) throws -> BrowserState {
    let name = try RepositoryReference(parsing: "swiftlang/swift").name
    let changes: [(Change, OutboxState, String?)] = [
      (
        .edit(
          .number(12), IssueChange(body: TextChange("One\nMine\nThree", base: "One\nTwo\nThree"))),
        .conflict, "someone else has changed the body in the meantime"
      ),
      (.close(.number(7), .completed), .refused, "the repository is archived: unarchive it first"),
      (.comment(on: .number(8), body: "Me too."), .unknown, "its response was lost"),
      (.createIssue(NewIssue(title: "It crashes", body: "Always.")), .queued, nil),
    ]
    let entries = changes.enumerated().map { index, change in
      OutboxEntry(
        id: Int64(index + 1), server: .github, repository: name, change: change.0, account: nil,
        state: change.1, reason: change.2, created: SampleStates.now.addingTimeInterval(-3_600),
        changed: SampleStates.now, attempts: 1, dependencies: [], answer: nil,
        conflict: change.1 == .conflict
          ? OutboxConflict(
            field: .body, base: "One\nTwo\nThree", mine: "One\nMine\nThree",
            theirs: "One\nTheirs\nThree and more") : nil,
        dropped: nil)
    }
    var state = pressing([.character("O")], in: try SampleStates.issues(columns, rows))
    state.handle(.result(.acting(.outbox(entries)), of: .acting(.readOutbox)))
    return state
  }

  @Test("the screen shows a question, a preview and a selection", arguments: [(80, 24), (40, 10)])
  func questions(columns: Int, rows: Int) throws {
    let selecting = try Self.selecting(columns, rows)
    let asking = Self.pressing([.character("x")], in: selecting)
    let labels = Self.pressing([.character("L"), .character("b")], in: selecting)
    let preview = Self.pressing([.enter], in: asking)
    for (name, state) in [
      ("selection", selecting), ("closing", asking), ("labels", labels), ("preview", preview),
    ] {
      try ScreenSnapshot.expect(
        BrowserScreen.canvas(of: state), named: "acting-\(name)-\(columns)x\(rows)")
    }
  }

  @Test(
    "the outbox page shows a conflict side by side, or stacked in a narrow window",
    arguments: [(80, 24), (40, 16)])
  func outbox(columns: Int, rows: Int) throws {
    let state = try Self.outbox(columns, rows)
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: state), named: "outbox-conflict-\(columns)x\(rows)")
    try ScreenSnapshot.expect(
      BrowserScreen.canvas(of: Self.pressing([.character("j")], in: state)),
      named: "outbox-refused-\(columns)x\(rows)")
  }

  @Test("an error is shown above the status line until Esc")
  func notice() throws {
    var state = try SampleStates.issues(80, 24)
    state.note(
      "Close #85954 as completed: you may not write here.\nPress O to send it again or drop it.")
    let lines = BrowserScreen.canvas(of: state).text.split(separator: "\n").suffix(3)
    #expect(lines.first == " Close #85954 as completed: you may not write here.")
    #expect(lines.dropFirst().first == " Press O to send it again or drop it.")
    #expect(Self.pressing([.escape], in: state).acting.notice == nil)
  }

  @Test("a change with a lost response is resent only after r is pressed twice")
  func lostAnswer() throws {
    var state = try Self.outbox(80, 24)
    state = Self.pressing([.character("j"), .character("j")], in: state)
    #expect(state.handle(.input(.key(.character("r")))) == [])
    #expect(state.message?.contains("Press r again") == true)
    let effects = state.handle(.input(.key(.character("r"))))
    guard case .begin(.acting(.decide(.send, let entry)))? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(entry.id == 3)
  }
}

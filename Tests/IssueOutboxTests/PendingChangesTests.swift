import GitHubAPI
import PlatformModules
import Testing

@testable import IssueOutbox

@Suite("Changes pending for a server")
struct PendingChangesTests {
  private static let name = RepositoryName("octo/cat")

  private static func entry(
    _ id: OutboxEntry.ID, _ change: Change, _ state: OutboxState = .queued,
    in repository: RepositoryName? = nil, on server: GitHubServer = .github
  ) throws -> OutboxEntry {
    OutboxEntry(
      id: id, server: server, repository: try #require(repository ?? name), change: change,
      account: OutboxAccount(fingerprint: "f", login: "ada"), state: state, reason: nil,
      created: Date(timeIntervalSince1970: 1_000), changed: Date(timeIntervalSince1970: 1_000),
      attempts: 0, dependencies: [], answer: nil, conflict: nil, dropped: nil)
  }

  private static func pending(_ entries: OutboxEntry...) throws -> PendingChanges {
    PendingChanges(entries, of: try #require(RepositoryName("Octo/Cat")), on: "github.com")
  }

  private static let issue = GitHub.Issue(
    id: 7, number: 12, title: "Old", body: "old text",
    labels: [GitHub.Label(name: "bug", color: "d73a4a"), GitHub.Label(name: "stale")],
    assignees: [GitHub.User(login: "grace")], milestone: GitHub.Milestone(number: 1, title: "1.0"),
    commentsCount: 2)

  @Test("each changed field is shown with its new value, and other fields are unchanged")
  func fields() throws {
    let edit = IssueChange(
      title: TextChange("New", base: "Old"), body: TextChange("new text"), milestone: .set(2),
      addedLabels: ["BUG", "crash"], removedLabels: ["Stale"], addedAssignees: ["ada"],
      removedAssignees: ["GRACE"])
    let pending = try Self.pending(
      Self.entry(1, .edit(.number(12), edit)),
      Self.entry(2, .close(.number(12), .notPlanned)), Self.entry(3, .lock(.number(12), .spam)),
      Self.entry(4, .comment(on: .number(12), body: "Me too")),
      Self.entry(5, .react(.number(12), .heart)))
    var expected = Self.issue
    (expected.title, expected.body, expected.isLocked) = ("New", "new text", true)
    expected.labels = [GitHub.Label(name: "bug", color: "d73a4a"), GitHub.Label(name: "crash")]
    expected.assignees = [GitHub.User(login: "ada")]
    expected.milestone = GitHub.Milestone(number: 2, title: "2.0")
    (expected.state, expected.stateReason) = (.closed, .notPlanned)
    expected.commentsCount = 3
    expected.reactions = Reactions(counts: [.heart: 1])
    let shown = pending.applied(
      to: Self.issue, milestones: [GitHub.Milestone(number: 2, title: "2.0")])
    #expect(shown == expected)
    #expect(
      pending.note(on: .number(12))?.text
        == """
        title, text, +BUG, +crash, -Stale, +@ada, -@GRACE, milestone 2, close as not planned, \
        lock as spam, comment, react heart
        """)
    #expect(pending.applied(to: GitHub.Issue(id: 8, number: 13, title: "Other")).title == "Other")
    #expect(pending.note(on: .number(13)) == nil)
    #expect(pending.numbers == [12])
  }

  @Test("an issue is printed in the form in which it is shown and typed")
  func targets() {
    #expect("\(IssueTarget.number(12)) \(IssueTarget.pending(1))" == "#12 new-1")
  }

  @Test("the later of two changes to a field wins, whatever their states")
  func order() throws {
    let title = { Change.edit(.number(12), IssueChange(title: TextChange($0))) }
    let pending = try Self.pending(
      Self.entry(1, title("one"), .unknown), Self.entry(2, title("two"), .conflict),
      Self.entry(3, .close(.number(12), .completed)), Self.entry(4, .reopen(.number(12))))
    let shown = pending.applied(to: Self.issue)
    #expect(shown.title == "two")
    #expect(shown.state == .open)
    let note = try #require(pending.note(on: .number(12)))
    #expect(note.text == "title (unknown), title (conflict), close, reopen")
    #expect(note.needsPerson)
  }

  @Test("a refused change is noted but not applied, and a sent change isn't applied again")
  func settled() throws {
    let pending = try Self.pending(
      Self.entry(1, .close(.number(12), .completed), .refused),
      Self.entry(2, .edit(.number(12), IssueChange(title: TextChange("sent"))), .sent))
    #expect(pending.applied(to: Self.issue) == Self.issue)
    #expect(pending.note(on: .number(12))?.text == "close (refused)")
    #expect(pending.entries.map(\.id) == [1])
  }

  @Test("changes to other repositories or servers don't apply")
  func elsewhere() throws {
    let other = try #require(RepositoryName("octo/dog"))
    let enterprise = try GitHubServer(host: "github.example.com")
    let close = Change.close(.number(12), .completed)
    let pending = try Self.pending(
      Self.entry(1, close, in: other), Self.entry(2, close, on: enterprise))
    #expect(pending.isEmpty)
    #expect(pending.applied(to: Self.issue) == Self.issue)
  }

  @Test("a new issue is shown under its temporary name, including later changes")
  func newIssues() throws {
    let new = NewIssue(
      title: "It crashes", body: "here", labels: ["bug"], assignees: ["ada"], milestone: 3)
    let pending = try Self.pending(
      Self.entry(5, .createIssue(new)),
      Self.entry(6, .edit(.pending(5), IssueChange(title: TextChange("It hangs")))),
      Self.entry(7, .comment(on: .pending(5), body: "Always")),
      Self.entry(8, .createIssue(NewIssue(title: "Another")), .unknown))
    let issues = pending.newIssues()
    #expect(issues.map(\.title) == ["It hangs", "Another"])
    let first = try #require(issues.first)
    #expect(IssueTarget(shownAs: first.number) == .pending(5))
    #expect(IssueTarget(shownAs: first.number).name == "new-5")
    #expect(first.labels == [GitHub.Label(name: "bug")])
    #expect(first.milestone?.number == 3)
    #expect(first.commentsCount == 1)
    #expect(first.user?.login == "ada")
    #expect(pending.note(on: .pending(5))?.text == "new, title, comment")
    #expect(pending.note(on: .pending(8))?.text == "new (unknown)")
    #expect(pending.numbers.isEmpty)
  }

  @Test("new comments are shown in order, edited ones with new text, deleted ones with a note")
  func comments() throws {
    let pending = try Self.pending(
      Self.entry(1, .comment(on: .number(12), body: "first")),
      Self.entry(2, .comment(on: .number(12), body: "second"), .unknown),
      Self.entry(3, .editComment(id: 90, on: 12, body: TextChange("better", base: "worse"))),
      Self.entry(4, .deleteComment(id: 91, on: nil)))
    let new = pending.newComments(on: .number(12))
    #expect(new.map(\.comment.body) == ["first", "second"])
    #expect(new.map(\.note.needsPerson) == [false, true])
    #expect(pending.newComments(on: .number(13)).isEmpty)
    let edited = try #require(pending.applied(to: IssueComment(id: 90, body: "worse")))
    #expect(edited.comment.body == "better")
    #expect(edited.note.text == "edit comment")
    let deleted = try #require(pending.applied(to: IssueComment(id: 91, body: "text")))
    #expect(deleted.comment.body == "text")
    #expect(deleted.note.text == "delete comment")
    #expect(pending.applied(to: IssueComment(id: 92)) == nil)
  }

  @Test(
    "a change is summarized in one line, with the beginning of its text",
    arguments: [
      (Change.createIssue(NewIssue(title: "It\u{2028}crashes")), "new: It"),
      (.comment(on: .number(1), body: "\nLine one\nline two"), "comment: Line one"),
      (.close(.number(1), .completed, duplicateOf: 9), "close as duplicate of #9"),
      (.close(.number(1), .notPlanned), "close as not planned"),
      (
        .edit(.number(1), IssueChange(milestone: .clear, type: .set("Bug"))),
        "no milestone, type Bug"
      ),
      (.deleteComment(id: 3, on: 1), "delete comment"),
    ])
  func summary(change: Change, expected: String) {
    #expect(change.summary == expected)
  }

  @Test("replacing the text of a change keeps its base")
  func replacing() throws {
    let edit = IssueChange(
      title: TextChange("t"), body: TextChange("mine", base: "base"), addedLabels: ["bug"])
    var changed = edit
    changed.body = TextChange("better", base: "base")
    #expect(
      Change.edit(.number(1), edit).replacing(text: "better") == .edit(.number(1), changed))
    #expect(Change.edit(.number(1), edit).text == "mine")
    #expect(
      Change.comment(on: .pending(2), body: "a").replacing(text: "b")
        == .comment(on: .pending(2), body: "b"))
    #expect(Change.close(.number(1), .completed).replacing(text: "b") == nil)
    #expect(
      Change.edit(.number(1), IssueChange(title: TextChange("t"))).replacing(text: "b") == nil)
    #expect(
      Change.createIssue(NewIssue(title: "t", body: "b")).replacing(title: "T", text: "B")
        == .createIssue(NewIssue(title: "T", body: "B")))
    #expect(Change.comment(on: .number(1), body: "a").replacing(title: "T") == nil)
  }
}

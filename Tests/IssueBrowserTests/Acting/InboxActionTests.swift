import GitHubAPI
import IssueTracker
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser
@testable import IssueOutbox

@Suite("Changing notifications with the keyboard", .timeLimit(.minutes(5)))
struct InboxActionTests {
  static func inbox(_ count: Int = 10, next: GitHub? = nil) -> BrowserState {
    var state = SampleStates.empty()
    state.pane = .list
    state.handle(.input(.key(.character("i"))))
    var inbox = InboxList()
    let repository = GitHub.Repository(id: 1, fullName: "a/b", name: "b")
    inbox.append(
      (1...count).map {
        GitHub.Notification(
          id: "\(500 + $0)", reason: "mention", title: "It crashes \($0)", kind: "Issue",
          subjectURL: "https://api.github.com/repos/a/b/issues/\($0)", repository: repository)
      }, next: next)
    state.handle(.result(.inbox(inbox), of: .list(revision: state.revisions.list, pause: nil)))
    return state
  }

  @discardableResult
  private static func press(
    _ keys: InputEvent.Key..., in state: inout BrowserState
  ) -> [BrowserState.Effect] {
    keys.reduce(into: []) { $0 += state.handle(.input(.key($1))) }
  }

  private static func numbers(_ state: BrowserState) -> [Int] {
    guard case .inbox(let inbox) = state.list.content else { return [] }
    return inbox.notifications.compactMap(\.number)
  }

  private static func entry(_ state: BrowserState, _ entryState: OutboxState) throws -> OutboxEntry
  {
    let change = try #require(state.acting.batches.last?.changes.first?.change)
    let date = state.now
    return OutboxEntry(
      id: 7, server: .github, repository: try #require(RepositoryName("a/b")), change: change,
      account: nil, state: entryState, reason: "no", created: date, changed: date, attempts: 1,
      dependencies: [], answer: nil, conflict: nil, dropped: nil)
  }

  @Test("d removes the row at once, and u puts it back")
  func doneAndUndone() throws {
    var state = Self.inbox()
    Self.press(.character("j"), in: &state)
    #expect(
      Self.press(.character("d"), in: &state) == [.begin(.acting(.submit(batch: 1)))])
    #expect(Self.numbers(state) == [1] + Array(3...10))
    #expect(state.list.cursor.selection == 1)
    #expect(state.batchWords == "Saving: mark a/b#2 as done")
    state.handle(.result(.acting(.added([7], batch: 1)), of: .acting(.submit(batch: 1))))
    #expect(state.batchWords == "Waiting: mark a/b#2 as done (u undoes)")
    Self.press(.character("u"), in: &state)
    #expect(Self.numbers(state) == Array(1...10))
  }

  @Test("a refused action puts the row back, and says why")
  func refused() throws {
    var state = Self.inbox()
    Self.press(.character("d"), in: &state)
    state.handle(.result(.acting(.added([7], batch: 1)), of: .acting(.submit(batch: 1))))
    let entry = try Self.entry(state, .refused)
    for result in [ActingResult.settled(entry, batch: 1), .ended(batch: 1)] {
      state.handle(.result(.acting(result), of: .acting(.deliver(batch: 1, atOnce: false))))
    }
    #expect(Self.numbers(state) == Array(1...10))
    #expect(state.acting.notice?.lines.first == "Mark a/b#1 as done: no.")
  }

  @Test("a done notification stays away although a list still shows it for a moment")
  func laggingList() throws {
    var state = Self.inbox()
    Self.press(.character("d"), in: &state)
    state.handle(.result(.acting(.added([7], batch: 1)), of: .acting(.submit(batch: 1))))
    let entry = try Self.entry(state, .sent)
    for result in [ActingResult.settled(entry, batch: 1), .ended(batch: 1)] {
      state.handle(.result(.acting(result), of: .acting(.deliver(batch: 1, atOnce: false))))
    }
    #expect(Self.numbers(state) == Array(2...10))
    let lagging = Self.inbox().list.content
    guard case .inbox(let inbox) = lagging else { return }
    state.handle(.result(.inbox(inbox), of: .list(revision: state.revisions.list, pause: nil)))
    #expect(Self.numbers(state) == Array(2...10))
  }

  @Test("I, M and U keep the row, and show it as read, muted or unsubscribed")
  func keptRows() throws {
    var state = Self.inbox(3)
    Self.press(
      .character("I"), .character("j"), .character("M"), .character("j"), .character("U"),
      in: &state)
    guard case .inbox(let inbox) = state.list.content else { return }
    #expect(inbox.notifications.map(\.isUnread) == [false, true, true])
    #expect(inbox.notifications.map(\.reason) == ["mention", "muted", "unsubscribed"])
    #expect(
      state.acting.batches.flatMap(\.changes).map(\.change) == [
        .notification(NotificationThread(id: 501, issue: 1), .read),
        .notification(NotificationThread(id: 502, issue: 2), .mute),
        .notification(NotificationThread(id: 503, issue: 3), .unsubscribe),
      ])
    Self.press(.character("g"), .character("I"), in: &state)
    #expect(state.message == "Nothing to change: already read.")
  }

  @Test("several notifications are selected, counted and confirmed")
  func several() throws {
    var state = Self.inbox()
    Self.press(.character(" "), .character(" "), .character("d"), in: &state)
    #expect(state.chosenCount == 2)
    let text = BrowserScreen.canvas(of: state).text
    #expect(text.contains("Mark 2 notifications as done?") && text.contains("a/b#1 It crashes 1"))
    #expect(Self.numbers(state) == Array(1...10))
    Self.press(.escape, .character("*"), in: &state)
    #expect(state.chosenCount == 10)
    Self.press(.character("d"), .enter, in: &state)
    #expect(Self.numbers(state).isEmpty && state.chosen == nil)
    #expect(BrowserScreen.canvas(of: state).text.contains("There are no unread notifications"))
  }

  @Test("when the loaded rows are done, the next page is loaded")
  func nextPage() throws {
    var state = Self.inbox(2, next: .notifications(pageSize: 51))
    Self.press(.character("*"), .character("d"), in: &state)
    state.list.isLoading = false
    let turn = state.revisions.pages + 1
    #expect(
      Self.press(.enter, in: &state).contains(
        .begin(.pages(revision: state.revisions.list, turn: turn))))
  }

  @Test("the palette and the help list the actions, and other lists don't have them")
  func palette() throws {
    var state = Self.inbox()
    Self.press(.control("p"), in: &state)
    let titles = state.paletteRows.map(\.title)
    for title in [
      "mark as done", "mark as read", "mute the notifications",
      "unsubscribe from the notifications",
    ] {
      #expect(titles.contains(title))
    }
    #expect(KeyTable.lines.contains { $0.contains("in the inbox: done, mark as read") })
    var other = try SampleStates.issues()
    Self.press(.character("d"), in: &other)
    #expect(other.message == "Only in your inbox: mark as done")
    #expect(KeyMap.commands.contains("mark-read") && KeyMap.commands.contains("unsubscribe"))
  }
}

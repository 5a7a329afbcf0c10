import IssueTracker
import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("Detection of changes in a followed list")
struct FollowStateMachineTests {
  private static let beginning = 1000.0

  private static func issue(
    _ number: Int, updated: Double, created: Double = 10, closed: Double? = nil,
    title: String = "", reason: StateReason? = nil
  ) -> GitHub.Issue {
    GitHub.Issue(
      id: Int64(number), number: number, title: title, state: closed == nil ? .open : .closed,
      stateReason: reason, createdAt: Date(timeIntervalSince1970: created),
      updatedAt: Date(timeIntervalSince1970: updated),
      closedAt: closed.map(Date.init(timeIntervalSince1970:)))
  }

  private static func machine(
    _ states: IssueFilter.State = .open, shown: [GitHub.Issue] = []
  ) -> FollowStateMachine {
    FollowStateMachine(
      states: states, beginning: Date(timeIntervalSince1970: beginning), shown: shown)
  }

  private static func told(
    _ machine: inout FollowStateMachine, _ issues: [GitHub.Issue]
  ) -> [String] {
    machine.news(in: issues).map { "\($0.issue.number) \($0.change)" }
  }

  @Test("the first response reports only changes since the list was shown")
  func first() {
    var machine = Self.machine(shown: [Self.issue(1, updated: 900)])
    let news = Self.told(
      &machine,
      [
        Self.issue(4, updated: 1002, created: 1001), Self.issue(1, updated: 900),
        Self.issue(2, updated: 1000), Self.issue(3, updated: 999),
      ])
    #expect(news == ["2 changed", "4 new"])
  }

  @Test("a row that changed while the list was loading is reported, whatever the clocks say")
  func early() {
    var machine = Self.machine(shown: [Self.issue(1, updated: 900)])
    #expect(Self.told(&machine, [Self.issue(1, updated: 950, closed: 950)]) == ["1 closed"])
  }

  @Test("an issue is reported again only if it changed, even within the same second")
  func twice() {
    var machine = Self.machine()
    _ = machine.news(in: [])
    let issue = Self.issue(1, updated: 1010, created: 1010)
    #expect(Self.told(&machine, [issue]) == ["1 new"])
    #expect(Self.told(&machine, [issue]).isEmpty)
    let renamed = Self.issue(1, updated: 1010, created: 1010, title: "Other")
    #expect(Self.told(&machine, [renamed]) == ["1 changed"])
  }

  @Test("a change of reactions isn't reported")
  func reactions() {
    var machine = Self.machine()
    var issue = Self.issue(1, updated: 1010)
    _ = machine.news(in: [issue])
    issue.reactions = Reactions(counts: [.thumbsUp: 3])
    issue.authorAssociation = "MEMBER"
    #expect(machine.news(in: [issue]).isEmpty)
  }

  @Test("a change that the server shows late is reported because requests overlap in time")
  func late() {
    var machine = Self.machine()
    #expect(machine.since == nil)
    _ = machine.news(in: [Self.issue(1, updated: 1100)])
    #expect(machine.since == Date(timeIntervalSince1970: 1100 - FollowStateMachine.overlap))
    #expect(Self.told(&machine, [Self.issue(2, updated: 1050)]) == ["2 changed"])
    // An older change doesn't move it back.
    #expect(machine.since == Date(timeIntervalSince1970: 1100 - FollowStateMachine.overlap))
  }

  @Test("without any issue, requests begin before the start of the list")
  func empty() {
    var machine = Self.machine()
    _ = machine.news(in: [])
    #expect(
      machine.since
        == Date(timeIntervalSince1970: Self.beginning - FollowStateMachine.overlap))
  }

  @Test("closing and reopening are detected by the previous state, the times or the reason")
  func states() {
    var machine = Self.machine(.all, shown: [Self.issue(1, updated: 900)])
    _ = machine.news(in: [Self.issue(2, updated: 800, closed: 800)])
    let news = Self.told(
      &machine,
      [
        Self.issue(1, updated: 1001, closed: 1001), Self.issue(2, updated: 1002),
        Self.issue(3, updated: 1003, closed: 1003), Self.issue(4, updated: 1004, closed: 500),
        Self.issue(5, updated: 1005, reason: .reopened),
      ])
    #expect(news == ["1 closed", "2 reopened", "3 closed", "4 changed", "5 reopened"])
  }

  @Test(
    "a list filtered by state reports the issues that enter it, leave it or change",
    arguments: [
      (IssueFilter.State.open, ["1 closed", "3 new"]), (.closed, ["1 closed", "2 changed"]),
      (.all, ["1 closed", "2 changed", "3 new"]),
    ])
  func filtered(states: IssueFilter.State, expected: [String]) {
    var machine = Self.machine(states, shown: [Self.issue(1, updated: 900)])
    _ = machine.news(in: [Self.issue(2, updated: 800, closed: 800)])
    let news = Self.told(
      &machine,
      [
        Self.issue(1, updated: 1001, closed: 1001), Self.issue(2, updated: 1002, closed: 800),
        Self.issue(3, updated: 1003, created: 1003),
      ])
    #expect(news == expected)
  }

  @Test("the first response loads pages until one reaches back before the list was shown")
  func pages() {
    var machine = Self.machine()
    #expect(!machine.isEnough([]))
    #expect(!machine.isEnough([Self.issue(1, updated: 1001), Self.issue(2, updated: 1000)]))
    #expect(machine.isEnough([Self.issue(1, updated: 1001), Self.issue(2, updated: 999)]))
    _ = machine.news(in: [])
    // Later ones have a time that limits them.
    #expect(!machine.isEnough([Self.issue(2, updated: 999)]))
  }
}

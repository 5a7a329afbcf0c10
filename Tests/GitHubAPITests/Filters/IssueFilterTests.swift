import Foundation
import GitHubAPI
import Testing

@Suite("IssueFilter")
struct IssueFilterTests {
  private func query(_ filter: IssueFilter) -> [String] {
    filter.queryItems.map { "\($0.name)=\($0.value)" }
  }

  @Test("the state is always sent, and other defaults are omitted")
  func defaults() {
    #expect(query(IssueFilter()) == ["state=open"])
    #expect(
      query(IssueFilter(state: .all, sort: .created, direction: .descending)) == ["state=all"])
  }

  @Test("all query items are sent in a fixed order, with times in whole seconds of UTC")
  func everything() {
    let filter = IssueFilter(
      state: .closed, labels: ["bug", "good first issue"], assignee: .anybody,
      creator: Username("dependabot[bot]"), mentioned: Username("octocat"), milestone: .number(31),
      since: Date(timeIntervalSince1970: 1_570_100_091.9), sort: .updated, direction: .ascending)
    #expect(
      query(filter) == [
        "state=closed", "labels=bug,good first issue", "assignee=*", "creator=dependabot[bot]",
        "mentioned=octocat", "milestone=31", "since=2019-10-03T10:54:51Z", "sort=updated",
        "direction=asc",
      ])
  }

  @Test("an assignee and a milestone are parsed in the API's syntax")
  func reading() {
    #expect(Assignee("*") == .anybody)
    #expect(Assignee("none") == .nobody)
    #expect(Assignee("octocat")?.description == "octocat")
    #expect(Assignee("a b") == nil)
    #expect(MilestoneChoice("*") == .any)
    #expect(MilestoneChoice("none") == .absent)
    #expect(MilestoneChoice("31") == .number(31))
    #expect(MilestoneChoice(titleOrNumber: "none") == .absent)
    #expect(MilestoneChoice(titleOrNumber: "31") == .title("31"))
    #expect(MilestoneChoice(titleOrNumber: "") == nil)
    for text in ["", "0", "-1", "1.0", "Swift 6.3", "99999999999999999999", "٣"] {
      #expect(MilestoneChoice(text) == nil)
    }
  }

  let issue = GitHub.Issue(
    id: 1, number: 1, title: "t", body: "Ask @Octocat, not me@hubot or @monalisa-b.", state: .open,
    user: GitHub.User(login: "Kana"),
    labels: [GitHub.Label(name: "Bug"), GitHub.Label(name: "ui")],
    assignees: [GitHub.User(login: "mona")], milestone: GitHub.Milestone(number: 3, title: "v3"),
    updatedAt: Date(timeIntervalSince1970: 1_000))

  @Test(
    "a milestone is found by its title, or else by its number",
    arguments: [
      ("6", 2), ("Next", 3), ("next", 4), ("NEXT", 3), ("2", 2), ("1", 1), ("7", nil),
      ("none such", nil),
      ("0", nil),
    ] as [(String, Int?)])
  func milestones(typed: String, number: Int?) {
    let milestones = [
      GitHub.Milestone(number: 1, title: "7.0"), GitHub.Milestone(number: 2, title: "6"),
      GitHub.Milestone(number: 3, title: "Next"), GitHub.Milestone(number: 4, title: "next"),
      GitHub.Milestone(number: 6, title: "5"),
    ]
    let filter = IssueFilter(labels: ["bug"], milestone: .title(typed))
    let expected = number.map { IssueFilter(labels: ["bug"], milestone: .number($0)) }
    #expect(filter.numberingMilestone(among: milestones) == expected)
  }

  @Test("a filter matches an issue that satisfies it")
  func matches() {
    for filter in [
      IssueFilter(), IssueFilter(state: .all), IssueFilter(labels: ["bug", "UI"]),
      IssueFilter(assignee: .anybody), IssueFilter(assignee: Assignee("MONA")),
      IssueFilter(creator: Username("kana")), IssueFilter(mentioned: Username("octocat")),
      IssueFilter(milestone: .number(3)), IssueFilter(milestone: .any),
      IssueFilter(milestone: .title("V3")), IssueFilter(milestone: .title("3")),
      IssueFilter(since: Date(timeIntervalSince1970: 1_000)),
      IssueFilter(since: Date(timeIntervalSince1970: 1_000.9)),
    ] {
      #expect(filter.matches(issue), "\(filter)")
    }
  }

  @Test("a filter doesn't match an issue that violates it")
  func doesNotMatch() {
    for filter in [
      IssueFilter(state: .closed), IssueFilter(labels: ["bug", "crash"]),
      IssueFilter(assignee: .nobody), IssueFilter(assignee: Assignee("octocat")),
      IssueFilter(creator: Username("mona")), IssueFilter(mentioned: Username("hubot")),
      IssueFilter(mentioned: Username("monalisa")), IssueFilter(milestone: .number(4)),
      IssueFilter(milestone: .title("v")), IssueFilter(milestone: .title("4")),
      IssueFilter(milestone: .absent), IssueFilter(since: Date(timeIntervalSince1970: 1_001)),
    ] {
      #expect(!filter.matches(issue), "\(filter)")
    }
    let bare = GitHub.Issue(id: 1, number: 1, title: "t")
    #expect(!IssueFilter(since: .distantPast).matches(bare))
    #expect(!IssueFilter(creator: Username("ghost")).matches(bare))
    #expect(IssueFilter(assignee: .nobody, milestone: .absent).matches(bare))
  }

  @Test("issues are sorted by the filter's order, and then by number")
  func order() {
    func issue(_ number: Int, _ created: Double, _ updated: Double, _ comments: Int) -> GitHub.Issue
    {
      GitHub.Issue(
        id: 1, number: number, title: "t", commentsCount: comments,
        createdAt: Date(timeIntervalSince1970: created),
        updatedAt: Date(timeIntervalSince1970: updated))
    }
    let issues = [issue(1, 10, 40, 5), issue(2, 20, 40, 9), issue(3, 30, 35, 0)]
    func numbers(_ sort: IssueFilter.Sort, _ direction: IssueFilter.Direction) -> [Int] {
      IssueFilter(sort: sort, direction: direction).sorted(issues).map(\.number)
    }
    #expect(numbers(.created, .descending) == [3, 2, 1])
    #expect(numbers(.created, .ascending) == [1, 2, 3])
    #expect(numbers(.updated, .descending) == [2, 1, 3])
    #expect(numbers(.updated, .ascending) == [3, 1, 2])
    #expect(numbers(.comments, .descending) == [2, 1, 3])
    #expect(numbers(.comments, .ascending) == [3, 1, 2])
  }
}

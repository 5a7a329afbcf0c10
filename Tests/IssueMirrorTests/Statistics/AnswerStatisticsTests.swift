import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Statistics of answers and closings")
struct AnswerStatisticsTests {
  /// 2026-09-21, a Monday, some hours after midnight.
  private static let now = Date(timeIntervalSince1970: 1_789_970_400)
  private static let monday = 1_789_948_800
  private static let hour = 3_600

  private static func time(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }

  private static func issue(
    _ number: Int, by author: String? = "ada", hoursAgo: Int = 24, closedAfter: Int? = nil
  ) -> GitHub.Issue {
    let createdAt = monday - hoursAgo * hour
    return GitHub.Issue(
      id: Int64(number), number: number, title: "Issue \(number)",
      state: closedAfter == nil ? .open : .closed, user: author.map { GitHub.User(login: $0) },
      createdAt: time(createdAt), updatedAt: time(createdAt),
      closedAt: closedAfter.map { time(createdAt + $0 * hour) })
  }

  /// Comments as GitHub's list and as its timelines have them: number, hours after the opening, author, association.
  private static let comments: [(number: Int, hours: Int, author: String, association: String)] = [
    (1, 1, "ADA", "NONE"), (1, 2, "stale", "MEMBER"), (1, 3, "renovate[bot]", "MEMBER"),
    (1, 4, "Grace", "CONTRIBUTOR"), (1, 6, "mia", "MEMBER"), (1, 7, "grace", "CONTRIBUTOR"),
    (2, 2, "mia", "MEMBER"), (2, 3, "grace", "CONTRIBUTOR"),
    (3, 8, "grace", "CONTRIBUTOR"),
    // An issue from before these weeks, a pull request, and one without an author of its own.
    (5, 1, "mia", "MEMBER"), (6, 1, "mia", "MEMBER"), (7, 1, "mia", "MEMBER"),
  ]

  private static func filled() async throws -> TestMirror {
    let test = try await TestMirror()
    var pull = issue(6)
    pull.pullRequest = PullRequestLink(url: "https://api.github.com/x")
    try await test.store([
      issue(1), issue(2), issue(3), issue(4), issue(5, hoursAgo: 24 * 70), pull,
      issue(7, by: nil),
    ])
    return test
  }

  private static func opening(_ number: Int) -> Int {
    monday - (number == 5 ? 24 * 70 : 24) * hour
  }

  private static func user(_ login: String) -> GitHub.User {
    var user = GitHub.User(login: login)
    user.type = login == "stale" ? "Bot" : "User"
    return user
  }

  private static func durations(
    _ count: Int, _ medianHours: Double, _ ninetiethHours: Double
  ) -> RepositoryStatistics.Durations {
    .init(count: count, median: medianHours * 3_600, ninetieth: ninetiethHours * 3_600)
  }

  private func expect(
    _ answers: RepositoryStatistics.Answers, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Issue 1 after 4 hours, 2 after 2, 3 after 8, 7 after 1, and 4 not at all.
    #expect(answers.issues == 5, sourceLocation: sourceLocation)
    #expect(answers.byAnyone == Self.durations(4, 3, 8), sourceLocation: sourceLocation)
    // Issue 1 after 6 hours, 2 after 2, 7 after 1.
    #expect(answers.byMaintainers == Self.durations(3, 2, 6), sourceLocation: sourceLocation)
    let people = answers.people.map {
      "\($0.login.lowercased()) \($0.answers) \($0.isMaintainer)"
    }
    #expect(people == ["grace 2 false", "mia 2 true"], sourceLocation: sourceLocation)
  }

  @Test(
    "statistics of answers use the first comment by another user who isn't a bot"
  )
  func fromComments() async throws {
    let test = try await Self.filled()
    try await test.store(
      Self.comments.enumerated().map { index, comment in
        let time = Self.time(Self.opening(comment.number) + comment.hours * Self.hour)
        return (
          comment.number,
          IssueComment(
            id: Int64(index + 1), body: "text", user: Self.user(comment.author),
            authorAssociation: comment.association, createdAt: time, updatedAt: time)
        )
      })
    let repository = try await test.mirror.finish(
      .comments, of: test.repository, syncedTo: Self.monday, entityTag: nil, at: Self.now)
    let statistics = try await test.mirror.statistics(of: repository, weeks: 4, now: Self.now)
    expect(try #require(statistics.answers))
    #expect(statistics.unansweredText == "1 of the 5 issues opened in these 4 weeks has no answer.")
    // Without the comments it is unknown.
    let without = try await test.mirror.statistics(of: test.repository, weeks: 4, now: Self.now)
    #expect(without.answers == nil && without.unansweredText == nil)
  }

  @Test("statistics of answers use timelines where comments aren't mirrored")
  func fromTimelines() async throws {
    let test = try await Self.filled()
    let mirror = test.mirror
    for number in Set(Self.comments.map(\.number)) {
      var timeline = IssueTimeline(of: number, asked: try await mirror.ticket(of: test.repository))
      let events = Self.comments.filter { $0.number == number }.map { comment in
        let type = Self.user(comment.author).type ?? ""
        let time = Self.time(Self.opening(number) + comment.hours * Self.hour)
        return """
          {"event":"commented","id":\(number * 10 + comment.hours),"body":"text",\
          "user":{"login":"\(comment.author)","type":"\(type)"},\
          "author_association":"\(comment.association)",\
          "created_at":"\(Timestamp.string(from: time))"}
          """
      }
      try timeline.add(Data("[\(events.joined(separator: ","))]".utf8))
      try await mirror.store(timeline, of: test.repository)
    }
    let repository = try await mirror.note(.complete, of: test.repository, at: Self.now)
    let statistics = try await mirror.statistics(of: repository, weeks: 4, now: Self.now)
    expect(try #require(statistics.answers))
  }

  @Test(
    "statistics of answers include the time to close issues that were closed within the weeks"
  )
  func closing() async throws {
    let test = try await TestMirror()
    try await test.store(
      [
        Self.issue(1, closedAfter: 1), Self.issue(2, closedAfter: 3),
        Self.issue(3, hoursAgo: 24 * 365, closedAfter: 24 * 364),
        Self.issue(4, hoursAgo: 24 * 365, closedAfter: 2), Self.issue(5),
      ])
    let statistics = try await test.mirror.statistics(
      of: test.repository, weeks: 4, now: Self.now)
    #expect(statistics.closing == Self.durations(3, 3, 364 * 24))
    #expect(statistics.durations.map(\.name) == ["Closed"])
  }

  @Test("statistics of answers count each closing and reopening recorded in timelines")
  func flow() async throws {
    let test = try await TestMirror()
    let mirror = test.mirror
    try await test.store([
      Self.issue(1, hoursAgo: 24 * 20), Self.issue(2, hoursAgo: 24 * 20, closedAfter: 24 * 15),
    ])
    func weeks(_ repository: MirroredRepository) async throws -> [String] {
      try await mirror.statistics(of: repository, weeks: 4, now: Self.now).weeks.map {
        "\($0.opened) \($0.closed) \($0.reopened.map { "\($0)" } ?? "-") \($0.balanceText)"
      }
    }
    // Issue 1 is open again; 2 is still closed.
    #expect(try await weeks(test.repository) == ["2 0 - +2", "0 0 - 0", "0 1 - -1", "0 0 - 0"])
    var timeline = IssueTimeline(of: 1, asked: try await mirror.ticket(of: test.repository))
    let events = [("closed", 19), ("reopened", 12), ("closed", 11), ("reopened", 2)].map {
      let time = Self.time(Self.monday - $0.1 * 24 * Self.hour)
      return #"{"event":"\#($0.0)","id":1,"created_at":"\#(Timestamp.string(from: time))"}"#
    }
    try timeline.add(Data("[\(events.joined(separator: ","))]".utf8))
    try await mirror.store(timeline, of: test.repository)
    let repository = try await mirror.note(.complete, of: test.repository, at: Self.now)
    #expect(
      try await weeks(repository) == ["2 1 0 +1", "0 1 1 0", "0 1 1 0", "0 0 0 0"])
  }

  @Test(
    "durations have a median and a 90th percentile",
    arguments: [
      ([], nil, nil), ([5], 5, 5), ([4, 2], 3, 4), ([-7, 1], 0.5, 1),
      (Array(1...10), 5.5, 9), (Array(1...11), 6, 10), (Array(1...100), 50.5, 90),
    ] as [([Int], Double?, Double?)])
  func durations(seconds: [Int], median: Double?, ninetieth: Double?) {
    let durations = RepositoryStatistics.Durations(of: seconds.reversed())
    #expect(durations == .init(count: seconds.count, median: median, ninetieth: ninetieth))
  }

  @Test(
    "durations are formatted in words",
    arguments: [
      (0, "0 minutes"), (60, "1 minute"), (3_599, "59 minutes"),
      (3_600, "1 hour"), (86_400 * 3, "3 days"),
    ] as [(Int, String)])
  func words(seconds: Int, text: String) {
    #expect(RepositoryStatistics.Durations(of: [seconds]).medianText == text)
  }
}

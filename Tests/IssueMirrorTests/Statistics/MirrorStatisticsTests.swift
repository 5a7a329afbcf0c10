import GitHubAPI
import IssueMirror
import PlatformModules
import Testing

@Suite("Statistics of the mirror")
struct MirrorStatisticsTests {
  /// 2026-09-21, a Monday, some hours after midnight.
  private static let now = Date(timeIntervalSince1970: 1_789_970_400)
  private static let monday = 1_789_948_800
  private static let week = 604_800

  /// Issues of the last two years, of which some are closed and some are pull requests.
  private static let issues = (1...300).map { number in
    let createdAt = monday - (number * number * 7_919) % (104 * week) + 3_600
    let isClosed = number % 3 == 0
    let closedAt = createdAt + (number * 104_729) % (20 * week)
    return GitHub.Issue(
      id: Int64(number), number: number, title: "Issue \(number)",
      state: isClosed ? .closed : .open,
      user: GitHub.User(login: number % 2 == 0 ? "Ada" : "mia\(number % 30)"),
      labels: (0..<(number % 4)).map {
        GitHub.Label(name: "label \(($0 + number) % 15)", color: "d73a4a")
      },
      createdAt: Date(timeIntervalSince1970: Double(createdAt)),
      updatedAt: Date(timeIntervalSince1970: Double(createdAt)),
      closedAt: isClosed ? Date(timeIntervalSince1970: Double(closedAt)) : nil,
      pullRequest: number % 5 == 0 ? PullRequestLink(url: "https://api.github.com/pulls/1") : nil)
  }

  private static let own = issues.filter { !$0.isPullRequest }

  @Test("statistics match a plain count")
  func plainCount() async throws {
    let test = try await TestMirror()
    try await test.store(Self.issues)
    let statistics = try await test.mirror.statistics(
      of: test.repository, weeks: 26, now: Self.now)

    #expect(statistics.openCount == Self.own.count { $0.state == .open })
    #expect(statistics.closedCount == Self.own.count { $0.state == .closed })
    #expect(statistics.weeks.count == 26)
    let starts = (0..<26).map { Self.monday - (25 - $0) * Self.week }
    #expect(statistics.weeks.map { Int($0.start.timeIntervalSince1970) } == starts)
    let opened = starts.map { start in Self.count(\.createdAt, start) }
    let closed = starts.map { start in Self.count(\.closedAt, start) }
    #expect(statistics.weeks.map(\.opened) == opened)
    #expect(statistics.weeks.map(\.closed) == closed)
    #expect(opened.reduce(0, +) > 10 && closed.reduce(0, +) > 10)

    let open = Self.own.filter { $0.state == .open }
    #expect(statistics.ages.map(\.count).reduce(0, +) == open.count)
    let ages = open.compactMap(\.createdAt).map { Self.now.timeIntervalSince($0) }.sorted()
    let middle = (ages[(ages.count - 1) / 2] + ages[ages.count / 2]) / 2
    #expect(statistics.medianAge == middle)
  }

  @Test("labels and users are counted within the weeks, and open issues over all time")
  func activity() async throws {
    let test = try await TestMirror()
    try await test.store(Self.issues)
    let statistics = try await test.mirror.statistics(of: test.repository, weeks: 26, now: Self.now)
    let recent = Self.own.filter {
      ($0.createdAt?.timeIntervalSince1970 ?? 0) >= Double(Self.monday - 25 * Self.week)
    }
    #expect(statistics.labels.count == RepositoryStatistics.maximumEntries)
    for label in statistics.labels {
      #expect(label.opened == recent.count { $0.labels.map(\.name).contains(label.name) })
      let open = Self.own.filter { $0.state == .open }
      #expect(label.open == open.count { $0.labels.map(\.name).contains(label.name) })
      #expect(label.color == "d73a4a")
    }
    #expect(statistics.labels.map(\.opened) == statistics.labels.map(\.opened).sorted(by: >))
    for author in statistics.authors {
      #expect(author.opened == recent.count { $0.user?.login == author.login })
      #expect(author.comments == nil)
    }
    #expect(statistics.authors.first?.login == "Ada")
  }

  @Test("mirrored comments are counted, except comments on pull requests")
  func comments() async throws {
    let test = try await TestMirror()
    try await test.store(Self.issues)
    let number = try #require(Self.own.first).number
    let pull = try #require(Self.issues.first { $0.isPullRequest }).number
    func comment(_ id: Int64, _ login: String, weeksAgo: Int = 1) -> IssueComment {
      let time = Date(timeIntervalSince1970: Double(Self.monday - weeksAgo * Self.week))
      return IssueComment(id: id, user: GitHub.User(login: login), createdAt: time, updatedAt: time)
    }
    try await test.store([
      (number, comment(1, "zoe")), (number, comment(2, "ZOE")), (pull, comment(3, "zoe")),
      (number, comment(4, "zoe", weeksAgo: 90)),
    ])
    let repository = try await test.mirror.finish(
      .comments, of: test.repository, syncedTo: Self.monday, entityTag: nil, at: Self.now)
    let statistics = try await test.mirror.statistics(of: repository, weeks: 2, now: Self.now)
    let zoe = try #require(statistics.authors.first { $0.login.lowercased() == "zoe" })
    #expect(zoe.comments == 2)
    #expect(zoe.opened == 0)
    // Comments that aren't shown don't add an author.
    let whole = try await test.mirror.statistics(of: test.repository, weeks: 2, now: Self.now)
    #expect(!whole.authors.contains { $0.login.lowercased() == "zoe" })
    #expect(whole.authors.map(\.opened) == whole.authors.map(\.opened).sorted(by: >))
  }

  @Test(
    "an issue without a date still counts for its label, and a reopened issue isn't closed")
  func missingTimes() async throws {
    let test = try await TestMirror()
    var issue = GitHub.Issue.numbered(1, updated: Self.monday)
    issue.labels = [GitHub.Label(name: "bug")]
    issue.createdAt = nil
    issue.closedAt = Date(timeIntervalSince1970: Double(Self.monday))
    try await test.store([issue])
    let statistics = try await test.mirror.statistics(
      of: test.repository, weeks: .max, now: Self.now)
    #expect(statistics.labels.map(\.open) == [1])
    #expect(statistics.weeks.allSatisfy { $0.closed == 0 })
    #expect(statistics.weeks.count == 10_000)
  }

  @Test("statistics of an empty mirror are zero, for at least one week")
  func empty() async throws {
    let test = try await TestMirror()
    let statistics = try await test.mirror.statistics(of: test.repository, weeks: 0, now: Self.now)
    #expect(statistics.weeks.map(\.opened) == [0])
    #expect(statistics.openCount == 0 && statistics.closedCount == 0)
    #expect(statistics.medianAge == nil && statistics.medianAgeText == nil)
    #expect(statistics.labels.isEmpty && statistics.authors.isEmpty)
  }

  private static func count(_ time: KeyPath<GitHub.Issue, Date?>, _ start: Int) -> Int {
    own.count { issue in
      issue[keyPath: time].map {
        (start..<(start + week)).contains(Int($0.timeIntervalSince1970))
      } ?? false
    }
  }
}

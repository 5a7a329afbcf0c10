import GitHubAPI
import IssueMirror
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Lists of a mirror", .timeLimit(.minutes(5)))
struct ListingTests {
  private static let labels = ["bug", "Good First Issue", "ärger", "ÄRGER2", "a,b", "x"]
  private static let logins = ["octocat", "Mona-Lisa", "robot[bot]", "anna_corp"]

  /// Issues with everything that a filter asks for, in few values, so that filters find some.
  private static func issues(_ count: Int, using source: inout FuzzSource) -> [Issue] {
    (1...count).map { number in
      var issue = Issue.numbered(number, updated: 1_700_000_000 + source.below(50))
      issue.state = source.once(in: 3) ? .closed : .open
      issue.createdAt =
        source.once(in: 9)
        ? nil : Date(timeIntervalSince1970: Double(1_600_000_000 + source.below(40)))
      issue.commentsCount = source.below(5)
      issue.user = source.once(in: 9) ? nil : User(login: source.pick(logins))
      issue.labels = labels.filter { _ in source.once(in: 3) }.map { name in
        Label(id: 1, name: source.once(in: 2) ? name.uppercased() : name)
      }
      issue.assignees = logins.filter { _ in source.once(in: 4) }.map { User(login: $0) }
      switch source.below(3) {
      case 0: issue.milestone = Milestone(number: 1 + source.below(2), title: "One")
      case 1: issue.milestone = Milestone(title: "Without a number")
      default: break
      }
      let mention = source.pick(["octocat", "OctoCat", "octocats", "mona-lisa", "nobody"])
      issue.body = source.pick([nil, "", "See @\(mention).", "me@\(mention) \"\n@\(mention)"])
      if source.once(in: 4) {
        issue.pullRequest = PullRequestLink(url: "https://api.github.com/pulls/\(number)")
      }
      return issue
    }
  }

  private static func filter(using source: inout FuzzSource) -> IssueFilter {
    var filter = IssueFilter(
      state: source.pick(IssueFilter.State.allCases), sort: source.pick(IssueFilter.Sort.allCases),
      direction: source.pick(IssueFilter.Direction.allCases))
    filter.labels = labels.filter { _ in source.once(in: 6) }.map { name in
      source.once(in: 2) ? name.lowercased() : name
    }
    if source.once(in: 12) { filter.labels.append("no such label") }
    func username() -> Username? { Username(source.pick(logins).lowercased()) }
    switch source.below(6) {
    case 0: filter.assignee = .anybody
    case 1: filter.assignee = .nobody
    case 2: filter.assignee = username().map { .user($0) }
    default: break
    }
    if source.once(in: 4) { filter.creator = username() }
    if source.once(in: 4) { filter.mentioned = username() }
    if source.once(in: 3) {
      filter.milestone = source.pick([
        .any, .absent, .number(1), .number(2), .number(9), .title("one"), .title("2"), .title("9"),
        .title("Without a number"),
      ])
    }
    if source.once(in: 3) {
      filter.since = Date(timeIntervalSince1970: 1_700_000_000.7 + Double(source.below(50)))
    }
    return filter
  }

  @Test("hold what the filter matches, in its order, for whatever filter")
  func filters() async throws {
    var source = FuzzSource(seed: 6)
    let issues = Self.issues(400, using: &source)
    let test = try await TestMirror()
    try await test.store(issues)
    // A repository beside it, of which nothing may show.
    let other = try await TestMirror.record(id: 2, name: "a/b", in: test.mirror)
    try await test.mirror.store(
      TestMirror.page(Self.issues(50, using: &source)), of: other, sweep: nil, at: TestMirror.now)

    var foundCount = 0
    for index in 0..<300 {
      let filter = Self.filter(using: &source)
      let includesPullRequests = source.once(in: 2)
      let limit = source.once(in: 2) ? source.below(30) : nil
      let all = filter.sorted(issues.filter(filter.matches))
        .filter { includesPullRequests || !$0.isPullRequest }
      let expected = Array(all.prefix(limit ?? .max))
      let found = try await test.mirror.issues(
        of: test.repository, filter: filter, limit: limit,
        includesPullRequests: includesPullRequests)
      foundCount += found.count
      try #require(found == expected, "\(index): \(filter.query), \(limit ?? -1)")
    }
    #expect(foundCount > 2_000)
    #expect(try await test.mirror.issues(of: test.repository, limit: -1).isEmpty)
  }

  @Test("are gone through one by one, with the server's bytes, as of their beginning")
  func export() async throws {
    let test = try await TestMirror()
    let json = #"{ "number":1,"id":2 ,"title":"t","state":"open","extra":[1e2,null]}"#
    try await test.mirror.store(
      TimelinePage(Data("[\(json), \(json.replacing("1,", with: "3,"))]".utf8), of: .items),
      of: test.repository, sweep: nil, at: TestMirror.now)
    let seen = Watched<[String]>([])
    try await test.mirror.forEachIssue(
      of: test.repository, filter: IssueFilter(direction: .ascending)
    ) { issue, json in
      seen.update { $0.append("\(issue.number) \(String(decoding: json, as: UTF8.self))") }
    }
    #expect(seen.current == ["1 \(json)", "3 \(json.replacing("1,", with: "3,"))"])

    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await test.mirror.forEachIssue(of: test.repository) { _, _ in throw Stop() }
    }
  }

  @Test("tell how much there is of each kind")
  func counts() async throws {
    let test = try await TestMirror()
    #expect(try await test.mirror.counts(of: test.repository) == MirrorCounts())
    var issues = (1...10).map { Issue.numbered($0) }
    for index in 0..<4 { issues[index].state = .closed }
    for index in 3..<9 { issues[index].pullRequest = PullRequestLink(htmlURL: "p") }
    try await test.store(issues)
    #expect(
      try await test.mirror.counts(of: test.repository)
        == MirrorCounts(open: 1, closed: 3, pullRequests: 6, openPullRequests: 5))
  }
}

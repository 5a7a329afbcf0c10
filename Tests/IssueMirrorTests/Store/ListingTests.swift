import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Lists of a mirror", .timeLimit(.minutes(5)))
struct ListingTests {
  private static let labels = ["bug", "Good First Issue", "ärger", "ÄRGER2", "a,b", "x"]
  private static let logins = ["octocat", "Mona-Lisa", "robot[bot]", "anna_corp"]

  /// Issues with everything that a filter asks for, in few values, so that filters find some.
  private static func issues(_ count: Int, using source: inout FuzzSource) -> [GitHub.Issue] {
    (1...count).map { number in
      var issue = GitHub.Issue.numbered(number, updated: 1_700_000_000 + source.below(50))
      issue.state = source.once(in: 3) ? .closed : .open
      issue.createdAt =
        source.once(in: 9)
        ? nil : Date(timeIntervalSince1970: Double(1_600_000_000 + source.below(40)))
      issue.commentsCount = source.below(5)
      issue.user = source.once(in: 9) ? nil : GitHub.User(login: source.pick(logins))
      issue.labels = labels.filter { _ in source.once(in: 3) }.map { name in
        GitHub.Label(serverID: 1, name: source.once(in: 2) ? name.uppercased() : name)
      }
      issue.assignees = logins.filter { _ in source.once(in: 4) }.map { GitHub.User(login: $0) }
      switch source.below(3) {
      case 0: issue.milestone = GitHub.Milestone(number: 1 + source.below(2), title: "One")
      case 1: issue.milestone = GitHub.Milestone(title: "Without a number")
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

  @Test("a mirror's list has the issues that match any filter, in its order")
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

  @Test("a mirror's list is exported page by page, with the server's bytes")
  func export() async throws {
    let test = try await TestMirror()
    let json = #"{ "number":1,"id":2 ,"title":"t","state":"open","extra":[1e2,null]}"#
    try await test.mirror.store(
      FeedPage(Data("[\(json), \(json.replacing("1,", with: "3,"))]".utf8), of: .items),
      of: test.repository, sweep: nil, at: TestMirror.now)
    let list = MirrorList(
      repository: test.repository, filter: IssueFilter(direction: .ascending),
      includesPullRequests: false)
    for pageSize in 1...3 {
      var seen: [String] = []
      for try await page in test.mirror.documents(of: list, pageSize: pageSize) {
        #expect(page.count <= pageSize)
        seen += page.map { String(decoding: $0, as: UTF8.self) }
      }
      #expect(seen == [json, json.replacing("1,", with: "3,")])
    }
  }

  /// The fields of an issue that a list shows, from its document.
  private static func shown(_ issue: GitHub.Issue) -> GitHub.Issue {
    GitHub.Issue(
      id: 0, number: issue.number, title: issue.title, state: issue.state,
      stateReason: issue.stateReason,
      labels: issue.labels.map { GitHub.Label(name: $0.name, color: $0.color) },
      assignees: issue.assignees.map { GitHub.User(login: $0.login) },
      updatedAt: issue.updatedAt.map {
        Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))
      },
      htmlURL: issue.htmlURL,
      pullRequest: issue.pullRequest.map { link in
        PullRequestLink(mergedAt: link.mergedAt.map { _ in Date(timeIntervalSince1970: 0) })
      },
      isDraft: issue.isPullRequest ? issue.isDraft == true : nil)
  }

  private static func rows(
    of test: TestMirror, _ filter: IssueFilter = IssueFilter(state: .all), limit: Int? = nil,
    withAssignees: Bool = true
  ) async throws -> [GitHub.Issue] {
    let list = MirrorList(
      repository: test.repository, filter: filter, limit: limit, includesPullRequests: true)
    var rows: [GitHub.Issue] = []
    for try await page in test.mirror.rows(of: list, pageSize: 64, withAssignees: withAssignees) {
      rows += page.map(Self.shown)
    }
    return rows
  }

  @Test("a mirror's list has columns that match the stored documents")
  func rows() async throws {
    var source = FuzzSource(seed: 7)
    var issues = Self.issues(300, using: &source)
    for index in issues.indices {
      // The same label is spelled the same.
      issues[index].labels = issues[index].labels.map { GitHub.Label(name: $0.name.lowercased()) }
      issues[index].stateReason = source.pick([nil, .completed, StateReason(rawValue: "odd")])
      issues[index].htmlURL = source.pick([nil, "", "https://github.com/a/b/\(index)"])
      issues[index].isDraft = source.pick([nil, false, true])
      if issues[index].isPullRequest, source.once(in: 2) {
        issues[index].pullRequest = PullRequestLink(url: "x", mergedAt: TestMirror.now)
      }
    }
    let test = try await TestMirror()
    try await test.store(issues)
    for _ in 0..<100 {
      let (filter, limit) = (Self.filter(using: &source), source.pick([nil, 0, 7]))
      let documents = try await test.mirror.issues(
        of: test.repository, filter: filter, limit: limit, includesPullRequests: true)
      let rows = try await Self.rows(of: test, filter, limit: limit)
      try #require(rows == documents.map(Self.shown), "\(filter.query)")
    }
    let rows = try await Self.rows(of: test, withAssignees: false)
    #expect(rows.count == 300 && rows.allSatisfy { $0.assignees.isEmpty })
  }

  @Test(
    "a mirror's list has columns that match the stored documents, even for hostile values",
    arguments: [
      ["title": #""a\u0000b""#], ["title": #""""#, "state": #""o\u0000""#],
      ["title": #""\ud800 \udc00\ud83d\ude00""#],
      ["title": #""\u001b[2J\u202e""#, "updated_at": "null"],
      ["updated_at": #""2026-01-01T00:00:00.75Z""#],
      ["updated_at": "null", "created_at": #""2026-01-01T00:00:00Z""#],
      ["updated_at": #""1970-01-01T01:00:00.5+01:00""#],
      ["state": #""OPEN""#, "state_reason": #""none\u0000""#],
      ["html_url": #""javascript:\u0000""#],
      ["labels": ##"["bare",{"name":"X","color":"#ff0000"},{"name":"","color":""}]"##],
      ["labels": #"[{"name":"z"},{"name":"a"},{"name":"Z","color":"00ff00"},{"name":"a"}]"#],
      ["labels": #"[{"name":"n\u0000","color":"f"},{"name":"c","color":"ff00ff\u0000"}]"#],
      ["labels": "null", "assignees": "null", "assignee": #"{"login":"only"}"#],
      ["assignees": #"[{"login":"b"},{"login":"a"},{"login":"B"},{"login":"l\u0000"}]"#],
      ["pull_request": #"{"url":null,"html_url":null,"merged_at":null}"#, "draft": "true"],
      [
        "pull_request": #"{"html_url":"x","merged_at":"2026-01-01T00:00:00Z"}"#,
        "draft": #""yes""#,
      ],
      ["pull_request": #"{"url":"x"}"#, "draft": "true", "locked": "null"],
      ["body": "\"\(String(repeating: "long ", count: 20_000))\"", "html_url": #""behind it""#],
    ])
  func oddRows(members: [String: String]) async throws {
    let standard = [
      "id": "1", "number": "1", "title": #""t""#, "state": #""open""#,
      "updated_at": #""2026-01-01T00:00:00Z""#,
    ]
    let object = standard.merging(members) { $1 }.sorted { $0.key < $1.key }
    let json = "{\(object.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    let test = try await TestMirror()
    // First another version, of which nothing may stay.
    try await test.store([.numbered(1, updated: 0)])
    try await test.mirror.store(
      FeedPage(Data("[\(json)]".utf8), of: .items), of: test.repository, sweep: nil,
      at: TestMirror.now)
    let documents = try await test.mirror.issues(
      of: test.repository, filter: IssueFilter(state: .all), includesPullRequests: true)
    #expect(documents.first?.id == 1)
    #expect(try await Self.rows(of: test) == documents.map(Self.shown), "\(json)")
  }

  @Test("a mirror counts its items by kind")
  func counts() async throws {
    let test = try await TestMirror()
    #expect(try await test.mirror.counts(of: test.repository) == MirrorCounts())
    var issues = (1...10).map { GitHub.Issue.numbered($0) }
    for index in 0..<4 { issues[index].state = .closed }
    for index in 3..<9 { issues[index].pullRequest = PullRequestLink(htmlURL: "p") }
    try await test.store(issues)
    #expect(
      try await test.mirror.counts(of: test.repository)
        == MirrorCounts(open: 1, closed: 3, pullRequests: 6, openPullRequests: 5))
  }
}

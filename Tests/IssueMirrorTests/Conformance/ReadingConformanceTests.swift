import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@Suite("Every store returns the same results as a plain scan", .timeLimit(.minutes(5)))
struct ReadingConformanceTests {
  private static let logins = ["octocat", "mona-lisa", "anna_corp"]
  private static let labels = ["bug", "good first issue", "ärger"]
  private static let words = ["crash", "parser", "linker", "macro"]
  /// A Monday.
  private static let monday = 1_699_833_600

  private static func issues(_ count: Int, using source: inout FuzzSource) -> [GitHub.Issue] {
    (1...count).map { number in
      var issue = GitHub.Issue.numbered(number, updated: monday + source.below(50))
      issue.title = words.filter { _ in source.once(in: 2) }.joined(separator: " ")
      issue.body = source.pick([nil, "cc @octocat", "cc @octocats"])
      issue.createdAt = Date(timeIntervalSince1970: Double(monday + source.below(2_000_000)))
      if source.once(in: 3) {
        issue.state = .closed
        issue.closedAt = issue.createdAt?.addingTimeInterval(Double(source.below(1_000_000)))
      }
      issue.commentsCount = source.below(4)
      issue.user = GitHub.User(login: source.pick(logins))
      issue.labels = labels.filter { _ in source.once(in: 3) }.map {
        GitHub.Label(serverID: 1, name: $0)
      }
      issue.assignees = logins.filter { _ in source.once(in: 4) }.map { GitHub.User(login: $0) }
      if source.once(in: 3) { issue.milestone = GitHub.Milestone(number: 2, title: "One") }
      if source.once(in: 5) {
        issue.pullRequest = PullRequestLink(url: "https://api.github.com/pulls/\(number)")
      }
      return issue
    }
  }

  private static func filter(using source: inout FuzzSource) -> IssueFilter {
    var filter = IssueFilter(
      state: source.pick(IssueFilter.State.allCases),
      labels: labels.filter { _ in source.once(in: 5) }.map { $0.uppercased() },
      sort: source.pick(IssueFilter.Sort.allCases),
      direction: source.pick(IssueFilter.Direction.allCases))
    if source.once(in: 4) { filter.creator = Username(source.pick(logins)) }
    if source.once(in: 4) { filter.mentioned = Username("octocat") }
    filter.assignee = source.pick([
      nil, .anybody, .nobody, Username(source.pick(logins)).map { .user($0) },
    ])
    filter.milestone = source.pick([nil, nil, .any, .absent, .number(2), .title("one")])
    if source.once(in: 3) {
      filter.since = Date(timeIntervalSince1970: Double(monday + source.below(50)))
    }
    return filter
  }

  /// A store with issues in it, and others of another repository, of which nothing may show.
  private static func filled(
    _ engine: StoreEngine, _ issues: [GitHub.Issue], using source: inout FuzzSource
  ) async throws -> (StoreUnderTest, MirroredRepository) {
    let test = try await engine.make()
    let repository = try await test.record()
    try await test.keep(issues, of: repository)
    try await test.keep(
      Self.issues(40, using: &source), of: try await test.record(id: 2, name: "a/b"))
    return (test, repository)
  }

  @Test(
    "a store lists the same issues as a plain scan for any filter", arguments: StoreEngine.all
  )
  func lists(_ engine: StoreEngine) async throws {
    var source = FuzzSource(seed: 11)
    let issues = Self.issues(200, using: &source)
    let (test, repository) = try await Self.filled(engine, issues, using: &source)
    var foundCount = 0
    for index in 0..<100 {
      let (filter, limit) = (Self.filter(using: &source), source.pick([nil, 0, 7]))
      let all = filter.sorted(issues.filter(filter.matches))
      let proper = all.filter { !$0.isPullRequest }.map(\.number)
      let expected = Array(all.map(\.number).prefix(limit ?? .max))
      let list = MirrorList(
        repository: repository, filter: filter, limit: limit, includesPullRequests: true)
      let sent = try await test.store.sentIssues(
        of: repository, filter: filter, limit: limit, includesPullRequests: true)
      try #require(sent.map(\.entity.number) == expected, "\(index): \(filter.query)")
      var (rows, documents): ([Int], Int) = ([], 0)
      for try await page in test.store.rows(of: list, pageSize: 64, withAssignees: true) {
        rows += page.map(\.number)
      }
      for try await page in test.store.documents(of: list, pageSize: 64) {
        documents += page.count
      }
      #expect(rows == expected && documents == expected.count, "\(index): \(filter.query)")
      let listing = try await test.store.listing(.filter(filter), of: repository)
      #expect(listing.numbers == proper, "\(index): \(filter.query)")
      #expect(
        try await test.store.issues(0..<5, of: listing).map(\.number) == Array(proper.prefix(5)))
      var exported: [Int] = []
      let export = test.store.export(
        of: repository, filter: filter, includesPullRequests: false, includesComments: true)
      for try await page in export { exported += page.map(\.number) }
      #expect(exported == proper, "\(index): \(filter.query)")
      foundCount += expected.count
    }
    #expect(foundCount > 500)
  }

  @Test(
    "a store finds the same issues as a plain scan for any words and properties",
    arguments: StoreEngine.all)
  func searches(_ engine: StoreEngine) async throws {
    var source = FuzzSource(seed: 12)
    let issues = Self.issues(200, using: &source)
    let (test, repository) = try await Self.filled(engine, issues, using: &source)
    var foundCount = 0
    for _ in 0..<60 {
      let wanted = Self.words.filter { _ in source.once(in: 3) }
      let excluded = Self.words.filter { !wanted.contains($0) && source.once(in: 4) }
      let label = source.pick([nil] + Self.labels)
      let author = source.pick([nil] + Self.logins)
      let expected = issues.filter { issue in
        let words = Set(issue.title.split(separator: " ").map(String.init))
        return words.isSuperset(of: wanted) && words.isDisjoint(with: excluded)
          && (label.map { name in issue.labels.contains { $0.name == name } } ?? true)
          && (author.map { issue.user?.login == $0 } ?? true) && issue.state == .open
      }
      let text =
        (["is:open", "sort:created-asc"] + wanted + excluded.map { "-\($0)" }
        + [label.map { "label:\"\($0)\"" }, author.map { "author:\($0)" }].compactMap(\.self))
        .joined(separator: " ")
      let filter = IssueFilter(state: .all, sort: .created, direction: .ascending)
      let numbers = filter.sorted(expected).map(\.number)
      #expect(try await test.found(text, in: repository) == numbers, "\(text)")
      let listing = try await test.store.listing(
        .search(SearchQuery(parsing: text)), of: repository)
      #expect(listing.numbers == numbers, "\(text)")
      foundCount += numbers.count
    }
    #expect(foundCount > 300)
  }

  /// Two of a qualifier, and the issues that meet both, or for `label:a,b`, `repo:` and `involves:` one of them.
  private static let repeated: [(query: String, numbers: [Int])] = [
    ("is:open is:closed", []), ("state:open state:closed", []), ("is:issue is:pr", []),
    ("is:locked is:unlocked", []), ("author:ada author:bob", []), ("-author:ada -author:bob", [3]),
    ("assignee:ada assignee:bob", [1]), ("assignee:ada no:assignee", []),
    ("mentions:ada mentions:bob", [1]), ("commenter:ada commenter:bob", [2]),
    ("involves:carl involves:ada", [1, 2, 3]), ("involves:carl involves:dora", [3]),
    ("label:bug label:crash", [1]), ("label:bug,crash", [1, 2]),
    ("milestone:One milestone:Two", []),
    ("type:Bug type:Task", []), ("parent-issue:8 parent-issue:9", []), ("parent-issue:8", [1]),
    ("created:>=2024-01-02 created:<2024-01-03", [2]),
    ("updated:>=2024-01-02 updated:2024-01-01", []),
    ("comments:>0 comments:<3", [2]), ("no:label no:milestone", [3]),
    ("repo:swiftlang/swift repo:a/b", [1, 2, 3]), ("in:title in:body words", [2, 3]),
  ]

  @Test("repeated qualifiers have the same meaning as on GitHub", arguments: StoreEngine.all)
  func repeatedQualifiers(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    var issues = (1...3).map { number in
      var issue = GitHub.Issue.numbered(number, updated: 1_704_067_200 + 86_400 * (number - 1))
      issue.createdAt = issue.updatedAt
      issue.user = GitHub.User(login: ["ada", "bob", "carl"][number - 1])
      issue.body = ["@ada @bob", "words", nil][number - 1]
      issue.title = ["a", "@ada", "words"][number - 1]
      return issue
    }
    issues[0].assignees = [GitHub.User(login: "ada"), GitHub.User(login: "bob")]
    issues[0].labels = ["bug", "crash"].map { GitHub.Label(serverID: 1, name: $0) }
    issues[0].milestone = GitHub.Milestone(number: 1, title: "One")
    issues[0].type = GitHub.IssueType(name: "Bug")
    issues[0].parentURL = "https://api.github.com/repos/swiftlang/swift/issues/8"
    issues[1].labels = [GitHub.Label(serverID: 1, name: "bug")]
    issues[1].milestone = GitHub.Milestone(number: 2, title: "Two")
    issues[1].commentsCount = 2
    try await test.keep(issues, of: repository)
    try await test.keep(
      ["ada", "bob"].enumerated().map { index, login in
        (
          2,
          IssueComment(
            id: Int64(index + 1), body: "Yes.", user: GitHub.User(login: login),
            createdAt: StoreUnderTest.now, updatedAt: StoreUnderTest.now)
        )
      }, of: repository)
    for (query, numbers) in Self.repeated {
      let found = try await test.found("\(query) sort:created-asc", in: repository)
      #expect(found == numbers, "\(query)")
    }
  }

  @Test("a store finds the same similar issues as a plain scan", arguments: StoreEngine.all)
  func similar(_ engine: StoreEngine) async throws {
    var source = FuzzSource(seed: 14)
    var issues = Self.issues(200, using: &source)
    // Every tenth of them shares a name with one other.
    for number in stride(from: 10, through: 90, by: 10) {
      for place in [number - 1, number + 99] { issues[place].body = "in makeTable\(number)x" }
    }
    let (test, repository) = try await Self.filled(engine, issues, using: &source)
    for number in stride(from: 10, through: 90, by: 10) {
      for (state, hasPulls) in [(IssueFilter.State.all, true), (.open, false)] {
        let other = issues[number + 99]
        let isWanted =
          (state == .all || other.state == .open) && (hasPulls || !other.isPullRequest)
        for subject in [SimilarIssuesQuery.Subject.issue(number), .text("makeTable\(number)x")] {
          let query = SimilarIssuesQuery(subject, state: state, includesPullRequests: hasPulls)
          let found = try await test.store.similarIssues(to: query, in: repository, limit: 20)
          #expect(found.contains { $0.issue.number == number + 100 } == isWanted, "\(query)")
          #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
          #expect(found.allSatisfy { $0.score > 0 && $0.score <= 1 && $0.repository == repository })
          #expect(found.count <= 20 && Set(found.map(\.id)).count == found.count)
          if subject == .issue(number) { #expect(!found.map(\.issue.number).contains(number)) }
        }
      }
    }
    await #expect(throws: MirrorFailure.self) {
      _ = try await test.store.similarIssues(
        to: SimilarIssuesQuery(.issue(201)), in: repository, limit: 1)
    }
  }

  @Test("a store counts the same issues as a plain scan", arguments: StoreEngine.all)
  func statistics(_ engine: StoreEngine) async throws {
    var source = FuzzSource(seed: 13)
    let issues = Self.issues(200, using: &source)
    let (test, repository) = try await Self.filled(engine, issues, using: &source)
    let proper = issues.filter { !$0.isPullRequest }
    let open = proper.filter { $0.state == .open }
    let counts = try await test.store.counts(of: repository)
    #expect(counts.open == open.count && counts.closed == proper.count - open.count)
    #expect(counts.pullRequests == issues.count - proper.count)
    #expect(counts.openPullRequests == issues.count { $0.isPullRequest && $0.state == .open })

    let now = Date(timeIntervalSince1970: Double(Self.monday + 10 * 7 * 86_400 - 1))
    let statistics = try await test.store.statistics(of: repository, weeks: 10, now: now)
    #expect(statistics.openCount == counts.open && statistics.closedCount == counts.closed)
    #expect(statistics.weeks.count == 10)
    for week in statistics.weeks {
      let span = week.start..<week.start.addingTimeInterval(7 * 86_400)
      #expect(week.opened == proper.count { span.contains($0.createdAt ?? .distantPast) })
      #expect(week.closed == proper.count { span.contains($0.closedAt ?? .distantPast) })
    }
    #expect(statistics.ages.map(\.count).reduce(0, +) == open.count)
    for label in statistics.labels {
      let labelled = proper.filter { $0.labels.contains { $0.name == label.name } }
      #expect(label.opened == labelled.count)
      #expect(label.open == labelled.count { $0.state == .open })
    }
    #expect(statistics.authors.map(\.opened).reduce(0, +) == proper.count)
  }

  @Test(
    "of two comments at the same time, the one with the lower ID counts as the first answer",
    arguments: StoreEngine.all)
  func ties(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    var repository = try await test.record()
    let opened = Date(timeIntervalSince1970: Double(Self.monday))
    try await test.keep(
      (1...20).map {
        var issue = GitHub.Issue.numbered($0, updated: Self.monday)
        issue.createdAt = opened
        return issue
      }, of: repository)
    let logins = ["zoe", "Zoe", "mia", "bob"]
    var comments: [(number: Int, comment: IssueComment)] = []
    for number in 1...20 {
      for index in 0..<4 {
        // Not in the order of their ids, in which rows may lie.
        let id = Int64(number * 4 + (index + number) % 4)
        comments.append(
          (
            number,
            IssueComment(
              id: id, body: "a", user: GitHub.User(login: logins[index]),
              createdAt: opened.addingTimeInterval(60), updatedAt: opened.addingTimeInterval(60))
          ))
      }
    }
    var source = FuzzSource(seed: 5)
    comments.shuffle(using: &source)
    for comment in comments { try await test.keep([comment], of: repository) }
    repository = try await test.store.finish(
      .comments, of: repository, sweep: nil, syncedTo: 100, entityTag: nil, isVerified: false,
      provesTo: nil, at: StoreUnderTest.now)
    let statistics = try await test.store.statistics(
      of: repository, weeks: 4, now: opened.addingTimeInterval(86_400))
    let people = try #require(statistics.answers).people
    #expect(
      people.map { "\($0.login.lowercased()) \($0.answers)" } == ["zoe 10", "bob 5", "mia 5"])
    #expect(statistics.authors.map(\.login).contains("zoe"))
  }

  @Test(
    "an export reflects the moment it began, even if others write", arguments: StoreEngine.all)
  func moment(_ engine: StoreEngine) async throws {
    let test = try await engine.make()
    let repository = try await test.record()
    try await test.keep((1...450).map { .numbered($0, "Before") }, of: repository)
    var pages = test.store.export(
      of: repository, filter: IssueFilter(), includesPullRequests: false, includesComments: false
    ).makeAsyncIterator()
    var titles = try #require(try await pages.next()).map { try $0.issue().title }
    #expect(titles.count < 450)
    let changed = (1...450).map { GitHub.Issue.numbered($0, "After", updated: 1_800_000_000) }
    let other = try await test.another()
    _ = try await other.store(
      TestMirror.page(changed), of: repository, sweep: nil, at: StoreUnderTest.now)
    while let page = try await pages.next() { titles += try page.map { try $0.issue().title } }
    #expect(titles == Array(repeating: "Before", count: 450))
  }
}

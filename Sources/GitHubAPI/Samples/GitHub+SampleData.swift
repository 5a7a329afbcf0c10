public import HTTPTargets
public import PlatformModules
internal import SampleData

extension GitHub {
  /// The response of a stub: the sample file of the endpoint, or a part of the sample repositories and their issues,
  /// which is filtered, searched and paged as on a server.
  ///
  /// Every repository in the sample search results can be looked up, and has a few hundred issues with comments.
  /// `swiftlang/swift`, formerly `apple/swift`, has the issues of the sample file. Names with unknown owners refer to
  /// this repository. Responses never change.
  public var sampleData: Data { sampleAnswer.body }

  /// The sample data as JSON, with a link to the next page if there is one. The status is 404 for a missing object, and
  /// 410 for the issues of a repository with disabled issues. Responses that contain times also have the server's
  /// `Date`.
  public var sampleResponse: SampleResponse {
    let answer = sampleAnswer
    return .response(status: answer.status, headers: answer.headers, body: answer.body)
  }

  /// The response; empty if a sample is broken.
  private var sampleAnswer: SampleAnswer {
    (try? SamplePage(of: self).answer()) ?? SampleAnswer(Data())
  }
}

extension SamplePage {
  /// Returns the response for the page, or GitHub's error for a missing object.
  func answer() throws -> SampleAnswer {
    switch list {
    case .userProfile, .ownProfile: return SampleAnswer(Data(SampleData.user))
    case .repos, .ownRepositories, .starredRepositories:
      return SampleAnswer(Data(SampleData.repositories))
    case .organizationRepositories(let organization, _):
      let own = try SampleRepositories.all().filter {
        $0.owner?.login.lowercased() == organization.lowercased()
      }
      guard !own.isEmpty else { return .notFound }
      return try SampleAnswer(
        encoding: own.map { $0.selecting(GitHub.Repository.Field.allCases) })
    case .concerningIssues(let involvement, let filter, _),
      .organizationIssues(_, let involvement, let filter, _):
      // Every user counts as the sample user.
      let issues = try SampleIssues.all().filter {
        filter.matches($0) && (involvement != .assigned || !$0.assignees.isEmpty)
      }
      let repository = try SampleRepositories.swift()
      return try SampleAnswer(
        encoding: filter.sorted(issues).map { LocatedObject(issue: $0, repository: repository) })
    case .notifications(let fullName, _, _, _, _):
      return try SampleAnswer(encoding: SampleNotifications.of(fullName))
    case .notification(let id):
      guard let thread = try SampleNotifications.of(nil).first(where: { $0.id == id }) else {
        return .notFound
      }
      return try SampleAnswer(encoding: thread)
    case .presence: return .notFound
    case .development(let fullName, let number, let includesProjects):
      return try of(fullName) { issues in
        try SampleDevelopment.answer(
          issues.first { $0.number == number && !$0.isPullRequest }, in: fullName,
          includesProjects: includesProjects)
      }
    case .branch(let fullName, _, _):
      return try of(fullName) { _ in try SampleDevelopment.branch(in: fullName) }
    case .project: return SampleDevelopment.project
    case .contents(let fullName, let path):
      guard try SampleRepositories.named(fullName) != nil else { return .notFound }
      return SampleTemplates.contents(at: path)
    case .rateLimit:
      var answer = SampleAnswer(Data(SampleData.rateLimit))
      answer.headers[.date] = "Thu, 01 Jan 2026 00:00:00 GMT"
      return answer
    case .repo(let fullName):
      guard var repository = try SampleRepositories.named(fullName) else { return .notFound }
      if repository.openIssuesCount == nil {
        let issues = try SampleIssues.of(repository)
        repository.openIssuesCount = issues?.count { $0.state == .open }
      }
      return try SampleAnswer(encoding: repository.selecting(GitHub.Repository.Field.allCases))
    case .searchRepositories(let query, _):
      let found = try SampleRepositories.matching(query)
      let page = cut(found)
      return try SampleAnswer(
        encoding: SearchAnswer(
          totalCount: found.count,
          items: page.items.map {
            FieldSelection(entity: $0, fields: GitHub.Repository.Field.allCases)
          }),
        link: page.link)
    case .searchIssues(let query, let kind, _):
      let search = SampleIssueSearch(query)
      let repositories = try Set(search.repositories.compactMap(SampleRepositories.named))
        .sorted { $0.fullName < $1.fullName }
      guard !repositories.isEmpty else { return .notFound }
      let found = search.results(
        in: try repositories.flatMap { try SampleIssues.of($0) ?? [] }, kind)
      let page = cut(found)
      return try SampleAnswer(
        encoding: SearchAnswer(
          totalCount: found.count, items: page.items.map(FoundObject.init), kind: kind),
        link: page.link)
    case .issues(let fullName, let filter, _):
      return try of(fullName) { issues in
        let filter = filter.numberingMilestone(among: issues.compactMap(\.milestone)) ?? filter
        let page = cut(filter.sorted(issues.filter(filter.matches)))
        return try SampleAnswer(encoding: page.items.map(Self.object), link: page.link)
      }
    case .issue(let fullName, let number):
      return try of(fullName) { issues in
        guard let issue = issues.first(where: { $0.number == number }) else { return .notFound }
        return try SampleAnswer(encoding: Self.object(issue))
      }
    case .milestones(let fullName, let page, _):
      return try of(fullName) { issues in
        let milestones = Set(issues.compactMap(\.milestone)).sorted { $0.title < $1.title }
        return try SampleAnswer(
          encoding: (page == 1 ? milestones : []).map {
            FieldSelection(entity: $0, fields: GitHub.Milestone.Field.allCases)
          })
      }
    case .milestone(let fullName, let number):
      return try of(fullName) { issues in
        let milestone = issues.compactMap(\.milestone).first { $0.number == number }
        guard let milestone else { return .notFound }
        return try SampleAnswer(
          encoding: FieldSelection(entity: milestone, fields: GitHub.Milestone.Field.allCases))
      }
    case .labels(let fullName, let page, _):
      return try of(fullName) { issues in
        let labels = Set(issues.flatMap(\.labels)).sorted { $0.name < $1.name }
        return try SampleAnswer(encoding: page == 1 ? labels : [])
      }
    case .label(let fullName, let name):
      return try of(fullName) { issues in
        let label = issues.lazy.flatMap(\.labels).first {
          $0.name.lowercased() == name.lowercased()
        }
        return try label.map { try SampleAnswer(encoding: $0) } ?? .notFound
      }
    case .assignees(let fullName, let page, _):
      return try of(fullName) { issues in
        let people = Set(issues.flatMap(\.assignees)).sorted { $0.login < $1.login }
        return try SampleAnswer(encoding: page == 1 ? people : [])
      }
    case .issueComments(let fullName, let number, let since, _):
      return try of(fullName) { issues in
        guard let issue = issues.first(where: { $0.number == number }) else { return .notFound }
        let page = cut(GeneratedComments(on: issue).all(since: since))
        return try SampleAnswer(
          encoding: page.items.map { $0.selecting(IssueComment.Field.allCases) }, link: page.link)
      }
    case .repositoryComments(let fullName, let since, _):
      return try of(fullName) { issues in
        let page = cut(GeneratedComments.all(on: issues, since: since))
        return try SampleAnswer(
          encoding: page.items.map { $0.selecting(IssueComment.Field.allCases) }, link: page.link)
      }
    case .subIssues, .parentIssue, .blockedBy, .blocking, .timeline, .issueTypes,
      .organizationIssueTypes, .issueFields:
      return try SampleRelations.answer(list, self)
    case .comment(let fullName, let id):
      return try of(fullName) { issues in
        let comment = issues.lazy.flatMap { GeneratedComments(on: $0).all() }.first { $0.id == id }
        return try comment.map {
          try SampleAnswer(encoding: $0.selecting(IssueComment.Field.allCases))
        } ?? .notFound
      }
    case .page(let link):
      // An unknown page is empty.
      return try SamplePage(link)?.answer() ?? SampleAnswer(Data("[]".utf8))
    default: return try SampleWrite(list).answer()
    }
  }

  private struct LocatedObject: Encodable {
    let issue: GitHub.Issue
    let repository: GitHub.Repository

    private enum CodingKeys: String, CodingKey {
      case repository
    }

    func encode(to encoder: any Encoder) throws {
      try SamplePage.object(issue).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(
        FieldSelection(entity: repository, fields: GitHub.Repository.Field.allCases),
        forKey: .repository)
    }
  }

  private struct FoundObject: Encodable {
    let issue: GitHub.Issue

    private enum CodingKeys: String, CodingKey {
      case repositoryURL = "repository_url"
    }

    func encode(to encoder: any Encoder) throws {
      try SamplePage.object(issue).encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      let url = issue.url?.split(separator: "/issues/").first
      try container.encodeIfPresent(url.map(String.init), forKey: .repositoryURL)
    }
  }

  private struct SearchAnswer<Item: Encodable>: Encodable {
    var totalCount: Int
    var isIncomplete = false
    var items: [Item]
    var kind: IssueSearchKind?

    private enum CodingKeys: String, CodingKey {
      case totalCount = "total_count"
      case isIncomplete = "incomplete_results"
      case items
      case kind = "search_type"
    }
  }

  func of(
    _ fullName: String, _ answer: ([GitHub.Issue]) throws -> SampleAnswer
  ) throws -> SampleAnswer {
    guard let repository = try SampleRepositories.named(fullName) else { return .notFound }
    guard let issues = try SampleIssues.of(repository) else { return .gone }
    return try answer(issues)
  }

  /// Returns an issue as GitHub sends it: with all keys, including nulls, except those of pull requests.
  static func object(_ issue: GitHub.Issue) -> some Encodable {
    issue.selecting(
      GitHub.Issue.Field.allCases.filter {
        issue.isPullRequest || $0 != .pullRequest && $0 != .isDraft
      })
  }
}

struct SampleAnswer {
  var status = HTTPResponse.Status.ok
  var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
  var body: Data

  static let notFound = refusal(.notFound, "Not Found")
  static let gone = refusal(.gone, "Issues are disabled for this repo")

  init(_ body: Data) {
    self.body = body
  }

  init(encoding value: some Encodable, link: String? = nil) throws {
    self.init(try GitHubJSON.encoder().encode(value))
    headers[.link] = link
  }

  static func refusal(
    _ status: HTTPResponse.Status, _ message: String
  ) -> SampleAnswer {
    var answer = SampleAnswer(
      Data(#"{"message":"\#(message)","documentation_url":"https://docs.github.com/rest"}"#.utf8))
    answer.status = status
    return answer
  }
}

/// A page of a list. Its link consists only of a query, so that it is relative to the URL of the list.
struct SamplePage {
  var list: GitHub
  var start: Int

  init(of list: GitHub, from start: Int = 0) {
    self.list = list
    self.start = start
  }

  init?(_ link: PageLink) {
    guard let components = URLComponents(string: link.url) else { return nil }
    func value(_ name: String) -> String? {
      components.queryItems?.last { $0.name == name }?.value
    }
    guard let size = value("per_page").flatMap(Int.init),
      let start = value("after").flatMap(Int.init), start >= 0
    else { return nil }
    self.start = start
    // Any preceding segments belong to the API path of an Enterprise server.
    let path = components.path.split(separator: "/").suffix(6).map(String.init)
    if path.suffix(2) == ["search", "repositories"] {
      list = .searchRepositories(query: value("q") ?? "", pageSize: size)
    } else if path.suffix(2) == ["search", "issues"] {
      list = .searchIssues(query: value("q") ?? "", pageSize: size)
    } else if path.count >= 5, path.suffix(2) == ["issues", "comments"] {
      list = .repositoryComments(
        repositoryFullName: path.dropLast(2).suffix(2).joined(separator: "/"),
        since: value("since").flatMap(Timestamp.date(from:)), pageSize: size)
    } else if path.count >= 4, path.last == "issues",
      let filter = try? IssueFilter(query: value("q") ?? "")
    {
      list = .issues(
        repositoryFullName: path.suffix(3).prefix(2).joined(separator: "/"), filter: filter,
        pageSize: size)
    } else if path.count == 6, path[3] == "issues", path[5] == "comments",
      let number = Int(path[4])
    {
      list = .issueComments(
        repositoryFullName: "\(path[1])/\(path[2])", number: number,
        since: value("since").flatMap(Timestamp.date(from:)), pageSize: size)
    } else {
      return nil
    }
  }

  func cut<Item>(_ items: [Item]) -> (items: ArraySlice<Item>, link: String?) {
    let (query, size): (URLPath, Int) =
      switch list {
      case .issues(_, let filter, let size): ("q=\(filter.query)&", size)
      case .searchRepositories(let text, let size), .searchIssues(let text, _, let size):
        ("q=\(text)&", size)
      case .repositoryComments(_, let since?, let size), .issueComments(_, _, let since?, let size):
        ("since=\(Timestamp.string(from: since))&", size)
      case .repositoryComments(_, nil, let size), .issueComments(_, _, nil, let size): ("", size)
      default: ("", items.count)
      }
    let rest = items.dropFirst(start)
    let page = rest.prefix(min(max(size, 1), 100))
    guard page.count < rest.count else { return (page, nil) }
    let link = "?\(query.encoded)per_page=\(size)&after=\(start + page.count)"
    return (page, "<\(link)>; rel=\"next\"")
  }
}

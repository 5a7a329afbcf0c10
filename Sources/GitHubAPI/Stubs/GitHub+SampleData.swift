public import HTTPTargets
internal import SampleData

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GitHub {
  /// What GitHub could answer: the sample file of the endpoint, or what was asked for of the sample
  /// repositories and their issues, filtered, searched and cut into pages as a server would.
  ///
  /// Every repository that a search of the samples finds can be looked up, and has a few hundred issues
  /// with their comments; `swiftlang/swift`, which was `apple/swift`, has those of the sample file. A name
  /// whose owner the samples don't know stands for that one. All of it is the same every time.
  public var sampleData: Data { sampleAnswer.body }

  /// The sample data as JSON, with a link to the next page where there is one; with the status 404 where
  /// the samples have nothing of the kind, and 410 where a repository has no issues. The answer that has
  /// times in it has the server's time too, against which they are measured.
  public var sampleResponse: SampleResponse {
    let answer = sampleAnswer
    return .response(status: answer.status, headers: answer.headers, body: answer.body)
  }

  /// The answer; empty if a sample were broken.
  private var sampleAnswer: SampleAnswer {
    (try? SamplePage(of: self).answer()) ?? SampleAnswer(Data())
  }
}

extension SamplePage {
  /// Answers a request for the page.
  ///
  /// - Returns: The answer, an error of GitHub's where there is no such thing.
  /// - Throws: `DecodingError` if a sample were broken.
  func answer() throws -> SampleAnswer {
    switch list {
    case .userProfile, .ownProfile: return SampleAnswer(Data(SampleData.user))
    case .repos, .ownRepositories: return SampleAnswer(Data(SampleData.repositories))
    case .presence: return .notFound
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
      return try SampleAnswer(encoding: repository.selecting(Repository.Field.allCases))
    case .searchRepositories(let query, _):
      let found = try SampleRepositories.matching(query)
      let page = cut(found)
      return try SampleAnswer(
        encoding: SearchAnswer(
          totalCount: found.count,
          items: page.items.map { FieldSelection(entity: $0, fields: Repository.Field.allCases) }),
        link: page.link)
    case .searchIssues(let query, _):
      let search = SampleIssueSearch(query)
      return try of(search.repository) { issues in
        let found = search.results(in: issues)
        let page = cut(found)
        return try SampleAnswer(
          encoding: SearchAnswer(totalCount: found.count, items: page.items.map(Self.object)),
          link: page.link)
      }
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
            FieldSelection(entity: $0, fields: Milestone.Field.allCases)
          })
      }
    case .milestone(let fullName, let number):
      return try of(fullName) { issues in
        let milestone = issues.compactMap(\.milestone).first { $0.number == number }
        guard let milestone else { return .notFound }
        return try SampleAnswer(
          encoding: FieldSelection(entity: milestone, fields: Milestone.Field.allCases))
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
    case .issueComments(let fullName, let number, _):
      return try of(fullName) { issues in
        guard let issue = issues.first(where: { $0.number == number }) else { return .notFound }
        let page = cut(GeneratedComments(on: issue).all())
        return try SampleAnswer(
          encoding: page.items.map { $0.selecting(IssueComment.Field.allCases) }, link: page.link)
      }
    case .repositoryComments(let fullName, let since, _):
      return try of(fullName) { issues in
        let page = cut(GeneratedComments.all(on: issues, since: since))
        return try SampleAnswer(
          encoding: page.items.map { $0.selecting(IssueComment.Field.allCases) }, link: page.link)
      }
    case .ifNoneMatch(_, let target):
      // The samples have no entity tags, so none is the one that a sample has.
      return try SamplePage(of: target).answer()
    case .page(let link):
      // A page that no sample names has nothing on it.
      return try SamplePage(link)?.answer() ?? SampleAnswer(Data("[]".utf8))
    }
  }

  private struct SearchAnswer<Item: Encodable>: Encodable {
    var totalCount: Int
    var isIncomplete = false
    var items: [Item]

    private enum CodingKeys: String, CodingKey {
      case totalCount = "total_count"
      case isIncomplete = "incomplete_results"
      case items
    }
  }

  /// Answers with something of a repository's issues.
  private func of(
    _ fullName: String, _ answer: ([Issue]) throws -> SampleAnswer
  ) throws -> SampleAnswer {
    guard let repository = try SampleRepositories.named(fullName) else { return .notFound }
    guard let issues = try SampleIssues.of(repository) else { return .gone }
    return try answer(issues)
  }

  /// GitHub gives every key, with nulls, except those that only a pull request has.
  private static func object(_ issue: Issue) -> some Encodable {
    issue.selecting(
      Issue.Field.allCases.filter {
        issue.isPullRequest || $0 != .pullRequest && $0 != .isDraft
      })
  }
}

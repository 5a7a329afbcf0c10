import Foundation
import HTTPTargets
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Sample pages", .ownThread, .timeLimit(.minutes(5)))
struct SamplePagesTests {
  /// A stub that may be of another server than github.com.
  private func provider(_ server: GitHubServer = .github) -> Provider<GitHub> {
    Provider.gitHub(
      .init(
        server: server, stubbing: { _ in .immediate },
        transport: StubTransport(.failure(.cancelled))))
  }

  private func pages<Item: Decodable & Hashable & Sendable>(
    _ type: Item.Type = Item.self, _ first: GitHub, format: PageFormat = .array,
    server: GitHubServer = .github
  ) async throws -> [[Item]] {
    var pages: [[Item]] = []
    let listing = PagedListing<Item>(provider: provider(server), first: first, format: format)
    for try await page in listing { pages.append(page.items) }
    return pages
  }

  private static let vapor = "vapor/vapor"

  @Test(
    "sample pages return each issue once, in order, for any page size", arguments: [7, 30, 100])
  func everyIssueOnce(size: Int) async throws {
    let target = GitHub.issues(
      repositoryFullName: "swhitty/FlyingFox", filter: IssueFilter(state: .all), pageSize: size)
    let pages = try await pages(GitHub.Issue.self, target)
    let issues = pages.flatMap { $0 }
    #expect(issues == GeneratedIssues(repository: "swhitty/FlyingFox").all())
    #expect((300...600).contains(issues.count))
    #expect(pages.dropLast().allSatisfy { $0.count == size })
    #expect(pages.last?.isEmpty == false)
    #expect(Set(issues.map(\.id)).count == issues.count)
  }

  @Test(
    "sample pages keep the filter and the order from the first to the last",
    arguments: [
      "is:open", "is:closed", "is:all sort:comments-desc", "is:all sort:updated-asc",
      "is:open label:bug", "is:all label:\"good first issue\" label:documentation",
      "is:all label:\"area: network\" no:assignee", "is:open assignee:* sort:created-asc",
      "is:all author:monalisa", "is:all mentions:octocat", "is:all milestone:2",
      "is:all updated:>=2025-11-20 sort:updated-desc", "is:all label:日本語",
    ])
  func filters(query: String) async throws {
    let filter = try IssueFilter(query: query)
    let target = GitHub.issues(repositoryFullName: Self.vapor, filter: filter, pageSize: 4)
    let pages = try await pages(GitHub.Issue.self, target)
    let issues = pages.flatMap { $0 }
    #expect(pages.count > 1)
    #expect(issues.allSatisfy(filter.matches))
    #expect(filter.sorted(issues) == issues)
    let expected = GeneratedIssues(repository: Self.vapor).all().count(where: filter.matches)
    #expect(issues.count == expected && Set(issues.map(\.number)).count == expected)
    // Not everything matches, so that a lost filter shows.
    #expect(issues.count < 300 || filter.state == .all)
  }

  @Test("sample pages link to the next page on the stubbed server")
  func enterprise() async throws {
    let server = try GitHubServer(apiURL: "https://ghe.example.com/api/v3")
    let target = GitHub.issues(repositoryFullName: Self.vapor, pageSize: 50)
    let pages = try await pages(GitHub.Issue.self, target, server: server)
    #expect(pages.count > 2)
    #expect(try await pages == self.pages(GitHub.Issue.self, target))
  }

  @Test("the sample pages of a broad search return each repository once")
  func search() async throws {
    let pages = try await pages(
      GitHub.Repository.self,
      .searchRepositories(query: "swift in:name language:swift", pageSize: 30),
      format: .searchResults)
    let repositories = pages.flatMap { $0 }
    #expect(pages.map(\.count) == [30, 30, 16])
    #expect(Set(repositories.map(\.id)).count == 76)
    #expect(repositories.first?.fullName == "apple/swift-argument-parser")
    #expect(repositories.allSatisfy { $0.language == "Swift" })
  }

  @Test(
    "the sample pages of comments have the issue's number of comments",
    arguments: ["vapor/vapor", "apple/swift"])
  func comments(repository: String) async throws {
    let all = GitHub.issues(
      repositoryFullName: repository, filter: try IssueFilter(query: "is:all sort:comments"),
      pageSize: 1)
    let first: [GitHub.Issue] = try await provider().request(all).decode(
      using: GitHubJSON.decoder())
    let issue = try #require(first.first)
    #expect(issue.commentsCount > 30)
    let pages = try await pages(
      IssueComment.self,
      .issueComments(repositoryFullName: repository, number: issue.number, pageSize: 30))
    let comments = pages.flatMap { $0 }
    #expect(comments.count == issue.commentsCount && pages.count > 1)
    #expect(Set(comments.map(\.id)).count == comments.count)
    #expect(comments == GeneratedComments(on: issue).all())
    let times = comments.compactMap(\.createdAt)
    #expect(times.count == comments.count && times == times.sorted())
    #expect(times.allSatisfy { issue.createdAt.map { $0... }?.contains($0) == true })

    let late = comments[comments.count / 2]
    let since = try await self.pages(
      IssueComment.self,
      .issueComments(
        repositoryFullName: repository, number: issue.number, since: late.updatedAt, pageSize: 3)
    ).flatMap { $0 }
    #expect(since == comments.filter { ($0.updatedAt ?? .now) >= (late.updatedAt ?? .now) })
    #expect(since.count > 3)
    let found =
      try await provider().request(
        .comment(repositoryFullName: repository, id: late.id)
      ).decode(using: GitHubJSON.decoder()) as IssueComment
    #expect(found == late)
  }

  @Test("the sample pages of a repository's comments are in order of change, since a given time")
  func repositoryComments() async throws {
    func comments(since: Date?, size: Int) async throws -> [IssueComment] {
      let target = GitHub.repositoryComments(
        repositoryFullName: Self.vapor, since: since, pageSize: size)
      return try await pages(IssueComment.self, target).flatMap { $0 }
    }
    let middle = Date(timeIntervalSince1970: 1_765_000_000)
    let late = try await comments(since: middle, size: 30)
    let expected = GeneratedIssues(repository: Self.vapor).all()
      .flatMap { GeneratedComments(on: $0).all() }
      .filter { ($0.updatedAt ?? .distantPast) >= middle }
    #expect(late.count > 60 && Set(late.map(\.id)) == Set(expected.map(\.id)))
    let times = late.compactMap(\.updatedAt)
    #expect(times == times.sorted() && times.count == late.count)
    #expect(Set(late.map(\.id)).count == late.count)
    #expect(late.allSatisfy { $0.issueNumber != nil })
    let first = try GitHubJSON.decode(
      [IssueComment].self,
      from: GitHub.repositoryComments(repositoryFullName: Self.vapor, pageSize: 100).sampleData)
    #expect(first.count == 100 && first.allSatisfy { $0.updatedAt.map { $0 < middle } == true })
  }

  @Test(
    "the sample pages of an issue search contain all results",
    arguments: [
      ("crash repo:vapor/vapor", IssueFilter(state: .all), nil as Bool?),
      ("CRASH repo:vapor/vapor is:issue is:open", IssueFilter(), false),
      (
        "repo:vapor/vapor is:pr is:closed in:title", IssueFilter(state: .closed), true
      ),
    ])
  func issueSearch(query: String, filter: IssueFilter, isPullRequest: Bool?) async throws {
    let pages = try await pages(
      GitHub.Issue.self, .searchIssues(query: query, pageSize: 5), format: .searchResults)
    let found = pages.flatMap { $0 }
    let expected = filter.sorted(
      GeneratedIssues(repository: Self.vapor).all().filter { issue in
        filter.matches(issue) && issue.isPullRequest == isPullRequest ?? issue.isPullRequest
          && (!query.lowercased().hasPrefix("crash")
            || "\(issue.title) \(issue.body ?? "")".lowercased().contains("crash"))
      })
    #expect(found == expected && pages.count > 1)
  }

  @Test("a sample search of two repositories finds the issues of both, each with its repository")
  func searchOfSeveral() async throws {
    let query = "is:open is:issue (repo:vapor/vapor OR repo:apple/swift OR repo:swiftlang/swift)"
    let pages = try await pages(
      GitHub.LocatedIssue.self, .searchIssues(query: query, pageSize: 50), format: .searchResults)
    let found = pages.flatMap { $0 }
    let all = try GeneratedIssues(repository: Self.vapor).all() + SampleIssues.all()
    let expected = all.filter { $0.state == .open && !$0.isPullRequest }
    #expect(found.map(\.issue) == IssueFilter().sorted(expected))
    #expect(Set(found.compactMap(\.repository?.description)) == ["vapor/vapor", "swiftlang/swift"])
  }

  @Test("sample pages are empty for an invalid link")
  func otherLinks() async throws {
    for query in [
      "", "?page=2", "?per_page=x&after=3", "?per_page=3&after=-1", "?q=crash&per_page=3&after=3",
    ] {
      let field = HTTPField(name: .link, value: "<\(query)>; rel=next")
      let url = "https://api.github.com/repos/vapor/vapor/issues?state=open"
      let link = try #require(try PageLink.next(in: HTTPFields([field]), of: url))
      #expect(GitHub.page(link).sampleData == Data("[]".utf8))
    }
  }
}

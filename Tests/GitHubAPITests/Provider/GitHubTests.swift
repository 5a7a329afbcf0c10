import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("GitHub", .timeLimit(.minutes(5)))
struct GitHubTests {
  private static let filter = IssueFilter(
    state: .all, labels: ["good first issue", "c++"], assignee: nil, creator: Username("ada"),
    since: Date(timeIntervalSince1970: 1_769_817_600), sort: .updated, direction: .ascending)

  @Test(
    "each endpoint has its URL",
    arguments: [
      (GitHub.userProfile(username: "shipit[bot]"), "/users/shipit%5Bbot%5D"),
      (.repos(username: "ada"), "/users/ada/repos?per_page=30"),
      (.repos(username: "ada", pageSize: 100), "/users/ada/repos?per_page=100"),
      (
        .organizationRepositories(organization: "swiftlang", pageSize: 100),
        "/orgs/swiftlang/repos?sort=full_name&per_page=100"
      ),
      (.starredRepositories(), "/user/starred?per_page=30"),
      (.concerningIssues(), "/issues?filter=assigned&state=open&per_page=30"),
      (
        // Parameters that these lists don't have aren't sent.
        .concerningIssues(involvement: .created, filter: filter, pageSize: 7),
        "/issues?filter=created&state=all&labels=good%20first%20issue%2Cc%2B%2B"
          + "&since=2026-01-31T00%3A00%3A00Z&sort=updated&direction=asc&per_page=7"
      ),
      (
        .organizationIssues(organization: "acme", involvement: .all),
        "/orgs/acme/issues?filter=all&state=open&per_page=30"
      ),
      (.repo(fullName: "swiftlang/swift"), "/repos/swiftlang/swift"), (.rateLimit, "/rate_limit"),
      (
        .searchRepositories(query: "c++ stars:>10 é", pageSize: 7),
        "/search/repositories?q=c%2B%2B%20stars%3A%3E10%20%C3%A9&per_page=7"
      ),
      (
        .searchIssues(query: "crash repo:a/b is:open", pageSize: 7),
        "/search/issues?q=crash%20repo%3Aa%2Fb%20is%3Aopen&advanced_search=true&per_page=7"
      ),
      (
        .searchIssues(query: "crash", kind: .hybrid, pageSize: 7),
        "/search/issues?q=crash&advanced_search=true&search_type=hybrid&per_page=7"
      ),
      (
        .repositoryComments(repositoryFullName: "a/b"),
        "/repos/a/b/issues/comments?sort=updated&direction=asc&per_page=30"
      ),
      (
        .repositoryComments(
          repositoryFullName: "a/b", since: Date(timeIntervalSince1970: 1.9), pageSize: 100),
        "/repos/a/b/issues/comments?sort=updated&direction=asc"
          + "&since=1970-01-01T00%3A00%3A01Z&per_page=100"
      ),
      (.repo(fullName: "a/b.git"), "/repos/a/b"), (.repo(fullName: "a/..."), "/repos/a/..."),
      (.issues(repositoryFullName: "a/b"), "/repos/a/b/issues?state=open&per_page=30"),
      (
        .issues(
          repositoryFullName: "a/b", filter: IssueFilter(since: Date(timeIntervalSince1970: 0))),
        "/repos/a/b/issues?state=open&per_page=30"
      ),
      (.issue(repositoryFullName: "a/b", number: 12), "/repos/a/b/issues/12"),
      (.milestones(repositoryFullName: "a/b"), "/repos/a/b/milestones?state=all&per_page=30"),
      (.milestone(repositoryFullName: "a/b", number: 12), "/repos/a/b/milestones/12"),
      (
        .labels(repositoryFullName: "a/b", page: 3, pageSize: 100),
        "/repos/a/b/labels?per_page=100&page=3"
      ),
      (
        .label(repositoryFullName: "a/b", name: "area/good first?"),
        "/repos/a/b/labels/area%2Fgood%20first%3F"
      ),
      (.assignees(repositoryFullName: "a/b", pageSize: 100), "/repos/a/b/assignees?per_page=100"),
      (
        .issueComments(repositoryFullName: "a/b", number: 12, pageSize: 100),
        "/repos/a/b/issues/12/comments?per_page=100"
      ),
      (
        .issueComments(
          repositoryFullName: "a/b", number: 12, since: Date(timeIntervalSince1970: 1_769_817_600.5)
        ),
        "/repos/a/b/issues/12/comments?since=2026-01-31T00%3A00%3A00Z&per_page=30"
      ),
      (
        .subIssues(repositoryFullName: "a/b", number: 12, pageSize: 100),
        "/repos/a/b/issues/12/sub_issues?per_page=100"
      ),
      (.parentIssue(repositoryFullName: "a/b", number: 12), "/repos/a/b/issues/12/parent"),
      (
        .blockedBy(repositoryFullName: "a/b", number: 12),
        "/repos/a/b/issues/12/dependencies/blocked_by?per_page=30"
      ),
      (
        .blocking(repositoryFullName: "a/b", number: 12),
        "/repos/a/b/issues/12/dependencies/blocking?per_page=30"
      ),
      (
        .timeline(repositoryFullName: "a/b", number: 12),
        "/repos/a/b/issues/12/timeline?per_page=30"
      ),
      (.issueTypes(repositoryFullName: "a/b"), "/repos/a/b/issue-types"),
      (.organizationIssueTypes(organization: "a"), "/orgs/a/issue-types"),
      (.issueFields(organization: "a"), "/orgs/a/issue-fields"),
      (
        .comment(repositoryFullName: "a/b", id: 5_000_000_000),
        "/repos/a/b/issues/comments/5000000000"
      ),
      (
        .issues(repositoryFullName: "a/b", filter: filter, pageSize: 7),
        "/repos/a/b/issues?state=all&labels=good%20first%20issue%2Cc%2B%2B&creator=ada"
          + "&since=2026-01-31T00%3A00%3A00Z&sort=updated&direction=asc&per_page=7"
      ),
    ] as [(GitHub, String)])
  func addresses(target: GitHub, expected: String) throws {
    let request = try Endpoint(target).request()
    #expect(request.url == "https://api.github.com" + expected)
    #expect(request.method == .get)
    #expect(request.body == nil)
    let enterprise = try Endpoint(target, baseURL: "https://h.example/api/v3").request()
    #expect(enterprise.url == "https://h.example/api/v3" + expected)
    #expect(try Endpoint(target).request() == request)
  }

  @Test(
    "GraphQL endpoints have their URL even without a configuration",
    arguments: [
      GitHub.presence(repositoryFullName: "a/b", numbers: [1]),
      .nodeIDs(repositoryFullName: "a/b"), .mutate(.pin(issueID: "I_1")),
    ])
  func graphQL(target: GitHub) throws {
    let request = try Endpoint(target).request()
    #expect(request.url == "https://api.github.com/graphql")
    #expect(request.method == .post)
  }

  @Test("each endpoint has the fields required by GitHub and accepts a bearer token")
  func headers() throws {
    for target in try Self.targets() {
      #expect(target.headers[.accept] == "application/vnd.github+json")
      let version = try #require(HTTPField.Name("X-GitHub-Api-Version"))
      #expect(target.headers[version] == "2022-11-28")
      #expect(target.headers[.userAgent]?.hasPrefix("issue-tracker-client/") == true)
      #expect(target.headers.count == 3)
      #expect(target.policy.authorization == .bearer)
      #expect(target.policy.validation == .successCodes)
    }
  }

  @Test("a page is requested from any server with its URL byte for byte")
  func page() async throws {
    let url =
      "https://h.example:8443/api/v3/repositories/1/issues?after=Y3Vy%3D%3D&labels=a+b&x=%7e"
    let target = GitHub.page(try #require(try Self.link(url)))
    #expect(try Endpoint(target).request().url == url)
    #expect(target.baseURL == url)
  }

  private static func link(_ url: String) throws -> PageLink? {
    let field = HTTPField(name: try #require(HTTPField.Name("Link")), value: "<\(url)>; rel=next")
    return try PageLink.next(in: HTTPFields([field]), of: url)
  }

  private static func targets() throws -> [GitHub] {
    [
      .userProfile(username: "a"), .repos(username: "a"), .repo(fullName: "a/b"),
      .issues(repositoryFullName: "a/b"), .rateLimit, .searchRepositories(query: "swift"),
      .page(try #require(try link("https://api.github.com/x"))),
      .issue(repositoryFullName: "a/b", number: 85_968),
      .issueComments(repositoryFullName: "a/b", number: 85_968),
      .repositoryComments(repositoryFullName: "a/b"), .searchIssues(query: "crash"),
      .concerningIssues(), .organizationIssues(organization: "acme"),
      .subIssues(repositoryFullName: "a/b", number: 85_968),
      .blockedBy(repositoryFullName: "a/b", number: 85_968),
      .blocking(repositoryFullName: "a/b", number: 85_968),
      .timeline(repositoryFullName: "a/b", number: 85_968),
      .issueTypes(repositoryFullName: "a/b"), .organizationIssueTypes(organization: "a"),
      .issueFields(organization: "a"),
    ]
  }

  @Test("the sample of each endpoint is JSON and is labeled as JSON")
  func samples() async throws {
    let provider = Provider.gitHub(.stubbed())
    for target in try Self.targets() {
      let response = try await provider.request(target)
      #expect(response.status == 200)
      #expect(response.headers[HTTPField.Name.contentType] == "application/json; charset=utf-8")
      #expect(response.body == target.sampleData)
      _ = try JSONSerialization.jsonObject(with: response.body)
    }
  }

  @Test(
    "an invalid repository name is refused before anything is sent",
    arguments: [
      "", "/", "a", "a/", "/b", "../..", "./.", "a/..", "a/../b", "a/b/c", "%2e%2e/x", "a/%2e%2e",
      "a/b?x=y", "a/b#x", "a/b\r\nX-Evil: 1", "a/b\n", "a\0/b", "a b/c", "é/b", "a\\b/c",
    ])
  func repositoryNames(name: String) async throws {
    try await refused([
      .repo(fullName: name), .issues(repositoryFullName: name),
      .issue(repositoryFullName: name, number: 1),
      .issueComments(repositoryFullName: name, number: 1),
      .repositoryComments(repositoryFullName: name),
    ])
  }

  @Test("an issue number below 1 is refused before anything is sent", arguments: [0, -1, .min])
  func numbers(number: Int) async throws {
    try await refused([
      .issue(repositoryFullName: "a/b", number: number),
      .issueComments(repositoryFullName: "a/b", number: number),
      .comment(repositoryFullName: "a/b", id: Int64(number)),
      .subIssues(repositoryFullName: "a/b", number: number),
      .parentIssue(repositoryFullName: "a/b", number: number),
      .blockedBy(repositoryFullName: "a/b", number: number),
      .timeline(repositoryFullName: "a/b", number: number),
      .removeBlockedBy(repositoryFullName: "a/b", number: 1, issueID: Int64(number)),
      .clearField(repositoryFullName: "a/b", number: 1, fieldID: Int64(number)),
    ])
  }

  @Test(
    "an invalid login is refused before anything is sent",
    arguments: [
      "", ".", "..", "../..", "a/../b", "a/b", "%2e%2e", "%2e%2e/x", "a?x=y", "a#x", "a\r\nX: 1",
      "a\n", "a\0", "a b", "é", "a..b",
    ])
  func logins(login: String) async throws {
    try await refused([
      .userProfile(username: login), .repos(username: login),
      .organizationRepositories(organization: login), .organizationIssues(organization: login),
      .organizationIssueTypes(organization: login), .issueFields(organization: login),
    ])
  }

  private func refused(_ targets: [GitHub]) async throws {
    try await withLoopbackServer { _ in
      .json("{}")
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      for target in targets {
        do throws(NetworkError) {
          _ = try await provider.request(target)
          Issue.record("\(target) was sent")
        } catch {
          #expect(error.code == .requestMapping)
        }
      }
      #expect(server.log.connectionCount == 0)
    }
  }
}

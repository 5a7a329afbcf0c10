import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Looking up an issue", .timeLimit(.minutes(5)))
struct IssueLookUpTests {
  private static let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 20))

  private func issue(
    _ number: Int, of name: String = "swiftlang/swift", _ server: LoopbackServer,
    token: AccessToken? = nil
  ) async throws -> GitHub.Issue {
    try await Provider<GitHub>(asking: server, token: token)
      .issue(number, of: try #require(RepositoryName(name)))
  }

  @Test("looking up an issue returns the same issue as the list")
  func found() async throws {
    try await withLoopbackServer(
      answering: LoopbackGitHub(repositories: [Self.repository]).handler
    ) { server in
      let list: [GitHub.Issue] = try await Provider<GitHub>(asking: server)
        .request(
          .issues(
            repositoryFullName: "swiftlang/swift", filter: IssueFilter(state: .all), pageSize: 100)
        )
        .decode(using: GitHubJSON.decoder())
      #expect(list.count == 20 && list.contains { $0.reactions?.total ?? 0 > 0 })
      for expected in list {
        #expect(try await issue(expected.number, server) == expected)
      }
    }
  }

  @Test("looking up an issue finds it by an old repository name")
  func renamed() async throws {
    try await withLoopbackServer(
      answering: LoopbackGitHub(repositories: [Self.repository]).handler
    ) { server in
      let found = try await issue(7, of: "apple/swift", server)
      #expect(found.number == 7)
      #expect(
        server.log.requests.map(\.path) == [
          "/repos/apple/swift/issues/7", "/repositories/44838949/issues/7",
        ])
    }
  }

  @Test("looking up an issue finds a transferred issue under its new number")
  func transferred() async throws {
    let elsewhere = LoopbackRepository(
      id: 7, owner: "swiftlang", name: "elsewhere", issues: SyntheticIssues(count: 4))
    let github = LoopbackGitHub(repositories: [Self.repository, elsewhere])
    let title = github.issues(of: Self.repository)[11].title
    #expect(github.transferIssue(12, of: Self.repository, to: elsewhere) == 5)
    try await withLoopbackServer(answering: github.handler) { server in
      let found = try await issue(12, server)
      #expect(found.number == 5 && found.title == title)
      #expect(found.htmlURL?.hasPrefix("https://github.com/swiftlang/elsewhere/") == true)
    }
  }

  @Test(
    "looking up a missing issue throws an error with the reason",
    arguments: [(99, 404, "Not Found"), (3, 410, "This issue was deleted")])
  func missing(number: Int, status: Int, message: String) async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    github.deleteIssue(3, of: Self.repository)
    try await withLoopbackServer(answering: github.handler) { server in
      let error = await #expect(throws: NetworkError.self) { try await issue(number, server) }
      #expect(error?.code == .statusCode)
      #expect(error?.response?.status.code == status)
      #expect(error?.message.hasSuffix(message) == true)
    }
  }

  @Test("looking up an issue doesn't send the token to another server")
  func elsewhere() async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    try await withLoopbackServer(answering: github.handler) { other in
      github.intercept(
        times: 1, where: { $0.path == "/repos/swiftlang/swift/issues/1" },
        response: { _, _ in
          .json(
            "{}", status: 301, headers: ["Location": "\(other.url)/repositories/44838949/issues/1"])
        })
      try await withLoopbackServer(answering: github.handler) { server in
        let found = try await issue(1, server, token: try AccessToken("secret"))
        #expect(found.number == 1)
        #expect(server.log.requests.map { $0.headers["Authorization"] } == ["Bearer secret"])
        #expect(other.log.requests.map { $0.headers["Authorization"] } == [nil])
      }
    }
  }
}

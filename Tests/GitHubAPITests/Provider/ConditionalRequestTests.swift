import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("A conditional request", .timeLimit(.minutes(5)))
struct ConditionalRequestTests {
  private static let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 20))
  private static let list = GitHub.issues(
    repositoryFullName: "swiftlang/swift", filter: IssueFilter(state: .all), pageSize: 10)

  private static func withServer(
    _ body: (LoopbackGitHub, LoopbackServer, Provider<GitHub>) async throws -> Void
  ) async throws {
    let github = LoopbackGitHub(repositories: [repository])
    try await withLoopbackServer(answering: github.handler) { server in
      // A cache of its own would answer with what it has.
      let cache = CachingInterceptor(store: MemoryResponseStore())
      try await body(
        github, server,
        try Provider(
          asking: server, token: try AccessToken("any"), interceptors: [cache],
          retry: RetryPolicy()))
    }
  }

  private static func tag(
    of target: GitHub, _ provider: Provider<GitHub>
  ) async throws -> String {
    try #require(try await provider.request(target).headers[.eTag])
  }

  @Test(
    "a conditional request for an unchanged list fails with 304, even with a cache",
    arguments: [list, .repo(fullName: "swiftlang/swift"), .repo(fullName: "apple/swift")])
  func unchanged(target: GitHub) async throws {
    try await Self.withServer { _, server, provider in
      let tag = try await Self.tag(of: target, provider)
      let before = server.log.requestCount
      let error = await #expect(throws: NetworkError.self) {
        try await provider.request(target, ifNoneMatch: tag)
      }
      #expect(error?.code == .statusCode && error?.response?.status == 304)
      #expect(error?.response?.body.isEmpty == true)
      // Once, or once by way of the redirect.
      #expect(
        server.log.requestCount - before == (target == .repo(fullName: "apple/swift") ? 2 : 1))
    }
  }

  @Test("a conditional request for a page is sent to the page's own URL")
  func page() async throws {
    try await Self.withServer { _, server, provider in
      let first = try await provider.request(Self.list)
      let link = try #require(try PageLink.next(in: first.headers, of: first.request.url))
      let tag = try await Self.tag(of: .page(link), provider)
      let error = await #expect(throws: NetworkError.self) {
        try await provider.request(.page(link), ifNoneMatch: tag)
      }
      #expect(error?.response?.status == 304)
      #expect(error?.response?.request.url == link.url)
    }
  }

  @Test("a conditional request for a changed list returns the list")
  func changed() async throws {
    try await Self.withServer { github, _, provider in
      let tag = try await Self.tag(of: Self.list, provider)
      github.changeIssue(20, of: Self.repository) { $0.title = "Otherwise" }
      let issues: [GitHub.Issue] =
        try await provider
        .request(Self.list, ifNoneMatch: tag).decode(using: GitHubJSON.decoder())
      #expect(issues.first?.title == "Otherwise")
    }
  }

  @Test(
    "a conditional request has the tag in addition to the target's own fields",
    arguments: ["W/\"1\"", "1"])
  func headers(tag: String) async throws {
    let provider = Provider.gitHub(.stubbed())
    let request = try await provider.request(Self.list, ifNoneMatch: tag).request
    var expected = Self.list.headers
    expected[.ifNoneMatch] = tag
    #expect(request.headers == expected)
    #expect(request.url == (try Endpoint(Self.list).request().url))
  }

  @Test(
    "a conditional request with an invalid entity tag isn't sent",
    arguments: ["", "*", "\"a\r\nX: 1\"", "\"a\n\"", "\"\0\"", "\"\u{7F}\"", "\"\u{85}\""])
  func entityTags(tag: String) async throws {
    try await Self.withServer { _, server, provider in
      for target in [.repo(fullName: "a/b"), Self.list] {
        let error = await #expect(throws: NetworkError.self) {
          try await provider.request(target, ifNoneMatch: tag)
        }
        #expect(error?.code == .requestMapping)
      }
      #expect(server.log.connectionCount == 0)
    }
  }
}

import CurlTransport
import IssueTracker
import TestSupport
import Testing

@Suite("RepositoryCompletion", .timeLimit(.minutes(5)))
struct RepositoryCompletionTests {
  private static let own =
    #"[{"id":1,"full_name":"me/Swift-Tools"},{"id":2,"full_name":"../x"}]"#
  private static let found = """
    {"total_count":2,"incomplete_results":false,\
    "items":[{"id":3,"full_name":"apple/swift"},{"id":4,"full_name":"me/swift-tools"}]}
    """

  private static var routes: RouteTable {
    var routes = RouteTable()
    routes.on("/user/repos", .json(own))
    routes.on("/search/repositories", .json(found))
    return routes
  }

  private func completion(
    _ server: LoopbackServer, history: RepositoryHistory? = nil, asksForOwn: Bool = true,
    interceptors: [any Interceptor] = []
  ) throws -> RepositoryCompletion {
    let server = try GitHubServer(apiURL: server.url)
    let provider = Provider.gitHub(
      .init(
        server: server, token: try AccessToken("t0ken"), interceptors: interceptors, retries: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
    return RepositoryCompletion(
      provider: provider, server: server, history: history, asksForOwn: asksForOwn)
  }

  private func names(_ candidates: [RepositoryCandidate]) -> [String] {
    candidates.map { "\($0.source) \($0.name)" }
  }

  @Test("a completion has the user's own and found repositories, and omits invalid names")
  func both() async throws {
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      let found = try await completion(server).found(for: "sw", within: .seconds(60))
      #expect(
        names(found) == ["own me/Swift-Tools", "search apple/swift", "search me/swift-tools"])
      #expect(Set(server.log.requests.map(\.path)) == ["/user/repos", "/search/repositories"])
      #expect(server.log.requests.compactMap { $0.queryValue("q") } == ["sw in:name"])
    }
  }

  @Test("a completion without a token doesn't request the user's repositories")
  func anonymous() async throws {
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      let found = try await completion(server, asksForOwn: false)
        .found(for: "sw", within: .seconds(60))
      #expect(names(found) == ["search apple/swift", "search me/swift-tools"])
      #expect(server.log.requests.map(\.path) == ["/search/repositories"])
    }
  }

  @Test(
    "the search matches repository names, and an owner only if one was typed",
    arguments: [
      ("sw", "sw in:name"), ("apple/sw", "sw in:name user:apple"), ("apple/", "user:apple"),
      ("-sw", "sw in:name"), ("a.b_c-d", "a.b_c-d in:name"), ("", nil), ("apple/--", "user:apple"),
    ] as [(String, String?)])
  func queries(text: String, query: String?) async throws {
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      _ = try await completion(server).found(for: text, within: .seconds(60))
      #expect(server.log.requests.compactMap { $0.queryValue("q") } == (query.map { [$0] } ?? []))
    }
  }

  @Test(
    "text that can't become a repository name doesn't send a request",
    arguments: [
      "a b", "a/b/c", "a\nb", "org:x", "ä", "\"x\"", "/x", "../x", "github.com/apple/sw",
      "https://github.com/a", "%2e",
    ])
  func noNames(text: String) async throws {
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      let found = try await completion(server).found(for: text, within: .seconds(60))
      #expect(found.isEmpty)
      #expect(server.log.connectionCount == 0)
    }
  }

  @Test("completions begin with the server's host if it was typed")
  func ownHost() async throws {
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      let host = try GitHubServer(apiURL: server.url).host
      let found = try await completion(server, asksForOwn: false)
        .found(for: "\(host)/sw", within: .seconds(60))
      #expect(found.map(\.name) == ["\(host)/apple/swift", "\(host)/me/swift-tools"])
      #expect(server.log.requests.compactMap { $0.queryValue("q") } == ["sw in:name"])
    }
  }

  @Test("a failed source is omitted, and the results of the others are returned")
  func failure() async throws {
    var routes = RouteTable()
    routes.on("/user/repos", .json("{", status: 500))
    routes.on("/search/repositories", .json(Self.found))
    try await withLoopbackServer(answering: routes.handler) { server in
      let found = try await completion(server).found(for: "sw", within: .seconds(60))
      #expect(names(found) == ["search apple/swift", "search me/swift-tools"])
    }
  }

  @Test("a completion that times out returns its results so far and cancels the rest")
  func timeIsUp() async throws {
    var routes = RouteTable()
    routes.on("/user/repos", .json(Self.own))
    routes.on("/search/repositories", .stall)
    try await withLoopbackServer(answering: routes.handler) { server in
      let clock = TestClock()
      let completion = try completion(server)
      let found = Task {
        await completion.found(for: "sw", within: .milliseconds(150), clock: clock)
      }
      try await clock.sleepers(atLeast: 1)
      try await server.log.waitForRequest { $0.path == "/search/repositories" }
      clock.advance(by: .milliseconds(149))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
      let names = names(await found.value)
      #expect(names.allSatisfy { $0.hasPrefix("own ") })
      try await server.log.waitForCancellation()
    }
  }

  @Test("a stored response completes names when the server is silent")
  func stored() async throws {
    let stalls = Watched(false)
    let handler = Self.routes.handler
    let store = MemoryResponseStore()
    try await withLoopbackServer { request in
      if stalls.current { return .stall }
      return await handler(request).with { $0.headers.add("ETag", "\"1\"") }
    } perform: { server in
      let clock = TestClock()
      let completion = try completion(
        server, interceptors: [CachingInterceptor(store: store)])
      let first = await completion.found(for: "sw", within: .seconds(60))
      #expect(first.count == 3)
      stalls.update { $0 = true }
      let second = Task {
        await completion.found(for: "sw", within: .milliseconds(150), clock: clock)
      }
      try await clock.sleepers(atLeast: 1)
      // Both requests carry what makes the stored answers known.
      for path in ["/user/repos", "/search/repositories"] {
        try await server.log.waitForRequest {
          $0.path == path && $0.headers["If-None-Match"] == "\"1\""
        }
      }
      clock.advance(by: .milliseconds(150))
      #expect(await second.value == first)
    }
  }

  @Test("recent repositories are found without a request, and include the host of other servers")
  func recent() async throws {
    let scratch = try ScratchFolder()
    let history = RepositoryHistory(folder: scratch.path)
    for line in ["127.0.0.1:9/a/a", "ghe/b/b", "ghe.example.com/c/c", "apple/swift"] {
      await history.record(try #require(RepositoryHistory.Entry(line)))
    }
    func recent(_ host: String, for text: String = "") async throws -> [String] {
      await RepositoryCompletion(
        provider: nil, server: try GitHubServer(host: host), history: history
      ).recent(for: text).map(\.name)
    }
    #expect(try await recent("github.com") == ["apple/swift", "ghe.example.com/c/c"])
    #expect(
      try await recent("github.com", for: "GitHub.com/") == [
        "GitHub.com/apple/swift", "ghe.example.com/c/c",
      ])
    // A host without a dot is understood in an address only.
    #expect(
      try await recent("ghe") == ["github.com/apple/swift", "ghe.example.com/c/c", "b/b"])
    #expect(
      try await recent("127.0.0.1:9") == ["github.com/apple/swift", "ghe.example.com/c/c", "a/a"])
  }

  @Test("Autocomplete gets the ranked results of all sources once each")
  func predictions() async throws {
    let scratch = try ScratchFolder()
    let history = RepositoryHistory(folder: scratch.path)
    try await withLoopbackServer(answering: Self.routes.handler) { server in
      let entry = RepositoryHistory.Entry(
        server: try GitHubServer(apiURL: server.url),
        name: try #require(RepositoryName("apple/sweet")))
      await history.record(entry)
      let completion = try completion(server, history: history)
      let texts = AsyncStream { continuation in
        continuation.yield("sw")
        continuation.finish()
      }
      let autocomplete = Autocomplete(texts, debounce: .zero) {
        try await completion.predictions(for: $0)
      }
      var results: [[String]] = []
      for await result in autocomplete.result { results.append(try result.get().map(\.text)) }
      #expect(results == [["apple/sweet", "me/Swift-Tools", "apple/swift"]])
    }
  }

  @Test("a failed source is an error only if no other source has results")
  func failingPredictions() async throws {
    var routes = RouteTable()
    routes.on("/user/repos", .json(Self.own))
    routes.on("/search/repositories", .json("{}", status: 500))
    try await withLoopbackServer(answering: routes.handler) { server in
      let completion = try completion(server)
      #expect(try await completion.predictions(for: "sw").map(\.text) == ["me/Swift-Tools"])
      let error = await #expect(throws: NetworkError.self) {
        try await completion.predictions(for: "zz")
      }
      #expect(error?.response?.status == 500)
    }
  }

  @Test("a canceled completion ends at once")
  func cancelled() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let completion = try completion(server)
      let found = Task { await completion.found(for: "sw", within: .seconds(3600)) }
      try await server.log.waitForRequest()
      found.cancel()
      #expect(await found.value.isEmpty)
      try await server.log.waitForCancellation()
    }
  }
}

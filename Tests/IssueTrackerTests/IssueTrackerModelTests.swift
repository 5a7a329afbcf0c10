import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("IssueTrackerModel", .timeLimit(.minutes(5)))
struct IssueTrackerModelTests {
  /// A fault of one of the two requests that a name takes.
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case notFound, rateLimited, pageOfHTML, invalidJSON, anotherType, empty, truncated, reset

    var testDescription: String { rawValue }

    var response: LoopbackResponse {
      switch self {
      case .notFound: GitHubError.notFound.response(now: 0)
      case .rateLimited:
        GitHubError.primaryRateLimit(status: 403, reset: 60).response(now: 1_800_000_000)
      case .pageOfHTML:
        .text("<!DOCTYPE html><h1>Unicorn!</h1>", status: 500, contentType: "text/html")
      case .invalidJSON: .json(#"{"id": 1, "full_name": "#)
      case .anotherType: .json("7")
      case .empty: .json("")
      case .truncated: .json("[]").with { $0.framing = .declaredLength(1_000) }
      case .reset: .reset
      }
    }

    var code: NetworkError.Code {
      switch self {
      case .notFound, .pageOfHTML: .statusCode
      case .rateLimited: .rateLimited
      case .invalidJSON, .anotherType, .empty: .decoding
      case .truncated, .reset: .transport
      }
    }
  }

  @Test("a name gives its repository's newest hundred open issues, without pull requests")
  func oneName() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub.everywhere().handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["swiftlang/swift"]))
      var lists: [[GitHub.Issue]] = []
      for await issues in model.trackIssues() { lists.append(issues) }
      #expect(lists.map { $0.map(\.number) } == [Array(LoopbackGitHub.openIssues().prefix(100))])
      #expect(lists.first?.contains { $0.body == nil } == true)
    }
  }

  @Test("a repository whose newest hundred items are pull requests gives its issues")
  func pullRequestsFirst() async throws {
    let requests = LoopbackGitHub(repositories: [
      .swift(issues: SyntheticIssues(count: 100, pullRequests: 1, closed: 0))
    ])
    let issues = LoopbackGitHub(repositories: [
      .swift(issues: SyntheticIssues(count: 7, pullRequests: 0, closed: 0))
    ])
    try await withLoopbackServer { request in
      guard request.path.hasSuffix("/issues"), request.queryValue("older") == nil else {
        return await issues.handler(request)
      }
      return await requests.handler(request).with {
        $0.headers["Link"] = "<\(request.origin)\(request.path)?older=1>; rel=\"next\""
      }
    } perform: { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["swiftlang/swift"]))
      var outcomes: [TrackingOutcome] = []
      for await outcome in model.outcomes() { outcomes.append(outcome) }
      #expect(outcomes.map(\.issues).map { $0.map(\.number) } == [(1...7).reversed()])
      #expect(outcomes.first?.failure == nil)
    }
  }

  @Test(
    "a fault gives an empty list with its reason, and only a rate limit affects the next name",
    arguments: Fault.allCases, ["/repos/bad/one", "/repos/bad/one/issues"])
  func failures(fault: Fault, path: String) async throws {
    let github = LoopbackGitHub.everywhere()
    github.intercept(where: { $0.path == path }, response: { _, _ in fault.response })
    try await withLoopbackServer(answering: github.handler) { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      var outcomes = model.outcomes().makeAsyncIterator()

      input.yield("bad/one")
      let bad = try #require(await outcomes.next(isolation: nil))
      #expect(bad.name == "bad/one")
      #expect(bad.issues.isEmpty)
      #expect(bad.failure?.code == fault.code)
      #expect((bad.repository == nil) == (path == "/repos/bad/one"))
      // A repository that could not be found makes no second request.
      #expect(server.log.requests.last?.path == path)

      input.yield("swiftlang/swift")
      let good = try #require(await outcomes.next(isolation: nil))
      if fault == .rateLimited {
        // It is the server that is limited, not the name: nothing is asked until that is over.
        #expect(good.failure?.code == .rateLimited)
        #expect(server.log.requests.last?.path == path)
        return
      }
      #expect(good.repository?.fullName == "swiftlang/swift")
      #expect(good.failure == nil)
      #expect(good.issues.map(\.number) == Array(LoopbackGitHub.openIssues().prefix(100)))
      input.finish()
      #expect(await outcomes.next(isolation: nil) == nil)
    }
  }

  @Test(
    "an invalid name gives an empty list without a request, and the next name is loaded",
    arguments: [
      "", "swift", "../..", "a/../b", "%2e%2e/x", "a/b\r\nX: y", "a/b?x", "a/b#x", "a//b", "/",
      "a/",
    ])
  func notAName(text: String) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub.everywhere().handler) { server in
      let (names, input) = AsyncStream.makeStream(of: String.self)
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: names)
      var lists = model.trackIssues().makeAsyncIterator()
      input.yield(text)
      #expect(await lists.next(isolation: nil) == [])
      #expect(server.log.requestCount == 0)
      input.yield("a/b")
      #expect(await lists.next(isolation: nil)?.count == 5)
      #expect(await model.findRepository(name: text) == nil)
      #expect(server.log.requestCount == 2)
    }
  }

  @Test("a name gives an empty list while the server is down, and its issues after that")
  func offline() async throws {
    let github = LoopbackGitHub.everywhere()
    let gone = try await LoopbackServer.start(handler: github.handler)
    let (names, input) = AsyncStream.makeStream(of: String.self)
    let model = IssueTrackerModel(provider: try Provider(asking: gone), repositoryNames: names)
    var outcomes = model.outcomes().makeAsyncIterator()
    await gone.stop()

    input.yield("a/b")
    let failure = try #require(await outcomes.next(isolation: nil)?.failure)
    #expect(failure.transportFailure?.reason == .connection)

    let back = try await LoopbackServer.start(port: gone.port, handler: github.handler)
    input.yield("a/b")
    #expect(await outcomes.next(isolation: nil)?.issues.count == 5)
    await back.stop()
  }

  @Test("each run reads the names and sends its own requests")
  func independentRuns() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub.everywhere().handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["a/b"]))
      #expect(server.log.requestCount == 0)
      async let first = model.trackIssues().reduce(into: []) { $0.append($1) }
      async let second = model.trackIssues().reduce(into: []) { $0.append($1) }
      let lists = await [first, second]
      #expect(lists[0] == lists[1])
      #expect(lists.map { $0.map(\.count) } == [[5], [5]])
      #expect(server.log.requests.count { $0.path == "/repos/a/b" } == 2)
      #expect(server.log.requests.count { $0.path == "/repos/a/b/issues" } == 2)
    }
  }

  @Test("a separate lookup or listing returns nil on failure", arguments: Fault.allCases)
  func steps(fault: Fault) async throws {
    let github = LoopbackGitHub.everywhere()
    github.intercept(
      where: { $0.path.hasPrefix("/repos/bad/") }, response: { _, _ in fault.response })
    try await withLoopbackServer(answering: github.handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: []))
      #expect(await model.findRepository(name: "bad/one") == nil)
      #expect(
        await model.findIssues(repository: GitHub.Repository(id: 1, fullName: "bad/one")) == nil)
      #expect(
        await model.findIssues(repository: GitHub.Repository(id: 1, fullName: "../..")) == nil)
      if fault == .rateLimited {
        // Nothing more is asked of a server that limits.
        #expect(await model.findRepository(name: "a/b") == nil)
        #expect(server.log.requestCount == 1)
        return
      }
      let found = try #require(await model.findRepository(name: "a/b"))
      #expect(await model.findIssues(repository: found)?.count == 5)
    }
  }

  @Test("a null or missing language, description, body or user is accepted")
  func nulls() async throws {
    var routes = RouteTable()
    routes.on(
      "/repos/a/b",
      .json(#"{"id": 1, "full_name": "a/b", "name": "b", "language": null, "description": null}"#))
    routes.on(
      "/repos/a/b/issues",
      .json(
        """
        [{"id": 9007199254740993, "number": 1, "title": "t", "state": "open", "body": null,
          "user": null, "assignee": null, "pull_request": {"url": null}},
         {"id": 2, "number": 2, "title": "", "state": "open"}]
        """))
    try await withLoopbackServer(answering: routes.handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["a/b"]))
      for await outcome in model.outcomes() {
        #expect(outcome.failure == nil)
        let repository = try #require(outcome.repository)
        #expect(repository.language == nil && repository.description == nil)
        #expect(outcome.issues.map(\.number) == [1, 2])
        #expect(outcome.issues.allSatisfy { $0.body == nil && $0.user == nil })
      }
    }
  }
}

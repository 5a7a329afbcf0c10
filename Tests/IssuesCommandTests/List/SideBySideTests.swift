import TestSupport
import Testing

extension CommandTests {
  @Suite("Concurrent repository lookup and first page", .timeLimit(.minutes(5)))
  struct SideBySideTests {
    private static let lookUp = "/repos/swiftlang/swift"
    private static let list = "/repos/swiftlang/swift/issues"

    /// Answers no request before both have arrived.
    private static func holding(
      _ count: Int, _ handler: @escaping LoopbackServer.Handler
    ) -> LoopbackServer.Handler {
      let arrived = Watched(0)
      return { request in
        arrived.update { $0 += 1 }
        await arrived.wait { $0 >= count }
        return await handler(request)
      }
    }

    @Test(
      "the lookup and the first page are requested concurrently",
      arguments: [["swiftlang/swift"], ["view", "swiftlang/swift", "12", "--comments"]])
    func both(arguments: [String]) async throws {
      try await withLoopbackServer(answering: Self.holding(2, LoopbackGitHub().handler)) { server in
        let result = try await IssuesProgram.run(
          arguments + ["--api-url", server.url, "--no-cache"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(server.log.requestCount == 2)
      }
    }

    @Test("the screen requests its repository and first list concurrently")
    func screen() async throws {
      try await withLoopbackServer(answering: Self.holding(2, LoopbackGitHub().handler)) { server in
        let run = try IssuesProgram.start(
          ["browse", "swiftlang/swift", "--api-url", server.url, "--no-cache"],
          environment: IssuesProgram.plainTerminal.merging(["TERM": "xterm"]) { $1 },
          connection: .terminal(columns: 100, rows: 30))
        _ = try await run.waitFor("newest first")
        run.write("q")
        _ = try await run.result()
        #expect(Set(server.log.requests.prefix(2).map(\.path)) == [Self.lookUp, Self.list])
      }
    }

    @Test("a name in different case doesn't need a second request")
    func otherCase() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(["SwiftLang/SWIFT", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.numbers.count == 30)
        #expect(server.log.requestCount == 2)
      }
    }

    @Test(
      "a list of another repository is discarded and requested under the correct name",
      arguments: ["/repositories/7/issues", "/repos/eve/swift/issues", "/elsewhere"])
    func anotherList(path: String) async throws {
      let github = LoopbackGitHub(repositories: [
        .swift(issues: SyntheticIssues(count: 30, pullRequests: 0, closed: 0)),
        LoopbackRepository(
          id: 7, owner: "eve", name: "swift",
          issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0)),
      ])
      try await withLoopbackServer { request in
        switch request.path {
        case "/repos/apple/swift/issues":
          LoopbackResponse(status: 301, headers: ["Location": path])
        case "/elsewhere": LoopbackResponse.json("[]")
        default: await github.handler(request)
        }
      } perform: { server in
        let result = try await IssuesProgram.run(["apple/swift", "--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers == (1...30).reversed())
        #expect(result.errorText.isEmpty)
        #expect(server.log.requests.last?.path == Self.list)
      }
    }

    @Test("a repository with a new name but no redirect is listed under its new name")
    func silentlyRenamed() async throws {
      let github = LoopbackGitHub()
      try await withLoopbackServer { request in
        var request = request
        if request.path == "/repos/apple/swift" { request.path = Self.lookUp }
        // The old name lists another repository's issues.
        if request.path == "/repos/apple/swift/issues" {
          return LoopbackResponse.json("[]")
        }
        return await github.handler(request)
      } perform: { server in
        let result = try await IssuesProgram.run(["apple/swift", "--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers.count == 30)
        #expect(server.log.requests.last?.path == Self.list)
      }
    }

    /// The list's responses before the repository is known to exist.
    enum EarlyTrouble: String, CaseIterable, Sendable {
      case limit, quota, failure, silence

      func response(now: Int) -> LoopbackResponse {
        switch self {
        case .limit: GitHubError.secondaryRateLimit(status: 429, retryAfter: 40).response(now: now)
        case .quota: GitHubError.primaryRateLimit(status: 403, reset: 40).response(now: now)
        case .failure: LoopbackResponse(status: 502, headers: ["Retry-After": "40"])
        case .silence: .stall
        }
      }
    }

    @Test(
      "a failed lookup is the only error reported, whatever the list's outcome",
      arguments: EarlyTrouble.allCases)
    func lookUpFails(trouble: EarlyTrouble) async throws {
      let github = LoopbackGitHub()
      github.intercept(
        where: { $0.path == Self.list }, response: { _, now in trouble.response(now: now) })
      github.fail(Self.lookUp, with: .notFound)
      let log = Watched<RequestLog?>(nil)
      try await withLoopbackServer { request in
        _ = try? await log.current?.requests(count: 2)
        if request.path == Self.lookUp, trouble != .silence {
          _ = try? await log.current?.waitForOutcome(.answered)
        }
        return await github.handler(request)
      } perform: { server in
        log.update { $0 = server.log }
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--wait", "forever"])
        result.expectFailure(3, saying: ["404", "Check the name"])
        #expect(server.log.requestCount == 2)
      }
    }

    @Test("a rate limit of the list is waited for and reported once")
    func listIsLimited() async throws {
      let github = LoopbackGitHub()
      github.fail(Self.list, with: .secondaryRateLimit(status: 429, retryAfter: 1), times: 1)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers.count == 30)
        #expect(result.errorLines.count { $0.contains("rate limited") } == 1)
        #expect(server.log.requestCount == 3)
      }
    }

    @Test("a rate limit of the list that exceeds --wait is reported as the server sent it")
    func listIsRefused() async throws {
      let github = LoopbackGitHub()
      github.fail(Self.list, with: .secondaryRateLimit(status: 429, retryAfter: 40), times: 1)
      let log = Watched<RequestLog?>(nil)
      try await withLoopbackServer { request in
        // Once the list is refused, a look-up that isn't sent yet stays unsent.
        _ = try? await log.current?.requests(count: 2)
        return await github.handler(request)
      } perform: { server in
        log.update { $0 = server.log }
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--wait", "0"])
        result.expectFailure(5, saying: ["secondary rate limit"])
        #expect(server.log.requestCount == 2)
      }
    }

    @Test("a list that fails temporarily is retried once")
    func listFails() async throws {
      let github = LoopbackGitHub()
      github.intercept(
        times: 1, where: { $0.path == Self.list },
        response: { _, _ in LoopbackResponse(status: 502, headers: [:]) })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers.count == 30)
        #expect(server.log.requestCount == 3)
      }
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("Retried requests", .timeLimit(.minutes(5)))
  struct RetryRunTests {
    private static let lookUp = "/repos/swiftlang/swift"
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 450, pullRequests: 0, closed: 0))

    private static func github() -> LoopbackGitHub { LoopbackGitHub(repositories: [repository]) }

    @Test("requests are retried until the server recovers, without a message in a pipe")
    func recovers() async throws {
      let github = Self.github()
      github.fail(Self.lookUp, with: .unavailable, times: 2)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--limit", "450", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
        #expect(result.numbers == Array((1...450).reversed()))
        #expect(server.log.requests.count { $0.path == Self.lookUp } == 3)
      }
    }

    @Test(
      "a page that breaks off in a list is retried, and printed once and in order",
      arguments: [
        LoopbackResponse.reset, .json("[{\"id\":1,").with { $0.framing = .declaredLength(9000) },
        GitHubError.badGateway.response(now: 0),
      ])
    func page(answer: LoopbackResponse) async throws {
      let github = Self.github()
      let third = Watched<String?>(nil)
      github.intercept(
        times: 1,
        where: { request in
          // The third page is the second that names a cursor.
          guard let cursor = request.queryValue("after") else { return false }
          return third.update { first in
            defer { first = first ?? cursor }
            return first != nil && first != cursor
          }
        }, response: { _, _ in answer })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--all", "--json", "number", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
        let rows = (1...450).reversed().map { "{\"number\":\($0)}" }
        #expect(result.outputText == "[\n\(rows.joined(separator: ",\n"))\n]\n")
        #expect(server.log.requestCount == 7)
      }
    }

    @Test("--retries sets the number of retries", arguments: [0, 1, 2])
    func count(retries: Int) async throws {
      let github = Self.github()
      github.fail(Self.lookUp, with: .badGateway)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--retries", "\(retries)"])
        result.expectFailure(6, saying: ["502", "try again later"])
        #expect(server.log.requests.count { $0.path == Self.lookUp } == retries + 1)
      }
    }

    @Test("a refused request isn't retried", arguments: [GitHubError.notFound, .forbidden])
    func refused(error: GitHubError) async throws {
      let github = Self.github()
      github.fail(Self.lookUp, with: error)
      try await withLoopbackServer(answering: github.handler) { server in
        _ = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        #expect(server.log.requests.count { $0.path == Self.lookUp } == 1)
      }
    }

    @Test("a server that asks for a pause longer than the limit isn't retried")
    func tooLong() async throws {
      try await withLoopbackServer { _ in
        .text("later", status: 503, headers: ["Retry-After": "3600"])
      } perform: { server in
        let result = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        result.expectFailure(6, saying: ["503"])
        // The look-up, and the list beside it.
        #expect(server.log.requestCount <= 2)
      }
    }

    @Test("on a terminal, the status line explains the pause, and Ctrl-C ends it")
    func statusLine() async throws {
      try await withLoopbackServer { _ in
        .text("later", status: 503, headers: ["Retry-After": "25"])
      } perform: { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--api-url", server.url], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("127.0.0.1:\(server.port): status 503, trying again (1 of 3)…")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(result.outputText.hasSuffix("\r\u{1B}[K"))
        #expect(server.log.requests.count { $0.path == Self.lookUp } == 1)
      }
    }
  }
}

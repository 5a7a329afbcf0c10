import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Failures and exit statuses", .timeLimit(.minutes(5)))
  struct FailureStatusTests {
    private static let list = "/repos/swiftlang/swift/issues"
    private static let lookUp = "/repos/swiftlang/swift"

    @Test(
      "each GitHub error has its exit status",
      arguments: [
        (.notFound, 3, ["404", "swiftlang/swift"]),
        (.gone, 3, ["410", "turned off"]),
        (.blocked, 3, ["451", "legal reasons"]),
        (.badCredentials, 4, ["401", "GH_ENTERPRISE_TOKEN"]),
        (.forbidden, 4, ["403", "GH_ENTERPRISE_TOKEN"]),
        (.primaryRateLimit(status: 403, reset: 900), 5, ["rate limit", "until 20", "Z"]),
        (.primaryRateLimit(status: 429, reset: 900), 5, ["rate limit", "until 20", "Z"]),
        (.secondaryRateLimit(status: 403, retryAfter: 900), 5, ["slow down", "until 20", "Z"]),
        (.secondaryRateLimit(status: 429, retryAfter: 900), 5, ["slow down", "until 20", "Z"]),
        (.secondaryRateLimitUntilDate(status: 429, retryAfter: 900), 5, ["slow down", "until 20"]),
        (.unprocessable("No such thing"), 64, ["422", "No such thing"]),
        (.serverError, 6, ["500", "try again later"]),
        (.badGateway, 6, ["502", "try again later"]),
        (.unavailable, 6, ["503", "try again later"]),
      ] as [(GitHubError, Int32, [String])])
    func answers(error: GitHubError, status: Int32, words: [String]) async throws {
      let github = LoopbackGitHub()
      try await withLoopbackServer(answering: github.handler) { server in
        let arguments = ["swiftlang/swift", "--api-url", server.url, "--retries", "0"]
        for path in [Self.lookUp, Self.list] {
          github.stopIntercepting()
          github.fail(path, with: error)
          let result = try await IssuesProgram.run(arguments)
          result.expectFailure(status, saying: words)
          #expect(result.outputText.isEmpty)
        }
      }
    }

    @Test(
      "each invalid response has its exit status",
      arguments: [
        ("reset", .reset, 6, ["broke", "Check the connection"]),
        ("closed", .closeWithoutAnswering, 6, ["broke", "Check the connection"]),
        (
          "shorter than announced", .json("[").with { $0.framing = .declaredLength(9) }, 6,
          ["broke", "Check the connection"]
        ),
        (
          "corrupt gzip", .json("no gzip at all", headers: ["Content-Encoding": "gzip"]), 7,
          ["can't be decompressed", "content unencoding"]
        ),
        (
          "gzip cut short",
          LoopbackResponse(
            headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"],
            body: Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x8B])), 7,
          ["can't be understood"]
        ),
        ("not HTTP", .raw("SSH-2.0-OpenSSH_9.6\r\n"), 7, ["isn't valid HTTP"]),
        (
          "HTML", .text("<html><body>Sign in</body></html>", contentType: "text/html"), 7,
          ["text/html", "not JSON"]
        ),
        ("invalid JSON", .json(#"{"id":1"#), 7, ["application/json", "not JSON"]),
        (
          "another JSON", .json(#"{"hello":"world"}"#), 7,
          ["application/json", "can't be understood"]
        ),
        ("an empty body", .json(""), 7, ["empty"]),
        ("an odd status", .json("{}", status: 299), 7, []),
        ("a teapot", .text("<html>short and stout</html>", status: 418), 7, ["418"]),
      ] as [(String, LoopbackResponse, Int32, [String])])
    func brokenAnswers(
      name: String, response: LoopbackResponse, status: Int32, words: [String]
    ) async throws {
      let github = LoopbackGitHub()
      try await withLoopbackServer(answering: github.handler) { server in
        for path in [Self.lookUp, Self.list] {
          github.stopIntercepting()
          github.intercept(where: { $0.path == path }, response: { _, _ in response })
          let result = try await IssuesProgram.run(
            ["swiftlang/swift", "--api-url", server.url, "--retries", "0"])
          result.expectFailure(status, saying: words)
          #expect(result.outputText.isEmpty)
        }
      }
    }

    @Test("a refused connection has its exit status")
    func refusedConnection() async throws {
      let server = try await LoopbackServer.start { _ in .json("{}") }
      let url = server.url
      await server.stop()
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--api-url", url, "--retries", "0"])
      result.expectFailure(6, saying: ["no connection to \(url)", "Check the connection"])
    }

    @Test("circular redirects have their exit status", arguments: ["/repos/swiftlang/swift", "/a"])
    func circle(target: String) async throws {
      try await withLoopbackServer { request in
        LoopbackResponse(
          status: 302, headers: ["Location": request.path == target ? "/b" : target])
      } perform: { server in
        let result = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        result.expectFailure(7, saying: ["redirect"])
        #expect(server.log.requestCount < 12)
      }
    }

    @Test(
      "an exhausted limit reports its end, and suggests a token if none was sent",
      arguments: [true, false])
    func remedy(hasToken: Bool) async throws {
      let github = LoopbackGitHub()
      github.fail(Self.lookUp, with: .primaryRateLimit(status: 403, reset: 900))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url],
          environment: hasToken ? ["GH_ENTERPRISE_TOKEN": IssuesProgram.token] : [:])
        result.expectFailure(5, saying: ["Try again then"])
        let time = try #require(
          result.errorText.firstMatch(of: /until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/)
        ).output.1
        let end = try Date(String(time), strategy: .iso8601)
        #expect((600...960).contains(end.timeIntervalSinceNow))
        #expect(result.errorText.contains("set GH_ENTERPRISE_TOKEN") == !hasToken)
      }
    }

    @Test("a secondary limit without a time is reported without a time")
    func limitWithoutTime() async throws {
      let github = LoopbackGitHub()
      github.fail(Self.lookUp, with: .secondaryRateLimitWithoutTime(status: 403))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--wait", "0"])
        result.expectFailure(
          5, saying: ["secondary rate limit", "Try again in a few minutes", "--wait 10m"])
        #expect(!result.errorText.contains("until"))
        #expect(!result.errorText.contains("then"))
      }
    }

    @Test("a full disk has its exit status")
    func fullDisk() async throws {
      for arguments in [["swiftlang/swift"], ["user", "octocat"], ["swiftlang/swift", "--json"]] {
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" > /dev/full"#, arguments + ["--stub"])
        result.expectFailure(74, saying: ["cannot write to standard output", "No space left"])
      }
      let help = try await IssuesProgram.shell(#"exec "$issues" --help > /dev/full"#, [])
      help.expectFailure(74, saying: ["cannot write to standard output"])
    }

    @Test("a missing user has its exit status", arguments: ["user", "repos"])
    func missingUser(command: String) async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.missingUsers = ["nobody"]
      try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
        let result = try await IssuesProgram.run([command, "nobody", "--api-url", server.url])
        result.expectFailure(3, saying: ["404", "nobody"])
        #expect(result.outputText.isEmpty)
      }
    }
  }
}

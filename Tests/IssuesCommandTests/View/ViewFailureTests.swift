import TestSupport
import Testing

extension CommandTests {
  @Suite("Failures of issues view", .timeLimit(.minutes(5)))
  struct ViewFailureTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 20, pullRequests: 0, closed: 0))
    private static let path = "/repos/swiftlang/swift/issues/7"

    private static func github(comments: Int = 250) -> LoopbackGitHub {
      let github = LoopbackGitHub(repositories: [repository])
      github.changeIssue(7, of: repository) { $0.comments = comments }
      return github
    }

    private static func run(
      _ server: LoopbackServer, _ flags: [String] = []
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["view", "swiftlang/swift", "7", "--api-url", server.url, "--retries", "0"] + flags)
    }

    @Test(
      "an error response of GitHub is reported",
      arguments: [
        (.notFound, 3, ["404", "swiftlang/swift#7"]),
        (.gone, 3, ["410", "swiftlang/swift#7 was deleted", "turned off"]),
        (.blocked, 3, ["451", "legal reasons"]),
        (.badCredentials, 4, ["401", "GH_ENTERPRISE_TOKEN"]),
        (.forbidden, 4, ["403", "for swiftlang/swift#7"]),
        (.primaryRateLimit(status: 403, reset: 900), 5, ["rate limit", "until 20", "Z"]),
        (.secondaryRateLimit(status: 429, retryAfter: 900), 5, ["slow down", "until 20", "Z"]),
        (.serverError, 6, ["500", "try again later"]),
        (.unavailable, 6, ["503", "try again later"]),
      ] as [(GitHubError, Int32, [String])])
    func answers(error: GitHubError, status: Int32, words: [String]) async throws {
      let github = Self.github()
      github.fail(Self.path, with: error)
      try await withLoopbackServer(answering: github.handler) { server in
        for flags in [[], ["--comments"], ["--json"]] {
          let result = try await Self.run(server, flags)
          result.expectFailure(status, saying: words)
          #expect(result.outputText.isEmpty)
        }
      }
    }

    @Test(
      "an invalid response is reported",
      arguments: [
        (.reset, 6), (.json(#"{"id":1"#), 7), (.json("[]"), 7), (.json(""), 7),
        (.text("<html>Sign in</html>", contentType: "text/html"), 7),
        (LoopbackResponse(status: 301, headers: ["Location": path]), 7),
      ] as [(LoopbackResponse, Int32)])
    func brokenAnswers(response: LoopbackResponse, status: Int32) async throws {
      let github = Self.github()
      github.intercept(where: { $0.path == Self.path }, response: { _, _ in response })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Self.run(server)
        result.expectFailure(status, saying: [])
        #expect(result.outputText.isEmpty)
      }
    }

    @Test(
      "interrupted comments never look complete", arguments: [1, 2],
      [
        (.reset, 6), (.json("[{"), 7), (.json("{}", status: 404), 3),
        (GitHubError.primaryRateLimit(status: 403, reset: 900).response(now: 1_800_000_000), 5),
      ] as [(LoopbackResponse, Int32)])
    func brokenComments(page: Int, failure: (LoopbackResponse, Int32)) async throws {
      let github = Self.github()
      github.intercept(
        where: { request in
          request.path.hasSuffix("/comments")
            && (request.queryValue("page") ?? "1") == "\(page)"
        }, response: { _, _ in failure.0 })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Self.run(server, ["--comments"])
        let count = (page - 1) * 100
        result.expectFailure(
          failure.1, saying: ["the comments are incomplete; they broke off after \(count):"])
        // The comments already shown stay.
        #expect(result.lines.filter { $0.hasPrefix("> Comment ") }.count == count)
        #expect(result.lines.first?.hasPrefix("title:\t") == true)
      }
    }

    @Test("a rate limit between two pages of comments is waited for")
    func wait() async throws {
      let github = Self.github()
      github.intercept(
        times: 1, where: { $0.queryValue("page") == "2" },
        response: { _, now in
          GitHubError.secondaryRateLimit(status: 429, retryAfter: 1).response(now: now)
        })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Self.run(server, ["--comments"])
        #expect(result.status == .exited(0))
        let said = result.lines.filter { $0.hasPrefix("> Comment ") }
        #expect(said == (1...250).map { "> Comment \($0): I see this too." })
      }
    }

    @Test(
      "wrong usage of issues view is refused before any request",
      arguments: [
        ([], ["Say which issue"]), (["swiftlang/swift"], ["issues view swiftlang/swift NUMBER"]),
        (["x"], ["is not an issue", "OWNER/REPO#NUMBER"]), (["0"], ["is not an issue"]),
        (["../..", "1"], ["is not a repository"]), (["swiftlang/swift", "x"], ["is not an issue"]),
        (["https://github.com/a/b/issues/1", "2"], ["leave out the number"]),
        (["a/b", "1", "2"], ["2"]),
        (["a/b", "1", "--json", "no-pe"], ["'no-pe'", "comments_list"]),
        (["a/b", "1", "--limit", "3"], ["--limit"]),
        (["https://user:pass@github.com/a/b/issues/1"], ["remove the part before the @"]),
      ])
    func usage(arguments: [String], words: [String]) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(["view", "--api-url", server.url] + arguments)
        result.expectFailure(64, saying: words)
        #expect(!result.errorText.contains("pass@"))
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("a full disk is reported, and a reader that leaves early is not")
    func output() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let arguments = ["view", "swiftlang/swift", "7", "--comments", "--api-url", server.url]
        let full = try await IssuesProgram.shell(#"exec "$issues" "$@" > /dev/full"#, arguments)
        full.expectFailure(74, saying: ["cannot write to standard output"])
        let closed = try await IssuesProgram.start(arguments, closesOutputAfter: 20).result()
        #expect(closed.status == .exited(0))
        #expect(closed.errorText.isEmpty)
      }
    }
  }
}

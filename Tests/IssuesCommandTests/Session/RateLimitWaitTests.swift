import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Waiting for a rate limit", .timeLimit(.minutes(5)))
  struct RateLimitWaitTests {
    private static let list = "/repositories/44838949/issues"

    /// A GitHub with 1,234 issues that answers one of their pages with a limit, once.
    private static func github(
      limiting page: Int, with error: GitHubError, times: Int = 1
    ) -> LoopbackGitHub {
      let github = LoopbackGitHub(
        repositories: [.swift(issues: SyntheticIssues(count: 1234, pullRequests: 0, closed: 0))])
      // The first page has no cursor; the look-up of the repository isn't a page.
      let pages = Watched<[String]>([])
      github.intercept(
        times: times,
        where: { request in
          guard request.path.hasSuffix("/issues") else { return false }
          return pages.update { pages in
            if !pages.contains(request.target) { pages.append(request.target) }
            return pages.firstIndex(of: request.target) == page - 1
          }
        },
        response: { _, now in error.response(now: now) })
      return github
    }

    private static func arguments(_ server: LoopbackServer, _ more: String...) -> [String] {
      ["swiftlang/swift", "--all", "--api-url", server.url] + more
    }

    private static var note: Regex<(Substring, Substring)> {
      #/
      issues:\ rate\ limited\ by\ 127\.0\.0\.1:\d+:\ waiting\ until\ (\d{4}-\d\d-\d\dT[\d:]+Z)
      \ \(--wait\ 0\ stops\ instead\)\n
      /#
    }

    @Test("after a rate limit, a list continues at the same page: each issue once, one note")
    func resumed() async throws {
      let github = Self.github(limiting: 5, with: .secondaryRateLimit(status: 403, retryAfter: 2))
      try await withLoopbackServer(answering: github.handler) { server in
        let before = Date()
        let result = try await IssuesProgram.run(Self.arguments(server))
        #expect(result.status == .exited(0))
        #expect(result.numbers == Array((1...1234).reversed()))
        #expect(result.errorLines.count == 1)
        let match = try #require(result.errorText.wholeMatch(of: Self.note), "\(result.errorText)")
        let end = try Date(String(match.output.1), strategy: .iso8601)
        #expect(end > before.addingTimeInterval(0.5) && end < Date().addingTimeInterval(1))
        // The look-up, thirteen pages, and the fifth once more.
        #expect(server.log.requestCount == 15)
        let pages = server.log.requests.filter { $0.path.hasSuffix("/issues") }.map(\.target)
        #expect(pages[4] == pages[5])
        #expect(Set(pages).count == 13)
      }
    }

    @Test(
      "--wait 0 keeps the rows, and the error says when the limit ends"
    )
    func notAllowed() async throws {
      let github = Self.github(limiting: 5, with: .secondaryRateLimit(status: 403, retryAfter: 2))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(Self.arguments(server, "--wait", "0"))
        result.expectFailure(
          5, saying: ["the list is incomplete; it broke off after 400", "--wait 1m"])
        #expect(result.numbers == Array((835...1234).reversed()))
        #expect(result.errorText.contains(/until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/))
        #expect(server.log.requestCount == 6)
      }
    }

    @Test(
      "a limit longer than --wait isn't waited for, and the option to wait is named",
      arguments: [
        (["--wait", "5s"], 40, "--wait 2m"), ([], 900, "--wait 16m"),
        (["--wait", "1.5m"], 100, "--wait 3m"), (["--wait", "1h"], 7200, "--wait forever"),
      ] as [([String], Int, String)])
    func tooLong(wait: [String], seconds: Int, advice: String) async throws {
      for error in [
        GitHubError.secondaryRateLimit(status: 429, retryAfter: seconds),
        .primaryRateLimit(status: 403, reset: seconds),
      ] {
        let github = Self.github(limiting: 2, with: error)
        try await withLoopbackServer(answering: github.handler) { server in
          let result = try await IssuesProgram.run(Self.arguments(server) + wait)
          result.expectFailure(5, saying: ["after 100", "until 20", advice])
          #expect(result.numbers.count == 100)
        }
      }
    }

    @Test(
      "every command waits for a rate limit, and reports each wait once",
      arguments: [
        (["swiftlang/swift"], "/repos/swiftlang/swift"), (["user", "octocat"], "/users/octocat"),
        (["repos", "octocat"], "/users/octocat/repos"),
      ])
    func everyCommand(arguments: [String], path: String) async throws {
      let github = LoopbackGitHub()
      github.fail(path, with: .secondaryRateLimit(status: 429, retryAfter: 1), times: 1)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          arguments + ["--api-url", server.url, "--wait", "forever"])
        #expect(result.status == .exited(0))
        #expect(!result.outputText.isEmpty)
        #expect(result.errorLines.count { $0.contains("rate limited") } == 1)
      }
    }

    @Test("an exhausted quota is waited for before the next request")
    func quota() async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [
        .swift(issues: SyntheticIssues(count: 450, pullRequests: 0, closed: 0))
      ]
      configuration.rateLimit = 3
      configuration.rateLimitWindow = 1
      try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
        let result = try await IssuesProgram.run(Self.arguments(server))
        #expect(result.status == .exited(0))
        #expect(result.numbers == Array((1...450).reversed()))
        #expect(result.errorLines.count <= 2, "\(result.errorText)")
        // Nothing was asked that would have been refused.
        #expect(server.log.requestCount == 6)
      }
    }

    @Test("rows are printed before the wait for a rate limit")
    func rowsFirst() async throws {
      let github = Self.github(limiting: 2, with: .secondaryRateLimit(status: 403, retryAfter: 50))
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try IssuesProgram.start(Self.arguments(server), isProcess: true)
        try await run.waitFor("\n1135\t")
        try await run.waitFor("waiting until", on: .error)
        run.send(signal: 2)
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(result.numbers.count == 100)
      }
    }

    // MARK: On a terminal

    @Test("on a terminal, the status line counts a wait down, and is erased afterwards")
    func countdown() async throws {
      let github = Self.github(limiting: 2, with: .secondaryRateLimit(status: 403, retryAfter: 3))
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try IssuesProgram.start(
          Self.arguments(server), environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\rRate limited: continuing in 0:0")
        let result = try await run.result()
        #expect(result.status == .exited(0))
        let counted = result.outputText.matches(
          of: /continuing in 0:0(\d), at [0-2]\d:[0-5]\d\u{1B}\[K/
        ).map(\.output.1)
        // A machine that is busy may skip a second.
        #expect(Set(counted).count >= 2)
        #expect(counted == counted.sorted(by: >))
        #expect(!result.screen.contains("Rate limited"))
        #expect(!result.screen.contains("\u{1B}"))
        #expect(result.screen.split(separator: "\n").filter { $0.hasPrefix("#") }.count == 1234)
      }
    }

    @Test("Ctrl-C ends the wait for a rate limit at once, and erases the status line")
    func interrupted() async throws {
      let github = Self.github(limiting: 2, with: .secondaryRateLimit(status: 403, retryAfter: 50))
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try IssuesProgram.start(
          Self.arguments(server), environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\rRate limited: continuing in 0:")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(result.outputText.hasSuffix("\r\u{1B}[K"))
        #expect(!result.screen.contains("Rate limited"))
      }
    }

    @Test("with a pager, a wait isn't reported, and Ctrl-C keeps the received rows")
    func pager() async throws {
      let github = Self.github(limiting: 2, with: .secondaryRateLimit(status: 403, retryAfter: 50))
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try IssuesProgram.start(
          Self.arguments(server),
          environment: ["NO_COLOR": "1", "PAGER": "trap '' INT; sed -u s/^/-/"],
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\n-#1135 ")
        try await server.log.requests(count: 3)
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .exited(2))
        #expect(!result.outputText.lowercased().contains("rate limited"))
      }
    }

    @Test("on a dumb terminal, a wait is reported as a line, as in a pipe")
    func dumbTerminal() async throws {
      let github = Self.github(limiting: 2, with: .secondaryRateLimit(status: 403, retryAfter: 1))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          Self.arguments(server), environment: ["TERM": "dumb"],
          connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(0))
        #expect(result.screen.contains("issues: rate limited by 127.0.0.1:"))
        #expect(!result.outputText.contains("\u{1B}"))
      }
    }
  }
}

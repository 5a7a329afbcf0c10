import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Followed lists", .timeLimit(.minutes(5)))
  struct FollowTests {
    private static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]
    private static let first = repository(1)
    private static let second = repository(2)

    /// With three open issues.
    private static func repository(_ id: Int) -> LoopbackRepository {
      LoopbackRepository(
        id: id, owner: "acme", name: "repo-\(id)",
        issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0, newest: 1_700_000_000))
    }

    private static func github() -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [first, second]
      configuration.tokenOwner = "ada"
      let github = LoopbackGitHub(configuration)
      github.addIssue(to: first) { issue in
        (issue.title, issue.closedAt) = ("Closed before", issue.updatedAt)
      }
      return github
    }

    private static func start(
      _ arguments: [String], _ server: LoopbackServer,
      connection: CommandRun.Connection = .pipes, environment: [String: String] = [:],
      closesOutputAfter: Int? = nil
    ) throws -> CommandRun {
      try IssuesProgram.start(
        arguments + [
          "--follow", "--every", "1s", "--retries", "0", "--no-cache", "--api-url", server.url,
        ],
        environment: token.merging(environment) { $1 }, connection: connection,
        closesOutputAfter: closesOutputAfter, isProcess: true)
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }

    /// Opens an issue as of now.
    private static func open(
      _ title: String, in repository: LoopbackRepository, of github: LoopbackGitHub,
      isPullRequest: Bool = false
    ) {
      github.addIssue(to: repository) { issue in
        (issue.title, issue.createdAt, issue.updatedAt) = (title, now, now)
        issue.isPullRequest = isPullRequest
        issue.assignees = ["ada"]
      }
    }

    private static func change(
      _ number: Int, of github: LoopbackGitHub, _ body: (inout SyntheticIssue) -> Void
    ) {
      github.changeIssue(number, of: first) { issue in
        issue.updatedAt = now
        body(&issue)
      }
    }

    /// The numbers and changes of the rows of a pipe.
    private static func changes(_ result: CommandRun.Result) -> [String] {
      result.lines.map { line in
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        return "\(cells[0]) \(cells[cells.count - 1])"
      }
    }

    @Test("opening, changing, closing and reopening an issue each print one row")
    func rows() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(["acme/repo-1", "-L", "2"], server)
        try await run.waitFor("\tlisted\n")
        try await server.log.waitForRequest { $0.queryValue("state") == "all" }
        // The limit is the list's: the third issue isn't in it.
        Self.change(1, of: github) { $0.title = "Renamed" }
        try await run.waitFor("Renamed\t")
        Self.change(1, of: github) { $0.closedAt = $0.updatedAt }
        try await run.waitFor("\tclosed\n")
        // Another user's closed issue isn't in the list.
        Self.change(4, of: github) { $0.title = "Still closed" }
        Self.open("Opened meanwhile", in: Self.first, of: github)
        try await run.waitFor("\tnew\n")
        // The list is one of issues.
        Self.open("A pull request", in: Self.first, of: github, isPullRequest: true)
        Self.change(1, of: github) { ($0.closedAt, $0.stateReason) = (nil, "reopened") }
        try await run.waitFor("\treopened\n")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.status == .signalled(15))
        #expect(
          Self.changes(result) == [
            "3 listed", "2 listed", "1 changed", "1 closed", "5 new", "1 reopened",
          ])
        #expect(result.errorLines.isEmpty)
      }
    }

    @Test("a follow-up request is conditional and asks only for changes since the newest one")
    func conditional() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(["acme/repo-1"], server)
        try await server.log.waitForRequest { request in
          request.queryValue("since") == "2023-11-14T22:12:23Z"
            && request.headers["If-None-Match"] != nil
        }
        run.send(signal: 2)
        #expect(try await run.result().status == .signalled(2))
        let questions = server.log.requests.filter { $0.queryValue("state") == "all" }
        #expect(questions.first?.queryValue("since") == nil)
        #expect(questions.allSatisfy { $0.queryValue("sort") == "updated" })
      }
    }

    @Test(
      "JSON output has one object per line, with its change",
      arguments: [["--json"], ["--jsonl", "--fields"]])
    func json(option: [String]) async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(
          ["acme/repo-1", "acme/repo-2", "-L", "1"] + option + ["change,repository,title"], server)
        try await run.waitFor("\"change\":\"listed\"")
        Self.open("Opened meanwhile", in: Self.second, of: github)
        try await run.waitFor(
          """
          {"change":"new","repository":"\(server.host)/acme/repo-2","title":"Opened meanwhile"}

          """)
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.lines.count == 2)
        #expect(result.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      }
    }

    @Test(
      "'mine' and an organization's list can be followed, even when empty at first",
      arguments: [["mine"], ["org:acme", "-a", "ada"]])
    func mine(arguments: [String]) async throws {
      let github = Self.github()
      for number in 1...3 {
        for repository in [Self.first, Self.second] {
          github.changeIssue(number, of: repository) { $0.assignees = [] }
        }
      }
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(arguments, server)
        try await server.log.waitForRequest { $0.queryValue("sort") == "updated" }
        Self.open("For you", in: Self.second, of: github)
        try await run.waitFor("\tnew\n")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(
          result.lines.map { $0.prefix { $0 != "\t" } } == ["\(server.host)/acme/repo-2"],
          "\(result.outputText)\(result.errorText)")
      }
    }

    @Test("a terminal shows each row's report time and the next request in the status line")
    func terminal() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(
          ["acme/repo-1"], server, connection: .terminal(columns: 100, rows: 24),
          environment: ["NO_COLOR": "1", "PAGER": "cat", "TZ": "UTC"])
        try await run.waitFor("Following acme/repo-1, asking in 0:0")
        Self.open("Opened meanwhile", in: Self.first, of: github)
        try await run.waitFor("Opened meanwhile")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        let row = try #require(
          result.screen.split(separator: "\n").last { $0.contains("Opened meanwhile") })
        #expect(row.contains(" new") && row.contains("#5"))
        #expect(row.prefix(5).dropFirst(2).first == ":", "\(row)")
      }
    }

    @Test("a closed pipe ends a followed list quietly, even without changes")
    func closedPipe() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Self.start(["acme/repo-1"], server, closesOutputAfter: 20).result()
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("a temporary server failure is reported once, and no change is missed")
    func failure() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(["acme/repo-1"], server)
        try await server.log.waitForRequest { $0.queryValue("since") != nil }
        github.intercept(
          times: 2, where: { _ in true },
          response: { _, now in GitHubError.serverError.response(now: now) })
        Self.open("Opened meanwhile", in: Self.first, of: github)
        try await run.waitFor("\tnew\n")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.errorLines.count == 1, "\(result.errorText)")
        #expect(result.errorText.hasPrefix("issues: acme/repo-1: "))
        #expect(result.errorText.contains("Trying again."))
      }
    }

    @Test("a failing repository is reported, and following ends after the last one fails")
    func gone() async throws {
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let run = try Self.start(["acme/repo-1", "acme/repo-2", "-L", "1"], server)
        try await server.log.waitForRequest { $0.queryValue("since") != nil }
        github.fail("/repos/acme/repo-1/issues", with: .notFound)
        try await run.waitFor("is no longer asked for changes", on: .error)
        Self.open("Opened meanwhile", in: Self.second, of: github)
        try await run.waitFor("\tnew\n")
        github.fail("/repos/acme/repo-2/issues", with: .badCredentials)
        let result = try await run.result()
        #expect(result.status == .exited(4), "\(result.errorText)")
      }
    }

    @Test("a rate limit is waited for unless --wait forbids it")
    func limited() async throws {
      for (options, isEnding) in [(["--wait", "0"], true), ([], false)] {
        let github = Self.github()
        try await withLoopbackServer(answering: github.handler) { server in
          let run = try Self.start(["acme/repo-1"] + options, server)
          try await server.log.waitForRequest { $0.queryValue("since") != nil }
          github.intercept(
            times: 1, where: { _ in true },
            response: { _, now in
              GitHubError.secondaryRateLimit(status: 403, retryAfter: isEnding ? 600 : 1)
                .response(now: now)
            })
          if isEnding {
            let result = try await run.result()
            #expect(result.status == .exited(5), "\(result.errorText)")
          } else {
            try await run.waitFor("rate limited", on: .error)
            Self.open("Opened meanwhile", in: Self.first, of: github)
            try await run.waitFor("\tnew\n")
            run.send(signal: 15)
            #expect(try await run.result().status == .signalled(15))
          }
        }
      }
    }

    @Test(
      "--follow is refused with incompatible options",
      arguments: [
        (["list", "a/b", "--offline"], "leave out --offline"),
        (["list", "a/b", "--max-age", "1h"], "leave out --max-age"),
        (["list", "a/b", "--web"], "leave out --web"),
        (["list", "a/b", "--stub"], "leave out --stub"),
        (["list", "a/b", "--search", "crash"], "leave out --search"),
        (["list", "a/b", "--parent", "3"], "leave out --parent"),
        (["list", "a/b", "--group-by", "repo"], "leave out --group-by"),
        (["list", "a/b", "--save", "@x"], "leave out --save"),
        (["list", "user:ada"], "a search can't be followed"),
        (["list", "https://github.com/a/b/issues?q=is:open+crash"], "a search can't be followed"),
        (["mine", "--review"], "leave out --review"),
      ])
    func refused(arguments: [String], words: String) async throws {
      try await IssuesProgram.run(arguments + ["--follow"])
        .expectFailure(64, saying: [words])
    }

    @Test("--every requires --follow and at least one second")
    func interval() async throws {
      try await IssuesProgram.run(["a/b", "--every", "1m"])
        .expectFailure(64, saying: ["only makes sense with --follow"])
      try await IssuesProgram.run(["a/b", "--follow", "--every", "500ms"])
        .expectFailure(64, saying: ["from 1s to a day"])
    }
  }
}

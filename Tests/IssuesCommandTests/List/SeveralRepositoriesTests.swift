import TestSupport
import Testing

extension CommandTests {
  @Suite("Lists across repositories", .timeLimit(.minutes(5)))
  struct SeveralRepositoriesTests {
    static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    /// An organization of twelve repositories, and another repository, for a token of one of the authors.
    static func github(
      repositories count: Int = 12, issues: SyntheticIssues = SyntheticIssues(count: 40),
      _ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories =
        LoopbackRepository.organization("acme", repositories: count, issues: issues)
        + [.swift(issues: SyntheticIssues(count: 30))]
      configuration.tokenOwner = "ada"
      change(&configuration)
      return LoopbackGitHub(configuration)
    }

    static func run(
      _ arguments: [String], _ server: LoopbackServer, environment: [String: String] = token,
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        arguments + ["--api-url", server.url, "--no-cache", "--retries", "0"],
        environment: environment, connection: connection)
    }

    /// The rows of a pipe, cell by cell.
    static func rows(_ result: CommandRun.Result) -> [[String]] {
      result.lines.map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }

    @Test("repositories from arguments or -R form one sorted list with a repository column")
    func merged() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let names = ["acme/repo-1", "acme/repo-2", "swiftlang/swift"]
        let options = ["--sort", "updated", "--all", "-s", "all"]
        let result = try await Self.run(names + options, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let rows = Self.rows(result)
        #expect(Set(rows.map { $0[0] }) == Set(names.map { "\(server.host)/\($0)" }))
        let times = rows.map { $0[5] }
        #expect(times == times.sorted(by: >))
        var single = 0
        for name in names { single += try await Self.run([name] + options, server).lines.count }
        #expect(rows.count == single)
        let repeated = try await Self.run(names.flatMap { ["-R", $0] } + options, server)
        #expect(repeated.output == result.output)
      }
    }

    @Test("all repositories are requested concurrently")
    func sideBySide() async throws {
      let arrived = Watched(0)
      let github = Self.github()
      try await withLoopbackServer { request in
        arrived.update { $0 += 1 }
        await arrived.wait { $0 >= 3 }
        return await github.handler(request)
      } perform: { server in
        let result = try await Self.run(
          ["acme/repo-1", "acme/repo-2", "acme/repo-3", "-L", "5"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 5)
        #expect(server.log.requestCount == 3)
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("a repository given twice is listed once")
    func twice() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Self.run(["acme/repo-1", "ACME/repo-1", "-L", "3"], server)
        let single = try await Self.run(["acme/repo-1", "-L", "3"], server)
        #expect(result.output == single.output && !single.lines.isEmpty)
      }
    }

    @Test("a failing repository is reported, the others are listed, and JSON is valid")
    func failure() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let names = ["acme/repo-1", "acme/absent", "acme/repo-2"]
        let result = try await Self.run(names + ["--all"], server)
        #expect(result.status == .exited(3))
        let good = try await Self.run(["acme/repo-1", "acme/repo-2", "--all"], server)
        #expect(result.output == good.output && good.lines.count > 20)
        #expect(result.errorText.contains("\(server.host)/acme/absent: "))
        #expect(result.errorText.contains("incomplete: 1 of 3 repositories failed"))
        let json = try await Self.run(names + ["--all", "--json", "number,repository"], server)
        #expect(json.status == .exited(3))
        #expect(json.outputText.hasSuffix("\n]\n"))
        #expect(json.outputText.contains("\"repository\":\"\(server.host)/acme/repo-2\""))
      }
    }

    @Test("a failure shared by all repositories is reported once")
    func allFail() async throws {
      let github = Self.github()
      github.intercept(
        where: { _ in true },
        response: { _, now in
          GitHubError.serverError.response(now: now)
        })
      try await withLoopbackServer(answering: github.handler) { server in
        try await Self.run(["acme/repo-1", "acme/repo-2"], server)
          .expectFailure(6, saying: ["500", "try again later"])
      }
    }

    @Test(
      "loaded rows are kept after any failure, and the list is marked as incomplete",
      arguments: [
        ["acme/repo-1", "swiftlang/swift"], ["org:acme"], ["mine", "--created"],
      ],
      [
        (GitHubError.serverError, 6), (.badCredentials, 4), (.notFound, 3), (.gone, 3),
        (.secondaryRateLimit(status: 403, retryAfter: 900), 5),
      ] as [(error: GitHubError, status: Int32)])
    func broken(arguments: [String], fault: (error: GitHubError, status: Int32)) async throws {
      let github = Self.github(
        repositories: 3, issues: SyntheticIssues(count: 1200, pullRequests: 0, closed: 0))
      github.intercept(
        where: { $0.queryValue("after") != nil || $0.queryValue("page") == "2" },
        response: { _, now in fault.error.response(now: now) })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Self.run(arguments + ["--all", "--wait", "0"], server)
        #expect(result.status == .exited(fault.status), "\(result.errorText)")
        #expect(result.errorText.contains("the list is incomplete"))
        #expect(!result.lines.isEmpty)
        #expect(!result.errorText.contains(IssuesProgram.token))
      }
    }

    @Test("an organization's list exceeds the search limit, even without a token")
    func organization() async throws {
      let github = Self.github(
        repositories: 12, issues: SyntheticIssues(count: 100, pullRequests: 0, closed: 0))
      try await withLoopbackServer(answering: github.handler) { server in
        for environment in [Self.token, [:]] {
          let result = try await Self.run(["org:acme", "--all"], server, environment: environment)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(Set(result.lines).count == 1200)
        }
        #expect(server.log.requests.allSatisfy { $0.path != "/search/issues" })
      }
    }

    @Test("an organization's repositories without open issues aren't requested")
    func withoutIssues() async throws {
      let github = Self.github { configuration in
        configuration.repositories[0].issues.closed = 1
        configuration.repositories[1].hasIssues = false
      }
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Self.run(["org:acme", "--all"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let asked = server.log.requests.map(\.path).filter { $0.hasSuffix("/issues") }
        #expect(asked.count == 10)
        #expect(!asked.contains("/repos/acme/repo-1/issues"))
        // Closed ones count nowhere.
        let all = try await Self.run(["org:acme", "-s", "all", "--all"], server)
        #expect(all.outputText.contains("/acme/repo-1\t"))
      }
    }

    @Test("a name that isn't an organization is reported")
    func noOrganization() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        try await Self.run(["org:nobody"], server)
          .expectFailure(3, saying: ["no organization “nobody”", "user:nobody"])
      }
    }

    @Test("a user's issues come from a search, and its limit is reported")
    func user() async throws {
      let github = Self.github(
        repositories: 12, issues: SyntheticIssues(count: 100, pullRequests: 0, closed: 0))
      try await withLoopbackServer(answering: github.handler) { server in
        let few = try await Self.run(["user:acme", "-l", "bug", "-L", "5"], server)
        #expect(few.status == .exited(0), "\(few.errorText)")
        #expect(Self.rows(few).allSatisfy { $0[0].contains("/acme/") && $0.count == 6 })
        let request = try #require(server.log.requests.last)
        #expect(request.queryValue("q") == "user:acme is:issue is:open label:bug")
        let all = try await Self.run(["user:acme", "--all"], server)
        #expect(all.status == .exited(1))
        #expect(all.lines.count == 1000)
        #expect(all.errorText.contains("it ends at 1,000 of 1,200"))
      }
    }

    @Test(
      "contradictory or invalid repositories are refused before any request",
      arguments: [
        (["acme/repo-1", "-R", "acme/repo-2", "-R", "acme/repo-3"], "not with both"),
        (["acme/repo-1", "user:acme"], "list it alone"), (["@a", "acme/repo-1"], "is a view"),
        (["org:a/b"], "not a user name"), (["org:"], "not a user name"),
        (["acme/repo-1", "https://github.com/a/b/issues?q=x"], "list it alone"),
        (["list", "acme/repo-1", "a/b#3"], "not a repository"),
        (["acme/repo-1", "a/../b"], "not a repository"),
        (["mine", "--created", "--review"], "Choose --created"),
        (["mine", "--login", "ada"], "--offline"), (["mine", "--mention", "ada"], "--mentioned"),
        (["mine", "--offline", "--review", "--login", "ada"], "leave out --offline"),
      ])
    func refused(arguments: [String], words: String) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Self.run(arguments, server)
        #expect(result.status == .exited(64), "\(result.errorText)")
        #expect(result.errorText.contains(words), "\(result.errorText)")
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("--offline lists all mirrors and reports a missing one")
    func offline() async throws {
      let scratch = try ScratchFolder()
      let environment = Self.token.merging(["XDG_DATA_HOME": scratch.path]) { $1 }
      try await withLoopbackServer(answering: Self.github().handler) { server in
        for name in ["acme/repo-1", "acme/repo-2", "swiftlang/swift"] {
          let sync = try await IssuesProgram.run(
            ["sync", name, "--api-url", server.url], environment: environment)
          #expect(sync.status == .exited(0), "\(sync.errorText)")
        }
        let requests = server.log.requestCount
        for names in [["acme/repo-1", "acme/repo-2"], ["org:acme"], ["user:acme"]] {
          let offline = try await Self.run(
            names + ["--all", "--offline"], server, environment: environment)
          #expect(offline.status == .exited(0), "\(offline.errorText)")
          #expect(Set(Self.rows(offline).map { $0[0] }).count == 2)
        }
        let missing = try await Self.run(
          ["acme/repo-1", "acme/repo-3", "--offline"], server, environment: environment)
        #expect(missing.status == .exited(3))
        #expect(!missing.lines.isEmpty && missing.errorText.contains("no mirror of"))
        let mine = try await Self.run(
          ["mine", "--offline", "--login", "ada", "--all"], server, environment: environment)
        #expect(mine.status == .exited(0), "\(mine.errorText)")
        try await Self.run(["mine", "--offline"], server, environment: environment)
          .expectFailure(64, saying: ["doesn't know who you are", "--login"])
        #expect(server.log.requestCount == requests)
        let online = try await Self.run(["mine", "--all"], server, environment: environment)
        let mirrored = Set(mine.lines)
        #expect(!mirrored.isEmpty)
        // The list has those of all repositories.
        #expect(mirrored.isSubset(of: online.lines))
        let both = try await Self.run(
          ["acme/repo-1", "acme/repo-2", "--all"], server, environment: environment)
        let own = try await Self.run(
          ["org:acme", "--all", "--offline"], server, environment: environment)
        #expect(both.output == own.output)
      }
    }

    @Test("a terminal shows a table with the repository in the first column")
    func terminal() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Self.run(
          ["org:acme", "-L", "4"], server,
          environment: Self.token.merging(IssuesProgram.plainTerminal) { $1 },
          connection: .terminal(columns: 130, rows: 30))
        #expect(result.screen.contains("Showing 4 open issues in acme"))
        let header = result.screen.split(separator: "\n").first { $0.hasPrefix("REPOSITORY") }
        #expect(
          header?.split(separator: " ") == ["REPOSITORY", "ID", "TITLE", "LABELS", "UPDATED"])
      }
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("issues search-repos", .timeLimit(.minutes(5)))
  struct SearchReposTests {
    private static func github(finding count: Int) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = []
      configuration.repositoriesPerSearch = count
      return LoopbackGitHub(configuration)
    }

    private func search(
      _ server: LoopbackServer, _ arguments: [String], environment: [String: String] = [:],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["search-repos", "--api-url", server.url] + arguments, environment: environment,
        connection: connection)
    }

    @Test(
      "a repository search cut by a limit says how to get the rest, and succeeds",
      arguments: [
        (1234, [], 30, "Stopped at the limit of 30 of 1,234: for more use --limit or --all, which"),
        (
          1234, ["--all"], 1000,
          "Stopped at 1,000 of 1,234: a search returns no more. To see the rest, narrow it"
        ),
        (1234, ["--limit", "2000"], 1000, "Stopped at 1,000 of 1,234: a search returns no more."),
        (1234, ["--limit", "150"], 150, ""),
        (250, [], 30, "Stopped at the limit of 30 of 250: for more use --limit or --all.\n"),
        (250, ["--all"], 250, ""), (250, ["--limit", "250"], 250, ""), (30, [], 30, ""),
        (1000, ["--all"], 1000, ""), (0, [], 0, ""), (1, ["-L", "1"], 1, ""),
      ] as [(Int, [String], Int, String)])
    func cut(found: Int, arguments: [String], shown: Int, note: String) async throws {
      try await withLoopbackServer(answering: Self.github(finding: found).handler) { server in
        let result = try await search(server, ["swift"] + arguments)
        #expect(result.status == .exited(0))
        #expect(Set(result.lines.map { $0.prefix { $0 != "\t" } }).count == shown)
        #expect(result.lines.count == shown)
        #expect(result.errorText.hasPrefix(note), "\(result.errorText)")
        #expect(result.errorLines.count == (note.isEmpty ? 0 : 1))
      }
    }

    @Test("no page is requested after enough repositories", arguments: [(30, 1), (150, 2)])
    func frugal(limit: Int, requests: Int) async throws {
      try await withLoopbackServer(answering: Self.github(finding: 1234).handler) { server in
        _ = try await search(server, ["swift", "--limit", "\(limit)"])
        #expect(server.log.requests.map(\.path).count == requests)
      }
    }

    @Test("search words form one text, wherever the options are")
    func words() async throws {
      try await withLoopbackServer(answering: Self.github(finding: 2).handler) { server in
        for arguments in [
          ["swift", "http", "--limit", "5", "language:c++"], [" swift  http", "language:c++ "],
        ] {
          let result = try await search(server, arguments)
          #expect(result.status == .exited(0))
          #expect(server.log.requests.last?.queryValue("q") == "swift http language:c++")
        }
      }
    }

    @Test(
      "the heading on a terminal shows the number of results and the search text",
      arguments: [
        (1234, [], "Showing 30 of 1,234 repositories matching swift\n"),
        (1234, ["--all"], "Showing repositories matching swift (1,234 found)\n"),
        (2, [], "Showing 2 repositories matching swift\n"),
        (1, [], "Showing 1 repository matching swift\n"),
        (2, ["--limit", "1"], "Showing 1 of 2 repositories matching swift\n"),
        (0, [], "No repositories match swift.\n"),
      ] as [(Int, [String], String)])
    func heading(found: Int, arguments: [String], expected: String) async throws {
      try await withLoopbackServer(answering: Self.github(finding: found).handler) { server in
        let result = try await search(
          server, ["swift"] + arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 30))
        #expect(result.status == .exited(0))
        let first = result.screen.split(separator: "\n").first ?? ""
        #expect("\(first)\n" == expected)
      }
    }

    @Test("a repository search without results prints nothing in a pipe, and [] as JSON")
    func nothing() async throws {
      try await withLoopbackServer(answering: Self.github(finding: 0).handler) { server in
        let pipe = try await search(server, ["swift"])
        #expect(pipe.status == .exited(0))
        #expect(pipe.output.isEmpty && pipe.error.isEmpty)
        let json = try await search(server, ["swift", "--json"])
        #expect(json.outputText == "[]\n" && json.error.isEmpty)
      }
    }

    @Test("a search that timed out on the server says so, beside other notices")
    func incomplete() async throws {
      var routes = RouteTable()
      routes.on(
        "/search/repositories",
        .json(
          """
          {"total_count":9,"incomplete_results":true,\
          "items":[{"id":1,"full_name":"a/b"},{"id":2,"full_name":"c/d"}]}
          """))
      try await withLoopbackServer(answering: routes.handler) { server in
        let whole = try await search(server, ["swift"])
        #expect(whole.status == .exited(0))
        #expect(whole.errorLines.count == 1)
        #expect(whole.errorText.hasPrefix("GitHub's search took too long"))
        let cut = try await search(server, ["swift", "--limit", "1"])
        #expect(cut.lines.count == 1)
        #expect(cut.errorLines == whole.errorLines)
      }
    }

    @Test("a repository that moves to the next page between requests is shown once")
    func moved() async throws {
      var routes = RouteTable()
      routes.on("/search/repositories") { request in
        let isFirst = request.queryValue("page") == nil
        let items = isFirst ? [1, 2] : [2, 3]
        let objects = items.map { #"{"id":\#($0),"full_name":"a/\#($0)"}"# }
        return .json(#"{"total_count":3,"items":[\#(objects.joined(separator: ","))]}"#).with {
          if isFirst {
            let next = "\(request.origin)/search/repositories?q=x&page=2"
            $0.headers.add("Link", "<\(next)>; rel=\"next\"")
          }
        }
      }
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await search(server, ["x", "--all"])
        #expect(result.lines.map { String($0.prefix { $0 != "\t" }) } == ["a/1", "a/2", "a/3"])
      }
    }

    @Test(
      "an endless search is read up to GitHub's maximum of results",
      arguments: ["--all", "--limit=150", "--limit=1000"], [false, true])
    func endless(amount: String, repeats: Bool) async throws {
      var routes = RouteTable()
      routes.on("/search/repositories") { request in
        let page = Int(request.queryValue("page") ?? "1") ?? 1
        let first = repeats ? 1 : page * 100
        let objects = (first..<first + 100).map { #"{"id":\#($0),"full_name":"a/\#($0)"}"# }
        let items = objects.joined(separator: ",")
        return .json(#"{"total_count":1000000,"items":[\#(items)]}"#).with {
          // An end after all, for a command that does read on.
          if page < 30 {
            let next = "\(request.origin)/search/repositories?q=x&page=\(page + 1)"
            $0.headers.add("Link", "<\(next)>; rel=\"next\"")
          }
        }
      }
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await search(server, ["x", amount])
        #expect(result.status == .exited(0))
        let isLimited = amount == "--limit=150" && !repeats
        #expect(server.log.requestCount <= (isLimited ? 2 : 10))
        #expect(result.lines.count == (repeats ? 100 : isLimited ? 150 : 1_000))
        let note = "Stopped at \(repeats ? "100" : "1,000") of 1,000,000: a search returns no more"
        #expect(isLimited ? result.errorText.isEmpty : result.errorText.hasPrefix(note))
      }
    }

    @Test("repositories are printed before the next page arrives")
    func streaming() async throws {
      let gate = Gate()
      let github = Self.github(finding: 250)
      try await withLoopbackServer { request in
        let response = await github.handler(request)
        return request.queryValue("page") == nil ? response : response.held(by: gate)
      } perform: { server in
        let run = try IssuesProgram.start(
          ["search-repos", "swift", "--all", "--api-url", server.url])
        try await run.waitFor("swift-100\t")
        #expect(!gate.isOpen)
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(result.lines.count == 250)
      }
    }

    @Test("a reader that closes the pipe ends the search without a message")
    func closedPipe() async throws {
      try await withLoopbackServer(answering: Self.github(finding: 250).handler) { server in
        let result = try await IssuesProgram.start(
          ["search-repos", "swift", "--all", "--api-url", server.url], closesOutputAfter: 20
        ).result()
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
      }
    }

    @Test(
      "a failed repository search has the exit status of its reason",
      arguments: [
        (.badCredentials, 4, ["401"]), (.forbidden, 4, ["403"]),
        (.primaryRateLimit(status: 403, reset: 900), 5, ["rate limit"]),
        (.secondaryRateLimit(status: 429, retryAfter: 900), 5, ["slow down"]),
        (.unprocessable("Validation Failed"), 64, ["422", "the search for swift"]),
        (.unavailable, 6, ["503"]), (.notFound, 3, ["404"]),
      ] as [(GitHubError, Int32, [String])])
    func failures(error: GitHubError, status: Int32, words: [String]) async throws {
      let github = Self.github(finding: 9)
      github.fail("/search/repositories", with: error)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await search(server, ["swift", "--retries", "0"])
        result.expectFailure(status, saying: words)
        #expect(result.output.isEmpty)
      }
    }

    @Test(
      "an invalid or interrupted response to a repository search is an error",
      arguments: [
        (.json("{"), 7), (.json(#"{"items":7}"#), 7), (.json(""), 7),
        (.text("<html>", contentType: "text/html"), 7), (.reset, 6), (.closeWithoutAnswering, 6),
      ] as [(LoopbackResponse, Int32)])
    func broken(response: LoopbackResponse, status: Int32) async throws {
      var routes = RouteTable()
      routes.on("/search/repositories", response)
      try await withLoopbackServer(answering: routes.handler) { server in
        let result = try await search(server, ["swift", "--retries", "0"])
        result.expectFailure(status, saying: [])
        #expect(result.output.isEmpty)
      }
    }

    @Test("printed repositories stay when a later page fails, and don't look complete")
    func brokenHalfWay() async throws {
      let github = Self.github(finding: 450)
      github.intercept(
        where: { $0.queryValue("page") == "3" }, response: { _, _ in .reset })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await search(server, ["swift", "--all", "--retries", "0"])
        result.expectFailure(6, saying: ["the list is incomplete", "after 200"])
        #expect(result.lines.count == 200)
        let json = try await search(
          server, ["swift", "--all", "--retries", "0", "--json", "full_name"])
        #expect(json.status == .exited(6))
        #expect(!json.outputText.contains("]"))
      }
    }

    @Test(
      "a repository search without words is refused before any request",
      arguments: [[], [" "], [""]])
    func usage(words: [String]) async throws {
      try await withLoopbackServer(answering: Self.github(finding: 9).handler) { server in
        let result = try await search(server, words)
        result.expectFailure(64, saying: ["Specify a search"])
        let field = try await search(server, ["swift", "--json", "no-pe"])
        field.expectFailure(64, saying: ["'no-pe'", "full_name"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("--json doesn't consume a word of the search")
    func jsonBeforeTheText() async throws {
      for arguments in [
        ["--json", "swift"], ["swift", "--json"], ["--json", "full_name", "swift"],
      ] {
        let result = try await IssuesProgram.run(["search-repos", "--stub"] + arguments)
        #expect(result.status == .exited(0))
        #expect(result.outputText.hasPrefix("[\n{\""), "\(result.errorText)")
      }
    }

    @Test("the heading neutralizes the search text")
    func hostileText() async throws {
      try await withLoopbackServer(answering: Self.github(finding: 3).handler) { server in
        let text = "a\u{1B}[31m\u{202E}b\u{9B}1m"
        let result = try await search(
          server, [text, "--limit", "1"], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 120, rows: 30))
        #expect(result.status == .exited(0))
        #expect(result.screen.contains("matching a^[[31m"))
        #expect(!result.screen.unicodeScalars.contains { [0x1B, 0x202E, 0x9B].contains($0.value) })
      }
    }
  }
}

import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues search --by meaning", .timeLimit(.minutes(5)))
  struct MeaningSearchTests {
    private static let environment = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    private func run(
      _ arguments: [String], environment: [String: String] = environment,
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) async throws -> (result: CommandRun.Result, requests: [LoopbackRequest]) {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [
        .swift(issues: SyntheticIssues(count: 130, pullRequests: 0, closed: 0))
      ]
      configure(&configuration)
      let github = LoopbackGitHub(configuration)
      return try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          arguments + ["--api-url", server.url], environment: environment)
        return (result, server.log.requests)
      }
    }

    private static let search = ["search", "--remote", "-R", "swiftlang/swift"]

    @Test("one page of issues is requested in the server's order, without quotation marks")
    func page() async throws {
      let (result, requests) = try await run(
        Self.search + [
          "--search-type", "semantic", #"it hangs "when typing" label:"bug""#, "--jsonl",
          "--fields", "number,search_type", "-L", "2",
        ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(
        requests.map { $0.queryValue("q") }
          == [#"it hangs when typing label:"bug" is:issue repo:swiftlang/swift"#])
      let request = try #require(requests.first)
      #expect(request.queryValue("search_type") == "semantic")
      #expect(request.queryValue("sort") == nil && request.queryValue("per_page") == "2")
      #expect(result.lines.allSatisfy { $0.hasSuffix(#""search_type":"semantic"}"#) })
      #expect(result.errorText.contains("Quotation marks ask for exact words"))
    }

    @Test("at most a hundred results are returned, and the rest is reported")
    func hundred() async throws {
      let (result, requests) = try await run(
        Self.search + ["--by", "both", "hangs", "is:open", "--all"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(requests.count == 1 && requests[0].queryValue("search_type") == "hybrid")
      #expect(result.lines.count == 100)
      #expect(result.errorText.contains("Stopped at 100 of 130: a search by meaning"))
    }

    @Test(
      "a search that the server carried out by words says so, and why",
      arguments: [
        ("is:open", "only qualifiers"), ("a OR b", "alternatives (OR)"),
      ])
    func fallback(query: String, reason: String) async throws {
      let (result, _) = try await run(Self.search + ["--by", "meaning", query, "--json"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.contains("searched by words, not by meaning: "))
      #expect(result.errorText.contains(reason), "\(result.errorText)")
      #expect(!result.outputText.contains("semantic"))
    }

    @Test("a server that doesn't know the search by meaning isn't believed to have done it")
    func servers() async throws {
      let (unknown, _) = try await run(Self.search + ["--by", "meaning", "crash", "--json"]) {
        $0.searchByMeaning = .unknown
      }
      #expect(unknown.status == .exited(0))
      #expect(unknown.errorText.contains("doesn't say how it searched"), "\(unknown.errorText)")
      #expect(!unknown.outputText.contains("search_type"))
      let (refused, _) = try await run(Self.search + ["--by", "meaning", "crash"]) {
        $0.searchByMeaning = .refused
      }
      refused.expectFailure(1, saying: ["GitHub Enterprise Server doesn't have", "--by words"])
    }

    @Test(
      "a request that can't be searched by meaning isn't sent",
      arguments: [
        (["--by", "meaning", "crash sort:updated"], "relevance"),
        (["--by", "both", "crash is:pr"], "only issues"),
      ])
    func refused(arguments: [String], reason: String) async throws {
      let (result, requests) = try await run(Self.search + arguments)
      result.expectFailure(64, saying: [reason, "--by words"])
      #expect(requests.isEmpty)
      try await IssuesProgram.run(["search", "--by", "meaning", "x"])
        .expectFailure(64, saying: ["--remote"])
      let (anonymous, none) = try await run(
        Self.search + ["--by", "meaning", "crash"], environment: [:])
      anonymous.expectFailure(4, saying: ["needs an access token"])
      #expect(none.isEmpty)
    }

    @Test("a search by words is the default, and sends nothing new")
    func words() async throws {
      for arguments in [[], ["--by", "words"], ["--search-type", "lexical"]] {
        let (result, requests) = try await run(Self.search + ["is:open", "-L", "1"] + arguments)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(requests.allSatisfy { $0.queryValue("search_type") == nil })
      }
    }

    @Test("its quota doesn't hold up other searches")
    func quota() async throws {
      let (result, _) = try await run(
        Self.search + ["--by", "meaning", "crash", "--wait", "0"]
      ) { $0.meaningRateLimit = 0 }
      result.expectFailure(5, saying: ["limit"])
      let (other, _) = try await run(Self.search + ["is:open", "-L", "1"]) {
        $0.meaningRateLimit = 0
      }
      #expect(other.status == .exited(0), "\(other.errorText)")
    }

    @Test("issues similar --remote searches for an issue's words, and omits the issue itself")
    func similar() async throws {
      let (result, requests) = try await run(
        ["similar", "swiftlang/swift", "130", "--remote", "--limit", "3"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let search = try #require(requests.last)
      #expect(search.queryValue("search_type") == "semantic")
      #expect(search.queryValue("per_page") == "4")
      let query = try #require(search.queryValue("q"))
      #expect(query.hasSuffix(" is:open is:issue repo:swiftlang/swift"), "\(query)")
      #expect(query.count < 256 + 50 && !query.contains("\""))
      #expect(result.lines.map { String($0.split(separator: "\t")[1]) } == ["129", "128", "127"])
      for option in [["--max-age", "1d"], ["--include-pull-requests"]] {
        try await IssuesProgram.run(["similar", "a/b", "1", "--remote"] + option)
          .expectFailure(64, saying: [option[0]])
      }
    }

    @Test("issues create asks the server for similar issues only if told to")
    func create() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let create = ["create", "-R", "swiftlang/swift", "-t", "It hangs", "-b", "Always."]
        let searches = { server.log.requests.filter { $0.path.contains("/search/") }.count }
        let kept = try await scene.start(
          create + ["--similar-remote"], server, connection: .terminal(columns: 100, rows: 30),
          input: "n\n"
        ).result()
        #expect(kept.screen.contains("Open issues are similar to this one:"), "\(kept.screen)")
        #expect(kept.status == .exited(2) && searches() == 1)
        let sent = try await scene.run(create, server)
        #expect(sent.status == .exited(0) && searches() == 1, "\(sent.errorText)")
        try await scene.run(create + ["--similar-remote"], server)
          .expectFailure(64, saying: ["no terminal", "issues similar --remote"])
        try await scene.run(create + ["--similar-remote", "--queue"], server)
          .expectFailure(64, saying: ["--queue"])
      }
    }
  }
}

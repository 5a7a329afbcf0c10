import TestSupport
import Testing

extension CommandTests {
  @Suite("issues mine", .timeLimit(.minutes(5)))
  struct MineTests {
    private typealias Several = SeveralRepositoriesTests

    private static func github(
      _ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) -> LoopbackGitHub {
      Several.github(change)
    }

    @Test("an empty list of 'mine' is reported with a sentence")
    func empty() async throws {
      let result = try await IssuesProgram.run(
        ["mine", "--stub", "--label", "nonesuch"], environment: ["GH_FORCE_TTY": "80"])
      #expect(
        (result.outputText + result.errorText).contains(
          "There are no open issues in your repositories that match."),
        "\(result.outputText)\(result.errorText)")
    }

    @Test(
      "each option of 'mine' sends one request with its own filter",
      arguments: [
        ([], "assigned"), (["--created"], "created"), (["--mentioned"], "mentioned"),
        (["--subscribed"], "subscribed"),
      ])
    func filters(options: [String], filter: String) async throws {
      let github = Several.github(repositories: 3, issues: SyntheticIssues(count: 400))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Several.run(["mine", "-s", "all", "-L", "9"] + options, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let rows = Several.rows(result)
        #expect((1...9).contains(rows.count))
        #expect(rows.allSatisfy { $0.count == 6 && $0[0].hasPrefix("\(server.host)/") })
        #expect(server.log.requests.map(\.path) == ["/issues"])
        #expect(server.log.requests[0].queryValue("filter") == filter)
        #expect(server.log.requests[0].queryValue("state") == "all")
      }
    }

    @Test("'mine --all' lists more issues than a search can return")
    func complete() async throws {
      let github = Several.github(
        repositories: 20, issues: SyntheticIssues(count: 1000, pullRequests: 0, closed: 0))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Several.run(["mine", "--created", "--all"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count > 1100)
        #expect(Set(result.lines).count == result.lines.count)
      }
    }

    @Test("unsupported filters of 'mine' are applied locally, before the limit")
    func filtered() async throws {
      let github = Several.github(repositories: 3, issues: SyntheticIssues(count: 400))
      try await withLoopbackServer(answering: github.handler) { server in
        let all = try await Several.run(
          ["mine", "--subscribed", "-s", "all", "--all", "--json", "number,user,milestone"], server)
        #expect(all.status == .exited(0), "\(all.errorText)")
        let own = try await Several.run(
          [
            "mine", "--subscribed", "-s", "all", "-A", "@me", "-m", "6.3", "--all",
            "--json", "user,milestone", "-q", ".[] | .user.login + \" \" + .milestone.title",
          ], server)
        #expect(own.status == .exited(0), "\(own.errorText)")
        #expect(!own.lines.isEmpty && own.lines.count < all.lines.count)
        #expect(Set(own.lines) == ["ada 6.3"])
        let few = try await Several.run(
          ["mine", "--subscribed", "-s", "all", "-m", "6.3", "-L", "2"], server)
        #expect(few.lines.count == 2)
        #expect(few.errorText.isEmpty)
      }
    }

    @Test("'mine' can be limited to an organization")
    func organization() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Several.run(["mine", "--org", "acme", "-L", "5"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(Several.rows(result).allSatisfy { $0[0].contains("/acme/") })
        #expect(server.log.requests.map(\.path) == ["/orgs/acme/issues"])
      }
    }

    @Test("review requests come from a search")
    func reviews() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Several.run(["mine", "--review"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let rows = Several.rows(result)
        #expect(!rows.isEmpty && rows.allSatisfy { $0.last == "pull_request" })
        let query = server.log.requests[0].queryValue("q")
        #expect(query == "is:pr review-requested:@me archived:false is:open")
        let own = try await Several.run(["mine", "--review", "--org", "acme"], server)
        #expect(Several.rows(own).allSatisfy { $0[0].contains("/acme/") })
      }
    }

    @Test("incomplete review requests are an error with --all")
    func tooManyReviews() async throws {
      let github = Several.github(
        repositories: 10,
        issues: SyntheticIssues(count: 500, pullRequests: 1, closed: 0))
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await Several.run(["mine", "--review", "--all"], server)
        #expect(result.status == .exited(1))
        #expect(result.lines.count == 1000)
        #expect(result.errorText.contains("the list is incomplete: it ends at 1,000 of 1,25"))
      }
    }

    @Test("a list shortened by single sign-on is reported and keeps its rows and JSON")
    func singleSignOn() async throws {
      let github = Self.github { $0.singleSignOn["acme"] = 21_955_855 }
      try await withLoopbackServer(answering: github.handler) { server in
        for arguments in [["mine"], ["mine", "--review"]] {
          let result = try await Several.run(arguments, server)
          #expect(result.status == .exited(4))
          #expect(Several.rows(result).allSatisfy { $0[0].hasSuffix("swiftlang/swift") })
          #expect(!result.lines.isEmpty)
          #expect(
            result.errorText.contains("single sign-on withholds the issues of 1 organization"))
          #expect(result.errorText.contains("21955855"))
        }
        let json = try await Several.run(["mine", "--json", "number"], server)
        #expect(json.status == .exited(4) && json.outputText.hasSuffix("]\n"))
        try await Several.run(["org:acme"], server).expectFailure(
          4, saying: ["https://github.com/orgs/acme/sso?"])
      }
    }

    @Test("a cached list shortened by single sign-on is reported")
    func cachedSingleSignOn() async throws {
      let github = Self.github { $0.singleSignOn["acme"] = 7 }
      let scratch = try ScratchFolder()
      let environment = Several.token.merging(["XDG_CACHE_HOME": scratch.path]) { $1 }
      try await withLoopbackServer(answering: github.handler) { server in
        for _ in 0..<2 {
          let result = try await IssuesProgram.run(
            ["mine", "--api-url", server.url], environment: environment)
          #expect(result.status == .exited(4))
          #expect(result.errorText.contains("(id 7)"))
        }
      }
    }

    @Test("'mine' without a token doesn't send a request")
    func anonymous() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        try await Several.run(["mine"], server, environment: [:])
          .expectFailure(4, saying: ["only an access token identifies you"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test(
      "mutually exclusive options of 'mine' are refused before any request",
      arguments: [
        (["--created", "--review"], "Choose --created"), (["--mention", "ada"], "--mentioned"),
        (["--login", "ada"], "--offline"), (["--offline", "--review"], "leave out --offline"),
        (["--assignees", "--json"], "the field 'assignees'"),
        (["--assignees", "--jsonl"], "the field 'assignees'"),
        (["--assignees", "--fields", "number"], "the field 'assignees'"),
      ])
    func refused(options: [String], words: String) async throws {
      try await IssuesProgram.run(["mine"] + options).expectFailure(64, saying: [words])
    }

    @Test("JSON of 'mine' has the server's fields and the repository's name")
    func json() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await Several.run(
          ["mine", "-L", "1", "--json", "repository,number,node_id"], server)
        #expect(
          result.lines.dropFirst().first?.hasPrefix(
            "{\"repository\":\"\(server.host)/acme/repo-1\",\"number\":") == true,
          "\(result.outputText)")
      }
    }

    @Test("hostile names and text in 'mine' are escaped")
    func hostile() async throws {
      let github = Several.github(
        repositories: 2, issues: SyntheticIssues(count: 30, isHostile: true))
      try await withLoopbackServer(answering: github.handler) { server in
        for options in [[], ["--group-by", "label"]] {
          let result = try await Several.run(["mine", "-s", "all"] + options, server)
          #expect(!result.lines.isEmpty)
          for line in result.lines {
            #expect(HostileText.dangers(in: line).allSatisfy { $0 == "\t" })
          }
        }
      }
    }
  }
}

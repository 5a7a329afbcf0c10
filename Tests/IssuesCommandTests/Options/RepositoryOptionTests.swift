import TestSupport
import Testing

extension CommandTests {
  @Suite("--repo and GH_REPO", .timeLimit(.minutes(5)))
  struct RepositoryOptionTests {
    private static func github() -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.anyRepository = SyntheticIssues(count: 3, pullRequests: 0, closed: 0)
      return LoopbackGitHub(configuration)
    }

    @Test(
      "every form of naming a repository requests the same one",
      arguments: [
        (["-R", "right/one"], [:]), (["-Rright/one"], [:]), (["-R=right/one"], [:]),
        (["--repo", "right/one"], [:]), (["--repo=right/one"], [:]),
        (["--repo", "https://github.com/right/one"], [:]), (["right/one", "-R", "right/ONE"], [:]),
        ([], ["GH_REPO": "right/one"]), ([], ["GH_REPO": "github.com/right/one"]),
        (["-R", "right/one"], ["GH_REPO": "wrong/one"]),
        (["right/one"], ["GH_REPO": "wrong/one"]), (["list", "-R", "right/one"], [:]),
        (["-R", "right/one", "list"], [:]),
        (["--repo=right/one", "list"], ["GH_REPO": "wrong/one"]),
      ] as [([String], [String: String])])
    func list(arguments: [String], environment: [String: String]) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(
          arguments + ["--api-url", server.url], environment: environment)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 3)
        #expect(
          Set(server.log.requests.map { $0.path.lowercased() })
            == ["/repos/right/one", "/repos/right/one/issues"])
      }
    }

    @Test(
      "a number alone is an issue of the repository of --repo or GH_REPO",
      arguments: [
        (["2", "-R", "right/one"], [:]), (["#2", "-R", "right/one"], [:]), (["right/one#2"], [:]),
        (["right/one", "2"], [:]), (["-R", "right/one", "2"], [:]),
        (["2", "--repo=right/one"], [:]),
        (["2"], ["GH_REPO": "right/one"]), (["#2"], ["GH_REPO": "right/one"]),
        (["view", "2", "-R", "right/one"], [:]), (["view", "#2"], ["GH_REPO": "right/one"]),
        (["2", "--comments", "-Rright/one"], [:]), (["2", "--json=title", "-Rright/one"], [:]),
        (["-R", "right/one", "view", "2"], [:]), (["-Rright/one", "view", "2", "-c"], [:]),
      ] as [([String], [String: String])])
    func view(arguments: [String], environment: [String: String]) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(
          arguments + ["--api-url", server.url], environment: environment)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("title"))
        #expect(server.log.requests.contains { $0.path == "/repos/right/one/issues/2" })
        #expect(!server.log.requests.contains { $0.path == "/repos/right/one/issues" })
      }
    }

    @Test("in a clone, a number alone is an issue of the clone's repository")
    func clone() async throws {
      let scratch = try ScratchFolder()
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q && git remote add origin https://github.com/right/one"],
        environment: IssuesProgram.environment, workingDirectory: scratch.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      try await withLoopbackServer(answering: Self.github().handler) { server in
        for word in ["2", "#2", "right/one#2"] {
          let result = try await IssuesProgram.run(
            [word, "--api-url", server.url], workingDirectory: scratch.path)
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        #expect(Set(server.log.requests.map(\.path)) == ["/repos/right/one/issues/2"])
      }
    }

    @Test("a number that is an option's value isn't taken for an issue")
    func value() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        for arguments in [["--limit", "2"], ["-L", "2"], ["-L2"], ["--retries", "2"]] {
          let result = try await IssuesProgram.run(
            arguments + ["-R", "right/one", "--api-url", server.url])
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        #expect(
          Set(server.log.requests.map(\.path)) == ["/repos/right/one", "/repos/right/one/issues"])
      }
    }

    @Test(
      "open, view, search and --web accept --repo and GH_REPO",
      arguments: [
        (["open"], [], "https://github.com/right/one/issues"),
        (["open"], ["12"], "https://github.com/right/one/issues/12"),
        (["--web"], [], "https://github.com/right/one/issues"),
        (["view", "--web"], ["12"], "https://github.com/right/one/issues/12"),
        (["search", "--web"], ["x"], "https://github.com/right/one/issues?q=x"),
      ])
    func others(command: [String], arguments: [String], url: String) async throws {
      for option in [["-R", "right/one"], ["--repo=right/one"]] {
        let result = try await IssuesProgram.run(command + arguments + option)
        #expect(result.outputText == "\(url)\n", "\(result.errorText)")
      }
      let result = try await IssuesProgram.run(
        command + arguments, environment: ["GH_REPO": "right/one"])
      #expect(result.outputText == "\(url)\n", "\(result.errorText)")
    }

    @Test(
      "--web with an issue's address as the repository opens the issue",
      arguments: ["-R", "GH_REPO"])
    func issueAddress(place: String) async throws {
      let address = "https://github.com/right/one/issues/12"
      let result =
        place == "-R"
        ? try await IssuesProgram.run(["list", "--web", "-R", address])
        : try await IssuesProgram.run(["list", "--web"], environment: [place: address])
      #expect(result.outputText == "\(address)\n", "\(result.errorText)")
    }

    @Test(
      "subcommands that read the mirror accept --repo and GH_REPO",
      arguments: [
        ["stats"], ["export"], ["ready", "--offline"], ["list", "--offline"],
        ["view", "1", "--offline"], ["search", "x"], ["similar", "1"], ["similar", "--text", "x"],
        ["context", "1", "--offline"],
      ])
    func mirror(command: [String]) async throws {
      for (option, environment) in [(["-R", "right/one"], [:]), ([], ["GH_REPO": "right/one"])] {
        let result = try await IssuesProgram.run(command + option, environment: environment)
        result.expectFailure(3, saying: ["right/one", "issues sync right/one"])
      }
    }

    @Test("sync and mirror remove accept --repo")
    func several() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let synced = try await scene.run(
          ["sync", "-R", "swiftlang/swift", "--api-url", server.url])
        #expect(synced.status == .exited(0), "\(synced.errorText)")
        let again = try await scene.run(
          ["sync", "--api-url", server.url], environment: ["GH_REPO": "swiftlang/swift"])
        #expect(again.lines.first?.contains("swiftlang/swift") == true, "\(again.errorText)")
        let unnamed = try await scene.run(
          ["mirror", "remove", "--yes"], environment: ["GH_REPO": "swiftlang/swift"])
        unnamed.expectFailure(64, saying: ["Specify the mirror"])
        let removed = try await scene.run(
          ["mirror", "remove", "--yes", "-R", "\(server.host)/swiftlang/swift"])
        #expect(removed.status == .exited(0), "\(removed.errorText)")
      }
    }

    @Test(
      "contradictory or invalid repositories are refused before any request",
      arguments: [
        (["a/b", "-R", "c/d"], [:], "--repo names c/d"),
        (["view", "a/b", "1", "-R", "c/d"], [:], "a/b"),
        (["a/b#1", "-R", "c/d"], [:], "a/b"), (["similar", "a/b", "1", "-R", "c/d"], [:], "a/b"),
        (["context", "a/b", "1", "-R", "c/d"], [:], "a/b"),
        (["stats", "a/b", "-R", "c/d"], [:], "c/d"),
        (["export", "a/b", "-R", "c/d"], [:], "c/d"), (["open", "a/b", "-R", "c/d"], [:], "c/d"),
        (["-R", "x"], [:], "is not a repository"), (["-R", ""], [:], "is not a repository"),
        ([], ["GH_REPO": "x"], "GH_REPO"), (["search", "x"], ["GH_REPO": "x"], "GH_REPO"),
        (["browse", "x", "-R", "c/d"], [:], "--repo"),
        (["12", "-L", "1", "-R", "c/d"], [:], "issues view"),
        (["list", "12", "-R", "c/d"], [:], "issues view"),
        (["list", "c/d#12"], [:], "issues view"),
      ] as [([String], [String: String], String)])
    func refused(
      arguments: [String], environment: [String: String], words: String
    ) async throws {
      let result = try await IssuesProgram.run(arguments, environment: environment)
      result.expectFailure(64, saying: [words])
      #expect(result.outputText.isEmpty)
    }
  }
}

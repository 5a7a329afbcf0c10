import TestSupport
import Testing

extension CommandTests {
  @Suite("Pasted list addresses", .timeLimit(.minutes(5)))
  struct PastedAddressTests {
    /// The query of the last request, without the page size.
    private static func question(_ server: LoopbackServer) throws -> Set<String> {
      let request = try #require(
        server.log.requests.last { $0.path.hasSuffix("/issues") })
      return Set(
        request.query.filter { !["per_page", "advanced_search"].contains($0.name) }
          .map { "\($0.name)=\($0.value)" } + [request.path])
    }

    @Test(
      "a pasted list address is listed",
      arguments: [
        ("issues?q=is%3Aclosed+label%3Abug", [], ["state=closed", "labels=bug"]),
        ("issues?q=is%3Aissue+label%3Abug", [], ["state=all", "labels=bug"]),
        (
          "issues?q=is%3Aopen+author%3Aada+sort%3Aupdated-asc", [],
          ["state=open", "creator=ada", "sort=updated", "direction=asc"]
        ),
        ("labels/good%20first%20issue", [], ["state=open", "labels=good first issue"]),
        ("milestone/2", [], ["state=open", "milestone=2"]),
        ("issues/assigned/octocat", [], ["state=open", "assignee=octocat"]),
        ("issues/created_by/ada", [], ["state=open", "creator=ada"]),
        ("labels/bug", ["--state", "all", "-l", "crash"], ["state=all", "labels=bug,crash"]),
        ("issues", [], ["state=open"]), ("issues?page=2", [], ["state=open"]),
      ] as [(String, [String], Set<String>)])
    func lists(page: String, options: [String], expected: Set<String>) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["https://github.com/swiftlang/swift/\(page)", "--api-url", server.url] + options)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(try Self.question(server) == expected.union(["/repos/swiftlang/swift/issues"]))
      }
    }

    @Test(
      "other pages and other services are refused with a suggestion",
      arguments: [
        ("https://github.com/issues/assigned", ["not a repository", "issues mine"]),
        ("https://github.com/pulls/mentioned", ["not a repository", "issues mine --review"]),
        ("https://github.com/orgs/swiftlang", ["not a repository", "issues org:NAME"]),
        ("https://github.com/settings/profile", ["not a repository", "OWNER/REPO"]),
        ("https://gitlab.com/a/b", ["gitlab.com has neither GitHub nor", "--api-url"]),
        ("gitlab.com/a/b", ["gitlab.com has neither GitHub nor Forgejo nor Gitea"]),
      ])
    func otherPages(address: String, words: [String]) async throws {
      for command in [[], ["view"], ["sync"]] {
        let result = try await IssuesProgram.run(
          command + [address] + (command == ["view"] ? ["1"] : []))
        result.expectFailure(64, saying: words)
      }
    }

    @Test(
      "a pasted address with other search terms becomes a search",
      arguments: [
        ("pulls", [], "repo:swiftlang/swift is:pr is:open sort:created-desc"),
        (
          "pulls?q=is%3Apr+is%3Amerged+sort%3Aupdated-desc", [],
          "repo:swiftlang/swift is:pr is:merged sort:updated-desc"
        ),
        (
          "issues?q=is%3Aopen+crash", [],
          "repo:swiftlang/swift is:open crash is:issue sort:created-desc"
        ),
        (
          "issues?q=milestone%3A6.3", [],
          "repo:swiftlang/swift milestone:6.3 is:issue sort:created-desc"
        ),
        (
          "issues/assigned/@me", [],
          "repo:swiftlang/swift is:open assignee:@me is:issue sort:created-desc"
        ),
        (
          "pulls/ada", ["-l", "bug"],
          "repo:swiftlang/swift is:pr is:open author:ada label:bug sort:created-desc"
        ),
        ("pulls", ["-S", "crash"], "repo:swiftlang/swift is:pr is:open crash sort:created-desc"),
      ] as [(String, [String], String)])
    func searches(page: String, options: [String], expected: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["https://github.com/swiftlang/swift/\(page)", "--api-url", server.url] + options)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(try Self.question(server) == ["/search/issues", "q=\(expected)"])
      }
    }

    @Test("a pasted address is listed offline from the mirror")
    func offline() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        func rows(_ page: String, _ options: [String]) async throws -> [String] {
          let result = try await scene.run(
            ["\(server.url)/swiftlang/swift/\(page)", "--offline", "--all"] + options)
          #expect(result.status == .exited(0), "\(result.errorText)")
          return result.lines
        }
        func list(_ options: [String]) async throws -> [String] {
          let result = try await scene.run(
            ["\(server.host)/swiftlang/swift", "--offline", "--all"] + options)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(!result.lines.isEmpty)
          return result.lines
        }
        #expect(
          try await rows("issues?q=is%3Aclosed+label%3Abug", [])
            == list(["-s", "closed", "-l", "bug"]))
        #expect(try await rows("milestone/2", []) == list(["-m", "6.3"]))
        let everything = try await list(["--include-pull-requests"])
        let pulls = try await rows("pulls", [])
        #expect(!pulls.isEmpty)
        #expect(Set(pulls) == Set(everything.filter { $0.hasSuffix("\tpull_request") }))
      }
    }

    @Test("an unsupported part of a pasted address is reported")
    func told() async throws {
      let parameters = try await IssuesProgram.run([
        "https://github.com/apple/swift/issues?q=is:open&page=2", "--stub",
      ])
      #expect(parameters.status == .exited(0))
      #expect(parameters.errorText.contains("not understood: page=2"))
      for page in ["labels", "settings", "milestones", "wiki", "issues/new/choose"] {
        let result = try await IssuesProgram.run([
          "https://github.com/apple/swift/\(page)", "--stub",
        ])
        result.expectFailure(64, saying: ["is not a repository"])
      }
      let conflict = try await IssuesProgram.run([
        "https://github.com/apple/swift/pulls", "-R", "a/b", "--stub",
      ])
      conflict.expectFailure(64, saying: ["--repo names a/b"])
    }

    @Test("'issues open' opens the pasted page unchanged")
    func open() async throws {
      let page = "https://github.com/apple/swift/issues?q=is%3Aclosed+label%3Abug"
      for arguments in [[page], [page, "--print"]] {
        let result = try await IssuesProgram.run(["open"] + arguments)
        #expect(result.outputText == "\(page)\n", "\(result.errorText)")
      }
    }
  }
}

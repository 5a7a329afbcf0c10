import TestSupport
import Testing

extension CommandTests {
  @Suite("issues list --search", .timeLimit(.minutes(5)))
  struct ListSearchTests {
    @Test(
      "the search query is sent unchanged, with the filters that gh adds",
      arguments: [
        (["-S", "crash"], "crash is:issue is:open"), (["-Scrash"], "crash is:issue is:open"),
        (["--search", "-label:bug"], "-label:bug is:issue is:open"),
        (["--search=is:closed crash"], "is:closed crash is:issue"),
        (["-S", "is:closed", "-s", "open"], "is:closed is:issue"),
        (["-S", "crash", "-s", "closed"], "crash is:issue is:closed"),
        (["-S", "crash", "-s", "all"], "crash is:issue"),
        (["-S", "crash is:pr"], "crash is:pr is:open"),
        // Negated qualifiers are sent, too.
        (["--search", "-is:open crash"], "-is:open crash is:issue"),
        (["--search", "(-is:issue)"], "(-is:issue) is:open"),
        (["-S", "crash", "--include-pull-requests"], "crash is:open"),
        (
          ["-S", "crash", "-l", "bug,good first issue", "-A", "@me", "-a", "none"],
          #"crash is:issue is:open label:bug label:"good first issue" no:assignee author:@me"#
        ),
        (
          ["-S", "crash", "-m", "6.3", "--since", "2026-01-31T12:00:00Z"],
          "crash is:issue is:open milestone:6.3 updated:>=2026-01-31T12:00:00Z"
        ),
        (["-S", "crash", "-m", "2"], "crash is:issue is:open milestone:6.3"),
        (["-S", "crash", "--sort", "updated"], "crash is:issue is:open sort:updated-desc"),
        (["-S", "crash OR hang"], "(crash OR hang) is:issue is:open"),
        (["-S", "reactions:>5 org:x"], "reactions:>5 org:x is:issue is:open"),
      ])
    func query(options: [String], expected: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url] + options)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.last)
        #expect(request.path == "/search/issues")
        #expect(request.queryValue("q") == "repo:swiftlang/swift \(expected)")
      }
    }

    @Test("search results and a list have the same rows")
    func rows() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let options = ["swiftlang/swift", "--api-url", server.url, "-L", "5"]
        let list = try await IssuesProgram.run(options + ["-l", "bug"])
        let search = try await IssuesProgram.run(options + ["-S", "label:bug"])
        #expect(list.lines.count == 5)
        #expect(Set(search.lines) == Set(list.lines))
        let json = try await IssuesProgram.run(options + ["-S", "label:bug", "--json", "number"])
        #expect(json.outputText.hasPrefix("[\n{\"number\":"))
      }
    }

    @Test("offline --search uses the mirror, and doesn't know @me")
    func offline() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let options = ["\(server.host)/swiftlang/swift", "--offline", "--all"]
        let list = try await scene.run(options + ["-l", "bug", "-s", "closed"])
        let search = try await scene.run(
          options + ["-S", "label:bug sort:created", "-s", "closed"])
        #expect(search.status == .exited(0), "\(search.errorText)")
        #expect(!list.lines.isEmpty && search.lines == list.lines)
        let milestone = try await scene.run(options + ["-m", "6.3"])
        #expect(!milestone.lines.isEmpty)
        #expect(try await scene.run(options + ["-m", "2"]).lines == milestone.lines)
        #expect(
          Set(try await scene.run(options + ["-m", "2", "-S", ""]).lines) == Set(milestone.lines))
        try await scene.run(options + ["-A", "@me"]).expectFailure(64, saying: ["@me", "login"])
        try await scene.run(options + ["-m", "9"]).expectFailure(3, saying: ["no milestone “9”"])
        let export = try await scene.run([
          "export", "\(server.host)/swiftlang/swift", "-m", "6.3", "--format", "csv",
        ])
        #expect(export.lines.count > milestone.lines.count)
      }
    }

    @Test("--web opens the search in the browser")
    func web() async throws {
      let result = try await IssuesProgram.run([
        "apple/swift", "--web", "-S", "crash", "-A", "@me", "-m", "6.3",
      ])
      #expect(
        result.outputText
          == "https://github.com/apple/swift/issues?q=crash%20is%3Aissue%20is%3Aopen%20"
          + "author%3A%40me%20milestone%3A6.3\n")
    }
  }
}

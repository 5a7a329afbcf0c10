import TestSupport
import Testing

extension CommandTests {
  @Suite("issues OWNER/REPO", .timeLimit(.minutes(5)))
  struct RepositoryListingTests {
    @Test("a renamed repository and its list are found through redirects")
    func renamed() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(["apple/swift", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines.count == 30)
        #expect(result.lines.allSatisfy { $0.split(separator: "\t").count >= 4 })
        #expect(
          server.log.requests.map(\.path).sorted() == [
            "/repos/apple/swift", "/repos/apple/swift/issues", "/repositories/44838949",
            "/repositories/44838949/issues",
          ])
      }
    }

    @Test("the heading on a terminal shows a renamed repository's new name")
    func heading() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["apple/swift", "--api-url", server.url], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 30))
        #expect(result.status == .exited(0))
        #expect(result.screen.contains("Showing 30 open issues in swiftlang/swift\n"))
        #expect(!result.screen.contains("apple/swift"))
      }
    }

    @Test("every request has the headers that GitHub requires")
    func headers() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        _ = try await IssuesProgram.run(["apple/swift", "--all", "--api-url", server.url])
        #expect(server.log.requestCount > 3)
        for request in server.log.requests {
          #expect(request.method == "GET")
          #expect(request.headers.values(of: "Accept") == ["application/vnd.github+json"])
          #expect(request.headers.values(of: "X-GitHub-Api-Version") == ["2022-11-28"])
          #expect(request.headers["User-Agent"]?.hasPrefix("issue-tracker-client/") == true)
        }
      }
    }

    @Test(
      "each form of a repository name is accepted",
      arguments: [
        "swiftlang/swift", "swiftlang/swift.git", "github.com/swiftlang/swift",
        "https://github.com/swiftlang/swift", "https://github.com/swiftlang/swift/issues/12",
        "https://github.com/swiftlang/swift/issues?q=is%3Aopen#top",
        "git@github.com:swiftlang/swift.git", "ssh://git@github.com:22/swiftlang/swift.git",
      ])
    func forms(name: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run([name, "--limit", "1", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(
          server.log.requests.map(\.path).sorted() == [
            "/repos/swiftlang/swift", "/repos/swiftlang/swift/issues",
          ])
      }
    }

    @Test("an empty list is a sentence on a terminal, nothing in a pipe, and [] as JSON")
    func empty() async throws {
      let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 0))])
      try await withLoopbackServer(answering: github.handler) { server in
        let arguments = ["swiftlang/swift", "--api-url", server.url]
        let terminal = try await IssuesProgram.run(
          arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        #expect(terminal.status == .exited(0))
        #expect(terminal.screen == "There are no open issues in swiftlang/swift that match.\n")
        let pipe = try await IssuesProgram.run(arguments)
        #expect(pipe.status == .exited(0))
        #expect(pipe.outputText.isEmpty)
        #expect(pipe.errorText.isEmpty)
        let json = try await IssuesProgram.run(arguments + ["--json"])
        #expect(json.status == .exited(0))
        #expect(json.outputText == "[]\n")
        #expect(json.errorText.isEmpty)
      }
    }
  }
}

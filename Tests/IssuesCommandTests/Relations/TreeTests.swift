import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues tree", .timeLimit(.minutes(5)))
  struct TreeTests {
    static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 20, pullRequests: 0, closed: 0))

    /// 1 has 2 and 3, 2 has 4, which is closed; each is called by its number.
    static func github(
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [repository]
      configure(&configuration)
      let github = LoopbackGitHub(configuration)
      for number in 1...20 {
        github.changeIssue(number, of: repository) { issue in
          (issue.title, issue.assignees, issue.comments) = ("Issue \(number)", [], 0)
        }
      }
      for (child, parent) in [(2, 1), (3, 1), (4, 2)] {
        github.attach(child, to: parent, of: repository)
      }
      github.changeIssue(4, of: repository) { issue in
        (issue.closedAt, issue.stateReason, issue.type) = (1_790_000_000, "completed", "Bug")
      }
      return github
    }

    private func tree(
      _ server: LoopbackServer, _ arguments: [String], environment: [String: String] = [:],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["tree", "--api-url", server.url] + arguments, environment: environment,
        connection: connection)
    }

    @Test("a pipe gets a line for each issue of a tree, before its sub-issues")
    func plain() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await tree(server, ["swiftlang/swift", "1"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.lines == [
            "0\tswiftlang/swift#1\tOPEN\tIssue 1\t\t0\t2",
            "1\tswiftlang/swift#2\tOPEN\tIssue 2\t\t1\t1",
            "2\tswiftlang/swift#4\tCLOSED\tIssue 4\tBug\t0\t0",
            "1\tswiftlang/swift#3\tOPEN\tIssue 3\t\t0\t0",
          ])
        // Issues without sub-issues aren't asked for them.
        let paths = server.log.requests.map(\.path)
        #expect(paths.count == 3)
        #expect(Set(paths.suffix(2).map { $0.hasSuffix("/sub_issues") }) == [true])
        let shallow = try await tree(server, ["swiftlang/swift#1", "--depth", "1"])
        #expect(shallow.lines.count == 3)
      }
    }

    @Test("the mirror shows the same tree, and reports missing issues")
    func offline() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_DATA_HOME": scratch.path]
      let github = Self.github()
      try await withLoopbackServer(answering: github.handler) { server in
        let online = try await tree(server, ["swiftlang/swift", "1"])
        let sync = try await IssuesProgram.run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        #expect(sync.status == .exited(0), "\(sync.errorText)")
        let before = server.log.requests.count
        func offline(_ arguments: [String]) async throws -> CommandRun.Result {
          try await tree(
            server, ["swiftlang/swift", "1", "--offline"] + arguments, environment: environment)
        }
        let whole = try await offline([])
        #expect(whole.status == .exited(0), "\(whole.errorText)")
        #expect(whole.lines == online.lines)
        #expect(whole.errorText.isEmpty)
        let shallow = try await offline(["--depth", "1"])
        #expect(shallow.lines.count == 3)
        #expect(shallow.errorText.isEmpty)
        let json = try await offline(["--json", "depth,number,parent"])
        #expect(json.lines.joined().contains(#""parent":"swiftlang/swift#2""#), "\(json.lines)")
        let missing = try await tree(
          server, ["swiftlang/swift", "99", "--offline"], environment: environment)
        missing.expectFailure(3, saying: ["swiftlang/swift#99", "mirror"])
        let foreign = try await tree(
          server, ["other/swift", "1", "--offline"], environment: environment)
        foreign.expectFailure(3, saying: ["issues sync"])
        #expect(server.log.requests.count == before)
      }
    }

    @Test("a tree is drawn on a terminal, also without Unicode")
    func drawn() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        func drawing(_ locale: String) async throws -> [String] {
          let result = try await tree(
            server, ["swiftlang/swift", "1"],
            environment: IssuesProgram.plainTerminal.merging(["LC_ALL": locale]) { $1 },
            connection: .terminal(columns: 100, rows: 40))
          #expect(result.status == .exited(0))
          return result.screen.split(separator: "\n").map {
            String($0.prefix { $0 != "\r" })
          }
        }
        let lines = try await drawing("C.UTF-8")
        #expect(lines.first == "127.0.0.1:\(server.port)/swiftlang/swift#1 has 3 sub-issues")
        #expect(lines.contains { $0.hasPrefix("#1        Issue 1") && $0.hasSuffix("0/2") })
        #expect(lines.contains { $0.hasPrefix("├─ #2") && $0.hasSuffix("1/1") })
        #expect(lines.contains { $0.hasPrefix("│  └─ #4") && $0.contains("Bug") })
        #expect(lines.contains { $0.hasPrefix("└─ #3") })
        let plain = try await drawing("C")
        #expect(plain.contains { $0.hasPrefix("|  `- #4") })
      }
    }

    @Test("JSON has each issue of a tree as it was sent, with its level and its parent")
    func json() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await tree(
          server, ["swiftlang/swift", "1", "--json", "depth,number,parent"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.outputText == """
            [
            {"depth":0,"number":1,"parent":null},
            {"depth":1,"number":2,"parent":"swiftlang/swift#1"},
            {"depth":2,"number":4,"parent":"swiftlang/swift#2"},
            {"depth":1,"number":3,"parent":"swiftlang/swift#1"}
            ]

            """)
      }
    }

    @Test("a circle of sub-issues ends after each issue was seen once")
    func circle() async throws {
      let github = Self.github()
      // GitHub refuses that; here, 1 is a sub-issue of 4.
      github.changeIssue(4, of: Self.repository) { $0.subIssues = [1] }
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await tree(server, ["swiftlang/swift", "1"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines.count == 5)
        #expect(server.log.requests.count < 8)
      }
    }

    @Test("a tree with a level that fails to load is an error, and doesn't look whole")
    func broken() async throws {
      let github = Self.github()
      github.fail("/repos/swiftlang/swift/issues/2/sub_issues", with: .badGateway)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await tree(server, ["swiftlang/swift", "1", "--retries", "0"])
        result.expectFailure(6, saying: ["502"])
        #expect(result.output.isEmpty)
      }
    }

    @Test("a server without sub-issues is asked for them once")
    func older() async throws {
      let scratch = try ScratchFolder()
      let github = Self.github { $0.hasRelations = false }
      try await withLoopbackServer(answering: github.handler) { server in
        for count in [2, 3] {
          let result = try await tree(
            server, ["swiftlang/swift", "1"], environment: ["XDG_STATE_HOME": scratch.path])
          result.expectFailure(3, saying: ["127.0.0.1:\(server.port) has no sub-issues"])
          #expect(server.log.requests.count == count, "the second run asks for the issue alone")
        }
      }
    }

    @Test(
      "an argument that names no issue is refused before any request",
      arguments: [
        ([], 64, "Say which issue"),
        (["swiftlang/swift"], 64, "issues tree swiftlang/swift NUMBER"),
        (["swiftlang/swift", "0"], 64, "is not an issue"),
        (["swiftlang/swift", "1", "--depth", "9"], 64, "1 to 8"),
      ] as [([String], Int32, String)])
    func usage(arguments: [String], status: Int32, words: String) async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await tree(server, arguments)
        #expect(result.status == .exited(status))
        #expect(result.errorText.contains(words), "\(result.errorText)")
        #expect(server.log.requests.isEmpty)
      }
    }
  }
}

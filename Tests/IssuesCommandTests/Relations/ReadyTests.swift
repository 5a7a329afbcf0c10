import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues ready", .timeLimit(.minutes(5)))
  struct ReadyTests {
    /// 20 issues; 1 and 2 wait for others, 3 is octocat's, 4 is closed, 5 is another user's.
    private static func github(
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) -> LoopbackGitHub {
      let github = TreeTests.github(configure)
      let repository = TreeTests.repository
      github.block(1, by: 10, of: repository)
      github.block(2, by: 11, of: repository)
      github.block(6, by: 4, of: repository)
      github.changeIssue(3, of: repository) { $0.assignees = ["octocat"] }
      github.changeIssue(5, of: repository) { $0.assignees = ["ada"] }
      return github
    }

    private func ready(
      _ server: LoopbackServer, _ arguments: [String] = [], environment: [String: String] = [:],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["ready", "swiftlang/swift", "--api-url", server.url] + arguments,
        environment: environment, connection: connection)
    }

    private static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    @Test("ready issues are open, unblocked and not assigned to others, the oldest first")
    func rows() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let own = try await ready(server, environment: Self.token)
        #expect(own.status == .exited(0), "\(own.errorText)")
        #expect(own.numbers == [3] + Array(6...20))
        let anonymous = try await ready(server)
        #expect(anonymous.numbers == Array(6...20))
        let others = try await ready(server, ["--assignee", "ada"])
        #expect(others.numbers == [5])
        #expect(!own.errorText.contains("Stopped"))
      }
    }

    @Test("the limit cuts a list of ready issues, in the list's order")
    func limit() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await ready(server, ["--limit", "2", "--order", "desc"])
        #expect(result.numbers == [20, 19])
        #expect(result.errorText.isEmpty)
        let all = try await ready(server, ["--limit", "15"])
        #expect(all.errorText.isEmpty)
      }
    }

    @Test("the mirror gives the same ready issues without a server")
    func offline() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_DATA_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let sync = try await IssuesProgram.run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        #expect(sync.status == .exited(0), "\(sync.errorText)")
        let before = server.log.requests.count
        let result = try await ready(server, ["--offline"], environment: environment)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers == Array(6...20))
        #expect(server.log.requests.count == before)
      }
    }

    @Test("a server without dependencies is asked for them once")
    func older() async throws {
      let scratch = try ScratchFolder()
      let github = Self.github { $0.hasRelations = false }
      try await withLoopbackServer(answering: github.handler) { server in
        var counts: [Int] = []
        for _ in 0..<2 {
          let before = server.log.requests.count
          let result = try await ready(server, environment: ["XDG_STATE_HOME": scratch.path])
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.numbers.contains(1) && result.numbers.contains(20))
          #expect(result.errorText.contains("doesn't have issue dependencies"))
          counts.append(server.log.requests.count - before)
        }
        #expect(counts == [2, 1])
      }
    }

    @Test("a server that doesn't count dependencies in lists is asked for each issue")
    func uncounted() async throws {
      let github = Self.github()
      let handler = github.handler
      try await withLoopbackServer { request in
        let response = await handler(request)
        guard request.path.hasSuffix("/issues") else { return response }
        return response.with { response in
          let text = String(decoding: response.body, as: UTF8.self)
          response.body = Data(
            text.replacing("issue_dependencies_summary", with: "x_dependencies").utf8)
        }
      } perform: { server in
        let result = try await ready(server, ["--no-cache"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.numbers == Array(6...20))
        #expect(server.log.requests.count { $0.path.hasSuffix("/blocked_by") } == 17)
      }
    }

    @Test("an interrupted list of ready issues is an error")
    func broken() async throws {
      let github = Self.github()
      github.fail("/repos/swiftlang/swift/issues", with: .badGateway)
      try await withLoopbackServer(answering: github.handler) { server in
        try await ready(server, ["--retries", "0"]).expectFailure(6, saying: ["502"])
        try await ready(server, ["--state", "closed"]).expectFailure(64, saying: ["--state"])
      }
    }
  }
}

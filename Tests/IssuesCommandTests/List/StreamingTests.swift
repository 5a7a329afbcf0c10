import TestSupport
import Testing

extension CommandTests {
  @Suite("Rows shown during loading", .timeLimit(.minutes(5)))
  struct StreamingTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 250, pullRequests: 0, closed: 0))

    /// A GitHub that holds every page but the first.
    private static func handler(holdingBy gate: Gate) -> LoopbackServer.Handler {
      let github = LoopbackGitHub(repositories: [repository])
      return { request in
        let response = await github.handler(request)
        return request.queryValue("after") == nil ? response : response.held(by: gate)
      }
    }

    @Test(
      "the first page is shown before the second arrives",
      arguments: [.pipes, .terminal(columns: 80, rows: 24)] as [CommandRun.Connection])
    func streaming(connection: CommandRun.Connection) async throws {
      let gate = Gate()
      try await withLoopbackServer(answering: Self.handler(holdingBy: gate)) { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: IssuesProgram.plainTerminal, connection: connection)
        try await run.waitFor(connection == .pipes ? "\n151\t" : "\n#151 ")
        #expect(!gate.isOpen)
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        let last = try #require(result.screen.split(separator: "\n").last)
        #expect(last.hasPrefix(connection == .pipes ? "1\t" : "#1 "))
      }
    }

    @Test("the status line shows the progress and is erased at the end")
    func statusLine() async throws {
      let gate = Gate()
      try await withLoopbackServer(answering: Self.handler(holdingBy: gate)) { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\rLoading the issues of swiftlang/swift… 100 so far")
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(!result.screen.contains("so far"))
        #expect(!result.screen.contains("\u{1B}"))
      }
    }

    @Test("the status line is missing in a pipe, on a dumb terminal and with a pager")
    func noStatusLine() async throws {
      let github = LoopbackGitHub(repositories: [Self.repository])
      for (environment, connection) in [
        ([:], .pipes), (["TERM": "dumb"], .terminal(columns: 80, rows: 24)),
        (["PAGER": "cat -u"], .terminal(columns: 80, rows: 24)),
      ] as [([String: String], CommandRun.Connection)] {
        try await withLoopbackServer { request in
          // Long enough for a status line that would come.
          request.path.hasSuffix("/issues")
            ? await github.handler(request).after(.milliseconds(1300))
            : await github.handler(request)
        } perform: { server in
          let result = try await IssuesProgram.run(
            ["swiftlang/swift", "--api-url", server.url], environment: environment,
            connection: connection)
          #expect(result.status == .exited(0))
          #expect(!(result.outputText + result.errorText).contains("Load"))
        }
      }
    }

    @Test("a reader that closes the pipe ends the command quietly")
    func closedPipe() async throws {
      try await withLoopbackServer(
        answering: LoopbackGitHub(repositories: [Self.repository]).handler
      ) { server in
        for arguments in [["--all"], ["--all", "--json"]] {
          let result = try await IssuesProgram.start(
            ["swiftlang/swift", "--api-url", server.url] + arguments, closesOutputAfter: 20
          ).result()
          #expect(result.status == .exited(0))
          #expect(result.errorText.isEmpty)
        }
      }
      let help = try await IssuesProgram.start(["--help"], closesOutputAfter: 20).result()
      #expect(help.status == .exited(0))
      #expect(help.errorText.isEmpty)
    }

    @Test(
      "a closed pipe is noticed at the next write, after a pending page arrives")
    func closedMeanwhile() async throws {
      let gate = Gate()
      try await withLoopbackServer(answering: Self.handler(holdingBy: gate)) { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--all", "--api-url", server.url], closesOutputAfter: 20)
        try await server.log.waitForRequest { $0.queryValue("after") != nil }
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
      }
    }
  }
}

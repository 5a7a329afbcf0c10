import TestSupport
import Testing

extension CommandTests {
  @Suite("Ctrl-C while waiting for a response", .timeLimit(.minutes(5)))
  struct InterruptionTests {
    private static let interrupt: Int32 = 2

    /// A GitHub that never answers where `stalls` says so.
    private static func handler(
      stalling stalls: @escaping @Sendable (LoopbackRequest) -> Bool
    ) -> LoopbackServer.Handler {
      let github = LoopbackGitHub(
        repositories: [.swift(issues: SyntheticIssues(count: 250, pullRequests: 0, closed: 0))])
      return { request in stalls(request) ? .stall : await github.handler(request) }
    }

    @Test("in a pipe, Ctrl-C ends the command at once", arguments: [2, 15] as [Int32])
    func pipe(signal: Int32) async throws {
      try await withLoopbackServer(answering: Self.handler { _ in true }) { server in
        let run = try IssuesProgram.start(
          ["apple/swift", "--api-url", server.url], isProcess: true)
        try await server.log.waitForRequest()
        run.send(signal: signal)
        let result = try await run.result()
        #expect(result.status == .signalled(signal))
        #expect(result.outputText.isEmpty)
        #expect(result.errorText.isEmpty)
        try await server.log.waitForCancellation()
      }
    }

    @Test("on a terminal, Ctrl-C ends the command at once and erases the status line")
    func terminal() async throws {
      try await withLoopbackServer(answering: Self.handler { _ in true }) { server in
        let run = try IssuesProgram.start(
          ["apple/swift", "--api-url", server.url], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\rLooking up apple/swift…")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(Self.interrupt))
        #expect(result.outputText.hasSuffix("\r\u{1B}[K"))
        try await server.log.waitForCancellation()
      }
    }

    @Test("rows on the screen stay after Ctrl-C")
    func rows() async throws {
      let stalls = Self.handler { $0.queryValue("after") != nil }
      try await withLoopbackServer(answering: stalls) { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("100 so far")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(Self.interrupt))
        #expect(result.screen.split(separator: "\n").filter { $0.hasPrefix("#") }.count == 100)
      }
    }

    @Test("with a pager, Ctrl-C ends the download, and the pager keeps the rows")
    func pager() async throws {
      let stalls = Self.handler { $0.queryValue("after") != nil }
      try await withLoopbackServer(answering: stalls) { server in
        let run = try IssuesProgram.start(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: [
            "NO_COLOR": "1", "PAGER": "trap '' INT; sed -u s/^/-/; echo end of pager",
          ],
          connection: .terminal(columns: 80, rows: 24))
        try await run.waitFor("\n-#151 ")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .exited(2))
        #expect(result.screen.hasSuffix("end of pager\n"))
        try await server.log.waitForCancellation()
      }
    }
  }
}

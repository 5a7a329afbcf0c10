import TestSupport
import Testing

extension CommandTests {
  @Suite("PAGER", .timeLimit(.minutes(5)))
  struct PagerRunTests {
    @Test("the pager gets the table, with its colours")
    func table() async throws {
      let arguments = ["swiftlang/swift", "--stub"]
      let plain = try await IssuesProgram.run(
        arguments, connection: .terminal(columns: 80, rows: 24))
      let paged = try await IssuesProgram.run(
        arguments, environment: ["PAGER": "sed 's/^/| /'"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(paged.status == .exited(0))
      let lines = plain.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(paged.screen == lines.map { "| \($0)\n" }.joined())
    }

    @Test("a pager that is left early ends the command, quietly")
    func left() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--all", "--api-url", server.url],
          environment: ["PAGER": "head -n 3", "NO_COLOR": "1"],
          connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(0))
        #expect(result.screen == "\nShowing open issues in swiftlang/swift\n\n")
      }
    }

    @Test("a pager that the shell can't run is a failure: nothing was shown")
    func notRunnable() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "{ nonexistent-pager; }"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(result.status == .exited(74))
      #expect(result.screen.contains("issues: PAGER can't be run: { nonexistent-pager; }"))
    }

    @Test("a pager that isn't there isn't needed, and none is asked for in a pipe")
    func absent() async throws {
      let missing = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "/nonexistent/pager"],
        connection: .terminal(columns: 80, rows: 24))
      #expect(missing.status == .exited(0))
      #expect(missing.screen.contains("#85968"))
      let pipe = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub"], environment: ["PAGER": "sed 's/^/| /'"])
      #expect(pipe.lines.count == 5)
      #expect(!pipe.outputText.contains("| "))
    }

    @Test("an error is told after the pager has gone")
    func error() async throws {
      try await withLoopbackServer { _ in
        .json(#"{"message":"Not Found"}"#, status: 404)
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url],
          environment: ["PAGER": "sed -u '$d'; echo end of pager", "NO_COLOR": "1"],
          connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(3))
        #expect(result.screen.hasPrefix("end of pager\nissues: "))
      }
    }
  }
}

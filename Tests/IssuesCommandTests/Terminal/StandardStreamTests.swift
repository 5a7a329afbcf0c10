import TestSupport
import Testing

extension CommandTests {
  @Suite("Closed standard streams", .timeLimit(.minutes(5)))
  struct StandardStreamTests {
    @Test(
      "with one closed standard stream, the others work", arguments: ["<&-", "2>&-", "<&- 2>&-"])
    func others(redirection: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" \#(redirection)"#, ["apple/swift", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines.count == 30)
      }
    }

    @Test("with standard output closed, no output is written to a connection")
    func output() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" >&-"#, ["apple/swift", "--api-url", server.url])
        result.expectFailure(74, saying: ["cannot write to standard output"])
        #expect(server.log.requests.allSatisfy { $0.method == "GET" })
      }
    }

    @Test("with standard error closed, no message is written to a connection")
    func message() async throws {
      try await withLoopbackServer { _ in
        .json("{}", status: 404)
      } perform: { server in
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" <&- >&- 2>&-"#, ["apple/swift", "-vv", "--api-url", server.url])
        #expect(result.status == .exited(3))
        // The look-up, and the list beside it.
        #expect(server.log.requestCount == 2)
      }
    }
  }
}

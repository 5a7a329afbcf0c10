import TestSupport
import Testing

extension CommandTests {
  @Suite("Standard streams that are closed", .timeLimit(.minutes(5)))
  struct StandardStreamTests {
    @Test("the others work as ever", arguments: ["<&-", "2>&-", "<&- 2>&-"])
    func others(redirection: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" \#(redirection)"#, ["apple/swift", "--api-url", server.url])
        #expect(result.status == .exited(0))
        #expect(result.lines.count == 30)
      }
    }

    @Test("nothing that was meant for standard output gets into a connection")
    func output() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.shell(
          #"exec "$issues" "$@" >&-"#, ["apple/swift", "--api-url", server.url])
        result.expectFailure(74, saying: ["cannot write to standard output"])
        #expect(server.log.requests.allSatisfy { $0.method == "GET" })
      }
    }

    @Test("nor does a message, where standard error is closed")
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

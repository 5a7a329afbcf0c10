import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "Recorded notifications", .timeLimit(.minutes(5)),
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  struct RecordedInboxTests {
    @Test("recorded notifications are listed, and a recorded 205 response marks a thread as read")
    func list() async throws {
      let recorded = try RecordedExchanges(file: "writes-09-notifications.json").handler
      let list = "/repos/api-playground/api-sandbox/notifications"
      try await withLoopbackServer { request in
        // The lookup before the change isn't recorded.
        if request.method == "GET", request.path == "/notifications/threads/10437075" {
          return .json(
            """
            {"id":"10437075","subject":{"title":"A new issue","type":"Issue"},\
            "repository":{"id":1,"name":"api-sandbox","full_name":"api-playground/api-sandbox"}}
            """)
        }
        // The query of that time isn't the one of today.
        return request.path.hasSuffix(list)
          ? await recorded(LoopbackRequest(method: "GET", target: "\(list)?all=true"))
          : await recorded(request)
      } perform: { server in
        let (address, token) = (["--api-url", server.url], ["GH_ENTERPRISE_TOKEN": "ghp_classic"])
        let result = try await IssuesProgram.run(
          ["inbox", "--read", "-R", "api-playground/api-sandbox"] + address, environment: token)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.lines.first
            == "10831433\tread\tapi-playground/api-sandbox\tPullRequest\t17\tauthor\tA new issue\t2013-05-10T18:09:20Z"
        )
        let folder = try ScratchFolder()
        let read = try await IssuesProgram.run(
          ["inbox", "read", "10437075"] + address,
          environment: token.merging(["XDG_DATA_HOME": folder.path]) { $1 })
        #expect(read.outputText.hasSuffix("/api-playground/api-sandbox\n"))
        #expect(read.status == .exited(0), "\(read.errorText)")
        #expect(server.log.requests.last?.method == "PATCH")
      }
    }
  }
}

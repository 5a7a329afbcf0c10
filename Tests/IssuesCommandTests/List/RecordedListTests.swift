import TestSupport
import Testing

extension CommandTests {
  @Suite("A recorded list of 16 pages", .timeLimit(.minutes(5)))
  struct RecordedListTests {
    @Test(
      "a recorded list contains every item once and in order",
      .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"),
      arguments: [([], 193), (["--include-pull-requests"], 471)] as [([String], Int)])
    func all(flags: [String], count: Int) async throws {
      let recorded = try RecordedExchanges(file: "issues-02-closed-16-pages-2019.json").handler
      try await withLoopbackServer { request in
        if request.path == "/repos/hub4j/github-api" {
          return .json(#"{"id":617210,"full_name":"hub4j/github-api","name":"github-api"}"#)
        }
        // The pages were recorded with the server's own page size.
        let items = request.query.filter { $0.name != "per_page" }
        let query = items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return await recorded(
          LoopbackRequest(
            method: request.method, target: "\(request.path)?\(query)", headers: request.headers))
      } perform: { server in
        let result = try await IssuesProgram.run(
          ["hub4j/github-api", "--all", "--state", "closed", "--api-url", server.url] + flags)
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
        #expect(result.lines.count == count)
        #expect(result.numbers.count == count)
        // Newest first, and none twice.
        #expect(zip(result.numbers, result.numbers.dropFirst()).allSatisfy { $0 > $1 })
        #expect(result.lines.allSatisfy { $0.split(separator: "\t")[1] == "CLOSED" })
        #expect(server.log.requestCount == 17)
      }
    }
  }
}

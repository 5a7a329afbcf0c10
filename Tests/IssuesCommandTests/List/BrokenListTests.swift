import TestSupport
import Testing

extension CommandTests {
  @Suite("A list that fails partway", .timeLimit(.minutes(5)))
  struct BrokenListTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 450, pullRequests: 0, closed: 0))

    /// A GitHub whose list is answered by `response` from its third page on.
    private static func handler(
      answering response: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) -> LoopbackServer.Handler {
      let github = LoopbackGitHub(repositories: [repository])
      let pages = Watched<[String]>([])
      return { request in
        guard request.path.hasSuffix("/issues") else { return await github.handler(request) }
        let page = pages.update { pages in
          if !pages.contains(request.target) { pages.append(request.target) }
          return pages.firstIndex(of: request.target) ?? 0
        }
        return page < 2 ? await github.handler(request) : response(request)
      }
    }

    @Test(
      "rows of earlier pages stay, and standard error reports that the list is incomplete",
      arguments: [
        (.reset, 6), (.closeWithoutAnswering, 6), (.json("[{"), 7), (.json(""), 7),
        (.json("[").with { $0.framing = .declaredLength(5000) }, 6),
        (.text("<html>oops</html>", status: 503, contentType: "text/html"), 6),
        (.json("{}", status: 404), 3),
        (GitHubError.primaryRateLimit(status: 403, reset: 900).response(now: 1_800_000_000), 5),
      ] as [(LoopbackResponse, Int32)])
    func incomplete(response: LoopbackResponse, status: Int32) async throws {
      try await withLoopbackServer(answering: Self.handler { _ in response }) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--all", "--api-url", server.url, "--retries", "0"])
        result.expectFailure(status, saying: ["the list is incomplete", "after 200"])
        #expect(result.numbers == Array((251...450).reversed()))
        #expect(result.outputText.hasSuffix("\n"))
      }
    }

    @Test("incomplete JSON stays unclosed and thus isn't mistaken for the full list")
    func json() async throws {
      try await withLoopbackServer(answering: Self.handler { _ in .reset }) { server in
        let result = try await IssuesProgram.run(
          [
            "swiftlang/swift", "--all", "--json", "number", "--api-url", server.url, "--retries",
            "0",
          ])
        result.expectFailure(6, saying: ["the list is incomplete", "after 200"])
        #expect(result.lines.count == 201)
        #expect(result.lines.first == "[")
        #expect(result.lines.last == #"{"number":251}"#)
      }
    }

    @Test("a table on a terminal reports an incomplete list below the rows")
    func terminal() async throws {
      try await withLoopbackServer(answering: Self.handler { _ in .reset }) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--all", "--api-url", server.url, "--retries", "0"],
          environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 24))
        #expect(result.status == .exited(6))
        let lines = result.screen.split(separator: "\n")
        #expect(lines.first == "Showing open issues in swiftlang/swift")
        #expect(lines.filter { $0.hasPrefix("#") }.count == 200)
        #expect(lines.suffix(2).first?.hasPrefix("issues: the list is incomplete") == true)
      }
    }

    @Test("a next page on another server is refused after the current page is shown")
    func anotherServer() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { other in
        let link = "<\(other.url)/repositories/1/issues?page=2>; rel=\"next\""
        try await withLoopbackServer { request in
          request.path.hasSuffix("/issues")
            ? .json(
              #"[{"id":1,"number":7,"title":"only","state":"open"}]"#, headers: ["Link": link])
            : .json(#"{"id":1,"full_name":"a/b"}"#)
        } perform: { server in
          let result = try await IssuesProgram.run(
            ["a/b", "--all", "--api-url", server.url],
            environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
          result.expectFailure(7, saying: ["incomplete", "another server"])
          #expect(result.numbers == [7])
          #expect(other.log.connectionCount == 0)
        }
      }
    }

    @Test("circular next-page links are reported")
    func circle() async throws {
      try await withLoopbackServer { request in
        let next = request.queryValue("page") == "2" ? "3" : "2"
        return request.path.hasSuffix("/issues")
          ? .json(
            "[]", headers: ["Link": "<\(request.origin)/x/issues?page=\(next)>; rel=\"next\""])
          : .json(#"{"id":1,"full_name":"a/b"}"#)
      } perform: { server in
        let result = try await IssuesProgram.run(["a/b", "--all", "--api-url", server.url])
        result.expectFailure(7, saying: ["loop"])
        #expect(server.log.requestCount < 6)
      }
    }
  }
}

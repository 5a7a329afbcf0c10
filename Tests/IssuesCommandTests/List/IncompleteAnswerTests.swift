import TestSupport
import Testing

extension CommandTests {
  @Suite("Empty and partly unreadable responses", .timeLimit(.minutes(5)))
  struct IncompleteAnswerTests {
    /// Three issues, of which one has a label without a name.
    static let issues = """
      [{"id":1,"number":3,"title":"Third","state":"open"},\
      {"id":2,"number":2,"title":"Second","state":"open","labels":[{"color":"ffffff"}]},\
      {"id":3,"number":1,"title":"First","state":"open"}]
      """
    static let repositories = """
      [{"id":1,"full_name":"a/one","owner":{"login":"a"}},{"id":2,"full_name":"a/two","owner":3},\
      {"id":3,"full_name":"a/three","owner":{"login":"a"}}]
      """

    static func handler(_ answer: LoopbackResponse) -> LoopbackServer.Handler {
      { request in
        switch request.path {
        case "/repos/a/b": .json(#"{"id":1,"full_name":"a/b"}"#)
        case "/repos/a/b/issues/1": .json(#"{"id":1,"number":1,"title":"t","state":"open"}"#)
        default: answer
        }
      }
    }

    @Test(
      "a 204 response and an empty array are empty lists",
      arguments: [
        ["a/b"], ["a/b", "--all", "--include-pull-requests"], ["repos", "a"],
        ["search-repos", "x"],
        ["search", "x", "--remote"],
      ])
    func nothing(arguments: [String]) async throws {
      for answer in [.json("", status: 204), LoopbackResponse.json("[]")] {
        try await withLoopbackServer(answering: Self.handler(answer)) { server in
          for form in [[], ["--json"]] {
            let result = try await IssuesProgram.run(
              arguments + form + ["--api-url", server.url, "--no-cache"])
            #expect(result.status == .exited(0), "\(result.errorText)")
            #expect(result.errorText.isEmpty)
            #expect(result.outputText == (form.isEmpty ? "" : "[]\n"))
          }
        }
      }
    }

    @Test("an issue whose comments give a 204 response has no comments")
    func noComments() async throws {
      try await withLoopbackServer(answering: Self.handler(LoopbackResponse(status: 204))) {
        server in
        let result = try await IssuesProgram.run(
          ["view", "a/b", "1", "--json", "comments_list", "--api-url", server.url])
        #expect(result.outputText == #"{"comments_list":[]}"# + "\n", "\(result.errorText)")
      }
    }

    @Test(
      "an unreadable item is reported, and the other items are listed",
      arguments: [
        (["a/b"], issues, ["3", "1"], "#2"), (["a/b", "--limit", "2"], issues, ["3", "1"], "#2"),
        (["a/b", "--all"], issues, ["3", "1"], "#2"),
        (
          ["search", "x", "--remote", "-R", "a/b"], "{\"total_count\":3,\"items\":\(issues)}",
          ["Third", "First"], "#2"
        ),
        (["repos", "a"], repositories, ["a/one", "a/three"], "a/two"),
        (["search-repos", "x"], "{\"items\":\(repositories)}", ["a/one", "a/three"], "a/two"),
      ])
    func unreadable(
      arguments: [String], answer: String, shown: [String], missing: String
    ) async throws {
      try await withLoopbackServer(answering: Self.handler(.json(answer))) { server in
        let line = arguments + ["--api-url", server.url, "--no-cache"]
        let result = try await IssuesProgram.run(line)
        result.expectFailure(7, saying: ["1 entry", "can't be read", missing])
        #expect(result.lines.count == 2)
        for (line, word) in zip(result.lines, shown) {
          #expect(line.split(separator: "\t").contains { $0 == word })
        }
        // An incomplete list doesn't look whole.
        let json = try await IssuesProgram.run(line + ["--json"])
        json.expectFailure(7, saying: [missing])
        #expect(json.lines.count == 3 && !json.outputText.contains("]\n"))
      }
    }

    /// 27 MB of JSON, of which the values would take half a gigabyte.
    @Test(
      "an item too large for memory is treated as unreadable",
      arguments: [("labels", #"{"name":"l"}"#), ("assignees", #"{"login":"l","id":1}"#)])
    func excessive(member: String, value: String) async throws {
      let values = String(repeating: value + ",", count: 1_000_000).dropLast()
      let body = """
        [{"id":1,"number":3,"title":"Third","state":"open"},\
        {"id":2,"number":2,"title":"Second","state":"open","\(member)":[\(values)]},\
        {"id":3,"number":1,"title":"First","state":"open"}]
        """
      try await withLoopbackServer(answering: Self.handler(.json(body))) { server in
        let run = try CommandRun(
          "issues", ["a/b", "--api-url", server.url, "--no-cache"],
          environment: IssuesProgram.environment(), samplesMemory: true)
        let result = try await run.result()
        result.expectFailure(7, saying: ["1 entry", "#2", "made of more than 262144 values"])
        #expect(result.lines.compactMap { $0.split(separator: "\t").first } == ["3", "1"])
        if let peak = result.peakMemory { #expect(peak < 200 << 20, "\(peak >> 20) MiB") }
      }
    }

    @Test("text with a million mail addresses is shown in bounded memory")
    func addresses() async throws {
      let text = String(repeating: "a@a.a ", count: 170_000)
      try await withLoopbackServer { request in
        request.path.hasSuffix("/issues/1")
          ? .json(#"{"id":1,"number":1,"title":"t","state":"open","body":"\#(text)"}"#)
          : .json(#"{"id":1,"full_name":"a/b"}"#)
      } perform: { server in
        let run = try CommandRun(
          "issues", ["view", "a/b", "1", "--api-url", server.url, "--no-cache"],
          environment: IssuesProgram.environment(["GH_FORCE_TTY": "80", "LC_ALL": "C.UTF-8"]),
          samplesMemory: true)
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("Shown as plain text"))
        if let peak = result.peakMemory { #expect(peak < 150 << 20, "\(peak >> 20) MiB") }
      }
    }

    @Test("a response without a readable item is an error")
    func nothingReadable() async throws {
      let handler = Self.handler(.json(#"[{"number":1},{"number":2}]"#))
      try await withLoopbackServer(answering: handler) { server in
        let result = try await IssuesProgram.run(["a/b", "--api-url", server.url])
        result.expectFailure(7, saying: ["no “id”"])
        #expect(result.outputText.isEmpty)
      }
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "Recorded issues", .timeLimit(.minutes(5)),
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  struct RecordedViewTests {
    @Test(
      "recorded issues are shown as in their snapshots",
      arguments: [
        (
          "hub4j-test-org/github-api-test#1",
          ["title:\ttesting", "author:\tbitwiseman", "labels:\tbug, question"],
          "> this is body\n", ["testing #1", "· locked", "Labels: [bug] [question]"]
        ),
        (
          "hub4j-test-org/github-api#368",
          ["title:\tIssue for testUnsetMilestone", "author:\tmartinvanzijl", "labels:\t"],
          "--\n\n", ["Issue for testUnsetMilestone #368", "No description provided."]
        ),
      ])
    func issues(name: String, lines: [String], end: String, words: [String]) async throws {
      let recorded = try RecordedExchanges(file: "issue-singles.json")
      try await withLoopbackServer(answering: recorded.handler) { server in
        let arguments = ["view", name, "--api-url", server.url]
        let plain = try await IssuesProgram.run(arguments)
        #expect(plain.status == .exited(0))
        #expect(plain.errorText.isEmpty)
        #expect(lines.allSatisfy(plain.lines.contains))
        #expect(plain.outputText.hasSuffix(end))
        let page = try await IssuesProgram.run(
          arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        #expect(page.status == .exited(0))
        #expect(words.allSatisfy(page.screen.contains))
      }
    }

    @Test("fourteen recorded comments are shown in order, with their emoji")
    func comments() async throws {
      let recorded = try RecordedExchanges(file: "comments-03-emoji.json").handler
      try await withLoopbackServer { request in
        request.path.hasSuffix("/comments")
          // It was recorded without a page size.
          ? await recorded(LoopbackRequest(method: "GET", target: request.path))
          : .json(#"{"id":1,"number":26,"title":"t","state":"open","comments":14}"#)
      } perform: { server in
        let arguments = ["view", "jenkinsci/cobertura-plugin#26", "-c", "--api-url", server.url]
        let plain = try await IssuesProgram.run(arguments)
        #expect(plain.status == .exited(0))
        #expect(plain.lines.filter { $0.hasPrefix("association:\t") }.count == 14)
        #expect(plain.lines.suffix(3).first == "--")
        #expect(
          plain.outputText.hasSuffix("🎉 Belated happy fifth birthday to this PR! 🎂\n--\n"))
        let page = try await IssuesProgram.run(
          arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 24))
        #expect(page.status == .exited(0))
        let authors = page.screen.split(separator: "\n").filter { $0.contains(" · about ") }
        #expect(authors.count == 14)
        #expect(authors.contains { $0.hasPrefix("msabramo · contributor · about ") })
        #expect(page.screen.contains("🎉 Belated happy fifth birthday to this PR! 🎂\n"))
        let address = "\(server.url)/jenkinsci/cobertura-plugin/issues/26"
        #expect(page.screen.hasSuffix("\nView this issue: \(address)\n"))
      }
    }
  }
}

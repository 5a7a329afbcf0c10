import TestSupport
import Testing

extension CommandTests {
  @Suite("issues context", .timeLimit(.minutes(5)))
  struct ContextTests {
    private func mirror() async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b",
        items: [
          FilledMirror.Item(
            number: 1, title: "Evil \u{1B}[31m crash", body: "Like #2 and #77.\u{202E}\n\u{9B}x",
            labels: ["bug"]),
          FilledMirror.Item(number: 2, title: "The older one", isClosed: true),
        ],
        comments: [
          FilledMirror.comment(11, on: 1, of: "a/b", body: "I can see \u{1B}]8;;x\u{7} it too.")
        ])
      return filled
    }

    @Test(
      "the context from the mirror has facts, text, comments and titles, safe for a terminal")
    func offline() async throws {
      let result = try await mirror().run(["context", "a/b", "1", "--offline"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      for part in [
        "state: open issue", "author: monalisa", "labels:\n> bug\n", "## Text", "Like #2 and #77.",
        "## Comments", "ada (member), 2026-01-02", "it too.", "- #2 closed\n> The older one\n",
        "- #77",
        "from: the mirror, synced about 3 hours ago",
      ] {
        #expect(result.outputText.contains(part), "\(part)\n\(result.outputText)")
      }
      for line in result.lines { #expect(HostileText.dangers(in: line).isEmpty, "\(line)") }
    }

    @Test("the context as JSON has the token limit and the omissions")
    func json() async throws {
      let filled = try await mirror()
      let fields = try await filled.run([
        "context", "a/b", "1", "--offline", "--json", "number,max_tokens,left_out",
      ])
      #expect(
        fields.outputText == "{\"number\":1,\"max_tokens\":4000,\"left_out\":[]}\n",
        "\(fields.errorText)")
      let text = try await filled.run([
        "context", "a/b", "1", "--offline", "--jsonl", "-q", ".text",
      ])
      #expect(text.outputText.hasPrefix("# a/b#1\n> Evil "), "\(text.errorText)")
    }

    @Test("the context from the server includes the titles of mentioned issues")
    func online() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let comment = try await scene.run(
          ["comment", "12", "-R", "swiftlang/swift", "-b", "As in #3, I think."], server)
        #expect(comment.status == .exited(0), "\(comment.errorText)")
        let result = try await scene.run(["context", "swiftlang/swift", "12"], server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("As in #3, I think."), "\(result.outputText)")
        let title = try #require(scene.issue(3)?.title)
        #expect(result.outputText.contains("- #3 open\n> \(title)\n"), "\(result.outputText)")
        let short = try await scene.run(
          ["context", "swiftlang/swift", "12", "--max-tokens", "200"], server)
        #expect(short.outputText.contains("Left out"), "\(short.outputText)")
        #expect(short.outputText.contains("--api-url \(server.url)"), "\(short.outputText)")
      }
    }

    @Test(
      "an unavailable context is reported with its reason",
      arguments: [
        (["context"], 64, "Say which issue"), (["context", "a/b"], 64, "is a repository"),
        (["context", "a/b", "1", "--max-tokens", "10"], 64, "at least 200"),
        (["context", "a/b", "9", "--offline"], 3, "has no a/b#9"),
        (["context", "c/d", "9", "--offline"], 3, "issues sync c/d"),
        (["context", "a/b", "1", "--offline", "--json", "body"], 64, "left_out"),
      ] as [([String], Int32, String)])
    func refusals(arguments: [String], status: Int32, words: String) async throws {
      try await mirror().run(arguments).expectFailure(status, saying: [words])
    }

    @Test("an incomplete download of comments fails without output")
    func broken() async throws {
      var recipe = SyntheticIssues(count: 20)
      recipe.mostComments = 20
      let github = LoopbackGitHub(repositories: [.swift(issues: recipe)])
      github.intercept(
        where: { $0.path.hasSuffix("/comments") },
        response: { _, now in GitHubError.notFound.response(now: now) })
      try await withLoopbackServer(answering: github.handler) { server in
        // The first with comments.
        let list = try await IssuesProgram.run([
          "list", "swiftlang/swift", "--state", "all", "--api-url", server.url, "--jq",
          "[.[] | select(.comments > 0)][0].number", "--json", "number,comments",
        ])
        let number = try #require(list.lines.first)
        let result = try await IssuesProgram.run([
          "context", "swiftlang/swift", number, "--api-url", server.url,
        ])
        #expect(result.outputText.isEmpty)
        result.expectFailure(3, saying: ["swiftlang/swift#\(number)"])
      }
    }
  }
}

import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

extension CommandTests {
  @Suite("issues similar", .timeLimit(.minutes(5)))
  struct SimilarTests {
    private static let name = "TypeChecker::solveForClosure"

    private func mirror() async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b",
        items: [
          FilledMirror.Item(number: 1, title: "Hang", body: "Stack: \(Self.name)"),
          FilledMirror.Item(
            number: 2, title: "Never \u{1B}[31m ends", body: "Stuck at \(Self.name)",
            isClosed: true),
          FilledMirror.Item(
            number: 3, title: "Fix of it", body: "In \(Self.name)", isPullRequest: true),
          FilledMirror.Item(number: 4, title: "Unrelated question"),
        ])
      return filled
    }

    @Test("a pipe gets a line for each similar issue with its similarity")
    func pipe() async throws {
      let result = try await mirror().run(["similar", "a/b", "1"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.isEmpty)
      let line = try #require(result.lines.first)
      #expect(result.lines.count == 1)
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      #expect(cells.prefix(3) == ["a/b", "2", "CLOSED"])
      #expect(cells.last?.wholeMatch(of: /0\.\d\d|1\.00/) != nil)
      #expect(HostileText.dangers(in: line).filter { $0 != "\t" }.isEmpty)
    }

    @Test("a terminal gets a table of similar issues with the words they share")
    func terminal() async throws {
      let result = try await mirror().run(
        ["similar", "-R", "a/b", "1"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 40))
      #expect(result.screen.contains("The issue most similar to a/b#1"), "\(result.screen)")
      #expect(result.screen.contains("LIKE") && result.screen.contains("%"))
      #expect(result.screen.contains(Self.name))
      let none = try await mirror().run(
        ["similar", "-R", "a/b", "4"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 40))
      #expect(none.screen.contains("Nothing in a/b is similar to a/b#4."), "\(none.screen)")
    }

    @Test("JSON has similar issues, with pull requests, by state and up to a limit")
    func json() async throws {
      let filled = try await mirror()
      func numbers(_ options: String...) async throws -> String {
        let result = try await filled.run(
          ["similar", "a/b", "--text", "It stops in \(Self.name)", "--jsonl", "-q", ".number"]
            + options)
        #expect(result.status == .exited(0), "\(result.errorText)")
        return result.lines.sorted().joined(separator: " ")
      }
      #expect(try await numbers() == "1 2")
      #expect(try await numbers("--state", "open") == "1")
      #expect(try await numbers("--state", "open", "--include-pull-requests") == "1 3")
      #expect(try await numbers("--limit", "1").count == 1)
      let result = try await filled.run(["similar", "a/b", "1", "--json", "number,score,title"])
      #expect(result.outputText.contains("\"number\":2,\"score\":"), "\(result.outputText)")
    }

    @Test("the text to compare comes from standard input, a file or the command line")
    func texts() async throws {
      let filled = try await mirror()
      try filled.folder.write(Data("A report\n\n#0 \(Self.name)".utf8), to: "report.txt")
      for text in [filled.folder["report.txt"], "-", "x \(Self.name)"] {
        let result = try await IssuesProgram.run(
          ["similar", "a/b", "--text", text, "--limit", "5"], environment: filled.environment,
          input: text == "-" ? "Title\n\(Self.name)" : "")
        #expect(
          Set(result.lines.map { $0.split(separator: "\t")[1] }) == ["1", "2"],
          "\(text): \(result.errorText)")
      }
    }

    @Test(
      "a model compares meanings, without the token, and its vectors are kept beside the mirror")
    func model() async throws {
      let filled = try await mirror()
      // Texts with the letter q are alike.
      let program = """
        echo "$GH_TOKEN" >>calls; sed -e 's/.*q.*/[1, 0]/' -e '/^[^[]/s/.*/[0, 1]/'
        """
      let environment = [
        "ISSUES_EMBEDDER": "cd '\(filled.folder.path)'; \(program)", "GH_TOKEN": "secret",
      ]
      for _ in 1...2 {
        let result = try await filled.run(
          ["similar", "a/b", "--text", "A query", "--jsonl", "-q", ".number"],
          environment: environment)
        #expect(result.lines == ["4"], "\(result.errorText)")
      }
      #expect(filled.folder.contents("calls") == Data("\n\n".utf8))
      let repositories = try await Mirror(path: filled.folder["issues/mirror.db"]).repositories()
      let file = try VectorFile(path: filled.folder["issues/vectors.db"])
      func count() async throws -> Int {
        try await file.entries(of: repositories[0], model: environment["ISSUES_EMBEDDER"] ?? "")
          .count
      }
      #expect(try await count() == 3)
      let removed = try await filled.run(["mirror", "remove", "a/b", "--yes"])
      #expect(removed.status == .exited(0), "\(removed.errorText)")
      #expect(try await count() == 0)
    }

    @Test(
      "a model that fails, or writes something else, is an error that says why",
      arguments: [
        ("echo 'no model\u{1B}[31m' >&2; exit 3", "ended with exit status 3: no model"),
        ("kill -9 $$", "was ended by signal 9"),
        ("cat", "must write an array of numbers for each line"),
        (
          "echo '[1]'",
          "must write an array of numbers for each line, all of the same length: it wrote 1 for 4"
        ),
        ("/nonexistent", "ended with exit status 127"),
      ])
    func brokenModel(command: String, message: String) async throws {
      let result = try await mirror().run(
        ["similar", "a/b", "--text", "Query"], environment: ["ISSUES_EMBEDDER": command])
      #expect(result.status == .exited(1))
      #expect(
        result.errorText.contains("the program of ISSUES_EMBEDDER \(message)"),
        "\(result.errorText)")
      #expect(HostileText.dangers(in: result.errorText).filter { $0 != "\n" }.isEmpty)
    }

    @Test("comparing a million words takes no longer than reading them")
    func huge() async throws {
      let filled = try await mirror()
      let words = (0..<1_000_000).map { "w\($0 % 9_973)" }.joined(separator: " ")
      let result = try await IssuesProgram.run(
        ["similar", "a/b", "--text", "-"], environment: filled.environment,
        input: "\(words)\n\(Self.name)")
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.count == 2)
    }

    @Test(
      "issues similar reports texts and issues that it can't compare",
      arguments: [
        (["similar"], 64, "--text TEXT"), (["similar", "a/b"], 64, "is a repository"),
        (["similar", "a/b", "1", "--text", "x"], 64, "leave out the number"),
        (["similar", "a/b", "9"], 3, "has no a/b#9"),
        (["similar", "c/d", "1"], 3, "issues sync c/d"),
        (["similar", "a/b", "1", "--limit", "0"], 64, "at least 1"),
        (["similar", "a/b", "1", "--json", "bo-gus"], 64, "'bo-gus'"),
      ] as [([String], Int32, String)])
    func refusals(arguments: [String], status: Int32, words: String) async throws {
      try await mirror().run(arguments).expectFailure(status, saying: [words])
    }
  }

  @Suite("Similar issues before a creation", .timeLimit(.minutes(5)))
  struct SimilarOfferTests {
    private static let repo = ["-R", "swiftlang/swift"]
    private static let editor = #"sh -c 'printf "In parseGenericTableEntry." > "$1"' sh"#

    /// Mirrors the repository, in which issue 12 then names something that no other does.
    private func mirrored(_ scene: WriteScene, _ server: LoopbackServer) async throws {
      let edit = try await scene.run(
        ["edit", "12", "-t", "Crash in parseGenericTableEntry"] + Self.repo, server)
      #expect(edit.status == .exited(0), "\(edit.errorText)")
      let sync = try await scene.run(["sync", "swiftlang/swift"], server)
      #expect(sync.status == .exited(0), "\(sync.errorText)")
    }

    @Test(
      "a declined creation shows the similar issue, and keeps the text",
      arguments: [("n\n", 2), ("\u{4}", 2), ("\u{3}", nil)] as [(String, Int32?)])
    func refused(_ answer: String, _ status: Int32?) async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await mirrored(scene, server)
        let run = try scene.startOnTerminal(["create"] + Self.repo, server, editor: Self.editor)
        try await run.waitFor("Title: ")
        run.write("parseGenericTableEntry crashes\n")
        try await run.waitFor("Create it anyway? [Y/n]")
        run.write(answer)
        let result = try await run.result()
        #expect(
          result.status == (status.map { .exited($0) } ?? .signalled(2)), "\(result.screen)")
        #expect(result.screen.contains("#12  Crash in parseGenericTableEntry"), "\(result.screen)")
        #expect(scene.issue(21) == nil)
        #expect(try scene.drafts.values.contains { $0.contains("In parseGenericTableEntry.") })
        let again = try scene.startOnTerminal(
          ["create", "--recover"] + Self.repo, server, editor: "touch")
        try await again.waitFor("Create it anyway? [Y/n]")
        again.write("\n")
        let created = try await again.result()
        #expect(created.status == .exited(0), "\(created.screen)")
        #expect(scene.issue(21)?.title == "parseGenericTableEntry crashes")
        #expect(scene.issue(21)?.body == "In parseGenericTableEntry.")
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("Ctrl-C at the question keeps the typed title and the given text")
    func givenText() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await mirrored(scene, server)
        let run = try scene.startOnTerminal(
          ["create", "-b", "In parseGenericTableEntry."] + Self.repo, server)
        try await run.waitFor("Title: ")
        run.write("parseGenericTableEntry crashes\n")
        try await run.waitFor("[Y/n]")
        run.write("\u{3}")
        #expect(try await run.result().status == .signalled(2))
        let drafts = try scene.drafts.values
        #expect(drafts.contains { $0.contains("parseGenericTableEntry crashes") })
        #expect(drafts.contains("In parseGenericTableEntry."))
        #expect(scene.issue(21) == nil)
      }
    }

    @Test("create doesn't ask without a similar issue, or with a title and text as options")
    func unasked() async throws {
      let scene = try WriteScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await mirrored(scene, server)
        let title = "The documentation of tables is out of date"
        let alike = try await scene.run(
          ["similar", "swiftlang/swift", "--text", "\(title)\nSome sentence."], server)
        let scores = alike.lines.compactMap {
          $0.split(separator: "\t").last.flatMap { Double($0) }
        }
        #expect(scores.allSatisfy { $0 < 0.5 }, "\(alike.outputText)")
        let run = try scene.startOnTerminal(
          ["create", "-b", "Some sentence."] + Self.repo, server, editor: "false")
        try await run.waitFor("Title: ")
        run.write("\(title)\n")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(!result.screen.contains("[Y/n]"))
        let whole = try await scene.startOnTerminal(
          ["create", "-t", "parseGenericTableEntry crashes", "-b", "x"] + Self.repo, server
        ).result()
        #expect(whole.status == .exited(0), "\(whole.screen)")
        #expect(!whole.screen.contains("[Y/n]"))
      }
    }
  }
}

import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues create --template", .timeLimit(.minutes(5)))
  struct CreateFromTemplateTests {
    private static let repository = ["-R", "swiftlang/swift"]
    private static let form = """
      name: Bug report
      description: Something is broken
      title: "[Bug]: "
      labels: [bug]
      assignees: ada
      body:
        - type: input
          id: version
          attributes: {label: Version}
          validations: {required: true}
        - type: textarea
          id: log
          attributes: {label: Log, render: shell}
        - type: checkboxes
          id: terms
          attributes: {label: Terms, options: [{label: I agree, required: true}]}
      """
    private static let body = """
      ### Version

      6.2

      ### Log

      ```shell
      one
      two
      ```

      ### Terms

      - [x] I agree
      """

    /// A Markdown template, and a form with a label that the repository hasn't got.
    private static let others = [
      "report.md": """
      ---
      name: Report
      about: Something is odd
      title: "Report: "
      labels: bug
      ---
      ## Steps

      """,
      "crash.yml": """
      name: Crash
      description: The compiler crashes
      labels: [crash]
      body:
        - type: input
          id: version
          attributes: {label: Version}
          validations: {required: true}
        - type: textarea
          id: trace
          attributes: {label: Trace}
      """,
    ]

    private func scene(
      _ permission: LoopbackPermission = .write, _ files: [String: String] = ["bug.yml": form]
    ) throws -> WriteScene {
      try WriteScene {
        for (name, text) in files {
          $0.repositories[0].files[".github/ISSUE_TEMPLATE/\(name)"] = text
        }
        $0.permission = permission
        $0.tellsPermissions = true
      }
    }

    private func written(in scene: WriteScene) -> SyntheticIssue? {
      scene.github.issues(of: WriteScene.repository).first { $0.isWritten }
    }

    private let fields = [
      "--field", "version=6.2", "--field", "log=one\ntwo", "--field", "terms=I agree",
    ]

    @Test(
      "a script fills in a form, and its labels are applied for every author",
      arguments: [(LoopbackPermission.write, "/issues"), (.read, "/graphql")])
    func script(_ permission: LoopbackPermission, _ endpoint: String) async throws {
      let scene = try scene(permission)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-T", "bug", "-t", "It crashes"] + fields + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.isEmpty)
        let issue = try #require(written(in: scene))
        #expect(result.lines == ["\(WriteScene.issueAddress)/\(issue.number)"])
        #expect(issue.title == "It crashes" && issue.body == Self.body)
        #expect(issue.labels.map(\.name) == ["bug"] && issue.assignees == ["ada"])
        #expect(scene.github.receipts.allSatisfy { $0.target.hasSuffix(endpoint) })
      }
    }

    @Test("a form's missing label is created if that is requested")
    func label() async throws {
      let scene = try scene(.write, Self.others)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          [
            "create", "-t", "It crashes", "--template", "crash", "--field", "version=6.2",
            "--field", "trace=at 0x1", "--create-labels",
          ] + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let issue = try #require(scene.issue(21))
        #expect(issue.body == "### Version\n\n6.2\n\n### Trace\n\nat 0x1")
        #expect(issue.labels.map(\.name) == ["crash"])
      }
    }

    @Test("without a template, values that the server will drop are announced")
    func notice() async throws {
      let scene = try scene(.read)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "x", "-b", "y", "-l", "bug", "-m", "6.3", "--create-labels"]
            + Self.repository, server)
        #expect(result.status == .exited(8), "\(result.errorText)")
        let notice = try #require(result.errorLines.first)
        #expect(notice.contains("will omit labels, milestone"), "\(notice)")
        #expect(result.errorText.contains("got none"))
      }
    }

    @Test("labels and assignees that the server drops are reported before and after the creation")
    func dropped() async throws {
      let scene = try scene(.read)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-T", "bug", "-t", "t", "-l", "Linux"] + fields + Self.repository, server)
        #expect(result.status == .exited(8))
        #expect(
          result.errorLines.first?.hasSuffix(
            "the server will omit labels, except for those of the template.") == true)
        #expect(result.errorText.contains("labels: asked for Linux, bug; got bug"))
      }
    }

    @Test("an incomplete form or an unknown template sends no request")
    func refusals() async throws {
      let scene = try scene(.write, ["bug.yml": Self.form].merging(Self.others) { $1 })
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let create = ["create", "-t", "t"] + Self.repository
        try await scene.run(create + ["-T", "nope"], server)
          .expectFailure(64, saying: ["no template “nope”", "bug.yml (Bug report)"])
        try await scene.run(create + ["-T", "bug", "--field", "x=y"], server)
          .expectFailure(64, saying: ["no field “x”", "version, log, terms"])
        try await scene.run(create + ["-T", "report", "-b", "x"], server)
          .expectFailure(64, saying: ["leave out --body"])
        try await scene.run(create + ["--field", "version=1"], server)
          .expectFailure(64, saying: ["--template"])
        let missing = try await scene.run(create + ["-T", "bug"], server)
        #expect(missing.status == .exited(64))
        #expect(missing.errorText.contains("“version” requires an answer (Version)"))
        #expect(scene.github.receipts.isEmpty)
      }
    }

    @Test("a user selects and fills in a form at the terminal, with the editor")
    func terminal() async throws {
      let scene = try scene(.write)
      let editor = #"sh -c 'printf "one\ntwo\n" > "$1"' sh"#
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create"] + Self.repository, server, editor: editor)
        try await run.waitFor("2  Blank issue")
        try await run.answer([
          "Number: ": "1\r",
          "Title: [Bug]: ": "It crashes\r",
          "Version *": "6.2\r",
          "or e for the editor": "e\r",
          "1  I agree *": "1\r",
          "Send it?": "s\r",
        ])
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.outputText)")
        let issue = try #require(written(in: scene))
        #expect(issue.title == "[Bug]: It crashes" && issue.body == Self.body)
        #expect(issue.labels.map(\.name) == ["bug"])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("a Markdown template is selected, and its text opens in the editor")
    func markdown() async throws {
      let scene = try scene(.write, Self.others)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "--create-labels"] + Self.repository, server,
          editor: #"sh -c 'printf "\n1. Run it.\n" >> "$1"' sh"#)
        try await run.answer([
          "Number: ": "Report\n",
          "Title: ": "it crashes\n",
        ])
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let issue = try #require(scene.issue(21))
        #expect(issue.title == "Report: it crashes")
        #expect(issue.body == "## Steps\n\n1. Run it.")
        #expect(issue.labels.map(\.name) == ["bug"])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("a form needs no editor, and a template that needs one says so before its questions")
    func withoutEditor() async throws {
      let scene = try scene(.write, ["bug.yml": Self.form].merging(Self.others) { $1 })
      let environment = ["PATH": scene.folder["none"]]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-T", "bug", "-t", "It crashes"] + Self.repository, server,
          environment: environment)
        try await run.answer([
          "Version *": "6.2\r",
          "or e for the editor": "e\r",
          "There is no editor. Set EDITOR, or use one line.": "one\r",
          "1  I agree *": "1\r",
          "Send it?": "s\r",
        ])
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.outputText)")
        #expect(written(in: scene)?.body == Self.body.replacing("one\ntwo", with: "one"))
        for arguments in [["-T", "report"], ["-t", "Without a template"]] {
          let run = try scene.startOnTerminal(
            ["create"] + arguments + Self.repository, server, environment: environment)
          if arguments[0] == "-t" { try await run.answer(["Number: ": "Blank issue\r"]) }
          let result = try await run.result()
          #expect(result.status == .exited(64), "\(result.screen)")
          #expect(result.screen.contains("there is no editor"))
        }
        #expect(try scene.drafts.isEmpty)
        #expect(scene.writes.count == 1)
      }
    }

    @Test("answers to a form survive a killed program")
    func killed() async throws {
      let scene = try scene(.write, Self.others)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "--create-labels"] + Self.repository, server,
          editor: #"sh -c 'printf "half a trace" > "$1"; echo ready; exec cat' sh"#)
        try await run.answer([
          "Number: ": "Crash\n",
          "Title: ": "It crashes\n",
          "Version": "6.2\n",
          "e for the editor": "e\n",
        ])
        try await run.waitFor("ready")
        run.send(signal: 9)
        _ = try? await run.result()
        let drafts = try scene.drafts.values
        #expect(drafts.contains("half a trace"))
        #expect(drafts.contains { $0.contains("6.2") })
        #expect(drafts.contains { $0.contains("It crashes") })
        #expect(scene.writes.isEmpty)
      }
    }

    /// The questions of ``form``, with an answer to each.
    private static let questions = [
      ("Number: ", "1\r"), ("Title: [Bug]: ", "It crashes\r"), ("Version *", "6.2\r"),
      ("or e for the editor", "e\r"), ("1  I agree *", "1\r"), ("Send it?", "s\r"),
    ]

    @Test(
      "Ctrl-C or Ctrl-D at any question sends nothing, and the next run asks the rest",
      arguments: ["\u{3}", "\u{4}"], questions.indices)
    func secondThoughts(_ key: String, _ place: Int) async throws {
      let scene = try scene(.write)
      let editor = #"sh -c 'printf "one\ntwo\n" > "$1"' sh"#
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let create = ["create"] + Self.repository
        let run = try scene.startOnTerminal(create, server, editor: editor)
        for (question, answer) in Self.questions.prefix(place) {
          try await run.waitFor(question)
          run.write(answer)
        }
        try await run.waitFor(Self.questions[place].0)
        // The prompt follows its introduction.
        if place > 1, place < 5 { try await run.waitFor([": ", "> "][place == 2 ? 1 : 0]) }
        run.write(key)
        let result = try await run.result()
        #expect(result.status == (key == "\u{3}" ? .signalled(2) : .exited(2)))
        #expect(scene.writes.isEmpty)
        // Nothing has been typed before the title.
        guard place > 1 else { return }
        let again = try scene.startOnTerminal(create, server, editor: editor)
        try await again.waitFor("Go on with it?")
        again.write("y\r")
        for (question, answer) in Self.questions.dropFirst(place) {
          try await again.waitFor(question)
          again.write(answer)
        }
        let sent = try await again.result()
        #expect(sent.status == .exited(0), "\(sent.screen)")
        let issue = try #require(written(in: scene))
        #expect(issue.title == "[Bug]: It crashes" && issue.body == Self.body)
        #expect(issue.labels.map(\.name) == ["bug"])
        #expect(scene.writes.count == 1)
        #expect(try scene.drafts.isEmpty)
      }
    }

    /// Answers a form's questions, and leaves where it is shown whole.
    private func leaveAtEnd(
      _ scene: WriteScene, _ server: LoopbackServer
    ) async throws -> CommandRun.Result {
      let run = try scene.startOnTerminal(
        ["create", "-T", "bug", "-t", "It crashes"] + fields + Self.repository, server,
        editor: "true")
      try await run.answer(["Send it?": "q\r"])
      let result = try await run.result()
      #expect(result.status == .exited(2), "\(result.screen)")
      return result
    }

    @Test("an abandoned form is kept, also at the question about its draft")
    func left() async throws {
      let scene = try scene(.write)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await leaveAtEnd(scene, server)
        #expect(result.screen.contains("'issues create --recover' continues it"))
        #expect(try scene.drafts.values.contains(Self.body))
        let undecided = try scene.startOnTerminal(["create"] + Self.repository, server)
        try await undecided.answer(["Go on with it?": "\u{3}"])
        #expect(try await undecided.result().status == .signalled(2))
        #expect(try scene.drafts.values.contains(Self.body))
        #expect(scene.writes.isEmpty)
      }
    }

    @Test("a Markdown template that the editor didn't save isn't sent")
    func unsavedTemplate() async throws {
      let scene = try scene(.write, Self.others)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.startOnTerminal(
          ["create", "-T", "report", "-t", "It crashes"] + Self.repository, server, editor: "true"
        ).result()
        #expect(result.status == .exited(2), "\(result.screen)")
        #expect(scene.writes.isEmpty)
      }
    }

    @Test(
      "Ctrl-C or Ctrl-D at the title sends nothing, and leaves no draft",
      arguments: ["\u{3}", "\u{4}"])
    func untitled(_ key: String) async throws {
      let scene = try scene(.write, [:])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let create = ["create"] + Self.repository
        let run = try scene.startOnTerminal(create, server, editor: "false")
        try await run.answer(["Title: ": key])
        let status = try await run.result().status
        #expect(status == (key == "\u{3}" ? .signalled(2) : .exited(2)))
        #expect(scene.writes.isEmpty)
        let again = try await scene.startOnTerminal(
          create + ["--recover"], server, editor: "false"
        ).result()
        #expect(again.screen.contains("there is no draft to continue"), "\(again.screen)")
      }
    }

    @Test("the draft of a deleted template is continued in the editor")
    func templateGone() async throws {
      let scene = try scene(.write)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await leaveAtEnd(scene, server)
        let name = try #require(try scene.drafts.keys.first { $0.hasSuffix(".json") })
        let record = try #require(try scene.drafts[name]).replacing("bug.yml", with: "old.yml")
        try scene.folder.write(Data(record.utf8), to: "issues/drafts/\(name)")
        let again = try scene.startOnTerminal(
          ["create", "--recover"] + Self.repository, server, editor: "sed -i s/6.2/6.3/")
        let result = try await again.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(result.screen.contains("no longer has the template old.yml"))
        #expect(scene.issue(21)?.body == Self.body.replacing("6.2", with: "6.3"))
      }
    }

    @Test("--web replaces @me by the login, as GitHub's page requires")
    func webAssignee() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "--web", "-a", "@me,ada"] + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("assignees=octocat%2Cada"), "\(result.outputText)")
      }
    }

    @Test("--web opens GitHub's page of the template")
    func web() async throws {
      let scene = try scene(.write, Self.others)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "--web", "--template", "report", "-t", "Report: x"] + Self.repository, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("/swiftlang/swift/issues/new?"), "\(result.outputText)")
        #expect(result.outputText.contains("template=report.md"))
      }
    }

    @Test("Ctrl-D sends nothing, and keeps the answers as a draft")
    func brokenOff() async throws {
      let scene = try scene(.write)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-T", "bug", "-t", "It crashes"] + Self.repository, server, editor: "false")
        try await run.answer([
          "Version *": "6.2\r",
          "or e for the editor": "\u{4}",
        ])
        let result = try await run.result()
        #expect(result.status == .exited(2))
        #expect(scene.github.receipts.isEmpty)
        #expect(try scene.drafts.values.contains { $0.contains("### Version\n\n6.2") })
      }
    }

    @Test("an answer from the editor stays until the draft includes it")
    func answerOutlivesDraft() async throws {
      let scene = try scene(.write)
      // Nothing can replace the whole draft any more, as on a full disk.
      try scene.folder.write(
        Data(
          """
          for draft in "$(dirname "$1")"/*.md; do
            [ "$draft" = "$1" ] || { rm "$draft"; mkdir "$draft"; touch "$draft/x"; }
          done
          printf 'A long log' > "$1"
          """.utf8), to: "editor")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-R", "swiftlang/swift", "-T", "bug", "-t", "It crashes"], server,
          editor: "sh \(scene.folder["editor"])")
        try await run.answer([
          "Version *": "6.2\r",
          "or e for the editor": "e\r",
          "1  I agree *": "\u{4}",
        ])
        #expect(try await run.result().status == .exited(2))
        let drafts = scene.folder["issues/drafts"]
        let texts = try FileManager.default.contentsOfDirectory(atPath: drafts)
          .compactMap { FileManager.default.contents(atPath: "\(drafts)/\($0)") }
        #expect(texts.contains(Data("A long log".utf8)))
      }
    }
  }
}

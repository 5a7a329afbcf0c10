import TestSupport
import Testing

extension CommandTests {
  @Suite("Creating from templates", .timeLimit(.minutes(5)))
  struct TemplateCreateTests {
    private static let repo = ["-R", "swiftlang/swift"]

    private static let files = [
      ".github/ISSUE_TEMPLATE/bug.md": """
      ---
      name: Bug report
      about: Something is broken
      title: "Bug: "
      labels: bug
      ---
      ## Steps

      """,
      ".github/ISSUE_TEMPLATE/crash.yml": """
      name: Crash
      description: The compiler crashes
      labels: [crash]
      body:
        - type: input
          id: version
          attributes:
            label: Version
          validations:
            required: true
        - type: textarea
          id: trace
          attributes:
            label: Trace
      """,
    ]

    private static func scene(_ permission: LoopbackPermission = .write) throws -> WriteScene {
      var repository = WriteScene.repository
      repository.files = files
      return try WriteScene {
        $0.repositories = [repository]
        $0.permission = permission
        $0.tellsPermissions = true
      }
    }

    @Test("in a pipe the template is named, and a form's questions are answered by its ids")
    func pipe() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let form = try await scene.run(
          [
            "create", "-t", "It crashes", "--template", "crash", "--field", "version=6.2",
            "--field", "trace=at 0x1", "--create-labels",
          ] + Self.repo, server)
        #expect(form.status == .exited(0), "\(form.errorText)")
        let issue = try #require(scene.issue(21))
        #expect(issue.title == "It crashes")
        #expect(issue.body == "### Version\n\n6.2\n\n### Trace\n\nat 0x1")
        #expect(issue.labels.map(\.name) == ["crash"])
        for (arguments, words) in [
          (["--template", "crash"], ["version"]), (["--template", "none"], ["no template “none”"]),
          (["--template", "bug", "-b", "x"], ["leave out --body"]),
          (["--field", "version=1"], ["--template"]),
        ] {
          let result = try await scene.run(
            ["create", "-t", "x"] + arguments + Self.repo, server, isPaced: false)
          result.expectRefusal(saying: words)
        }
        #expect(scene.issue(22) == nil)
      }
    }

    @Test("on a terminal a template is chosen, and its text is where the editor begins")
    func terminal() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "--create-labels"] + Self.repo, server,
          editor: #"sh -c 'printf "\n1. Run it.\n" >> "$1"' sh"#)
        try await run.waitFor("Number: ")
        run.write("1\n")
        try await run.waitFor("Title: ")
        run.write("it crashes\n")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.screen)")
        let issue = try #require(scene.issue(21))
        #expect(issue.title == "Bug: it crashes")
        #expect(issue.body == "## Steps\n\n1. Run it.")
        #expect(issue.labels.map(\.name) == ["bug"])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("answers to a form outlive the program, and the next run goes on with them")
    func killed() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "--create-labels"] + Self.repo, server,
          editor: #"sh -c 'printf "half a trace" > "$1"; echo ready; exec cat' sh"#)
        try await run.waitFor("Number: ")
        run.write("2\n")
        try await run.waitFor("Title: ")
        run.write("It crashes\n")
        try await run.waitFor("Version")
        run.write("6.2\n")
        try await run.waitFor("e for the editor")
        run.write("e\n")
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

    @Test("what the server will leave out is said before, by what it tells of one's permissions")
    func notice() async throws {
      let scene = try Self.scene(.read)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "x", "-b", "y", "-l", "bug", "-m", "6.3", "--create-labels"] + Self.repo,
          server)
        #expect(result.status == .exited(8), "\(result.errorText)")
        let notice = try #require(result.errorLines.first)
        #expect(notice.contains("will leave out labels, milestone"), "\(notice)")
        #expect(result.errorText.contains("taken: none"))
      }
    }

    @Test("--web opens GitHub's page of the template")
    func web() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "--web", "--template", "bug", "-t", "Bug: x"] + Self.repo, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.contains("/swiftlang/swift/issues/new?"), "\(result.outputText)")
        #expect(result.outputText.contains("template=bug.md"))
      }
    }
  }
}

extension CommandRun.Result {
  /// Checks that the command line was refused.
  fileprivate func expectRefusal(
    saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(status == .exited(64), "\(errorText)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errorText.contains(word), "\(errorText)", sourceLocation: sourceLocation)
    }
  }
}

import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CommandTests {
  @Suite("issues create --template", .timeLimit(.minutes(5)))
  struct CreateFromTemplateTests {
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

    private func scene(_ permission: LoopbackPermission) throws -> WriteScene {
      try WriteScene {
        $0.repositories[0].files[".github/ISSUE_TEMPLATE/bug.yml"] = Self.form
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
      "a script fills a form in, and its labels are applied for everybody",
      arguments: [(LoopbackPermission.write, "/issues"), (.read, "/graphql")])
    func script(_ permission: LoopbackPermission, _ endpoint: String) async throws {
      let scene = try scene(permission)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-R", "swiftlang/swift", "-T", "bug", "-t", "It crashes"] + fields, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.isEmpty)
        let issue = try #require(written(in: scene))
        #expect(result.lines == ["\(WriteScene.issueAddress)/\(issue.number)"])
        #expect(issue.title == "It crashes" && issue.body == Self.body)
        #expect(issue.labels.map(\.name) == ["bug"] && issue.assignees == ["ada"])
        #expect(scene.github.receipts.allSatisfy { $0.target.hasSuffix(endpoint) })
      }
    }

    @Test("what the template doesn't have is dropped, which is said before and after")
    func dropped() async throws {
      let scene = try scene(.read)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-R", "swiftlang/swift", "-T", "bug", "-t", "t", "-l", "Linux"] + fields,
          server)
        #expect(result.status == .exited(8))
        #expect(
          result.errorLines.first?.hasSuffix(
            "the server will leave out labels, but for the template's own.") == true)
        #expect(result.errorText.contains("labels: asked for Linux, bug; got bug"))
      }
    }

    @Test("nothing is sent for a form that isn't filled in, or for a template that isn't there")
    func refusals() async throws {
      let scene = try scene(.write)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let create = ["create", "-R", "swiftlang/swift", "-t", "t"]
        try await scene.run(create + ["-T", "nope"], server)
          .expectFailure(64, saying: ["no template “nope”", "bug.yml (Bug report)"])
        try await scene.run(create + ["-T", "bug", "--field", "x=y"], server)
          .expectFailure(64, saying: ["no field “x”", "version, log, terms"])
        let missing = try await scene.run(create + ["-T", "bug"], server)
        #expect(missing.status == .exited(64))
        #expect(missing.errorText.contains("“version” needs an answer (Version)"))
        #expect(scene.github.receipts.isEmpty)
      }
    }

    @Test("a person chooses and fills in at the terminal, with the editor")
    func terminal() async throws {
      let scene = try scene(.write)
      let editor = #"sh -c 'printf "one\ntwo\n" > "$1"' sh"#
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-R", "swiftlang/swift"], server, editor: editor)
        try await run.waitFor("2  Blank issue")
        try await run.waitFor("Number: ")
        run.write("1\r")
        try await run.waitFor("Title: [Bug]: ")
        run.write("It crashes\r")
        try await run.waitFor("Version *")
        run.write("6.2\r")
        try await run.waitFor("or e for the editor")
        run.write("e\r")
        try await run.waitFor("1  I agree *")
        run.write("1\r")
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.outputText)")
        let issue = try #require(written(in: scene))
        #expect(issue.title == "[Bug]: It crashes" && issue.body == Self.body)
        #expect(issue.labels.map(\.name) == ["bug"])
        #expect(try scene.drafts.isEmpty)
      }
    }

    @Test("Ctrl-D sends nothing, and keeps what was answered as a draft")
    func brokenOff() async throws {
      let scene = try scene(.write)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let run = try scene.startOnTerminal(
          ["create", "-R", "swiftlang/swift", "-T", "bug", "-t", "It crashes"], server)
        try await run.waitFor("Version *")
        run.write("6.2\r")
        try await run.waitFor("or e for the editor")
        run.write("\u{4}")
        let result = try await run.result()
        #expect(result.status == .exited(2))
        #expect(scene.github.receipts.isEmpty)
        #expect(try scene.drafts.values.contains { $0.contains("### Version\n\n6.2") })
      }
    }

    @Test("an answer from the editor stays until the whole draft has it")
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
        try await run.waitFor("Version *")
        run.write("6.2\r")
        try await run.waitFor("or e for the editor")
        run.write("e\r")
        try await run.waitFor("1  I agree *")
        run.write("\u{4}")
        #expect(try await run.result().status == .exited(2))
        let drafts = scene.folder["issues/drafts"]
        let texts = try FileManager.default.contentsOfDirectory(atPath: drafts)
          .compactMap { FileManager.default.contents(atPath: "\(drafts)/\($0)") }
        #expect(texts.contains(Data("A long log".utf8)))
      }
    }
  }
}

import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Adding issues to projects", .timeLimit(.minutes(5)))
  struct ProjectWriteTests {
    private static let repo = ["-R", "swiftlang/swift"]

    private func scene(
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) throws -> WriteScene {
      try WriteScene {
        $0.projects = [
          LoopbackProject(number: 5, title: "Roadmap"),
          LoopbackProject(number: 6, title: "Plain", statuses: []),
        ]
        configure(&$0)
      }
    }

    private func projects(_ number: Int, _ scene: WriteScene) -> [String] {
      scene.github.projects(of: number, in: WriteScene.repository)
    }

    @Test("an issue is added to a project with a status, and adding it again is harmless")
    func edit() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for project in ["swiftlang/5", "https://github.com/orgs/swiftlang/projects/5/views/1?x=1"] {
          let result = try await scene.run(
            ["edit", "3", "--add-project", project, "--project-status", "in progress"] + Self.repo,
            server)
          #expect(result.status == .exited(0), "\(result.errorText)")
        }
        #expect(projects(3, scene) == ["swiftlang/5 In Progress"])
        let several = try await scene.run(
          ["edit", "4", "--add-project", "swiftlang/6", "--add-project", "swiftlang/5"] + Self.repo,
          server)
        #expect(several.status == .exited(0), "\(several.errorText)")
        #expect(projects(4, scene) == ["swiftlang/6", "swiftlang/5"])
      }
    }

    @Test(
      "an unknown project or status is an error with the available names, and nothing is written")
    func unknown() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for (arguments, words) in [
          (["swiftlang/9"], "no project swiftlang/9, only swiftlang/5 (Roadmap), swiftlang/6"),
          (["nobody/1"], "no user or organization nobody"),
          (
            ["swiftlang/5", "--project-status", "Later"],
            "no status “Later”, only Todo, In Progress, Done"
          ),
          (["swiftlang/6", "--project-status", "Todo"], "no status “Todo”, no status"),
        ] {
          let result = try await scene.run(
            ["edit", "3", "--add-project"] + arguments + Self.repo, server, isPaced: false)
          result.expectFailure(64, saying: [words])
        }
        #expect(projects(3, scene).isEmpty)
      }
    }

    @Test("a missing scope is explained, and the change stays in the outbox")
    func missingScope() async throws {
      let scene = try scene { $0.scopes = ["repo", "read:project"] }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["edit", "3", "--add-project", "swiftlang/5"] + Self.repo, server)
        result.expectFailure(4, saying: ["required scopes", "gh auth refresh -s project"])
        let shown = try await IssuesProgram.run(
          ["outbox", "show", "1"], environment: scene.environment)
        #expect(shown.outputText.contains("+project swiftlang/5"), "\(shown.outputText)")
      }
    }

    @Test("a queued change is sent later, and a lost response doesn't matter")
    func queued() async throws {
      let scene = try scene()
      scene.github.strike(.answerLost)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let queued = try await scene.run(
          ["edit", "3", "--add-project", "swiftlang/5", "--queue"] + Self.repo, server)
        queued.expectFailure(75, saying: ["kept in the outbox"])
        _ = try await scene.run(["outbox", "send"], server)
        let again = try await scene.run(["outbox", "send"], server)
        #expect(again.status == .exited(0), "\(again.errorText)")
        #expect(projects(3, scene) == ["swiftlang/5"])
      }
    }

    @Test("a new issue is added to a project, and created even if that fails")
    func create() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["create", "-t", "x", "-b", ""] + Self.repo
        let made = try await scene.run(
          arguments + ["-p", "swiftlang/5", "--project-status", "Todo"], server)
        #expect(made.outputText == "\(WriteScene.issueAddress)/21\n", "\(made.errorText)")
        #expect(projects(21, scene) == ["swiftlang/5 Todo"])
        let failed = try await scene.run(arguments + ["-p", "swiftlang/9"], server)
        #expect(failed.status == .exited(64), "\(failed.errorText)")
        #expect(failed.outputText == "\(WriteScene.issueAddress)/22\n")
      }
    }

    @Test(
      "the projects of a form are added if the token may, and named otherwise",
      arguments: [
        (nil, ["swiftlang/5"], "yourself: swiftlang/9, other"),
        (["repo", "read:project"], [], "yourself: swiftlang/5, swiftlang/9, other"),
        (["repo"], [], "yourself: swiftlang/5, swiftlang/9, other"),
      ] as [(Set<String>?, [String], String)])
    func form(scopes: Set<String>?, projects: [String], words: String) async throws {
      let form = """
        name: Crash
        description: d
        projects: ["swiftlang/5", "swiftlang/9", "other"]
        body: [{type: input, id: version, attributes: {label: Version}}]
        """
      let scene = try scene {
        $0.scopes = scopes
        $0.repositories[0].files[".github/ISSUE_TEMPLATE/bug.yml"] = form
      }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let result = try await scene.run(
          ["create", "-t", "x", "--template", "bug.yml", "--field", "version=1"] + Self.repo, server
        )
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.contains(words), "\(result.errorText)")
        #expect(self.projects(21, scene) == projects)
      }
    }

    @Test("sample data accepts a project")
    func stub() async throws {
      let result = try await IssuesProgram.run(
        ["edit", "apple/swift", "85968", "--add-project", "swiftlang/1", "--stub"])
      #expect(result.status == .exited(0), "\(result.errorText)")
    }
  }
}

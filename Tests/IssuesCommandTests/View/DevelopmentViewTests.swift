import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("The branches and projects of an issue", .timeLimit(.minutes(5)))
  struct DevelopmentViewTests {
    private static let repository = WriteScene.repository

    /// A GitHub whose issue 7 has a branch, a closing pull request and projects, one of them hidden.
    private func scene(scopes: Set<String>? = nil) throws -> WriteScene {
      let roadmap = LoopbackProject(number: 5, title: "Road\u{1B}[31mmap")
      var secret = LoopbackProject(number: 6, title: "Secret")
      secret.isHidden = true
      let scene = try WriteScene {
        $0.projects = [roadmap, secret]
        $0.closingPullRequests = [7: [99]]
        $0.scopes = scopes
      }
      for project in [roadmap, secret] {
        scene.github.addIssue(7, of: Self.repository, to: project, status: "Todo")
      }
      scene.github.linkBranch("7-fix", to: 7, of: Self.repository)
      return scene
    }

    private func view(
      _ scene: WriteScene, _ arguments: String..., number: Int = 7
    ) async throws -> CommandRun.Result {
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.run(["view", "swiftlang/swift", "\(number)"] + arguments, server)
      }
    }

    @Test("a pipe gets lines for the branch, the pull request and the visible projects")
    func plain() async throws {
      let result = try await view(try scene())
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.contains("branches:\t7-fix"))
      #expect(result.lines.contains("closing-pull-requests:\tswiftlang/swift#99"))
      #expect(
        result.lines.contains {
          $0.hasPrefix("projects:\tRoad") && $0.hasSuffix("map (swiftlang/5, Todo)")
        })
      #expect(!result.outputText.contains("\u{1B}") && !result.outputText.contains("Secret"))
    }

    @Test("without the scope, the projects are missing, and null in JSON")
    func missingScope() async throws {
      let scene = try scene(scopes: ["repo"])
      let result = try await view(scene)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.contains("branches:\t7-fix"))
      #expect(!result.outputText.contains("projects:"))
      let json = try await view(scene, "--json", "number,linked_branches,projects")
      #expect(
        json.outputText == """
          {"number":7,"linked_branches":[{"name":"7-fix","repository":"swiftlang/swift"}],"projects":null}

          """, "\(json.errorText)")
    }

    @Test("JSON has every field")
    func json() async throws {
      let result = try await view(
        try scene(), "--json", "closing_pull_requests,projects", "--jq",
        ".closing_pull_requests[0].number, .closing_pull_requests[0].state, .projects[].status, (.projects | length)"
      )
      #expect(result.outputText == "99\nopen\nTodo\n1\n", "\(result.errorText)")
    }

    @Test("if the query fails or there is no token, the issue is shown without these details")
    func failure() async throws {
      let scene = try scene()
      scene.github.fail("/graphql", with: .serverError)
      let result = try await view(scene, "--retries", "0")
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.isEmpty && !result.outputText.contains("branches:"))
      let json = try await view(scene, "--json", "number,linked_branches", "--retries", "0")
      #expect(json.outputText == "{\"number\":7,\"linked_branches\":null}\n", "\(json.errorText)")
    }

    @Test("no query is sent for JSON without these fields, or without a token")
    func unneeded() async throws {
      let scene = try scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        _ = try await scene.run(["view", "swiftlang/swift", "7", "--json", "number"], server)
        _ = try await scene.run(
          ["view", "swiftlang/swift", "7"], server, environment: ["GH_ENTERPRISE_TOKEN": ""])
        #expect(!server.log.requests.contains { $0.target.contains("graphql") })
      }
    }
  }
}

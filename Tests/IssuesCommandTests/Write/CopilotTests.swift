import TestSupport
import Testing

extension CommandTests {
  @Suite("@copilot and app/NAME", .timeLimit(.minutes(5)))
  struct CopilotTests {
    private static let repo = ["-R", "swiftlang/swift"]

    private func scene(hasBot: Bool) throws -> WriteScene {
      try WriteScene { $0.assignable = hasBot ? ["octocat", "Copilot"] : ["octocat"] }
    }

    private func assignees(_ scene: WriteScene, _ number: Int) -> [String] {
      scene.github.issues(of: WriteScene.repository).first { $0.number == number }?.assignees ?? []
    }

    @Test("@copilot assigns and unassigns the bot among the repository's assignees")
    func assigned() async throws {
      let scene = try scene(hasBot: true)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let created = try await scene.run(
          ["create", "-t", "New", "-b", "", "-a", "@copilot"] + Self.repo, server)
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(assignees(scene, 21) == ["Copilot"])
        let added = try await scene.run(
          ["edit", "3", "--add-assignee", "@copilot"] + Self.repo, server)
        #expect(added.status == .exited(0), "\(added.errorText)")
        #expect(assignees(scene, 3).contains("Copilot"))
        let listed = try await scene.run(
          ["list", "--assignee", "@copilot", "--json", "number", "--jq", ".[].number"] + Self.repo,
          server)
        #expect(listed.lines.sorted() == ["21", "3"], "\(listed.errorText)")
        let removed = try await scene.run(
          ["edit", "3", "--remove-assignee", "@copilot"] + Self.repo, server)
        #expect(removed.status == .exited(0), "\(removed.errorText)")
        #expect(!assignees(scene, 3).contains("Copilot"))
      }
    }

    @Test("a repository without the bot is reported, and the rest is done")
    func missing() async throws {
      let scene = try scene(hasBot: false)
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let created = try await scene.run(
          ["create", "-t", "New", "-b", "", "-a", "@copilot"] + Self.repo, server)
        #expect(created.status == .exited(8), "\(created.errorText)")
        #expect(created.errorText.contains("doesn't have Copilot among its assignees"))
        #expect(scene.github.issues(of: WriteScene.repository).contains { $0.title == "New" })
        let edited = try await scene.run(
          ["edit", "3", "--add-assignee", "@copilot"] + Self.repo, server)
        #expect(edited.status == .exited(8), "\(edited.errorText)")
        #expect(edited.errorText.contains("Copilot"))
        try await scene.run(["list", "--assignee", "@copilot"] + Self.repo, server)
          .expectFailure(3, saying: ["Copilot", "@copilot"])
      }
    }

    @Test("app/NAME is the bot's login in filters and for assignees")
    func apps() async throws {
      let scene = try WriteScene { $0.assignable = ["shipit[bot]"] }
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let edited = try await scene.run(
          ["edit", "3", "--add-assignee", "app/shipit"] + Self.repo, server)
        #expect(edited.status == .exited(0), "\(edited.errorText)")
        #expect(assignees(scene, 3).contains("shipit[bot]"))
        let listed = try await scene.run(
          ["list", "--author", "app/shipit", "--assignee", "app/shipit"] + Self.repo, server)
        #expect(listed.status == .exited(0), "\(listed.errorText)")
        let request = try #require(server.log.requests.last { $0.queryValue("creator") != nil })
        #expect(request.queryValue("creator") == "shipit[bot]")
        #expect(request.queryValue("assignee") == "shipit[bot]")
      }
    }

    @Test("the mirror's own names decide who @copilot is")
    func mirror() async throws {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b",
        items: [
          FilledMirror.Item(number: 1, title: "One", assignees: ["Copilot"]),
          FilledMirror.Item(number: 2, title: "Two"),
        ])
      let list = ["list", "a/b", "--offline", "--assignee", "@copilot"]
      for search in [[], ["--search", "One"]] {
        let result = try await filled.run(list + search)
        #expect(result.lines.count == 1, "\(result.errorText)")
      }
      try await filled.add("c/d", items: [FilledMirror.Item(number: 1, title: "One")])
      try await filled.run(["list", "c/d", "--offline", "--assignee", "@copilot"])
        .expectFailure(3, saying: ["c/d doesn't have Copilot"])
    }
  }
}

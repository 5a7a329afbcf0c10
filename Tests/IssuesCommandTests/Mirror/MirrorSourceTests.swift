import IssueMirror
import IssueTracker
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("The list of mirrors and its sources", .timeLimit(.minutes(5)))
  struct MirrorSourceTests {
    private static let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]

    /// `acme/repo-1` to `acme/repo-3`, `octo/cat`, and a configuration of its own.
    private static func scene(starred: Set<Int> = []) throws -> MirrorScene {
      var configuration = LoopbackGitHub.Configuration()
      func repository(_ id: Int, _ owner: String, _ name: String) -> LoopbackRepository {
        LoopbackRepository(
          id: id, owner: owner, name: name, issues: SyntheticIssues(count: 2, newest: 1_700_000_000)
        )
      }
      configuration.repositories =
        (1...3).map { repository($0, "acme", "repo-\($0)") } + [repository(900, "octo", "cat")]
      configuration.users = ["octo"]
      configuration.starred = starred
      return try MirrorScene(LoopbackGitHub(configuration))
    }

    private static func environment(
      _ scene: MirrorScene, _ server: LoopbackServer
    ) -> [String: String] {
      [
        "XDG_CONFIG_HOME": scene.folder["config"], "XDG_STATE_HOME": scene.folder["state"],
        "GH_HOST": server.host,
      ].merging(token) { $1 }
    }

    /// The name and the reasons of each line of `issues mirror`.
    private static func reasons(
      _ scene: MirrorScene, _ environment: [String: String]
    ) async throws -> [String] {
      let result = try await scene.run(["mirror"], environment: environment)
      #expect(result.status == .exited(0), "\(result.errorText)")
      return result.lines.map { line in
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        return "\(cells[0].split(separator: "/").suffix(2).joined(separator: "/")): \(cells[6])"
      }
    }

    @Test(
      "'sync --all' mirrors the current repositories of each source, and 'mirror' shows the source")
    func all() async throws {
      let scene = try Self.scene(starred: [2, 900])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let environment = Self.environment(scene, server)
        let added = try await scene.run(
          ["mirror", "add", "acme/repo-[13]", "--starred", "acme/REPO-1"], environment: environment)
        #expect(
          added.outputText == "Added acme/repo-[13]\nAdded acme/REPO-1\nAdded starred\n",
          "\(added.errorText)")
        #expect(server.log.requestCount == 0)
        #expect(
          scene.folder.text("config/issues/config.toml")?.hasSuffix(
            "\n\n[mirror]\nsources = [\n  \"acme/repo-[13]\",\n  \"acme/REPO-1\",\n  \"starred\",\n]\n"
          ) == true)
        try await scene.sync(server, ["--all"], environment: environment)
        #expect(
          try await Self.reasons(scene, environment) == [
            "acme/repo-1: acme/repo-[13] acme/REPO-1", "acme/repo-2: starred",
            "acme/repo-3: acme/repo-[13]", "octo/cat: starred",
          ])
        // Outside a clone it is the same without the option, and nothing has changed.
        let again = try await scene.sync(server, [], environment: environment)
        #expect(again.lines.count == 4)
        let json = try await scene.run(
          ["mirror", "--json", "full_name,reasons", "-q", ".[1].reasons[]"],
          environment: environment)
        #expect(json.outputText == "starred\n")
      }
    }

    @Test("'mirror remove SOURCE' also removes the mirrors that no other source includes")
    func remove() async throws {
      let scene = try Self.scene(starred: [2])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let environment = Self.environment(scene, server)
        func run(_ arguments: String...) async throws -> CommandRun.Result {
          try await scene.run(["mirror"] + arguments, environment: environment)
        }
        _ = try await run("add", "--org", "acme", "--starred", "octo/cat")
        try await scene.sync(server, ["--all"], environment: environment)
        let unknown = try await run("remove", "--mine", "--org", "acme", "--yes")
        unknown.expectFailure(3, saying: ["mine isn't on the list", "org:acme, starred"])
        let unasked = try await run("remove", "--org", "acme")
        unasked.expectFailure(64, saying: ["no terminal", "--yes"])
        let kept = try await run("remove", "octo/cat", "--keep")
        #expect(kept.outputText == "Removed octo/cat from the list\n", "\(kept.errorText)")
        let removed = try await run("remove", "--org", "ACME", "--yes")
        #expect(
          removed.outputText == """
            Removed org:acme from the list
            Removed the mirror of \(server.host)/acme/repo-1
            Removed the mirror of \(server.host)/acme/repo-3

            """, "\(removed.errorText)")
        #expect(
          try await Self.reasons(scene, environment) == ["acme/repo-2: starred", "octo/cat: "])
        // It comes back, which is said.
        let starred = try await run("remove", "\(server.host)/acme/repo-2", "--yes")
        #expect(starred.errorText.contains("starred still stands for \(server.host)/acme/repo-2"))
        #expect(
          try await run("remove", "octo/cat", "--keep").errorText.contains("isn't on the list"))
      }
    }

    @Test("'sync --all' reports a source that can't be read, and syncs the rest")
    func unreadable() async throws {
      let scene = try Self.scene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let environment = Self.environment(scene, server)
        _ = try await scene.run(
          ["mirror", "add", "--org", "nobody", "octo/cat"], environment: environment)
        let result = try await scene.run(
          ["sync", "--all", "--api-url", server.url], environment: environment)
        #expect(result.status == .exited(3))
        #expect(result.errorText.contains("org:nobody: "), "\(result.errorText)")
        #expect(result.errorLines.last?.contains("list of mirrors could not be read") == true)
        #expect(result.lines.map { $0.contains("octo/cat\t2 new") } == [true])
        let screen = try await scene.run(
          ["mirror"], environment: environment.merging(IssuesProgram.plainTerminal) { $1 },
          connection: .terminal(columns: 120, rows: 24)
        ).screen
        #expect(screen.contains("On the list, but not mirrored: org:nobody."), "\(screen)")
        let both = try await scene.run(["sync", "--all", "octo/cat"], environment: environment)
        both.expectFailure(64, saying: ["leave the names out"])
      }
    }

    @Test("an invalid list blocks neither other mirrors nor 'mirror', and isn't overwritten")
    func wrongConfiguration() async throws {
      let scene = try Self.scene()
      let text = "[mirror]\nsources = [\"a/*/b\"]\n"
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let environment = Self.environment(scene, server)
        try await scene.sync(server, ["octo/cat"], environment: environment)
        try scene.folder.write(configuration: text, in: "config/")
        let sync = try await scene.run(
          ["sync", "--all", "--api-url", server.url], environment: environment)
        #expect(sync.status == .exited(78))
        #expect(
          sync.errorText.contains("config.toml:2:11: 'a/*/b' doesn't name any repositories"),
          "\(sync.errorText)")
        #expect(sync.lines.count == 1)
        #expect(try await Self.reasons(scene, environment) == ["octo/cat: "])
        let added = try await scene.run(["mirror", "add", "a/b"], environment: environment)
        added.expectFailure(78, saying: ["config.toml:2:11"])
        #expect(scene.folder.text("config/issues/config.toml") == text)
      }
    }

    @Test(
      "'mirror add' keeps the rest of the configuration file and all comments on mirrors",
      arguments: [
        (
          "theme = \"ansi\" # mine\n",
          "theme = \"ansi\" # mine\n\n[mirror]\nsources = [\n  \"a/b\",\n]\n"
        ),
        (
          "[mirror]\nsources = \"c/d\"\n\n# keys\n[keys]\n",
          "[mirror]\nsources = [\n  \"c/d\",\n  \"a/b\",\n]\n\n# keys\n[keys]\n"
        ),
        ("[mirror]\nsources = [\n  \"c/d\", # the team's\n]\n", nil),
        ("mirror.sources = [\"c/d\"]\n", nil),
      ])
    func configuration(text: String, expected: String?) async throws {
      let folder = try ScratchFolder()
      try folder.write(configuration: text, in: "")
      let result = try await IssuesProgram.run(
        ["mirror", "add", "a/b"], environment: ["XDG_CONFIG_HOME": folder.path])
      if expected == nil {
        result.expectFailure(1, saying: ["without changing other text", "config edit"])
      } else {
        #expect(result.status == .exited(0), "\(result.errorText)")
      }
      #expect(folder.text("issues/config.toml") == expected ?? text)
    }

    @Test(
      "'mirror add' without a source or with an invalid name is refused before the file changes")
    func refused() async throws {
      let folder = try ScratchFolder()
      let environment = ["XDG_CONFIG_HOME": folder.path]
      let none = try await IssuesProgram.run(["mirror", "add"], environment: environment)
      none.expectFailure(64, saying: ["Specify what to mirror"])
      let wrong = try await IssuesProgram.run(
        ["mirror", "add", "a/b", "../.."], environment: environment)
      wrong.expectFailure(64, saying: ["../.."])
      #expect(folder.contents("issues/config.toml") == nil)
      let added = try await IssuesProgram.run(["mirror", "add", "a/b"], environment: environment)
      #expect(added.status == .exited(0), "\(added.errorText)")
      let twice = try await IssuesProgram.run(["mirror", "add", "A/B"], environment: environment)
      #expect(twice.status == .exited(0))
      #expect(twice.outputText.isEmpty)
      #expect(twice.errorText == "A/B is already on the list.\n")
      // A new file has the explanations of 'config init', which would refuse it.
      #expect(folder.text("issues/config.toml")?.hasPrefix("# The configuration of") == true)
    }
  }
}

extension ScratchFolder {
  fileprivate func text(_ name: String) -> String? {
    contents(name).map { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate func write(configuration text: String, in folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: self["\(folder)issues"], withIntermediateDirectories: true)
    try write(Data(text.utf8), to: "\(folder)issues/config.toml")
  }
}

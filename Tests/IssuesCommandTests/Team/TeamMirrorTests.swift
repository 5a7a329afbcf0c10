import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CommandTests {
  @Suite(
    "A team's mirror", .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
    .timeLimit(.minutes(5)))
  struct TeamMirrorTests {
    private static let repository = "swiftlang/swift"

    /// Runs the same commands with the mirror on this machine and with the team's, and expects the same output.
    private static func expectSame(
      _ commands: [[String]], _ options: [String] = [],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        for environment in [[:], scene.environment] {
          try await scene.mirror.sync(
            server, options + [repository], environment: environment,
            sourceLocation: sourceLocation)
        }
        for command in commands {
          let words = command.map { $0 == "URL" ? server.url : $0 }
          let own = try await scene.mirror.run(words)
          let team = try await scene.run(words)
          #expect(own.status == .exited(0), "\(own.errorText)", sourceLocation: sourceLocation)
          #expect(team.status == own.status, "\(team.errorText)", sourceLocation: sourceLocation)
          #expect(team.output == own.output, "\(words)", sourceLocation: sourceLocation)
          #expect(!own.output.isEmpty, "\(words)", sourceLocation: sourceLocation)
        }
        #expect(try await scene.mirror.run(["mirror", "path"]).status == .exited(0))
      }
    }

    @Test("lists and issues are those of a mirror on this machine, byte by byte")
    func reading() async throws {
      let list = ["list", Self.repository, "--offline", "--api-url", "URL"]
      let view = ["view", Self.repository, "7", "--offline", "--api-url", "URL"]
      try await Self.expectSame(
        [
          list + ["--all", "--state", "all"],
          list + ["--all", "--state", "all", "--include-pull-requests", "--json"],
          list + ["--label", "bug", "--sort", "updated", "--state", "all"],
          view, view + ["--json"], view + ["--comments"],
          [
            "list", Self.repository, "--max-age", "1h", "--api-url", "URL", "--json",
            "number,title",
          ],
          ["tree", "\(Self.repository)#7", "--offline", "--api-url", "URL"],
        ], ["--comments"])
    }

    @Test("so are searches, statistics, exports and the list of mirrors")
    func searching() async throws {
      let search = ["search", "-R", Self.repository, "--api-url", "URL"]
      let place = [Self.repository, "--api-url", "URL"]
      try await Self.expectSame([
        search + ["crash sort:created", "--limit", "100", "--json", "number,title,state"],
        search + ["is:closed label:bug sort:updated-asc"],
        ["stats"] + place + ["--json", "open,closed,weeks,labels,authors"],
        ["export"] + place + ["--state", "all", "--include-pull-requests"],
        ["export"] + place + ["--format", "csv", "--label", "bug"],
        [
          "mirror", "list", "--json",
          "full_name,host,id,open,issues,pull_requests,comments,removed",
        ],
      ])
    }

    @Test("a sync takes up where another one on the same database was, and makes no file")
    func syncing() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let words = ["sync", Self.repository, "--api-url", server.url]
        let first = try await scene.run(words)
        #expect(first.lines.first?.contains("\t250 new\t0 updated") == true, "\(first.errorText)")
        let second = try await scene.mirror.run(words + ["--database", scene.address()])
        #expect(second.lines.first?.contains("\t0 new\t0 updated") == true, "\(second.errorText)")
        #expect(scene.mirror.folder.names == [])
        let removed = try await scene.run(
          ["mirror", "remove", "--yes", "\(server.host)/\(Self.repository)"])
        #expect(removed.status == .exited(0), "\(removed.errorText)")
        #expect(try await scene.run(["mirror", "--json", "id"]).outputText == "[]\n")
      }
    }

    @Test("an option comes before the variable, and that before the configuration")
    func precedence() async throws {
      let (first, second) = (try await TeamScene(), try await TeamScene())
      let configuration = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: configuration["issues"], withIntermediateDirectories: false)
      try configuration.write(
        Data("database = \"\(second.address())\"\n".utf8), to: "issues/config.toml")
      let variable = first.environment
      let file = ["XDG_CONFIG_HOME": configuration.path]
      try await withLoopbackServer(answering: first.mirror.github.handler) { server in
        // Only the second database has a mirror.
        let made = try await second.run(["sync", Self.repository, "--api-url", server.url])
        #expect(made.status == .exited(0), "\(made.errorText)")
        let scene = first.mirror
        let list = ["mirror", "--json", "full_name"]
        let (none, one) = ("[]\n", "[\n{\"full_name\":\"\(Self.repository)\"}\n]\n")
        #expect(try await scene.run(list).outputText == none)
        #expect(try await scene.run(list, environment: file).outputText == one)
        let both = file.merging(variable) { $1 }
        #expect(try await scene.run(list, environment: both).outputText == none)
        let option = list + ["--database", second.address()]
        #expect(try await scene.run(option, environment: both).outputText == one)
        let local = list + ["--database", "local"]
        #expect(try await scene.run(local, environment: both).outputText == none)
        #expect(
          try await scene.run(
            list, environment: file.merging(["ISSUES_DATABASE": "local"]) { $1 }
          ).outputText == none)
      }
    }

    @Test("a reader reads with the rights of the documentation, and a writer syncs")
    func roles() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let sync = ["sync", Self.repository, "--api-url", server.url, "--database"]
        let made = try await scene.mirror.run(sync + [scene.address()])
        #expect(made.status == .exited(0), "\(made.errorText)")
        let reader = scene.address(as: try await scene.makeRole(.reading))
        let writer = scene.address(as: try await scene.makeRole(.writing))
        let list = ["list", Self.repository, "--offline", "--api-url", server.url, "--database"]
        let found = try await scene.mirror.run(list + [reader])
        #expect(found.status == .exited(0), "\(found.errorText)")
        #expect(found.lines.count == 30)
        let synced = try await scene.mirror.run(sync + [writer, "--verify"])
        #expect(synced.status == .exited(0), "\(synced.errorText)")
        let refused = try await scene.mirror.run(sync + [reader])
        #expect(refused.status == .exited(74))
        let stranger = scene.address(as: try await scene.makeRole(.nothing))
        let unknown = try await scene.mirror.run(sync + [stranger])
        #expect(unknown.status == .exited(74))
        #expect(unknown.errorText.contains("permission denied for schema issues"))
      }
    }

    @Test("an agent reads the team's mirror")
    func agent() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let made = try await scene.run(["sync", Self.repository, "--api-url", server.url])
        #expect(made.status == .exited(0), "\(made.errorText)")
      }
      let pipe = try MCPPipe(mirror: nil, ["--database", scene.address()])
      pipe.send(
        MCPPipe.call(1, "mirror_status", ""),
        MCPPipe.call(2, "search_issues", #""query":"is:open sort:created","limit":3"#))
      let status = try await pipe.line(1)
      #expect(status.result?.isError != true)
      #expect(status.text.contains(Self.repository))
      #expect(try await pipe.line(2).text.contains(#""total":"#))
      let (_, result) = try await pipe.finish()
      #expect(result.errorText.isEmpty)
    }

    @Test("programs that the command starts don't get the address")
    func children() async throws {
      let folder = try ScratchFolder()
      let program = folder["browser"]
      try folder.write(
        Data("#!/bin/sh\nenv >\"\(folder["seen"])\"\n".utf8), to: "browser")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
      let result = try await IssuesProgram.run(
        ["open", "a/b"],
        environment: [
          "BROWSER": program, "ISSUES_DATABASE": "host=/nowhere password=\(TeamFault.secret)",
          "PGPASSWORD": TeamFault.secret, "KEPT": "kept",
        ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let seen = String(decoding: try #require(folder.contents("seen")), as: UTF8.self)
      #expect(seen.contains("KEPT=kept"))
      #expect(!seen.contains(TeamFault.secret))
    }
  }
}

import PlatformModules
import TestSupport
import Testing

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

    @Test("lists and issues of a team's mirror equal those of a local mirror, byte by byte")
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

    @Test("searches, statistics and exports of a team's mirror equal those of a local mirror")
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

    @Test("a sync continues another one on the same database, and creates no file")
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

    @Test("the option takes precedence over the variable, and the variable over the configuration")
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

    @Test("the documented roles let a reader read and a writer sync")
    func roles() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let sync = ["sync", Self.repository, "--api-url", server.url, "--database"]
        let stranger = scene.address(as: try await scene.makeRole(.nothing))
        try await scene.mirror.run(sync + [stranger])
          .expectFailure(74, saying: ["It has no tables yet", "Its owner makes them"])
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
        let unknown = try await scene.mirror.run(sync + [stranger])
        #expect(unknown.status == .exited(74))
        #expect(unknown.errorText.contains("permission denied for schema issues"))
        try await scene.mirror.run(["list", Self.repository, "--offline", "--database", reader])
          .expectFailure(3, saying: ["but of 127.0.0.1:", "GH_HOST or --api-url"])
        let worker = try await scene.mirror.run(
          ["worker", "--once", "--api-url", server.url, "--database", writer])
        #expect(worker.status == .exited(0))
        #expect(
          worker.errorText.contains("No token is sent to 127.0.0.1:"), "\(worker.errorText)")
      }
    }

    @Test("the text of a database can't control a reader's terminal")
    func controls() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let place = [Self.repository, "--api-url", server.url]
        let made = try await scene.run(["sync"] + place)
        #expect(made.status == .exited(0), "\(made.errorText)")
        // The server warns of this setting while a reader connects.
        try await scene.server.psql(
          #"""
          UPDATE issues.repository SET full_name = full_name || E'\x1b]0;owned\x07';
          ALTER DATABASE \#(scene.database) SET default_text_search_config = E'\x1b]0;owned\x07';
          CREATE FUNCTION issues.refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION E'refused \x1b]0;owned\x07'; END $$;
          CREATE TRIGGER refuse BEFORE UPDATE ON issues.repository
            FOR EACH ROW EXECUTE FUNCTION issues.refuse()
          """#, in: scene.database)
        for (words, status) in [
          (["list"] + place + ["--offline"], 0),
          (["list"] + place + ["--offline", "--group-by", "label"], 0),
          (["ready"] + place + ["--offline"], 0), (["view"] + place + ["7", "--offline"], 0),
          (["view"] + place + ["9999", "--offline"], 3),
          (["context"] + place + ["7", "--offline"], 0),
          (["stats"] + place, 0), (["search", "crash"], 0), (["mirror"], 0),
          (["worker", "status", "--format", "prometheus"], 0), (["sync"] + place, 74),
          (["sync", "--json-errors"] + place, 74),
        ] as [([String], Int32)] {
          let result = try await scene.run(words, environment: ["GH_FORCE_TTY": "100"])
          #expect(result.status == .exited(status), "\(words): \(result.errorText)")
          let text = result.outputText + result.errorText
          #expect(!text.contains("\u{1B}]0;") && !text.contains("\u{7}"), "\(words)")
          #expect(!result.errorText.contains("WARNING"), "\(words)")
        }
      }
    }

    @Test("a damaged row is reported, and output that includes it fails")
    func damaged() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let place = [Self.repository, "--api-url", server.url]
        try await scene.mirror.sync(
          server, ["--comments", Self.repository], environment: scene.environment)
        let all = ["--state", "all", "--include-pull-requests"]
        for (change, name, options) in [
          ("item SET json = '{\"number\":7,'", "issue 7", []),
          ("comment SET json = 'x'", "a comment on issue 7", ["--comments"]),
        ] {
          try await scene.server.psql(
            "CREATE TABLE kept AS SELECT * FROM issues.item; UPDATE issues.\(change) WHERE number = 7",
            in: scene.database)
          let export = try await scene.run(["export"] + place + all + options)
          export.expectFailure(74, saying: ["The mirror's copy of \(name) can't be read"])
          if options.isEmpty {
            try await scene.run(["list"] + place + all + ["--offline", "--all", "--json"])
              .expectFailure(74, saying: ["The mirror's copy of issue 7 can't be read"])
          }
          try await scene.server.psql(
            """
            UPDATE issues.item SET json = kept.json FROM kept
            WHERE kept.number = item.number; DROP TABLE kept
            """, in: scene.database)
        }
      }
    }

    @Test(
      "no number in the database ends a process",
      arguments: [
        "mirror SET version = -1", "mirror SET version = 0",
        "queue SET failures = 9223372036854775807, changes_per_hour = 'NaN'",
        "queue SET failures = -9223372036854775808, name = 'acme/missing'",
        "queue SET changes_per_hour = 'Infinity', interval_seconds = 'NaN'",
        """
        budget SET quota = 9223372036854775807, remaining = -9223372036854775808,
          reset = 9223372036854775807, ends_at = 'epoch'
        """,
        "budget SET remaining = 9223372036854775807, reset = -9223372036854775808",
      ])
    func numbers(change: String) async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", Self.repository] + place)
        let first = try await scene.run(["worker", "--once"] + place)
        #expect(first.status == .exited(0), "\(first.errorText)")
        try await scene.server.psql(
          "UPDATE issues.queue SET due_at = now(); UPDATE issues.\(change)", in: scene.database)
        for words in [
          ["worker", "status"], ["worker", "--once"] + place, ["sync", Self.repository] + place,
        ] {
          let result = try await scene.run(words)
          if case .exited = result.status {
          } else {
            Issue.record("\(words): \(result.status) \(result.errorText)")
          }
          if change.hasPrefix("mirror") {
            #expect(result.status == .exited(74), "\(words): \(result.errorText)")
          }
        }
      }
    }

    @Test("a sync keeps to the team's budget, and returns the unused part")
    func budget() async throws {
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let words = ["sync", Self.repository, "--api-url", server.url]
        let made = try await scene.run(words)
        #expect(made.status == .exited(0), "\(made.errorText)")
        let budget =
          "SELECT count(quota), (SELECT count(*) FROM issues.budget_block) FROM issues.budget"
        #expect(try await scene.server.psql(budget, in: scene.database) == "1\t0\n")
        try await scene.server.psql(
          "UPDATE issues.budget SET paused_until = now() + interval '20 minutes'",
          in: scene.database)
        let count = server.log.requests.count
        try await scene.run(words + ["--wait", "0"])
          .expectFailure(5, saying: ["slow down"])
        #expect(server.log.requests.count == count)
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

    @Test("child processes don't get the database's address")
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

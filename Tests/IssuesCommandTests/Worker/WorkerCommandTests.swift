import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "issues worker", .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.absence)"),
    .timeLimit(.minutes(5)))
  struct WorkerCommandTests {
    private static func repositories(_ count: Int, items: Int = 20) -> [LoopbackRepository] {
      (1...count).map { number in
        LoopbackRepository(
          id: number, owner: "acme", name: "tool\(number)",
          issues: SyntheticIssues(count: items + number, newest: 1_700_000_000))
      }
    }

    /// The words of the lines of an output.
    private static func rows(_ result: CommandRun.Result) -> [[String]] {
      result.lines.map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }

    /// Answers so many pages of issues at once, and the rest when the gate opens.
    private static func holding(
      _ scene: TeamScene, _ pages: Watched<Int>, after count: Int, until gate: Gate
    ) -> LoopbackServer.Handler {
      { request in
        if request.isPageOfIssues, next(pages) > count { await gate.wait() }
        return await scene.mirror.github.handler(request)
      }
    }

    private static func next(_ count: Watched<Int>) -> Int {
      count.update { count in
        count += 1
        return count
      }
    }

    @Test("worker --once syncs the queue, and its status has three forms")
    func once() async throws {
      let scene = try await TeamScene(Self.repositories(3))
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        // Before the first one, there is nothing, which is no error.
        let empty = try await scene.run(["worker", "status"])
        #expect(empty.status == .exited(0) && empty.lines.first == "repositories\t0")

        let place = ["--api-url", server.url]
        let added = try await scene.run(
          ["worker", "add", "acme/*", "acme/missing", "acme/tool1"] + place)
        #expect(
          Self.rows(added) == [
            ["3", "3", "acme/*"], ["1", "1", "acme/missing"], ["1", "0", "acme/tool1"],
          ])
        let run = try await scene.run(["worker", "--once"] + place)
        #expect(run.status == .exited(0), "\(run.errorText)")
        let events = Self.rows(run).map { Array($0.dropFirst()) }
        #expect(events.count == 8)
        for number in 1...3 {
          let name = "acme/tool\(number)"
          #expect(events.contains(["claimed", name, "", "", "", "", "", "acme/*"]))
          let end = try #require(events.first { $0[0] == "finished" && $0[1] == name })
          #expect(end[2] == "\(20 + number)" && end[6] == "120", "\(end)")
          try await scene.mirror.expectSameLists(of: name, server, scene.environment)
        }
        let failure = try #require(events.first { $0[0] == "failed" })
        #expect(failure[1] == "acme/missing" && failure[6] == "60" && failure[7].contains("404"))

        let lines = try await scene.run(["worker", "status"])
        let rows = Self.rows(lines)
        #expect(rows.prefix(3) == [["repositories", "4"], ["due", "0"], ["never_synced", "1"]])
        #expect(rows.contains { $0.prefix(3) == ["failing", "acme/missing", "1"] }, "\(rows)")
        let budget = try #require(rows.first { $0[0] == "budget" })
        #expect(budget[1] == server.host && budget[3...4] == ["core", "5000"] && budget[6] == "0")

        let json = try await scene.run(
          [
            "worker", "status", "--json", "repositories,syncing,failing", "--jq",
            ".failing[].repository",
          ])
        #expect(json.outputText == "acme/missing\n", "\(json.errorText)")
        let metrics = try await scene.run(["worker", "status", "--format", "prometheus"])
        #expect(metrics.lines.contains("issues_queue_repositories 4"))
        #expect(
          metrics.lines.contains(
            "issues_repository_failures{host=\"\(server.host)\",repository=\"acme/missing\"} 1"))
        #expect(!(metrics.outputText + lines.outputText).contains(IssuesProgram.token))

        // Nothing is due now.
        let again = try await scene.run(["worker", "run", "--once"] + place)
        #expect(again.status == .exited(0) && again.output.isEmpty)
        let removed = try await scene.run(["worker", "remove", "acme/missing"] + place)
        #expect(removed.outputText == "Removed \(server.host)/acme/missing\n")
        try await scene.run(["worker", "remove", "acme/missing"] + place)
          .expectFailure(3, saying: ["not in the queue"])
      }
    }

    @Test(
      "SIGTERM and Ctrl-C release the worker's repositories, and end it with success",
      arguments: [SIGTERM, SIGINT])
    func stopped(signal: Int32) async throws {
      let scene = try await TeamScene(Self.repositories(1, items: 900))
      let (pages, gate) = (Watched(0), Gate())
      let handler = Self.holding(scene, pages, after: 3, until: gate)
      try await withLoopbackServer(answering: handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
        let run = try IssuesProgram.start(
          ["worker", "--jsonl", "--fields", "event,repository"] + place,
          environment: scene.mirror.environment.merging(scene.environment) { $1 }, isProcess: true)
        _ = try await pages.value { $0 > 3 ? () : nil }
        run.send(signal: signal)
        // It waits for the running sync.
        _ = try await run.waitFor("Stopping", on: .error)
        gate.open()
        let result = try await run.result()
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(
          result.lines == [
            #"{"event":"claimed","repository":"acme/tool1"}"#,
            #"{"event":"gave_back","repository":"acme/tool1"}"#,
          ])
        let status = try await scene.run(["worker", "status"])
        #expect(Self.rows(status).prefix(2) == [["repositories", "1"], ["due", "1"]])
        let other = try await scene.run(["worker", "--once"] + place)
        #expect(Self.rows(other).last?[1...2] == ["finished", "acme/tool1"])
        try await scene.mirror.expectSameLists(of: "acme/tool1", server, scene.environment)
      }
    }

    @Test("SIGTERM ends a worker with a hanging database")
    func hangs() async throws {
      try await PostgresServer.withServer { database in
        let scene = try await TeamScene(
          LoopbackGitHub(repositories: Self.repositories(1, items: 900)), in: database)
        let (pages, gate) = (Watched(0), Gate())
        let handler = Self.holding(scene, pages, after: 3, until: gate)
        try await withLoopbackServer(answering: handler) { server in
          let place = ["--api-url", server.url]
          _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
          let run = try IssuesProgram.start(
            ["worker"] + place,
            environment: scene.mirror.environment.merging(scene.environment) { $1 }, isProcess: true
          )
          _ = try await pages.value { $0 > 3 ? () : nil }
          let result = try await database.whileSilent {
            // The page that comes now can't be stored.
            gate.open()
            run.send(signal: SIGTERM)
            return try await run.result()
          }
          #expect(result.status == .exited(2), "\(result.errorText)")
          #expect(result.errorText.contains("The database doesn't respond"), "\(result.errorText)")
        }
      }
    }

    @Test("a worker stops in the middle of a sync when a later version updates the tables")
    func updated() async throws {
      let scene = try await TeamScene(Self.repositories(1, items: 900))
      let (pages, gate) = (Watched(0), Gate())
      let handler = Self.holding(scene, pages, after: 3, until: gate)
      try await withLoopbackServer(answering: handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
        let run = try IssuesProgram.start(
          ["worker"] + place,
          environment: scene.mirror.environment.merging(scene.environment) { $1 }, isProcess: true)
        _ = try await pages.value { $0 > 3 ? () : nil }
        try await scene.server.psql(
          "UPDATE issues.mirror SET version = version + 1", in: scene.database)
        func stored() async throws -> String {
          try await scene.server.psql("SELECT count(*) FROM issues.item", in: scene.database)
        }
        gate.open()
        let result = try await run.result()
        result.expectFailure(74, saying: ["updated by a later version", "update this program"])
        // A step that allows it: a reader continues.
        let kept = try await scene.run(["worker", "status"])
        #expect(kept.status == .exited(0) && kept.lines.first == "repositories\t1")
        #expect(try await Int(stored().prefix { $0.isNumber }) ?? 0 < 901)
      }
    }

    @Test("a writer's sync leaves the tables of an earlier version to their owner")
    func notOwner() async throws {
      let scene = try await TeamScene(Self.repositories(1))
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let sync = ["sync", "acme/tool1", "--api-url", server.url]
        _ = try await scene.run(sync)
        let writer = ["ISSUES_DATABASE": scene.address(as: try await scene.makeRole(.writing))]
        try await scene.server.psql(
          "SET search_path = issues; \(EarlierTables.version6)", in: scene.database)
        let result = try await scene.run(sync, environment: writer)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.errorText.contains("its owner, issues, updates it with one sync"))
        let version = "SELECT version FROM issues.mirror"
        #expect(try await scene.server.psql(version, in: scene.database) == "6\n")
        let owner = try await scene.run(sync)
        #expect(owner.status == .exited(0) && owner.errorText.isEmpty, "\(owner.errorText)")
        #expect(try await scene.server.psql(version, in: scene.database) != "6\n")
      }
    }

    @Test("the status shows the workers that are alive, and the reasons for their pauses")
    func alive() async throws {
      let scene = try await TeamScene(Self.repositories(1))
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
        _ = try await scene.run(["worker", "--once"] + place)
        // It has removed itself. Of the others, one is dead.
        try await scene.server.psql(
          """
          INSERT INTO issues.worker VALUES
            (1, 'h', 'one', now() - interval '1 hour', now(), now() + interval '1 hour', NULL, NULL),
            (2, 'h', 'two', now(), now(), now() + interval '1 hour', now() + interval '50 s',
              E'no space \\x1b[31mleft'),
            (3, 'h', 'dead', now(), now(), now() - interval '1 s', NULL, NULL)
          """, in: scene.database)
        let rows = Self.rows(try await scene.run(["worker", "status"]))
        let workers = rows.filter { $0[0] == "worker" }
        #expect(workers.map { $0[2] } == ["one", "two"], "\(rows)")
        #expect(workers[0][3...] == ["3600", "0", "0", ""], "\(workers)")
        #expect(workers[1][6].hasPrefix("no space"), "\(workers)")
        #expect(rows.contains { $0[0] == "age" && $0[2] == "acme/tool1" })
        let json = try await scene.run(
          [
            "worker", "status", "--json", "workers,ages", "--jq",
            ".workers[].worker, .ages[].repository",
          ])
        #expect(json.lines == ["one", "two", "acme/tool1"], "\(json.errorText)")
        let table = try await scene.run(
          ["worker", "status"], connection: .terminal(columns: 100, rows: 40))
        #expect(table.outputText.contains("no space"), "\(table.outputText)")
        #expect(!table.outputText.contains("\u{1b}[31mleft"))
      }
    }

    @Test("another worker continues for a killed one after its lease")
    func killed() async throws {
      let scene = try await TeamScene(Self.repositories(1, items: 900))
      let (pages, gate) = (Watched(0), Gate())
      let handler = Self.holding(scene, pages, after: 6, until: gate)
      try await withLoopbackServer(answering: handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
        let run = try IssuesProgram.start(
          ["worker", "--jobs", "1"] + place,
          environment: scene.mirror.environment.merging(scene.environment) { $1 }, isProcess: true)
        _ = try await pages.value { $0 > 6 ? () : nil }
        run.send(signal: SIGKILL)
        #expect(try await run.result().status == .signalled(SIGKILL))
        gate.open()
        let waiting = try await scene.run(["worker", "--once"] + place)
        #expect(waiting.status == .exited(0) && waiting.output.isEmpty)
        try await scene.server.psql(
          "UPDATE issues.queue SET lease_ends_at = now() - interval '1 ms'", in: scene.database)
        let other = try await scene.run(["worker", "--once", "--jsonl"] + place)
        #expect(
          other.lines.first?.contains(#""was_abandoned":true"#) == true, "\(other.outputText)")
        let end = try #require(Self.rows(other).last?.first)
        // It had some pages.
        let new = try #require(end.firstMatch(of: /"new":(\d+)/).flatMap { Int($0.output.1) })
        #expect(new < 901 && end.contains(#""event":"finished""#), "\(end)")
        try await scene.mirror.expectSameLists(of: "acme/tool1", server, scene.environment)
      }
    }

    @Test("a refused token ends a worker with its status, and releases its repositories")
    func refused() async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = Self.repositories(2)
      configuration.acceptedTokens = ["another"]
      let github = LoopbackGitHub(configuration)
      let scene = try await TeamScene()
      try await withLoopbackServer(answering: github.handler) { server in
        let place = ["--api-url", server.url]
        _ = try await scene.run(["worker", "add", "acme/tool1", "acme/tool2"] + place)
        let run = try await scene.run(
          ["worker"] + place, environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(run.status == .exited(4), "\(run.errorText)")
        let status = try await scene.run(["worker", "status"])
        #expect(Self.rows(status)[1] == ["due", "2"])
        #expect(!status.outputText.contains("failing"))
      }
    }

    @Test("a sync of an organization fills the queue, even if it fails, and workers continue")
    func organization() async throws {
      let scene = try await TeamScene(Self.repositories(3))
      let isBroken = Watched(true)
      let handler: LoopbackServer.Handler = { request in
        if isBroken.current, request.isPageOfIssues { return LoopbackResponse(status: 500) }
        return await scene.mirror.github.handler(request)
      }
      try await withLoopbackServer(answering: handler) { server in
        let place = ["--api-url", server.url]
        let terminal = CommandRun.Connection.terminal(columns: 100, rows: 24)
        _ = try await scene.run(["worker", "add", "acme/tool1"] + place)
        let failed = try await scene.run(
          ["sync", "--org", "acme", "--retries", "0"] + place, connection: terminal)
        #expect(
          failed.outputText.contains("3 repositories are in the workers' queue, 2 of them new."),
          "\(failed.outputText)")
        #expect(failed.status != .exited(0))
        let waiting = try await scene.run(["worker", "status"])
        #expect(Self.rows(waiting).prefix(2) == [["repositories", "3"], ["due", "3"]])

        isBroken.update { $0 = false }
        let synced = try await scene.run(["sync", "acme/*"] + place)
        #expect(synced.status == .exited(0) && synced.lines.count == 3, "\(synced.errorText)")
        #expect(synced.errorText.isEmpty)
        let done = try await scene.run(["worker", "status"])
        #expect(
          Self.rows(done).prefix(3) == [
            ["repositories", "3"], ["due", "0"], ["never_synced", "0"],
          ])
        try await scene.server.psql("UPDATE issues.queue SET due_at = now()", in: scene.database)
        let run = try await scene.run(["worker", "--once"] + place)
        let finished = Self.rows(run).filter { $0[1] == "finished" }
        #expect(finished.count == 3 && finished.allSatisfy { $0[3...5] == ["0", "0", "0"] })

        // One that is named is synced, and nothing else.
        _ = try await scene.run(["worker", "remove", "acme/tool1"] + place)
        let named = try await scene.run(["sync", "acme/tool1"] + place, connection: terminal)
        #expect(named.status == .exited(0) && !named.outputText.contains("queue"))
        let local = try await scene.run(
          ["sync", "--org", "acme", "--database", "local"] + place, connection: terminal)
        #expect(local.status == .exited(0) && !local.outputText.contains("queue"))
        let rest = try await scene.run(["worker", "status"])
        #expect(Self.rows(rest).first == ["repositories", "2"])
      }
    }

    @Test("a worker reads the list of an organization, and the status shows the result")
    func feed() async throws {
      let scene = try await TeamScene(Self.repositories(2))
      try await withLoopbackServer(answering: scene.mirror.github.handler) { server in
        let place = ["--api-url", server.url]
        let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]
        _ = try await scene.run(["worker", "add", "acme/tool1", "acme/tool2"] + place)
        let run = try await scene.run(
          ["worker", "--once", "--feed", "acme", "--feed", "nobody"] + place, environment: token)
        #expect(run.status == .exited(0), "\(run.errorText)")
        #expect(Self.rows(run).filter { $0[1] == "finished" }.count == 2)
        let rows = Self.rows(try await scene.run(["worker", "status"])).filter { $0[0] == "feed" }
        #expect(
          rows.map { [$0[1], $0[2], $0[4]] } == [
            [server.host, "acme", "0"], [server.host, "nobody", "0"],
          ])
        #expect(rows.first?[5] == "" && rows.last?[3] == "")
        #expect(rows.map { $0.suffix(2) } == [["0", "0"], ["0", "0"]])
        #expect(rows.last?[5].contains("404") == true, "\(rows)")
        let json = try await scene.run(
          [
            "worker", "status", "--json", "feeds", "--jq",
            ".feeds[] | [.organization, .hints, .is_complete, .news_confirmed, .unlisted]",
          ])
        #expect(
          json.lines == [#"["acme",0,false,0,0]"#, #"["nobody",0,false,0,0]"#],
          "\(json.outputText)")
        let table = try await scene.run(
          ["worker", "status"], connection: .terminal(columns: 100, rows: 40))
        #expect(table.outputText.contains("FEED") && table.outputText.contains("never"))
        #expect(table.outputText.contains("0 of 20"))
      }
    }

    @Test(
      "wrong usage of issues worker is reported",
      arguments: [
        (["worker", "--json", "event"], 64, "--jsonl"),
        (["worker", "--shortest", "1h"], 64, "--shortest is longer"),
        (["worker", "--database", "local"], 64, "has no queue for workers"),
        (["worker", "status", "--database", "local"], 64, "has no queue for workers"),
        (
          ["worker", "status", "--json", "due", "--format", "prometheus"], 64, "exclude each other"
        ),
        (["worker", "--listen", "65536"], 64, "a port of this machine"),
        (["worker", "--feed", "a/b"], 64, "a login has up to 39 characters"),
        (["worker", "--listed", "6h"], 64, "--listed only makes sense with --feed"),
        (["worker", "--feed", "a", "--listed", "29m"], 64, "--listed is shorter than --longest"),
        (["worker", "add"], 64, "Specify what to add"),
        (["worker", "ad"], 64, "did you mean 'add'?"),
        (["worker", "add", "a/b", "--priority", "many"], 64, "from -1000 to 1000"),
      ])
    func mistakes(words: [String], status: Int32, message: String) async throws {
      let result = try await TeamScene().run(words)
      result.expectFailure(status, saying: [message])
    }
  }
}

extension MirrorScene {
  /// Expects that the mirror's lists equal the server's, byte by byte.
  fileprivate func expectSameLists(
    of name: String, _ server: LoopbackServer, _ environment: [String: String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let list = [name, "--api-url", server.url, "--all", "--state", "all", "--json"]
    let kept = try await run(list + ["--offline"], environment: environment)
    let served = try await run(list + ["--no-cache"], environment: environment)
    #expect(kept.output == served.output, sourceLocation: sourceLocation)
    #expect(served.output.count > 1000, sourceLocation: sourceLocation)
  }
}

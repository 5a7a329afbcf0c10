import TestSupport
import Testing

extension CommandTests {
  @Suite("--max-age", .timeLimit(.minutes(5)))
  struct MaximumAgeTests {
    private static let repository = "swiftlang/swift"

    /// Runs a command, and records its requests.
    private static func run(
      _ words: [String], _ scene: MirrorScene, _ server: LoopbackServer
    ) async throws -> (result: CommandRun.Result, requests: [String]) {
      let before = server.log.requestCount
      let result = try await scene.run(words + ["--api-url", server.url, "--retries", "0"])
      return (result, server.log.requests.dropFirst(before).map(\.path))
    }

    @Test(
      "a mirror younger than --max-age is used without requests, with the server's exact output",
      arguments: [
        ["list", repository], ["list", repository, "--state", "all", "--all", "--json"],
        ["view", repository, "9"], ["view", repository, "9", "--comments"],
      ])
    func young(words: [String]) async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, [Self.repository, "--comments"])
        let online = try await Self.run(words, scene, server).result
        let (result, requests) = try await Self.run(words + ["--max-age", "1h"], scene, server)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(requests.isEmpty)
        #expect(result.output == online.output)
        #expect(result.errorText == online.errorText)
      }
    }

    @Test("@me is resolved for a mirror younger than --max-age")
    func me() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        for words in [
          ["list", Self.repository, "--author", "@me"],
          ["list", Self.repository, "--author", "@me", "--search", "sort:created"],
        ] {
          let before = server.log.requestCount
          let mine = try await scene.run(
            words + ["--max-age", "1h", "--api-url", server.url],
            environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
          #expect(mine.status == .exited(0), "\(mine.errorText)")
          #expect(server.log.requests.dropFirst(before).map(\.path) == ["/user"])
        }
      }
    }

    @Test("an older mirror is synced first, with one request if nothing has changed")
    func old() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        let words = ["list", Self.repository, "--state", "all", "--all", "--max-age", "0s"]
        let (unchanged, requests) = try await Self.run(words, scene, server)
        #expect(unchanged.status == .exited(0), "\(unchanged.errorText)")
        #expect(requests.count == 1, "\(requests)")
        let issue = try #require(
          scene.github.issues(of: MirrorScene.repository).first { !$0.isPullRequest })
        scene.github.changeIssue(issue.number, of: MirrorScene.repository) {
          $0.title = "Something else"
          $0.updatedAt = 1_760_000_001
        }
        let (changed, _) = try await Self.run(words, scene, server)
        #expect(changed.outputText.contains("\tSomething else\t"))
        #expect(changed.lines.count == unchanged.lines.count)
        scene.github.changeIssue(8, of: MirrorScene.repository) {
          $0.title = "Zyzzyva"
          $0.updatedAt = 1_760_000_002
        }
        let (found, _) = try await Self.run(
          ["search", "zyzzyva", "-R", Self.repository, "--max-age", "0"], scene, server)
        #expect(found.status == .exited(0), "\(found.errorText)")
        #expect(found.lines.count == 1)
        scene.github.changeIssue(7, of: MirrorScene.repository) {
          $0.title = "Yet another"
          $0.updatedAt = 1_760_000_003
        }
        let (viewed, _) = try await Self.run(
          ["view", Self.repository, "7", "--max-age", "0m"], scene, server)
        #expect(viewed.outputText.contains("Yet another"))
      }
    }

    @Test(
      "commands that read only the mirror sync it first if it is older than --max-age",
      arguments: [
        ["stats", repository, "--json", "open,closed"], ["export", repository],
        ["similar", repository, "--text", "Zyzzyva in the compiler"], ["ready", repository],
      ])
    func mirrorAlone(words: [String]) async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let missing = try await Self.run(words + ["--max-age", "0s"], scene, server)
        if words[0] == "ready" {
          #expect(missing.result.status == .exited(0), "\(missing.result.errorText)")
        } else {
          missing.result.expectFailure(3, saying: ["issues sync"])
        }
        try await scene.sync(server)
        let before = try await Self.run(words + ["--max-age", "1h"], scene, server)
        #expect(before.result.status == .exited(0), "\(before.result.errorText)")
        #expect(before.requests.isEmpty)
        let issue = try #require(
          scene.github.issues(of: MirrorScene.repository).first {
            !$0.isPullRequest && $0.isOpen && $0.assignees.isEmpty
          })
        scene.github.changeIssue(issue.number, of: MirrorScene.repository) {
          $0.title = "Zyzzyva in the compiler"
          if words[0] == "stats" { $0.closedAt = 1_760_000_001 }
          $0.updatedAt = 1_760_000_001
        }
        #expect(
          try await Self.run(words + ["--max-age", "1h"], scene, server).result.output
            == before.result.output)
        let after = try await Self.run(words + ["--max-age", "0s"], scene, server)
        #expect(after.result.status == .exited(0), "\(after.result.errorText)")
        #expect(!after.requests.isEmpty)
        #expect(after.result.output != before.result.output)
      }
    }

    @Test("without --max-age, commands that read only the mirror refuse server options")
    func optionsAboutServers() async throws {
      for command in ["stats", "export"] {
        try await IssuesProgram.run([command, Self.repository, "--no-cache"])
          .expectFailure(64, saying: ["--no-cache applies to the server", "--max-age"])
        try await IssuesProgram.run([command, Self.repository, "--stub"])
          .expectFailure(64, saying: ["Sample data isn't mirrored"])
      }
    }

    @Test("an unmirrored repository is read from the server, and no mirror is created")
    func unmirrored() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for words in [["list", Self.repository], ["view", Self.repository, "9"]] {
          let online = try await Self.run(words, scene, server)
          let (result, requests) = try await Self.run(words + ["--max-age", "1d"], scene, server)
          #expect(result.output == online.result.output)
          #expect(requests.sorted() == online.requests.sorted())
          #expect(scene.folder.names.isEmpty)
        }
        try await Self.run(
          ["search", "x", "-R", Self.repository, "--max-age", "1d"], scene, server
        )
        .result.expectFailure(3, saying: ["there is no mirror of"])
        // Comments that aren't mirrored, and an issue that was opened since, are the server's to tell.
        try await scene.sync(server)
        for words in [["view", Self.repository, "9", "--comments"]] {
          let online = try await Self.run(words, scene, server).result
          let result = try await Self.run(words + ["--max-age", "1d"], scene, server).result
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.output == online.output)
        }
        try await Self.run(["view", Self.repository, "999", "--max-age", "1d"], scene, server)
          .result.expectFailure(3, saying: ["404"])
      }
    }

    @Test("--verbose prints the time of the mirror")
    func time() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        for words in [
          ["list", Self.repository, "--max-age", "1h"], ["list", Self.repository, "--offline"],
          ["view", Self.repository, "9", "--max-age", "1h"],
          ["search", "crash", "-R", Self.repository, "--max-age", "1h"],
        ] {
          let result = try await Self.run(words + ["--verbose"], scene, server).result
          let line = try #require(result.errorLines.first)
          #expect(
            line.wholeMatch(
              of: /Mirror of 127\.0\.0\.1:\d+\/swiftlang\/swift as of \d{4}-\d\d-\d\dT[\d:]+Z/)
              != nil, "\(line)")
        }
      }
    }

    @Test("without a connection, --max-age fails in a pipe, and shows the mirror on a terminal")
    func away() async throws {
      let scene = try MirrorScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.sync(server)
      await server.stop()
      let words = ["list", Self.repository, "--max-age", "0", "--api-url", server.url]
      let pipe = try await scene.run(words + ["--retries", "0"])
      pipe.expectFailure(6, saying: ["no connection", "--offline"])
      #expect(pipe.output.isEmpty)
      let person = try await scene.run(
        words + ["--retries", "0"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 60))
      #expect(person.status == .exited(0))
      #expect(person.screen.contains("showing the mirror of swiftlang/swift, synced "))
      let offline = try await scene.run(words + ["--offline"])
      #expect(offline.status == .exited(0), "\(offline.errorText)")
      #expect(offline.errorText.contains("longer ago than --max-age allows"))
    }

    @Test(
      "invalid values of --max-age and conflicting options are refused",
      arguments: [
        (["list", "a/b", "--max-age", "1h", "--stub"], ["--max-age", "--stub"]),
        (["list", "a/b", "--max-age", "1h", "--web"], ["--max-age", "--web"]),
        (["view", "a/b", "1", "--max-age", "1h", "--stub"], ["--max-age", "--stub"]),
        (["search", "x", "--max-age", "1h", "--remote"], ["--max-age", "--remote"]),
        (["browse", "--max-age", "1h", "--offline"], ["--max-age", "--offline"]),
        (["browse", "--max-age", "1h", "--stub"], ["--max-age", "--stub"]),
        (["list", "a/b", "--max-age", "soon"], ["--max-age", "10m, 2h or 1d"]),
        (["list", "a/b", "--max-age=-1h"], ["--max-age", "10m, 2h or 1d"]),
      ])
    func usage(words: [String], said: [String]) async throws {
      try await IssuesProgram.run(words).expectFailure(64, saying: said)
    }
  }
}

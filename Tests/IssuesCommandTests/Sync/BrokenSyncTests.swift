import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("An interrupted sync", .timeLimit(.minutes(5)))
  struct BrokenSyncTests {
    /// Ten pages of issues.
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 1000, newest: 1_700_000_000))

    /// Answers the pages from the third on with something else while a switch is on.
    private static func handler(
      _ scene: MirrorScene, breaking isBroken: Watched<Bool>,
      with response: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) -> LoopbackServer.Handler {
      let pages = Watched(0)
      return { request in
        guard request.isPageOfIssues, request.queryValue("per_page") == "100", isBroken.current
        else {
          return await scene.github.handler(request)
        }
        let count = pages.update { pages in
          pages += 1
          return pages
        }
        return count > 2 ? response(request) : await scene.github.handler(request)
      }
    }

    @Test(
      "an interrupted sync is reported, keeps the stored issues, and continues there",
      arguments: [
        (.reset, 6), (.json("[{"), 7),
        (.text("<html>oops</html>", status: 503, contentType: "text/html"), 6),
        (GitHubError.badCredentials.response(now: 1_800_000_000), 4),
      ] as [(LoopbackResponse, Int32)])
    func resumed(response: LoopbackResponse, status: Int32) async throws {
      let scene = try MirrorScene([Self.repository])
      let isBroken = Watched(true)
      try await withLoopbackServer(
        answering: Self.handler(scene, breaking: isBroken) { _ in response }
      ) { server in
        let first = try await scene.run([
          "sync", "swiftlang/swift", "--api-url", server.url, "--retries", "0", "--jobs", "1",
        ])
        first.expectFailure(status, saying: ["broke off after", "continue there"])
        let stored = try #require(
          first.errorText.firstMatch(of: /broke off after (\d+) new issues and pull requests,/)
            .flatMap { Int($0.output.1) })
        #expect(first.outputText.isEmpty)
        let list = try await scene.run(["mirror", "list", "--json", "synced_at"])
        #expect(list.outputText == "[\n{\"synced_at\":null}\n]\n")

        isBroken.update { $0 = false }
        let second = try await scene.sync(server)
        #expect(second.outputText.contains("\t\(1000 - stored) new\t"), "\(second.outputText)")
        try await scene.expectComplete(server)
      }
    }

    @Test("Ctrl-C ends a sync at once, and says that the next one continues")
    func interrupted() async throws {
      let scene = try MirrorScene([Self.repository])
      let isBroken = Watched(true)
      try await withLoopbackServer(
        answering: Self.handler(scene, breaking: isBroken) { _ in .stall }
      ) { server in
        let run = try IssuesProgram.start(
          ["sync", "swiftlang/swift", "--api-url", server.url, "--jobs", "1"],
          environment: scene.environment.merging(IssuesProgram.plainTerminal) { $1 },
          connection: .terminal(columns: 100, rows: 24))
        try await run.waitFor("\rSyncing swiftlang/swift [")
        try await run.waitFor("0 items")
        run.write("\u{3}")
        let result = try await run.result()
        #expect(result.status == .signalled(2))
        #expect(
          result.screen == "Stopped. Stored data is kept: the next sync continues from there.\n",
          "\(result.outputText)")
        isBroken.update { $0 = false }
        let second = try await scene.sync(server)
        let new = try #require(second.outputText.firstMatch(of: /\t(\d+) new\t/)?.output.1)
        #expect(Int(new).map { $0 < 1000 } == true, "\(second.outputText)")
        try await scene.expectComplete(server)
      }
    }

    @Test("a sync waits for a rate limit unless that is forbidden")
    func limits() async throws {
      for arguments in [[], ["--wait", "0"]] {
        let scene = try MirrorScene([Self.repository])
        let isLimited = Watched(true)
        scene.github.intercept(
          times: 1, where: { request in request.isPageOfIssues && isLimited.current },
          response: { _, now in
            GitHubError.secondaryRateLimit(status: 403, retryAfter: 2).response(now: now)
          })
        try await withLoopbackServer(answering: scene.github.handler) { server in
          let result = try await scene.run(
            ["sync", "swiftlang/swift", "--api-url", server.url] + arguments)
          if arguments.isEmpty {
            #expect(result.status == .exited(0), "\(result.errorText)")
            #expect(result.errorLines.count == 1)
            #expect(result.errorText.contains("rate limited"))
            try await scene.expectComplete(server)
          } else {
            result.expectFailure(5, saying: ["slow down", "--wait 1m"])
          }
        }
      }
    }

    @Test("a full disk is reported, and the mirror stays unchanged")
    func fullDisk() async throws {
      let small = LoopbackRepository(
        id: 7, owner: "octo", name: "cat", issues: SyntheticIssues(count: 5, newest: 1_700_000_000))
      let scene = try MirrorScene([Self.repository, small])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["octo/cat"])
        // No file may grow beyond 512 KiB: as on a full disk, a write ends before its end.
        let result = try await IssuesProgram.shell(
          "trap '' XFSZ; ulimit -f 1024; exec \"$issues\" \"$@\"",
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: scene.environment)
        // The system has another error for that than for a full disk, and so has SQLite.
        result.expectFailure(74, saying: ["mirror.db", "I/O error"])
        try await scene.expectComplete(server, repository: "octo/cat")
        let check = try await scene.run(["mirror", "check"])
        #expect(check.status == .exited(0), "\(check.outputText)")
        try await scene.sync(server)
        try await scene.expectComplete(server)
      }
    }

    @Test("a mirror's folder that can't be used is named", arguments: ["sync", "mirror", "list"])
    func noFolder(command: String) async throws {
      let scene = try MirrorScene()
      let file = try scene.folder.write(Data("mine".utf8), to: "file")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = [
          "sync": ["sync", "swiftlang/swift", "--api-url", server.url], "mirror": ["mirror"],
          "list": ["list", "swiftlang/swift", "--offline", "--api-url", server.url],
        ]
        let result = try await scene.run(
          arguments[command] ?? [], environment: ["XDG_DATA_HOME": file])
        if command == "sync" {
          result.expectFailure(74, saying: [file])
        } else if command == "list" {
          result.expectFailure(3, saying: ["issues sync"])
        } else {
          #expect(result.status == .exited(0))
        }
        let nowhere = try await scene.run(
          arguments[command] ?? [], environment: ["XDG_DATA_HOME": "relative", "HOME": ""])
        nowhere.expectFailure(1, saying: ["XDG_DATA_HOME", "HOME"])
      }
      #expect(scene.folder.contents("file") == Data("mine".utf8))
    }

    @Test("two syncs run at once, and the mirror can be listed meanwhile")
    func atOnce() async throws {
      let scene = try MirrorScene([Self.repository])
      let isHeld = Watched(false)
      let gate = Gate()
      try await withLoopbackServer { request in
        if request.isPageOfIssues, isHeld.current, request.queryValue("after") != nil {
          await gate.wait()
        }
        return await scene.github.handler(request)
      } perform: { server in
        try await scene.sync(server)
        let before = try await scene.everything(server)
        let now = Int(Date().timeIntervalSince1970)
        for number in 1...350 {
          scene.github.changeIssue(number, of: Self.repository) { issue in
            issue.title = "changed \(number)"
            issue.updatedAt = now
          }
        }
        isHeld.update { $0 = true }
        async let one = scene.sync(server)
        async let other = scene.sync(server)
        // Both have written their first page and wait for the second.
        try await server.log.waitForRequest { $0.isPageOfIssues && $0.queryValue("after") != nil }
        let meanwhile = try await scene.everything(server)
        #expect(meanwhile.utf8.count > before.utf8.count / 2)
        gate.open()
        _ = try await (one, other)
        try await scene.expectComplete(server)
      }
    }

    @Test("hostile text is stored unchanged, and printed neutralized")
    func hostile() async throws {
      let scene = try MirrorScene([
        .swift(issues: SyntheticIssues(count: 60, isHostile: true, newest: 1_700_000_000))
      ])
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        try await scene.expectComplete(server)
        let arguments = ["swiftlang/swift", "--api-url", server.url, "--offline", "--all"]
        let plain = try await scene.run(arguments)
        #expect(plain.lines.count > 10)
        for line in plain.lines {
          #expect(HostileText.dangers(in: line.replacing("\t", with: "")).isEmpty)
        }
        let terminal = try await scene.run(
          arguments, environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 100, rows: 24))
        #expect(terminal.screen.contains("#59"))
        for line in terminal.screen.split(separator: "\n") {
          #expect(HostileText.dangers(in: String(line)).isEmpty)
        }
      }
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("issues view without the network", .timeLimit(.minutes(5)))
  struct OfflineViewTests {
    @Test("an offline issue and its comments equal the server's output, byte by byte")
    func same() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server, ["swiftlang/swift", "--comments"])
        let issues = scene.github.issues(of: MirrorScene.repository)
        let talkative = try #require(issues.max { $0.comments < $1.comments })
        for number in [1, 250, talkative.number] {
          for form in [[], ["--comments"], ["--json"], ["--json", "title,comments_list"]] {
            let arguments =
              ["view", "swiftlang/swift", "\(number)", "--api-url", server.url] + form
            let online = try await scene.run(arguments)
            let before = server.log.connectionCount
            let offline = try await scene.run(arguments + ["--offline"])
            #expect(online.status == .exited(0), "\(online.errorText)")
            #expect(offline.status == .exited(0), "\(offline.errorText)")
            #expect(offline.output == online.output, "\(number) \(form)")
            #expect(server.log.connectionCount == before)
          }
        }
      }
    }

    @Test("without a network, a terminal shows the mirror, and an unmirrored issue is an error")
    func byItself() async throws {
      let scene = try MirrorScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.sync(server)
      func view(_ number: Int) async throws -> CommandRun.Result {
        try await scene.run(
          ["view", "swiftlang/swift", "\(number)", "--api-url", server.url, "--retries", "0"],
          environment: IssuesProgram.plainTerminal.merging(["PAGER": "cat"]) { $1 },
          connection: .terminal(columns: 100, rows: 60))
      }
      let online = try await view(9)
      await server.stop()
      let offline = try await view(9)
      #expect(offline.status == .exited(0), "\(offline.outputText)")
      #expect(offline.screen.hasSuffix(online.screen))
      #expect(offline.screen.contains("can't be reached ("))
      #expect(offline.screen.contains("showing the mirror of swiftlang/swift, synced "))
      let missing = try await view(999)
      #expect(missing.status == .exited(6))
      #expect(missing.screen.contains("no connection to"))
    }

    @Test("missing issues and unmirrored comments are explained offline")
    func missing() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        scene.github.deleteIssue(12, of: MirrorScene.repository)
        try await scene.sync(server, ["swiftlang/swift", "--verify"])
        func view(_ arguments: [String]) async throws -> CommandRun.Result {
          try await scene.run(
            ["view", "swiftlang/swift", "--api-url", server.url, "--offline"] + arguments)
        }
        try await view(["999"]).expectFailure(3, saying: ["swiftlang/swift#999", "synced less"])
        try await view(["12"]).expectFailure(3, saying: ["swiftlang/swift#12 was deleted"])
        let uncommented = try await view(["9", "--comments", "--json"])
        uncommented.expectFailure(1, saying: ["comments", "issues sync", "--comments"])
        #expect(uncommented.outputText.hasPrefix("{"))
        #expect(!uncommented.outputText.hasSuffix("]}\n"))
      }
    }
  }
}

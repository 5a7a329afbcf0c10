import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("'issues list' without a network", .timeLimit(.minutes(5)))
  struct OfflineListTests {
    @Test("an offline list equals the server's byte for byte and doesn't send a request")
    func same() async throws {
      let scene = try MirrorScene()
      let gh = try await FakeGH(#"touch "$here/asked"; echo gho_x"#)
      let forms: [[String]] = [
        [], ["--state", "closed"], ["--state", "all", "--all"], ["--label", "bug"],
        ["--label", "BUG", "--label", "compiler", "--state", "all"], ["--label", "nosuch"],
        ["--assignee", "ada"], ["--assignee", "none", "--limit", "7"], ["--assignee", "*"],
        ["--author", "grace-h", "--all"], ["--mention", "ken", "--all"],
        ["--milestone", "2"], ["--milestone", "*"], ["--milestone", "none", "--limit", "3"],
        ["--since", "2023-11-01", "--state", "all", "--all"],
        ["--sort", "updated", "--order", "asc", "--all"],
        ["--sort", "comments", "--limit", "200"],
        ["--sort", "comments", "--order", "asc", "--all"],
        ["--order", "asc", "--limit", "101"], ["--include-pull-requests", "--all"],
        ["--include-pull-requests", "--limit", "5"], ["--json", "--limit", "2"],
        ["--json", "number,title,pull_request", "--include-pull-requests"],
        ["--json", "--label", "nosuch"],
      ]
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        for form in forms {
          let arguments = ["swiftlang/swift", "--api-url", server.url] + form
          let online = try await scene.run(arguments)
          let before = server.log.connectionCount
          let offline = try await scene.run(arguments + ["--offline"])
          #expect(server.log.connectionCount == before)
          #expect(online.status == .exited(0), "\(form): \(online.errorText)")
          #expect(offline.status == .exited(0), "\(form): \(offline.errorText)")
          #expect(offline.output == online.output, "\(form)")
          #expect(offline.errorText == online.errorText, "\(form)")
        }
        for form in [["--limit", "20"], ["--include-pull-requests", "--limit", "20"]] {
          let arguments = ["swiftlang/swift", "--api-url", server.url] + form
          let terminal = CommandRun.Connection.terminal(columns: 100, rows: 30)
          let online = try await scene.run(
            arguments, environment: IssuesProgram.plainTerminal, connection: terminal)
          let offline = try await scene.run(
            arguments + ["--offline"], environment: IssuesProgram.plainTerminal,
            connection: terminal)
          let age = "From the mirror of swiftlang/swift, synced less than a minute ago.\n"
          #expect(offline.screen == age + online.screen)
        }
        // A repository of github.com, which gh has a token for and a proxy leads to.
        let proxy = ["https_proxy": server.url, "GH_TOKEN": "not\u{1B}a token"]
        let before = server.log.connectionCount
        let other = try await scene.run(
          ["swiftlang/swift", "--offline"],
          environment: proxy.merging(gh.environment) { $1 })
        other.expectFailure(
          3, saying: ["no mirror of swiftlang/swift", "issues sync swiftlang/swift"])
        #expect(server.log.connectionCount == before)
        #expect(gh.contents(of: "asked") == nil)
      }
    }

    /// The terminal of a person.
    private static let terminal = CommandRun.Connection.terminal(columns: 100, rows: 60)

    @Test("a terminal shows the mirror with a notice if the server can't be reached")
    func byItself() async throws {
      let scene = try MirrorScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.sync(server)
      func run(_ repository: String = "swiftlang/swift") async throws -> CommandRun.Result {
        try await scene.run(
          [repository, "--api-url", server.url, "--retries", "0"],
          environment: IssuesProgram.plainTerminal, connection: Self.terminal)
      }
      let online = try await run()
      await server.stop()
      let offline = try await run()
      #expect(offline.status == .exited(0), "\(offline.outputText)")
      let (line, rest) = try #require(offline.screen.cutAtFirstNewline)
      #expect(line.hasPrefix("\(server.host) can't be reached (no connection to "))
      #expect(
        line.hasSuffix(
          "): showing the mirror of swiftlang/swift, synced less than a minute ago."))
      #expect(rest == online.screen)

      let missing = try await run("octo/cat")
      #expect(missing.status == .exited(6))
      #expect(missing.screen.contains("Check the connection"))
    }

    @Test("a pipe never falls back to the mirror, and the error mentions --offline")
    func pipe() async throws {
      let scene = try MirrorScene()
      let server = try await LoopbackServer.start(handler: scene.github.handler)
      try await scene.sync(server)
      await server.stop()
      let place = ["--api-url", server.url, "--retries", "0"]
      for words in [["swiftlang/swift"], ["view", "swiftlang/swift", "9"]] {
        let result = try await scene.run(words + place)
        result.expectFailure(6, saying: ["no connection to", "--offline", "synced less than a"])
        #expect(result.output.isEmpty)
      }
      let missing = try await scene.run(["octo/cat"] + place)
      missing.expectFailure(6, saying: ["no connection to", "Check the connection"])
      #expect(!missing.errorText.contains("--offline"))
    }

    @Test(
      "only connection failures fall back to the mirror, even on a terminal",
      arguments: [
        (.reset, 6), (.closeWithoutAnswering, 6),
        (GitHubError.unavailable.response(now: 1_800_000_000), 6),
        (GitHubError.notFound.response(now: 1_800_000_000), 3),
        (GitHubError.badCredentials.response(now: 1_800_000_000), 4),
        (GitHubError.primaryRateLimit(status: 403, reset: 900).response(now: 1_800_000_000), 5),
        (.json("[{"), 7),
      ] as [(LoopbackResponse, Int32)])
    func which(response: LoopbackResponse, status: Int32) async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        for isBroken in [
          { $0.path == "/repos/swiftlang/swift" }, { $0.isPageOfIssues },
        ] as [@Sendable (LoopbackRequest) -> Bool] {
          scene.github.stopIntercepting()
          scene.github.intercept(where: isBroken, response: { _, _ in response })
          let result = try await scene.run(
            ["swiftlang/swift", "--api-url", server.url, "--no-cache", "--retries", "0"],
            environment: IssuesProgram.plainTerminal, connection: Self.terminal)
          #expect(result.status == .exited(status), "\(result.outputText)")
          #expect(!result.screen.contains("mirror"), "\(result.screen)")
          #expect(!result.screen.contains("Showing"), "\(result.screen)")
        }
      }
    }

    @Test("an untrusted certificate is reported even if a mirror exists")
    func certificate() async throws {
      let filled = try FilledMirror()
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let authority = try await CertificateAuthority()
        let relay = try await LoopbackRelay.tls(authority.certificate(.good), to: server.port)
        try await filled.add(
          "swiftlang/swift", on: "127.0.0.1:\(relay.port)",
          items: [FilledMirror.Item(number: 9, title: "In the mirror")])
        let place = ["--api-url", "https://127.0.0.1:\(relay.port)"]
        let mirrored = try await filled.run(["swiftlang/swift", "--offline"] + place)
        #expect(mirrored.lines.count == 1, "\(mirrored.errorText)")
        for words in [["swiftlang/swift"], ["view", "swiftlang/swift", "9"]] {
          let result = try await filled.run(
            words + place + ["--retries", "0"],
            environment: IssuesProgram.plainTerminal.merging(["https_proxy": ""]) { $1 },
            connection: Self.terminal)
          #expect(result.status == .exited(6))
          #expect(result.screen.contains("certificate"), "\(result.screen)")
          #expect(!result.screen.lowercased().contains("mirror"), "\(result.screen)")
        }
        await relay.stop()
      }
    }

    @Test("a list that fails after its first page doesn't continue from the mirror")
    func brokenLater() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        try await scene.sync(server)
        scene.github.intercept(
          where: { $0.isPageOfIssues && $0.queryValue("after") != nil },
          response: { _, _ in .reset })
        let result = try await scene.run([
          "swiftlang/swift", "--all", "--api-url", server.url, "--retries", "0", "--no-cache",
        ])
        result.expectFailure(6, saying: ["the list is incomplete"])
        #expect(!result.errorText.contains("mirror"))
      }
    }

    @Test("a mirror with an incomplete first sync is never shown as complete")
    func incomplete() async throws {
      let scene = try MirrorScene()
      let server = try await LoopbackServer.start { request in
        request.isPageOfIssues && request.queryValue("after") != nil
          ? .reset : await scene.github.handler(request)
      }
      let sync = try await scene.run([
        "sync", "swiftlang/swift", "--jobs", "1", "--retries", "0", "--api-url", server.url,
      ])
      #expect(sync.status == .exited(6), "\(sync.errorText)")
      await server.stop()
      let arguments = ["swiftlang/swift", "--api-url", server.url]
      let fallback = try await scene.run(arguments + ["--retries", "0"])
      fallback.expectFailure(6, saying: ["no connection"])
      #expect(fallback.outputText.isEmpty)
      let list = try await scene.run(arguments + ["--offline"])
      list.expectFailure(1, saying: ["incomplete", "never completed", "issues sync"])
      #expect(!list.lines.isEmpty)
      let json = try await scene.run(arguments + ["--offline", "--json", "number"])
      #expect(json.outputText.hasPrefix("[\n{"))
      #expect(!json.outputText.contains("]"))
    }

    @Test("a list doesn't create a mirror")
    func noTrace() async throws {
      let scene = try MirrorScene()
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["swiftlang/swift", "--api-url", server.url]
        let online = try await scene.run(arguments)
        let offline = try await scene.run(arguments + ["--offline"])
        let mirror = try await scene.run(["mirror"])
        #expect(online.status == .exited(0))
        #expect(offline.status == .exited(3))
        #expect(mirror.status == .exited(0))
        #expect(scene.folder.names.isEmpty)
      }
    }

    @Test("options that contradict --offline are refused", arguments: ["--web", "--stub"])
    func usage(option: String) async throws {
      for command in [["list", "a/b"], ["view", "a/b", "1"]] {
        let result = try await IssuesProgram.run(command + ["--offline", option])
        result.expectFailure(64, saying: ["--offline", "--web", "--stub"])
      }
    }
  }
}

extension String {
  /// The parts before and after the first line break; nil without one.
  fileprivate var cutAtFirstNewline: (String, String)? {
    let parts = split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }
}

import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  /// A fleet of processes on one machine, which share a state folder.
  @Suite("Twenty processes with one budget", .timeLimit(.minutes(5)))
  struct FleetTests {
    private static let folders = ScratchFolderOfProcess()

    /// The server, how many requests it refused, and where the processes keep things.
    private struct Scene: Sendable {
      let server: LoopbackServer
      let refused: Watched<Int>
      let environment: [String: String]

      func run(_ options: [String] = []) async throws -> CommandRun.Result {
        try await IssuesProgram.run(
          [
            "swiftlang/swift", "-L", "1", "--wait", "0", "--retries", "0", "--api-url", server.url,
          ] + options, environment: environment, isProcess: true)
      }

      func runTwenty(_ options: [String] = []) async throws -> [CommandRun.Result] {
        try await withThrowingTaskGroup(of: CommandRun.Result.self) { group in
          for _ in 0..<20 { group.addTask { try await run(options) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }

      func permissions(of file: String) -> mode_t {
        var status = stat()
        return stat(file, &status) == 0 ? status.st_mode & 0o777 : 0
      }

      var files: [String] {
        let folder = "\(environment["XDG_STATE_HOME"] ?? "")/issues/rate-limits"
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).map { "\(folder)/\($0)" }
      }
    }

    private static func withScene(
      limit: Int, window: Int = 3600, hasToken: Bool = true, state: String? = nil,
      _ body: (Scene) async throws -> Void
    ) async throws {
      var configuration = LoopbackGitHub.Configuration()
      configuration.rateLimit = limit
      configuration.rateLimitWindow = window
      let github = LoopbackGitHub(configuration)
      let refused = Watched(0)
      try await withLoopbackServer { request in
        let response = await github.handler(request)
        if [403, 429].contains(response.status) { refused.update { $0 += 1 } }
        return response
      } perform: { server in
        var environment = [
          "XDG_STATE_HOME": state ?? folders.freshPath(), "XDG_CACHE_HOME": folders.freshPath(),
        ]
        if hasToken { environment["GH_ENTERPRISE_TOKEN"] = IssuesProgram.token }
        try await body(Scene(server: server, refused: refused, environment: environment))
      }
    }

    @Test(
      "twenty processes with an unknown quota never exceed it",
      arguments: [true, false])
    func small(hasToken: Bool) async throws {
      try await Self.withScene(limit: 15, hasToken: hasToken) { scene in
        let results = try await scene.runTwenty(["--no-cache"])
        #expect(scene.refused.current == 0)
        #expect(scene.server.log.requestCount <= 15)
        let good = results.filter { $0.status == .exited(0) }
        #expect(good.count >= 3, "\(results.map(\.errorText))")
        for result in results where result.status != .exited(0) {
          result.expectFailure(5, saying: ["is used up until 20", "Try again then"])
        }
        // Later processes know without a response of the server.
        let count = scene.server.log.requestCount
        try await scene.run().expectFailure(5, saying: ["is used up until 20"])
        let logged = try await scene.run(["-v"])
        #expect(
          logged.errorText.contains(
            "Not sent, because the quota 'core' is used up by all processes on this machine"),
          "\(logged.errorText)")
        #expect(scene.server.log.requestCount == count)
      }
    }

    @Test("twenty processes run without limits while cached pages cost nothing")
    func room() async throws {
      try await Self.withScene(limit: 15) { scene in
        #expect(try await scene.run().status == .exited(0))
        let results = try await scene.runTwenty()
        #expect(results.allSatisfy { $0.status == .exited(0) }, "\(results.map(\.errorText))")
        #expect(scene.refused.current == 0)
        #expect(scene.server.log.requestCount == 42)
      }
    }

    @Test("with --wait, processes wait for the next window and are never refused")
    func waiting() async throws {
      try await Self.withScene(limit: 4, window: 2) { scene in
        let results = try await withThrowingTaskGroup(of: CommandRun.Result.self) { group in
          for _ in 0..<5 { group.addTask { try await scene.run(["--no-cache", "--wait", "60s"]) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.status == .exited(0) }, "\(results.map(\.errorText))")
        #expect(scene.refused.current == 0)
      }
    }

    @Test("each token has a file that only its owner can read and that doesn't contain the token")
    func files() async throws {
      try await Self.withScene(limit: 100) { scene in
        _ = try await scene.run()
        let file = try #require(scene.files.first)
        #expect(scene.files.count == 1)
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(!(file + text).contains(IssuesProgram.token))
        #expect(text.contains("quota core 100 9"), "\(text)")
        #expect(scene.permissions(of: file) == 0o600)
      }
    }

    @Test("'cache clear --limits' removes stored rate limits and pauses")
    func forgotten() async throws {
      try await Self.withScene(limit: 100) { scene in
        #expect(try await scene.run().status == .exited(0))
        let file = try #require(scene.files.first)
        let cleared = try await IssuesProgram.run(
          ["cache", "clear", "--limits"], environment: scene.environment)
        #expect(cleared.status == .exited(0), "\(cleared.errorText)")
        #expect(cleared.outputText == "Forgot the rate limits\n")
        #expect(scene.files.isEmpty)
        #expect(try await scene.run().status == .exited(0))
        #expect(scene.files == [file])
      }
    }

    @Test("a damaged file or a folder in its place doesn't fail a command")
    func damaged() async throws {
      try await Self.withScene(limit: 100) { scene in
        _ = try await scene.run()
        let file = try #require(scene.files.first)
        try Data("quota core 0 0".utf8).write(to: URL(filePath: file))
        #expect(try await scene.run().status == .exited(0))
        #expect(
          try String(contentsOf: URL(filePath: file), encoding: .utf8).hasPrefix("rate limits 1\n"))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(
          atPath: file, withIntermediateDirectories: false)
        let result = try await scene.run()
        #expect(result.status == .exited(0))
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("an unusable state folder doesn't fail a command")
    func unusable() async throws {
      try await Self.withScene(limit: 100, state: "/dev/null/state") { scene in
        let result = try await scene.run()
        #expect(result.status == .exited(0))
      }
    }
  }
}

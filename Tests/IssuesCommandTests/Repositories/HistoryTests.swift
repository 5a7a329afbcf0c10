import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("The history of visited repositories", .timeLimit(.minutes(5)))
  struct HistoryTests {
    private let scratch: ScratchFolder

    init() throws {
      scratch = try ScratchFolder()
    }

    private var environment: [String: String] { ["XDG_STATE_HOME": scratch.path] }

    private static var github: LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [.swift(issues: SyntheticIssues(count: 3))]
      configuration.anyRepository = SyntheticIssues(count: 2)
      return LoopbackGitHub(configuration)
    }

    private func list(
      _ server: LoopbackServer, _ name: String, _ arguments: [String] = []
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        [name, "--api-url", server.url] + arguments, environment: environment)
    }

    private func history(_ arguments: [String] = []) async throws -> CommandRun.Result {
      try await IssuesProgram.run(["history"] + arguments, environment: environment)
    }

    /// The visited repositories, as the command prints them.
    private func lookedAt() async throws -> [String] {
      let result = try await history()
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      return result.lines
    }

    /// The host before the repository names of a test's server.
    private func host(_ server: LoopbackServer) -> String {
      String(server.url.drop { $0 != "/" }.dropFirst(2))
    }

    @Test("listed repositories are recorded with the server's spelling, the latest first")
    func recorded() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        for name in ["Apple/Swift", "a/b", "c/d", "a/b"] {
          let result = try await list(server, name)
          #expect(result.status == .exited(0))
        }
        let host = host(server)
        let names = ["\(host)/a/b", "\(host)/c/d", "\(host)/swiftlang/swift"]
        let lines = try await lookedAt()
        #expect(lines == names)
        #expect(scratch.permissions("issues/repositories") == 0o600)
        #expect(scratch.names(in: "issues") == ["rate-limits", "repositories"])
      }
    }

    @Test("a repository is recorded even if the reader leaves before the list ends")
    func closedPipe() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let run = try IssuesProgram.start(
          ["a/b", "--api-url", server.url], environment: environment, closesOutputAfter: 1)
        let result = try await run.result()
        #expect(result.status == .exited(0))
        let lines = try await lookedAt()
        #expect(lines == ["\(host(server))/a/b"])
      }
    }

    @Test("missing repositories, sample data and pages in the browser aren't recorded")
    func notRecorded() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let missing = try await list(server, "no/where")
        #expect(missing.status == .exited(3))
        let stub = try await list(server, "swiftlang/swift", ["--stub"])
        #expect(stub.status == .exited(0))
        let web = try await IssuesProgram.run(
          ["apple/swift", "--web"],
          environment: environment.merging(["BROWSER": "/bin/true"]) { $1 })
        #expect(web.status == .exited(0))
        let found = try await IssuesProgram.run(
          ["search-repos", "swift", "--api-url", server.url], environment: environment)
        #expect(found.status == .exited(0))
        let lines = try await lookedAt()
        #expect(lines == [])
        #expect(!scratch.names(in: "issues").contains("repositories"))
      }
    }

    @Test("'history --clear' empties the history, and succeeds again on an empty one")
    func clear() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        _ = try await list(server, "a/b")
        for _ in 0..<2 {
          let cleared = try await history(["--clear"])
          #expect(cleared.status == .exited(0))
          #expect(cleared.error.isEmpty)
          let lines = try await lookedAt()
          #expect(lines == [])
        }
      }
    }

    @Test(
      "without a folder for it, showing or clearing the history fails with the variables to set")
    func noFolder() async throws {
      for arguments in [[], ["--clear"]] {
        let result = try await IssuesProgram.run(
          ["history"] + arguments, environment: ["XDG_STATE_HOME": "relative", "HOME": ""])
        result.expectFailure(1, saying: ["XDG_STATE_HOME", "HOME"])
      }
    }

    @Test(
      "a list doesn't mention that its history can't be written",
      arguments: ["file", "no variable", "no home"])
    func unwritable(kind: String) async throws {
      var environment = ["XDG_STATE_HOME": scratch.path]
      if kind == "file" {
        try scratch.write(Data(), to: "issues")
      } else {
        environment["XDG_STATE_HOME"] = ""
        environment["HOME"] = kind == "no home" ? scratch["nobody"] : ""
      }
      let before = scratch.names
      try await withLoopbackServer(answering: Self.github.handler) { server in
        let result = try await IssuesProgram.run(
          ["a/b", "--api-url", server.url, "-v"], environment: environment)
        #expect(result.status == .exited(0))
        #expect(!result.errorText.contains("istory"))
      }
      #expect(scratch.names == before)
    }

    @Test("a full disk keeps the history unchanged, and a list doesn't mention it")
    func fullDisk() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        _ = try await list(server, "a/b")
        // No file may grow at all.
        let result = try await IssuesProgram.shell(
          "trap '' XFSZ; ulimit -f 0; exec \"$issues\" \"$@\"",
          ["c/d", "--no-cache", "--api-url", server.url], environment: environment)
        #expect(result.status == .exited(0))
        #expect(!result.output.isEmpty && result.error.isEmpty)
        let lines = try await lookedAt()
        #expect(lines == ["\(host(server))/a/b"])
        #expect(scratch.names(in: "issues") == ["rate-limits", "repositories"])
      }
    }

    @Test("of simultaneous runs, each records its repository or nothing, and no line is damaged")
    func atOnce() async throws {
      try await withLoopbackServer(answering: Self.github.handler) { server in
        _ = try await list(server, "a/b")
        async let first = list(server, "c/d")
        async let second = list(server, "e/f")
        async let third = list(server, "g/h")
        for result in try await [first, second, third] { #expect(result.status == .exited(0)) }
        let host = host(server)
        let lines = try await lookedAt()
        #expect(lines.last == "\(host)/a/b")
        #expect(lines.count > 1)
        #expect(Set(lines).isSubset(of: ["a/b", "c/d", "e/f", "g/h"].map { "\(host)/\($0)" }))
        #expect(scratch.names(in: "issues") == ["rate-limits", "repositories"])
      }
    }
  }
}

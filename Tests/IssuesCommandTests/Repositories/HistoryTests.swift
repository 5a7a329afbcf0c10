import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Repositories that were looked at", .timeLimit(.minutes(5)))
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

    /// The host that stands before the names of a server of a test.
    private func host(_ server: LoopbackServer) -> String {
      String(server.url.drop { $0 != "/" }.dropFirst(2))
    }

    @Test("those whose issues were listed, as the server spells them, the last first")
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

    @Test("one whose reader has left before the end, too")
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

    @Test("none that wasn't found, was sample data, or was opened in the browser")
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

    @Test("cleared they are gone, and clearing again is no failure")
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

    @Test("without a folder there is nothing to show or clear, and that is said")
    func noFolder() async throws {
      for arguments in [[], ["--clear"]] {
        let result = try await IssuesProgram.run(
          ["history"] + arguments, environment: ["XDG_STATE_HOME": "relative", "HOME": ""])
        result.expectFailure(1, saying: ["XDG_STATE_HOME", "HOME"])
      }
    }

    @Test(
      "a folder that can't be written to is nothing that a list would mention",
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

    @Test("a full disk leaves the history as it was, and is nothing that a list would mention")
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

    @Test("of runs side by side each adds its own or nothing, and no line is damaged")
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

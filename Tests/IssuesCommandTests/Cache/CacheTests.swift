import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Cached responses", .timeLimit(.minutes(5)))
  struct CacheTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 250, pullRequests: 0, closed: 0))

    private let scratch: ScratchFolder
    private let github = LoopbackGitHub(repositories: [repository])
    private let statuses = Watched<[Int]>([])

    init() throws {
      scratch = try ScratchFolder()
    }

    private var environment: [String: String] { ["XDG_CACHE_HOME": scratch.path] }

    /// A GitHub that notes the statuses it answers with.
    private var handler: LoopbackServer.Handler {
      { [github, statuses] request in
        let response = await github.handler(request)
        statuses.update { $0.append(response.status) }
        return response
      }
    }

    private func list(
      _ server: LoopbackServer, _ arguments: [String] = ["--all"],
      environment: [String: String] = [:]
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["swiftlang/swift", "--api-url", server.url] + arguments,
        environment: self.environment.merging(environment) { $1 })
    }

    @Test("a second run revalidates each page once, gets only 304, and shows the same list")
    func secondRun() async throws {
      try await withLoopbackServer(answering: handler) { server in
        let first = try await list(server)
        #expect(first.numbers == (1...250).reversed())
        #expect(statuses.current == [200, 200, 200, 200])
        let second = try await list(server)
        #expect(second.status == .exited(0))
        #expect(second.output == first.output)
        #expect(second.errorText.isEmpty)
        #expect(statuses.current.dropFirst(4) == [304, 304, 304, 304])

        github.addIssue(to: Self.repository)
        let third = try await list(server)
        #expect(third.numbers == (1...251).reversed())
      }
    }

    @Test("a renamed repository, a user and a list of repositories are cached")
    func others() async throws {
      try await withLoopbackServer(answering: handler) { server in
        for _ in 0..<2 {
          let renamed = try await IssuesProgram.run(
            ["apple/swift", "--api-url", server.url], environment: environment)
          #expect(renamed.numbers == (221...250).reversed())
        }
        // Side by side.
        #expect(statuses.current.prefix(4).sorted() == [200, 200, 301, 301])
        #expect(statuses.current.dropFirst(4).sorted() == [301, 301, 304, 304])
      }
    }

    @Test("a repository renamed since the last run is listed under its new name")
    func renamedSince() async throws {
      let renamed = LoopbackGitHub(repositories: [
        LoopbackRepository(
          id: 7, owner: "swiftlang", name: "compiler", formerNames: ["swiftlang/swift"],
          issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0)),
        // Another owner has taken the old name of the list meanwhile.
        LoopbackRepository(id: 44_838_949, owner: "eve", name: "swift"),
      ])
      let isRenamed = Watched(false)
      try await withLoopbackServer { request in
        await (isRenamed.current ? renamed : github).handler(request)
      } perform: { server in
        _ = try await list(server)
        isRenamed.update { $0 = true }
        let second = try await list(server, ["--all", "--json", "number,url"])
        #expect(second.status == .exited(0))
        #expect(second.outputText.contains("/repos/swiftlang/compiler/issues/3"))
        #expect(!second.outputText.contains("swiftlang/swift"))
        let rows = second.outputText.split(separator: "\n").filter { $0.contains("number") }
        #expect(rows.count == 3)
      }
    }

    @Test("--no-cache and --stub neither read nor write the cache")
    func without() async throws {
      try await withLoopbackServer(answering: handler) { server in
        for _ in 0..<2 {
          let result = try await list(server, ["--no-cache"])
          #expect(result.numbers == (221...250).reversed())
        }
        #expect(statuses.current == [200, 200, 200, 200])
        #expect(scratch.names.isEmpty)
        _ = try await list(server, [])
        let before = scratch.files(in: "issues")
        #expect(before.count == 2)
        github.addIssue(to: Self.repository)
        _ = try await list(server, ["--no-cache"])
        #expect(statuses.current.suffix(2) == [200, 200])
        #expect(scratch.files(in: "issues") == before)
      }
      let stubbed = try await IssuesProgram.run(
        ["apple/swift", "--stub"],
        environment: ["XDG_CACHE_HOME": "\(scratch.path)/stub"])
      #expect(stubbed.status == .exited(0))
      #expect(scratch.names == ["issues"])
    }

    @Test("tokens don't share cached responses, and no cache file contains a token")
    func tokens() async throws {
      let tokens = [IssuesProgram.token, "ghp_oThEroThEroThEroThEr0123456789abcd"]
      try await withLoopbackServer(answering: handler) { server in
        let origin = ["GH_ENTERPRISE_TOKEN", "GITHUB_TOKEN"]
        for token in tokens {
          let names = Dictionary(uniqueKeysWithValues: origin.map { ($0, token) })
          for _ in 0..<2 { _ = try await list(server, [], environment: names) }
        }
        #expect(statuses.current == [200, 200, 304, 304, 200, 200, 304, 304])
        #expect(
          Set(server.log.requests.map { $0.headers["Authorization"] })
            == Set(tokens.map { "Bearer \($0)" }))
      }
      let files = scratch.files(in: "issues")
      #expect(files.count == 4)
      for (name, bytes) in files {
        for token in tokens {
          let secret = Data(token.dropFirst(4).utf8)
          #expect(Data(bytes).firstRange(of: secret) == nil)
          #expect(Data(bytes).firstRange(of: Data("Bearer".utf8)) == nil)
          #expect(!name.contains(token))
        }
      }
    }

    @Test("'cache info' prints the folder and its contents, 'cache clear' empties it")
    func infoAndClear() async throws {
      func run(_ arguments: [String]) async throws -> CommandRun.Result {
        try await IssuesProgram.run(["cache"] + arguments, environment: environment)
      }
      let folder = "\(scratch.path)/issues"
      let empty = try await run(["info"])
      #expect(empty.status == .exited(0))
      #expect(empty.lines == ["folder\t\(folder)", "entries\t0", "bytes\t0", "capacity\t52428800"])
      #expect(try await run(["clear"]).outputText == "Removed 0 files, 0 bytes, from \(folder)\n")
      #expect(scratch.names.isEmpty)

      try await withLoopbackServer(answering: handler) { server in _ = try await list(server) }
      let bytes = scratch.files(in: "issues").values.reduce(0) { $0 + $1.count }
      try Data("mine".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
      let full = try await run(["info"])
      #expect(full.lines[1...2] == ["entries\t4", "bytes\t\(bytes)"])
      #expect(
        try await run(["info", "--json"]).outputText
          == #"{"bytes":\#(bytes),"capacity":52428800,"entries":4,"folder":"\#(folder)"}"# + "\n")
      let table = try await IssuesProgram.run(
        ["cache", "info"], environment: environment.merging(IssuesProgram.plainTerminal) { $1 },
        connection: .terminal(columns: 100, rows: 24))
      #expect(table.screen.contains("entries   4"))
      #expect(table.screen.contains("capacity  50 MiB"))

      let cleared = try await run(["clear"])
      #expect(cleared.status == .exited(0))
      #expect(cleared.outputText.hasPrefix("Removed 4 files, "))
      #expect(cleared.outputText.hasSuffix(" KiB, from \(folder)\n"))
      #expect(scratch.names(in: "issues") == ["notes.txt"])
    }

    @Test("'cache info' and 'cache clear' report a missing cache folder")
    func noFolder() async throws {
      for arguments in [["info"], ["clear"]] {
        let result = try await IssuesProgram.run(
          ["cache"] + arguments, environment: ["XDG_CACHE_HOME": "relative", "HOME": ""])
        result.expectFailure(1, saying: ["XDG_CACHE_HOME", "HOME"])
      }
      try Data().write(to: URL(filePath: "\(scratch.path)/issues"))
      let result = try await IssuesProgram.run(["cache", "clear"], environment: environment)
      result.expectFailure(1, saying: ["\(scratch.path)/issues can't be used"])
    }

    @Test(
      "an unusable cache folder doesn't fail a run and is reported only with --verbose",
      arguments: ["file", "no variable", "no home"])
    func off(kind: String) async throws {
      var environment = environment
      if kind == "file" {
        try Data().write(to: URL(filePath: "\(scratch.path)/issues"))
      } else {
        environment["XDG_CACHE_HOME"] = ""
        environment["HOME"] = kind == "no home" ? "\(scratch.path)/nobody" : ""
      }
      try await withLoopbackServer(answering: handler) { server in
        for _ in 0..<2 {
          let result = try await list(server, [], environment: environment)
          #expect(result.status == .exited(0))
          #expect(result.numbers == (221...250).reversed())
          #expect(result.errorLines.count == 1, "\(result.errorText)")
        }
        #expect(statuses.current == [200, 200, 200, 200])
        let verbose = try await list(server, ["--verbose"], environment: environment)
        #expect(verbose.errorLines.count { $0.hasPrefix("No cache: ") } == 1)
      }
      #expect(access("\(scratch.path)/nobody", F_OK) != 0)
    }

    @Test("a full disk doesn't fail a run or leave incomplete files")
    func fullDisk() async throws {
      try await withLoopbackServer(answering: handler) { server in
        // No file may grow beyond 4 KiB: as on a full disk, a write ends before its end.
        let result = try await IssuesProgram.shell(
          "trap '' XFSZ; ulimit -f 8; exec \"$issues\" \"$@\"",
          ["swiftlang/swift", "--all", "--verbose", "--api-url", server.url],
          environment: environment)
        #expect(result.status == .exited(0))
        #expect(result.numbers == (1...250).reversed())
        #expect(result.errorText.contains("No cache: nothing can be stored"))
        #expect(try await list(server).numbers == (1...250).reversed())
      }
      #expect(scratch.names(in: "issues").allSatisfy { $0.hasSuffix(".response") })
    }

    @Test("damaged cache files don't fail a run and are replaced", arguments: [0, 1, 2])
    func damaged(kind: Int) async throws {
      try await withLoopbackServer(answering: handler) { server in
        let first = try await list(server)
        for (name, bytes) in scratch.files(in: "issues") {
          var bytes = bytes
          switch kind {
          case 0: bytes[bytes.count / 2] ^= 1
          case 1: bytes.removeLast(bytes.count / 3)
          default: bytes = []
          }
          try Data(bytes).write(to: URL(filePath: "\(scratch.path)/issues/\(name)"))
        }
        for round in 1...2 {
          let result = try await list(server)
          #expect(result.output == first.output)
          #expect(result.errorText.isEmpty)
          #expect(
            statuses.current.suffix(4) == Array(repeating: round == 1 ? 200 : 304, count: 4)[...])
        }
      }
    }

    @Test("two simultaneous runs with one cache folder show the current list")
    func atOnce() async throws {
      try await withLoopbackServer(answering: handler) { server in
        for _ in 0..<3 {
          github.addIssue(to: Self.repository)
          let expected = github.issues(of: Self.repository).map(\.number).reversed()
          async let one = list(server)
          async let other = list(server)
          for result in try await [one, other] {
            #expect(result.status == .exited(0))
            #expect(result.numbers == Array(expected))
          }
        }
      }
    }
  }
}

import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CommandTests {
  @Suite("Filters by type, parent and dependencies", .timeLimit(.minutes(5)))
  struct RelationFilterTests {
    /// 1 has 2 and 3, 2 has 4; 6 waits for 5; 7 is a bug.
    private static func github() -> LoopbackGitHub {
      let github = TreeTests.github()
      github.block(6, by: 5, of: TreeTests.repository)
      github.changeIssue(7, of: TreeTests.repository) { $0.type = "Bug" }
      return github
    }

    private func run(
      _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandRun.Result {
      let result = try await IssuesProgram.run(arguments, environment: environment)
      #expect(result.status == .exited(0), "\(arguments) \(result.errorText)")
      return result
    }

    @Test("a list by type is the server's, and one by parent its sub-issues")
    func server() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        func list(_ arguments: [String]) async throws -> [Int] {
          try await run(["list", "swiftlang/swift", "--api-url", server.url] + arguments).numbers
        }
        #expect(try await list(["--type", "bug"]) == [7])
        #expect(try await list(["--type", "*", "--state", "all"]) == [7, 4])
        #expect(try await list(["--type", "none", "--all"]).count == 18)
        #expect(server.log.requests.contains { $0.target.contains("type=none") })
        #expect(try await list(["--parent", "1"]) == [2, 3])
        #expect(try await list(["--parent", "1", "--order", "desc"]) == [3, 2])
        #expect(try await list(["--parent", "2"]).isEmpty)
        #expect(try await list(["--parent", "2", "--state", "all"]) == [4])
        #expect(try await list(["--parent", "9"]).isEmpty)
        let missing = try await IssuesProgram.run(
          ["list", "swiftlang/swift", "--api-url", server.url, "--parent", "99"])
        missing.expectFailure(3, saying: ["swiftlang/swift#99"])
      }
    }

    @Test("the mirror finds the same, and has words for it")
    func mirror() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_DATA_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.github().handler) { server in
        _ = try await run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        let before = server.log.requests.count
        func list(_ arguments: [String]) async throws -> Set<Int> {
          Set(
            try await run(
              ["list", "swiftlang/swift", "--api-url", server.url, "--offline", "--all"]
                + arguments, environment: environment
            ).numbers)
        }
        #expect(try await list(["--type", "bug"]) == [7])
        #expect(try await list(["--type", "*", "--state", "all"]) == [4, 7])
        #expect(try await list(["--type", "none"]) == Set(1...20).subtracting([4, 7]))
        #expect(try await list(["--parent", "1"]) == [2, 3])
        for (words, numbers) in [
          ("type:Bug", [7]), ("type:bug is:closed", [4]), ("-no:type", [7]), ("is:blocked", [6]),
          ("is:blocking", [5]), ("parent-issue:1", [2, 3]), ("parent-issue:2 is:closed", [4]),
          ("parent-issue:swiftlang/swift#1", [2, 3]), ("parent-issue:other/swift#1", []),
          ("-no:parent-issue", [2, 3]), ("parent-issue:1 -is:blocked type:*", []),
        ] as [(String, Set<Int>)] {
          #expect(try await list(["--search", words]) == numbers, "\(words)")
        }
        #expect(server.log.requests.count == before)
      }
    }

    @Test("the columns of type and progress are shown where the configuration has them")
    func columns() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      _ = try scratch.write(
        Data(#"columns = ["type", "sub-issues"]"#.utf8), to: "issues/config.toml")
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await IssuesProgram.run(
          ["list", "swiftlang/swift", "--api-url", server.url],
          environment: IssuesProgram.plainTerminal.merging(["XDG_CONFIG_HOME": scratch.path]) {
            $1
          }, connection: .terminal(columns: 100, rows: 60))
        #expect(result.status == .exited(0))
        let lines = result.screen.split(separator: "\n").map { $0.prefix { $0 != "\r" } }
        #expect(lines.contains { $0.contains("TYPE") && $0.hasSuffix("SUB-ISSUES") })
        #expect(lines.contains { $0.hasPrefix("#7 ") && $0.hasSuffix("Bug") })
        #expect(lines.contains { $0.hasPrefix("#1 ") && $0.hasSuffix("0/2") })
      }
    }
  }
}

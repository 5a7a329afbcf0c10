import PlatformModules
import TestSupport
import Testing

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

    /// The numbers that a list of the mirror has.
    private func mirrored(
      _ arguments: [String], _ server: LoopbackServer, _ environment: [String: String]
    ) async throws -> Set<Int> {
      Set(
        try await run(
          ["list", "swiftlang/swift", "--api-url", server.url, "--offline", "--all"] + arguments,
          environment: environment
        ).numbers)
    }

    @Test("the server's lists by type, and the sub-issues of a parent, are printed")
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

    @Test("the mirror finds the same issues by options and by search qualifiers")
    func mirror() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_DATA_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.github().handler) { server in
        _ = try await run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        let before = server.log.requests.count
        func list(_ arguments: [String]) async throws -> Set<Int> {
          try await mirrored(arguments, server, environment)
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

    /// 3 and 8 have fields, of every type between them; 5 has a text that looks like a day.
    private static func withFields() -> LoopbackGitHub {
      let github = github()
      func set(_ number: Int, _ values: [Int: String]) {
        github.changeIssue(number, of: TreeTests.repository) { $0.fields = values }
      }
      set(3, [5_001: #""High""#, 5_002: "3", 5_003: #""2026-12-31""#])
      set(8, [5_001: #""Low""#, 5_002: "2.5", 5_004: #"["compiler","tools"]"#])
      set(5, [5_005: #""2027-01-01 or later""#])
      return github
    }

    @Test("lists and searches by a field use the server's results")
    func fieldsOfServer() async throws {
      try await withLoopbackServer(answering: Self.withFields().handler) { server in
        func list(_ arguments: [String]) async throws -> Set<Int> {
          Set(
            try await run(["list", "swiftlang/swift", "--api-url", server.url] + arguments).numbers)
        }
        #expect(try await list(["--field", "Priority=high"]) == [3])
        #expect(
          try await list(["--field", "Target date=2026-12-31", "--field", "effort=3"]) == [3])
        #expect(try await list(["--field", "Areas=tools"]) == [8])
        #expect(try await list(["--field", "Areas=tools", "--field", "Priority=High"]).isEmpty)
        #expect(
          server.log.requests.contains {
            $0.target.contains("issue_field_values=target-date%3A2026-12-31%2Ceffort%3A3")
          })
        #expect(try await list(["--search", "field.priority:Low"]) == [8])
        for wrong in ["Priority", "=High", "Priority=", "Areas=compiler,tools"] {
          let refused = try await IssuesProgram.run(
            ["list", "swiftlang/swift", "--api-url", server.url, "--field", wrong])
          refused.expectFailure(64, saying: ["NAME=VALUE"])
        }
      }
    }

    @Test("the mirror filters by field, compares numbers and days, and completes names")
    func fieldsOfMirror() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_DATA_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.withFields().handler) { server in
        _ = try await run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: environment)
        let before = server.log.requests.count
        func list(_ arguments: [String]) async throws -> Set<Int> {
          try await mirrored(arguments, server, environment)
        }
        #expect(try await list(["--field", "priority=HIGH"]) == [3])
        #expect(try await list(["--field", "Effort=2.5", "--field", "Areas=compiler"]) == [8])
        for (words, numbers) in [
          ("field.priority:high", [3]), ("field.priority:High,low", [3, 8]),
          ("field.Target-Date:2026-12-31", [3]), ("field.target-date:>=2026-12-31", [3]),
          ("field.target-date:>2026-12-31", []), ("field.target-date:2026-01-01..*", [3]),
          ("field.effort:3", [3]), ("field.effort:3.0", [3]), ("field.effort:>2.5", [3]),
          ("field.effort:<=3", [3, 8]), ("field.effort:2..2.9", [8]), ("field.effort:high", []),
          ("field.customer:>2026-01-01", []), ("field.areas:tools", [8]),
          ("has:field.effort", [3, 8]), ("-has:field.priority has:field.customer", [5]),
          ("no:field.customer has:field.areas", [8]), ("has:type is:open", [7]),
          ("-field.priority:Low has:field.priority", [3]), ("has:field.nothing", []),
        ] as [(String, Set<Int>)] {
          #expect(try await list(["--search", words]) == numbers, "\(words)")
        }
        for wrong in ["field.:x", "field:priority", "field.effort:>", "field.effort:>x"] {
          let refused = try await IssuesProgram.run(
            ["search", wrong, "--api-url", server.url], environment: environment)
          refused.expectFailure(64, saying: ["field."])
        }
        #expect(server.log.requests.count == before)
      }
    }

    @Test("the configuration adds columns for type and progress")
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

    @Test("the configuration adds a column for fields, from the mirror too")
    func columnOfFields() async throws {
      let scratch = try ScratchFolder()
      try FileManager.default.createDirectory(
        atPath: scratch["issues"], withIntermediateDirectories: true)
      _ = try scratch.write(Data(#"columns = ["fields"]"#.utf8), to: "issues/config.toml")
      let folders = ["XDG_CONFIG_HOME": scratch.path, "XDG_DATA_HOME": scratch.path]
      try await withLoopbackServer(answering: Self.withFields().handler) { server in
        _ = try await run(
          ["sync", "swiftlang/swift", "--api-url", server.url], environment: folders)
        for choice in [[], ["--offline"]] {
          let result = try await IssuesProgram.run(
            ["list", "swiftlang/swift", "--api-url", server.url] + choice,
            environment: IssuesProgram.plainTerminal.merging(folders) { $1 },
            connection: .terminal(columns: 200, rows: 60))
          #expect(result.status == .exited(0))
          let lines = result.screen.split(separator: "\n").map { $0.prefix { $0 != "\r" } }
          #expect(lines.contains { $0.hasSuffix("FIELDS") })
          #expect(
            lines.contains {
              $0.hasPrefix("#3 ")
                && $0.hasSuffix("Priority=High, Effort=3, Target date=2026-12-31")
            })
        }
      }
    }
  }
}

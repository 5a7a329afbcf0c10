import TestSupport
import Testing

extension CommandTests {
  @Suite("Output snapshots", .timeLimit(.minutes(5)))
  struct OutputSnapshotTests {
    /// An output, its kind of terminal, and its snapshot file.
    struct Example: Sendable, CustomTestStringConvertible {
      var name: String
      var arguments: [String]
      var columns: Int
      var environment = IssuesProgram.plainTerminal

      var testDescription: String { name }
    }

    @Test(
      "output on a terminal matches its snapshots",
      arguments: [
        Example(name: "list-120.txt", arguments: ["swiftlang/swift"], columns: 120),
        Example(name: "list-80.txt", arguments: ["swiftlang/swift"], columns: 80),
        Example(name: "list-40.txt", arguments: ["swiftlang/swift"], columns: 40),
        Example(
          name: "list-80-palette.txt", arguments: ["swiftlang/swift"], columns: 80,
          environment: ["TERM": "xterm-256color"]),
        Example(
          name: "list-80-truecolor.txt", arguments: ["swiftlang/swift"], columns: 80,
          environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"]),
        Example(
          name: "list-80-basic.txt", arguments: ["swiftlang/swift"], columns: 80,
          environment: ["TERM": "xterm"]),
        Example(
          name: "list-80.txt", arguments: ["swiftlang/swift"], columns: 80,
          environment: ["TERM": "dumb"]),
        Example(
          name: "list-80.txt", arguments: ["swiftlang/swift", "--color", "never"], columns: 80,
          environment: ["TERM": "xterm-256color"]),
        Example(
          name: "list-80.txt", arguments: ["swiftlang/swift"], columns: 132,
          environment: ["COLUMNS": "80", "CLICOLOR": "0"]),
        Example(
          name: "view-120.txt", arguments: ["view", "swiftlang/swift", "85968"], columns: 120),
        Example(name: "view-80.txt", arguments: ["view", "swiftlang/swift", "85968"], columns: 80),
        Example(name: "view-40.txt", arguments: ["view", "swiftlang/swift", "85968"], columns: 40),
        Example(
          name: "view-comments-80.txt",
          arguments: ["view", "swiftlang/swift", "85968", "--comments"],
          columns: 80),
        Example(
          name: "view-80-truecolor.txt", arguments: ["view", "swiftlang/swift", "85968"],
          columns: 80,
          environment: [
            "TERM": "xterm-kitty", "COLORTERM": "truecolor",
          ]),
        Example(
          name: "view-80.txt", arguments: ["view", "swiftlang/swift", "85968"], columns: 80,
          environment: ["TERM": "dumb", "KITTY_WINDOW_ID": "1", "FORCE_HYPERLINK": "1"]),
        Example(
          name: "view-closed-80.txt", arguments: ["view", "swiftlang/swift", "8"], columns: 80),
        Example(name: "user-80.txt", arguments: ["user", "octocat"], columns: 80),
        Example(name: "user-40.txt", arguments: ["user", "octocat"], columns: 40),
        Example(name: "repos-120.txt", arguments: ["repos", "octocat"], columns: 120),
        Example(name: "repos-80.txt", arguments: ["repos", "octocat"], columns: 80),
        Example(name: "repos-40.txt", arguments: ["repos", "octocat"], columns: 40),
        Example(
          name: "search-120.txt", arguments: ["search-repos", "weather", "--limit", "3"],
          columns: 120),
        Example(
          name: "search-80-palette.txt", arguments: ["search-repos", "weather", "--limit", "3"],
          columns: 80,
          environment: ["TERM": "xterm-256color"]),
        Example(
          name: "search-40.txt", arguments: ["search-repos", "weather", "--limit", "3"], columns: 40
        ),
      ])
    func terminal(example: Example) async throws {
      try await withLoopbackServer(answering: SnapshotServer.handler) { server in
        let result = try await IssuesProgram.run(
          example.arguments + ["--api-url", server.url], environment: example.environment,
          connection: .terminal(columns: example.columns, rows: 30))
        #expect(result.status == .exited(0))
        // Links lead to the server, which has another port each time.
        try CommandSnapshot.expect(
          result.screen.replacing(server.url, with: "http://127.0.0.1"), named: example.name)
      }
    }

    @Test(
      "output in a pipe matches its snapshots",
      arguments: [
        ("list.tsv.txt", ["swiftlang/swift"]),
        ("view.tsv.txt", ["view", "swiftlang/swift", "85968"]),
        ("view-comments.tsv.txt", ["view", "swiftlang/swift", "85968", "--comments"]),
        ("view.json", ["view", "swiftlang/swift", "85968", "--json"]),
        (
          "view-fields.json",
          ["view", "swiftlang/swift", "85968", "--json", "number,title,comments_list"]
        ),
        ("list-all.tsv.txt", ["swiftlang/swift", "--state", "all", "--include-pull-requests"]),
        ("list.json", ["swiftlang/swift", "--limit", "1", "--json"]),
        ("list-fields.json", ["swiftlang/swift", "--limit", "3", "--json", "number,title,labels"]),
        ("user.tsv.txt", ["user", "octocat"]),
        ("user.json", ["user", "octocat", "--json"]),
        ("user-fields.json", ["user", "octocat", "--json", "login,bio"]),
        ("auth-status.tsv.txt", ["auth", "status"]),
        ("auth-status.json", ["auth", "status", "--json"]),
        ("repos.tsv.txt", ["repos", "octocat"]),
        ("repos-fields.json", ["repos", "octocat", "--json", "full_name,language"]),
        ("search.tsv.txt", ["search-repos", "swift", "http"]),
        ("search.json", ["search-repos", "swift", "--limit", "1", "--json"]),
        (
          "search-fields.json",
          ["search-repos", "swift", "--limit", "3", "--json", "full_name,stargazers_count"]
        ),
      ])
    func pipe(name: String, arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments + ["--stub"])
      #expect(result.status == .exited(0))
      try CommandSnapshot.expect(result.outputText, named: name)
    }

    @Test(
      "'--color always' colors output in a pipe and leaves its text unchanged",
      arguments: [
        ["swiftlang/swift"], ["view", "swiftlang/swift", "85968"],
        ["view", "swiftlang/swift", "85968", "--comments"], ["repos", "octocat"],
        ["search-repos", "swift"], ["user", "octocat"], ["auth", "status"],
      ])
    func forced(arguments: [String]) async throws {
      let plain = try await IssuesProgram.run(arguments + ["--stub"])
      #expect(!plain.outputText.contains("\u{1B}"))
      for (flags, environment) in [
        (["--color", "always"], [:]), ([], ["CLICOLOR_FORCE": "1"]),
        (["--color", "always"], ["NO_COLOR": "1"]),
      ] as [([String], [String: String])] {
        let forced = try await IssuesProgram.run(
          arguments + ["--stub"] + flags, environment: environment)
        #expect(forced.outputText.contains("\u{1B}["), "\(flags) \(environment)")
        #expect(
          forced.outputText.replacing(
            /\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar), with: "") == plain.outputText)
      }
      let unwanted = try await IssuesProgram.run(
        arguments + ["--stub"], environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"])
      #expect(unwanted.outputText == plain.outputText)
    }

    @Test("GH_FORCE_TTY prints a terminal's table into a pipe")
    func forcedTerminal() async throws {
      try await withLoopbackServer(answering: SnapshotServer.handler) { server in
        for (value, name) in [
          ("120", "list-120.txt"), ("80", "list-80.txt"), ("yes", "list-80.txt"),
        ] {
          let result = try await IssuesProgram.run(
            ["swiftlang/swift", "--api-url", server.url],
            environment: ["GH_FORCE_TTY": value, "NO_COLOR": "1", "PAGER": "sed 's/^/| /'"])
          try CommandSnapshot.expect(result.outputText, named: name)
        }
      }
    }

    @Test("list numbers link to their pages on a terminal that supports hyperlinks")
    func links() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "--limit", "1"],
        environment: ["TERM": "xterm-kitty"], connection: .terminal(columns: 80, rows: 24))
      #expect(
        result.screen.contains(
          "\u{1B}]8;;https://github.com/swiftlang/swift/issues/85968\u{1B}\\"))
    }

    @Test("--assignees adds a column, which is the last one in a pipe")
    func assignees() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let arguments = [
          "swiftlang/swift", "--assignee", "*", "--limit", "1", "--api-url", server.url,
        ]
        let plain = try await IssuesProgram.run(arguments)
        let named = try await IssuesProgram.run(arguments + ["--assignees"])
        let login = try #require(named.lines.first?.split(separator: "\t").last)
        #expect(named.lines.first == plain.lines.first.map { "\($0)\t\(login)" })
        let table = try await IssuesProgram.run(
          arguments + ["--assignees"], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 120, rows: 24))
        #expect(table.screen.contains("ASSIGNEES"))
        #expect(table.screen.contains(login))
      }
      let json = try await IssuesProgram.run(["swiftlang/swift", "--assignees", "--json", "number"])
      json.expectFailure(64, saying: ["--assignees adds a column"])
    }

    @Test("colored output in a pipe colors numbers and states by state, and labels by label")
    func forcedRow() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "--limit", "1", "--color", "always"],
        environment: ["COLORTERM": "truecolor"])
      let cells = result.lines[0].split(separator: "\t")
      #expect(cells[0] == "\u{1B}[32m85968\u{1B}[0m")
      #expect(cells[1] == "\u{1B}[32mOPEN\u{1B}[0m")
      #expect(cells[3].hasPrefix("\u{1B}[38;2;"))
    }
  }
}

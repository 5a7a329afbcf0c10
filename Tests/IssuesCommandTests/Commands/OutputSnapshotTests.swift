import TestSupport
import Testing

extension CommandTests {
  @Suite("How output looks", .timeLimit(.minutes(5)))
  struct OutputSnapshotTests {
    /// What is shown, on what kind of terminal, and the file that holds it.
    struct Example: Sendable, CustomTestStringConvertible {
      var name: String
      var arguments: [String]
      var columns: Int
      var environment = IssuesProgram.plainTerminal

      var testDescription: String { name }
    }

    @Test(
      "on a terminal",
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
      "in a pipe",
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

    @Test("colours can be had in a pipe, where the lines stay the same")
    func forced() async throws {
      let plain = try await IssuesProgram.run(["swiftlang/swift", "--stub"])
      for (flags, environment) in [
        (["--color", "always"], [:]), ([], ["CLICOLOR_FORCE": "1"]),
      ] as [([String], [String: String])] {
        let forced = try await IssuesProgram.run(
          ["swiftlang/swift", "--stub"] + flags, environment: environment)
        #expect(
          forced.outputText.replacing(
            /\u{1B}\[[0-9;]*m/.matchingSemantics(.unicodeScalar), with: "") == plain.outputText)
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

private enum SystemJQ {
  static let isInstalled = ["/usr/bin/jq", "/opt/homebrew/bin/jq", "/usr/local/bin/jq"]
    .contains { FileManager.default.fileExists(atPath: $0) }
}

extension CommandTests {
  @Suite(
    "--jq", .timeLimit(.minutes(5)), .enabled(if: SystemJQ.isInstalled, "jq isn't installed"))
  struct JQTests {
    @Test(
      "strings are printed raw, null as an empty line, and other values as compact JSON",
      arguments: [
        (".[0].number", "40\n"), (".[0]|{number,state}", "{\"number\":40,\"state\":\"open\"}\n"),
        ("length", "3\n"), (".[].state", "open\nopen\nopen\n"), (".[0].milestone.nosuch", "\n"),
        ("empty", ""), ("map(.number > 1)", "[true,true,true]\n"),
        ("\"a\\tb\\u001b[31m\\u009b\\r\\n\\u202e\"", "a\tb^[[31m\\u{9B}\r\n\u{202E}\n"),
        ("-1", "-1\n"), ("env.GH_TOKEN", "\n"),
        ("[.[].user.login] | unique | length > 0", "true\n"), ("def f: 1; f, f", "1\n1\n"),
      ])
    func results(expression: String, output: String) async throws {
      let github = LoopbackGitHub(repositories: [
        .swift(issues: SyntheticIssues(count: 40, pullRequests: 0, closed: 0))
      ])
      try await withLoopbackServer(answering: github.handler) { server in
        for flags in [["-q", expression, "--json"], ["--json", "--jq=\(expression)"]] {
          let result = try await IssuesProgram.run(
            ["swiftlang/swift", "-L", "3", "--api-url", server.url] + flags)
          #expect(result.status == .exited(0), "\(result.errorText)")
          #expect(result.outputText == output)
        }
      }
    }

    @Test(
      "--jq works with every command that has --json",
      arguments: [
        (["view", "swiftlang/swift", "85968"], ".number", "85968\n"),
        (["view", "swiftlang/swift", "85968", "-c"], ".comments_list|type", "array\n"),
        (["user", "octocat"], ".login", "octocat\n"), (["repos", "octocat"], "type", "array\n"),
        (["search-repos", "swift"], "type", "array\n"),
        (["search", "--remote", "crash"], "type", "array\n"),
        (["auth", "status"], ".host", "github.com\n"),
        (["cache", "info"], ".folder|type", "string\n"),
        (["mirror", "list"], "type", "array\n"),
      ])
    func everywhere(arguments: [String], expression: String, output: String) async throws {
      let stub = ["cache", "mirror"].contains(arguments[0]) ? [] : ["--stub"]
      let folder = try ScratchFolder()
      let result = try await IssuesProgram.run(
        arguments + ["--json", "-q", expression] + stub,
        environment: ["XDG_DATA_HOME": folder.path, "XDG_CACHE_HOME": folder.path])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText == output)
    }

    @Test(
      "an invalid --jq is refused before any request",
      arguments: [
        (["-q", ".[]"], ["--jq requires --json"]),
        (["--json", "-q", ".["], ["--jq:", "syntax error"]),
        (["--json", "-q", "nosuch"], ["--jq:", "nosuch/0 is not defined"]),
        (["--json", "-q", "import \"nosuch\" as x; 1"], ["--jq:", "nosuch"]),
        (["--template", "{{.title}}"], ["--json", "--jq"]),
        (["--json", "number", "-t", "{{.title}}"], ["--json", "--jq"]),
      ])
    func refused(flags: [String], words: [String]) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url] + flags)
        result.expectFailure(64, saying: words)
        #expect(result.outputText.isEmpty && server.log.connectionCount == 0)
      }
    }

    @Test("a failing jq expression prints its earlier output and the reason")
    func failing() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "-L", "2", "--json", "-q", "\"first\", .[0].title.x"])
      result.expectFailure(1, saying: ["--jq: Cannot index string with string \"x\""])
      #expect(result.outputText == "first\n")
      for odd in ["input", "[limit(2; inputs)], error(\"no\")", "\"bye\" | halt_error"] {
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--stub", "-L", "2", "--json", "-q", odd])
        #expect(result.status == .exited(1), "\(odd): \(result.errorText)")
      }
    }

    @Test(
      "an expression that crashes jq or never stops is reported as a failure",
      arguments: [
        ("1e300|strftime(\"%Y\")", "signal"), ("[nan|todate]", "--jq: "),
        ("(\"x\" * 1000000) as $x | repeat($x)", "exceed 256 MiB"),
      ])
    func endless(expression: String, words: String) async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "-L", "1", "--jsonl", "-q", expression])
      result.expectFailure(1, saying: [words])
      #expect(result.outputText.isEmpty)
    }

    @Test("jq's messages on standard error are escaped")
    func messages() async throws {
      let result = try await IssuesProgram.run(
        [
          "swiftlang/swift", "--stub", "-L", "1", "--json", "-q",
          "\"a\\u202eb\\u001b[31m\" | stderr | debug | 1",
        ])
      #expect(result.status == .exited(0) && result.outputText == "1\n")
      #expect(result.errorText.contains("DEBUG") && result.errorText.contains("[31m"))
      #expect(!result.errorText.unicodeScalars.contains { ["\u{202E}", "\u{1B}"].contains($0) })
    }

    @Test("without jq, the message says what to install")
    func absent() async throws {
      let result = try await IssuesProgram.run(
        ["swiftlang/swift", "--stub", "--json", "-q", "."],
        environment: ["PATH": "relative:/nosuch"])
      result.expectFailure(1, saying: ["--jq requires jq", "Install jq"])
    }

    @Test("with --jsonl, an expression is applied to each object on every page")
    func lines() async throws {
      let github = LoopbackGitHub(repositories: [
        .swift(issues: SyntheticIssues(count: 250, pullRequests: 0, closed: 0))
      ])
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run([
          "swiftlang/swift", "--all", "--jsonl", "-q", "(.number, empty)", "--api-url", server.url,
        ])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.lines == (1...250).reversed().map(String.init))
      }
    }

    @Test("control characters in jq's output are escaped on a terminal")
    func terminal() async throws {
      let result = try await IssuesProgram.run(
        [
          "swiftlang/swift", "--stub", "-L", "1", "--json", "-q",
          "\"a\\u001b[31mb\", [\"\\u009b\"]",
        ],
        environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 80, rows: 20))
      #expect(!result.screen.contains("\u{1B}[31m") && !result.screen.contains("\u{9B}"))
      #expect(result.screen.contains("[31mb") && result.screen.contains("\\u009B"))
    }

    @Test("an expression isn't applied to an incomplete list")
    func broken() async throws {
      let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 250))])
      github.intercept(
        where: { $0.queryValue("page") == "2" || $0.queryValue("after") != nil },
        response: { _, _ in .reset })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run([
          "swiftlang/swift", "--all", "--json", "-q", "length", "--api-url", server.url,
          "--retries", "0",
        ])
        result.expectFailure(6, saying: ["broke off"])
        #expect(result.outputText.isEmpty)
      }
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("Wrong usage", .timeLimit(.minutes(5)))
  struct UsageTests {
    @Test(
      "an invalid option value is refused with the valid ones before any request",
      arguments: [
        (["--state", "opened"], ["'open', 'closed' or 'all'"]),
        (["--sort", "number"], ["'created', 'updated' or 'comments'"]),
        (["--order", "up"], ["'asc' and 'desc'"]),
        (["--color", "pink"], ["'auto', 'always' or 'never'"]),
        (["--assignee", "a b"], ["--assignee", "@me", "'*' for any", "'none' for unassigned"]),
        (["--assignee", "@you"], ["--assignee", "@me"]),
        (["--author", "a/b"], ["--author", "A-Z a-z 0-9 - _", "@me"]),
        (["--mention", ""], ["--mention", "A-Z a-z 0-9 - _"]),
        (["--milestone", ""], ["--milestone", "title or number"]),
        (["--since", "tomorrow"], ["--since", "2026-01-31T12:00:00Z", "yesterday", "7d"]),
        (["--since", "7"], ["--since", "7d"]),
        (["--since", "7x"], ["--since", "7d"]),
        (["--since", "-7d"], ["--since"]),
        (["--since", "2026-02-30"], ["--since", "2026-01-31T12:00:00Z"]),
        (["--limit", "0"], ["--limit", "at least 1"]),
        (["--limit", "-1"], ["--limit"]),
        (["--limit", "ten"], ["--limit", "at least 1"]),
        (["--retries", "-1"], ["--retries"]),
        (["--retries", "101"], ["--retries", "0 to 100"]),
        (["--retries", "often"], ["--retries", "0 to 100"]),
        (["--label", "a,"], ["label"]),
        (["-L0"], ["-L", "at least 1"]),
        (["-sopened"], ["'open', 'closed' or 'all'"]),
        (["--label", ""], ["label"]),
        (["--stub-delay", "1s"], ["--stub-delay only makes sense with --stub"]),
        (["--stub", "--stub-delay", "1 fortnight"], ["--stub-delay", "300ms"]),
        (["--wait", "1 fortnight"], ["--wait", "90s", "'forever'"]),
        (["--json", "no-pe"], ["'no-pe'", "number, title", "pull_request"]),
        (["--json", "number,,title"], ["''", "number, title"]),
        (["--web", "--milestone", "3"], ["--web", "milestone"]),
        (["--nope"], ["--nope"]),
        (["second argument"], ["is not a repository"]),
      ])
    func refused(arguments: [String], words: [String]) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url] + arguments)
        result.expectFailure(64, saying: words)
        #expect(result.outputText.isEmpty)
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test(
      "an invalid repository name is refused before any request",
      arguments: [
        "../..", "a/..", "./a", "a/.", "%2e%2e/x", "a b/c", "a/b?x", "a/b#c", "a/b\r\nX-Evil: 1",
        "a/b\n", "", " ", "a", "a/b/c/d", "/a/b", "a//b", "a/b/", "a\\b", "a/b\u{1B}[31m",
        "ａ/b", "file:///etc/passwd", "https://github.com", "https://github.com/a/b/settings",
        "-/..", "\u{202E}a/b",
      ])
    func names(name: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(["--api-url", server.url, "--", name])
        result.expectFailure(64, saying: ["is not a repository: use OWNER/REPO"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test("an argument that isn't valid UTF-8 is refused")
    func unreadableArgument() async throws {
      let script = #""$program" create apple/swift --stub -t x -b "$(printf 'caf\351')""#
      let result = try await CommandRun.run(
        "/bin/sh", ["-c", script],
        environment: IssuesProgram.environment.merging([
          "program": try BuiltProducts.path(of: "issues")
        ]) { $1 })
      result.expectFailure(64, saying: ["argument 7 isn't UTF-8 text"])
    }

    @Test("an invalid login is refused", arguments: ["../x", "a b", "", "a/b", "a\r\n", "ä"])
    func logins(login: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        for command in ["user", "repos"] {
          let result = try await IssuesProgram.run([command, "--api-url", server.url, "--", login])
          result.expectFailure(64, saying: ["A-Z a-z 0-9 - _"])
        }
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test(
      "an invalid or unencrypted API URL is refused",
      arguments: [
        "http://example.com", "http://127.0.0.1.example.com", "http://10.0.0.1:8080", "ftp://x",
        "api.github.com", "https://", "", "https://u:p@example.com", "https://example.com/?x=1",
      ])
    func servers(url: String) async throws {
      let result = try await IssuesProgram.run(["swiftlang/swift", "--api-url", url])
      result.expectFailure(64, saying: ["use"])
      #expect(!result.errorText.contains("u:p"))
    }

    @Test(
      "a missing argument is reported before an invalid field",
      arguments: [("view", "Say which"), ("user", "Specify"), ("repos", "Specify")])
    func missingArgument(command: String, message: String) async throws {
      let result = try await IssuesProgram.run([command, "--stub", "--json", "title,no-field"])
      result.expectFailure(64, saying: [message])
      #expect(!result.errorText.contains("no-field"))
    }

    @Test("--json doesn't consume the repository that follows it")
    func jsonBeforeTheRepository() async throws {
      for arguments in [["--json", "apple/swift"], ["apple/swift", "--json"]] {
        let result = try await IssuesProgram.run(arguments + ["--stub", "--limit", "1"])
        #expect(result.status == .exited(0))
        #expect(result.outputText.hasPrefix("[\n{\""))
      }
    }
  }
}

import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("--web", .timeLimit(.minutes(5)))
  struct WebTests {
    /// Runs the command with a browser that writes down what it is given.
    private static func visited(_ arguments: [String]) async throws -> [String] {
      let scratch = try ScratchFolder()
      let browser = "\(scratch.path)/browser"
      try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" > \(scratch.path)/visited\n".utf8)
        .write(to: URL(filePath: browser))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
      let result = try await IssuesProgram.run(
        arguments + ["--web"],
        environment: ["BROWSER": browser, "https_proxy": "http://127.0.0.1:9"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText.isEmpty)
      #expect(result.errorText.isEmpty)
      let text = try Data(contentsOf: URL(filePath: "\(scratch.path)/visited"))
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
      "--web opens the page of the requested list",
      arguments: [
        (["apple/swift"], "https://github.com/apple/swift/issues"),
        (["ghe.example.com/team/project"], "https://ghe.example.com/team/project/issues"),
        (
          ["https://github.com/apple/swift/issues/12"],
          "https://github.com/apple/swift/issues/12"
        ),
        (
          ["apple/swift", "--label", "good first issue", "--label", "c++"],
          "https://github.com/apple/swift/issues?q=is%3Aissue%20state%3Aopen%20"
            + "label%3A%22good%20first%20issue%22%20label%3A%22c%2B%2B%22%20sort%3Acreated-desc"
        ),
        (
          ["apple/swift", "-s", "closed", "-a", "none", "-A", "ada", "--sort", "updated"],
          "https://github.com/apple/swift/issues?q=is%3Aissue%20state%3Aclosed%20no%3Aassignee%20"
            + "author%3Aada%20sort%3Aupdated-desc"
        ),
        (["view", "apple/swift", "12"], "https://github.com/apple/swift/issues/12"),
        (
          ["view", "https://ghe.example.com/team/project/pull/3/files?x=y"],
          "https://ghe.example.com/team/project/issues/3"
        ),
        (["apple/swift#12"], "https://github.com/apple/swift/issues/12"),
        (["user", "octocat"], "https://github.com/octocat"),
        (["repos", "octocat"], "https://github.com/octocat?tab=repositories"),
        (
          ["search-repos", "c++", "stars:>9&x", "--limit", "1"],
          "https://github.com/search?q=c%2B%2B%20stars%3A%3E9%26x&type=repositories"
        ),
      ])
    func page(arguments: [String], url: String) async throws {
      let visited = try await Self.visited(arguments)
      #expect(visited == [url])
    }

    @Test("--web doesn't send a request")
    func silent() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let visited = try await Self.visited(["apple/swift", "--api-url", server.url])
        #expect(visited == ["\(server.url)/apple/swift/issues"])
        #expect(server.log.connectionCount == 0)
      }
    }

    @Test(
      "the address is printed if no browser or display is available",
      arguments: [
        (["apple/swift"], "https://github.com/apple/swift/issues"),
        (["view", "apple/swift", "12"], "https://github.com/apple/swift/issues/12"),
        (["user", "octocat"], "https://github.com/octocat"),
        (["repos", "octocat"], "https://github.com/octocat?tab=repositories"),
        (["search-repos", "swift"], "https://github.com/search?q=swift&type=repositories"),
      ])
    func printed(arguments: [String], url: String) async throws {
      let result = try await IssuesProgram.run(arguments + ["--web"])
      #expect(result.status == .exited(0))
      #expect(result.outputText == "\(url)\n")
      #expect(result.errorText.isEmpty)
    }

    @Test("a browser that can't be started is reported with the address")
    func noBrowser() async throws {
      let result = try await IssuesProgram.run(
        ["apple/swift", "--web"], environment: ["BROWSER": "/nonexistent", "PATH": "/nonexistent"])
      result.expectFailure(1, saying: ["https://github.com/apple/swift/issues", "BROWSER"])
    }
  }
}

import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("--json-errors", .timeLimit(.minutes(5)))
  struct ErrorFormTests {
    private struct Failure: Decodable {
      var code: String
      var message: String
      var retryAt: String?
      var exitStatus: Int32
    }

    /// The last line of standard error, which must be an object.
    private static func failure(_ result: CommandRun.Result) throws -> Failure {
      let line = try #require(result.errorLines.last, "\(result.outputText)")
      #expect(HostileText.dangers(in: line).isEmpty)
      #expect(!result.errorText.contains(IssuesProgram.token))
      let failure = try JSONDecoder().decode(Failure.self, from: Data(line.utf8))
      #expect(result.status == .exited(failure.exitStatus))
      return failure
    }

    @Test(
      "usage errors are JSON objects too, with the option before or after the subcommand",
      arguments: [
        ["list", "--bogus"], ["--bogus"], ["nosuch"], ["view"], ["comment"], ["open", "a/b/c/d"],
        ["a/b", "--limit", "x"], ["mirror", "bogus"],
        ["search", "--", ""], ["stats", "a/b", "--weeks", "0"],
      ])
    func usage(arguments: [String]) async throws {
      let words = try await IssuesProgram.run(arguments)
      for line in [["--json-errors"] + arguments, arguments + ["--json-errors"]] {
        if arguments.contains("--"), line.last == "--json-errors" { continue }
        let result = try await IssuesProgram.run(line)
        let failure = try Self.failure(result)
        #expect(failure.code == "usage" && failure.exitStatus == 64 && failure.retryAt == nil)
        #expect(!failure.message.isEmpty && words.errorText.contains(failure.message.prefix(30)))
        #expect(result.errorLines.count == 1 && result.outputText.isEmpty)
      }
    }

    @Test(
      "each kind of error has its own code",
      arguments: [(404, "notFound"), (401, "badCredentials"), (500, "network"), (418, "badAnswer")])
    func kinds(status: Int, code: String) async throws {
      let handler: LoopbackServer.Handler = { _ in
        LoopbackResponse(
          status: status,
          body: Data("{\"message\":\"\\u001b[31m \(IssuesProgram.token)\"}".utf8))
      }
      try await withLoopbackServer(answering: handler) { server in
        for arguments in [["list", "a/b"], ["view", "a/b", "1"], ["user", "octocat"]] {
          let result = try await IssuesProgram.run(
            arguments + ["--json-errors", "--retries", "0", "--api-url", server.url],
            environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
          #expect(try Self.failure(result).code == code, "\(result.errorText)")
        }
      }
    }

    @Test("a rate limit's error has its end as a time")
    func rateLimit() async throws {
      let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 5))])
      github.intercept(
        times: 9, where: { $0.path.hasSuffix("/issues") },
        response: { _, now in
          GitHubError.secondaryRateLimit(status: 403, retryAfter: 600).response(now: now)
        })
      try await withLoopbackServer(answering: github.handler) { server in
        let before = Date()
        let result = try await IssuesProgram.run([
          "swiftlang/swift", "--api-url", server.url, "--wait", "0", "--json-errors",
        ])
        let failure = try Self.failure(result)
        #expect(failure.code == "rateLimited" && failure.exitStatus == 5)
        let time = try Date(try #require(failure.retryAt), strategy: .iso8601)
        #expect(time > before.addingTimeInterval(590) && time < Date().addingTimeInterval(610))
      }
    }

    @Test("a message of any length is one whole object")
    func long() async throws {
      let word = String(repeating: "ab\u{202E}\"", count: 5_000)
      let result = try await IssuesProgram.run(["--json-errors", "search", "label", "is:\(word)"])
      #expect(try Self.failure(result).code == "usage")
    }

    @Test("without --json-errors, or with it after --, a failure is a sentence")
    func sentence() async throws {
      try await IssuesProgram.run(["view"]).expectFailure(64, saying: ["Say which issue"])
      let result = try await IssuesProgram.run(["open", "--", "--json-errors"])
      result.expectFailure(64, saying: ["--json-errors"])
    }

    @Test("error codes are distinct words")
    func codes() {
      let codes = ExitStatus.allCases.map(\.code)
      #expect(Set(codes).count == codes.count)
      #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]+/) != nil })
    }
  }
}

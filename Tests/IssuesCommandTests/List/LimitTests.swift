import TestSupport
import Testing

extension CommandTests {
  @Suite("--limit and --all", .timeLimit(.minutes(5)))
  struct LimitTests {
    private static func repository(
      _ count: Int, pullRequests: Double = 0
    ) -> LoopbackRepository {
      .swift(issues: SyntheticIssues(count: count, pullRequests: pullRequests, closed: 0))
    }

    private static let note = "Stopped at the limit"

    @Test(
      "a shortened list is reported unless a limit was given, and exits with status 0",
      arguments: [
        (250, [], 30, true), (30, [], 30, false), (31, [], 30, true), (0, [], 0, false),
        (250, ["--limit", "1"], 1, false), (250, ["--limit", "250"], 250, false),
        (250, ["-L", "249"], 249, false), (250, ["--limit", "1000"], 250, false),
        (250, ["--all"], 250, false),
      ] as [(Int, [String], Int, Bool)])
    func cut(count: Int, arguments: [String], shown: Int, isNoted: Bool) async throws {
      let github = LoopbackGitHub(repositories: [Self.repository(count)])
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url] + arguments)
        #expect(result.status == .exited(0))
        #expect(result.numbers == Array((1...max(count, 1)).reversed().prefix(shown)))
        if isNoted {
          #expect(result.errorLines.count == 1)
          #expect(result.errorText.hasPrefix("\(Self.note) of \(shown):"))
          #expect(result.errorText.contains("--limit") && result.errorText.contains("--all"))
        } else {
          #expect(result.errorText.isEmpty)
        }
      }
    }

    @Test("the limit counts only issues among many pull requests", arguments: [1, 30, 100])
    func mixed(limit: Int) async throws {
      let repository = Self.repository(1000, pullRequests: 0.8)
      let github = LoopbackGitHub(repositories: [repository])
      let issues = github.issues(of: repository).filter { !$0.isPullRequest }.map(\.number)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--limit", "\(limit)"])
        #expect(result.status == .exited(0))
        #expect(result.numbers == Array(issues.reversed().prefix(limit)))
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("--all lists all issues and, on request, all pull requests", arguments: [false, true])
    func all(includesPullRequests: Bool) async throws {
      let repository = Self.repository(450, pullRequests: 0.5)
      let github = LoopbackGitHub(repositories: [repository])
      let numbers = github.issues(of: repository)
        .filter { includesPullRequests || !$0.isPullRequest }.map(\.number)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--all"]
            + (includesPullRequests ? ["--include-pull-requests"] : []))
        #expect(result.status == .exited(0))
        #expect(result.numbers == numbers.reversed())
        #expect(result.errorText.isEmpty)
      }
    }

    @Test("no page is requested after the limit is reached")
    func frugal() async throws {
      let github = LoopbackGitHub(repositories: [Self.repository(1000)])
      try await withLoopbackServer(answering: github.handler) { server in
        _ = try await IssuesProgram.run(["swiftlang/swift", "--api-url", server.url])
        #expect(server.log.requestCount == 2)
      }
    }

    @Test("the limit also applies to a user's repositories")
    func repositories() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let arguments = ["repos", "octocat", "--api-url", server.url]
        let some = try await IssuesProgram.run(arguments)
        #expect(some.status == .exited(0))
        #expect(some.lines.count == 30)
        #expect(some.errorText.hasPrefix(Self.note))
        let all = try await IssuesProgram.run(arguments + ["--all"])
        #expect(all.status == .exited(0))
        #expect(all.lines.count == 42)
        #expect(all.errorText.isEmpty)
      }
    }
  }
}

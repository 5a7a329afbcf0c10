import PlatformModules
import TestSupport
import TestTraits
import Testing

@Suite("Faults during a followed list", .tags(.heavy), .timeLimit(.minutes(5)))
struct FollowFaultTests {
  private static let repository = LoopbackRepository(
    id: 1, owner: "acme", name: "repo",
    issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0, newest: 1_700_000_000))

  @Test(
    "a followed list handles each fault as documented",
    arguments: FollowFault.all.sampled(every: 5))
  func follow(row: FollowFault) async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    try await withLoopbackServer(answering: github.handler) { server in
      let run = try IssuesProgram.start(
        [
          "acme/repo", "--follow", "--every", "1s", "--retries", "0", "--no-cache", "--api-url",
          server.url,
        ] + row.options, environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token], isProcess: true)
      try await server.log.waitForRequest { $0.queryValue("since") != nil }
      github.intercept(
        times: row.times, where: { _ in true }, response: { _, now in row.response(now) })
      switch row.outcome {
      case .goesOn(let words):
        for word in words { try await run.waitFor(word, on: .error) }
        if row.times == .max { github.stopIntercepting() }
        github.addIssue(to: Self.repository) { issue in
          let now = Int(Date().timeIntervalSince1970)
          (issue.title, issue.createdAt, issue.updatedAt) = ("Opened meanwhile", now, now)
        }
        try await run.waitFor("\tnew\n")
        run.send(signal: 15)
        let result = try await run.result()
        #expect(result.errorLines.count == 1, "\(result.errorText)")
        #expect(!result.errorText.contains(IssuesProgram.token))
      case .ends(let status, let words):
        try await run.result().expectFailure(status, saying: words)
      }
    }
  }
}

import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Faults, met by a list that goes on", .timeLimit(.minutes(5)))
struct FollowFaultTests {
  private static let repository = LoopbackRepository(
    id: 1, owner: "acme", name: "repo",
    issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0, newest: 1_700_000_000))

  @Test("what the table of faults says", arguments: FollowFault.all)
  func follow(row: FollowFault) async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    try await withLoopbackServer(answering: github.handler) { server in
      let run = try IssuesProgram.start(
        [
          "acme/repo", "--follow", "--every", "1s", "--retries", "0", "--no-cache", "--api-url",
          server.url,
        ] + row.options, environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token])
      try await server.log.waitForRequest { $0.queryValue("since") != nil }
      github.intercept(
        times: row.times, where: { _ in true }, response: { _, now in row.response(now) })
      switch row.outcome {
      case .goesOn(let words):
        github.addIssue(to: Self.repository) { issue in
          let now = Int(Date().timeIntervalSince1970)
          (issue.title, issue.createdAt, issue.updatedAt) = ("Opened meanwhile", now, now)
        }
        try await run.waitFor("\tnew\n")
        run.send(signal: 15)
        let result = try await run.result()
        // A request whose connection is reset is sent again on another one, so few resets needn't be told.
        let mayBeSilent = row.response(0).interruption != nil && result.errorText.isEmpty
        if !mayBeSilent {
          #expect(result.errorLines.count == 1, "\(result.errorText)")
          for word in words { #expect(result.errorText.contains(word), "\(result.errorText)") }
        }
        #expect(!result.errorText.contains(IssuesProgram.token))
      case .ends(let status, let words):
        try await run.result().expectFailure(status, saying: words)
      }
    }
  }
}

import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import TestSupport
import Testing

@Suite(
  "A recorded list", .timeLimit(.minutes(5)),
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
struct RecordedListingTests {
  @Test(
    "a recorded list of 471 closed items returns its 193 issues once, in order",
    arguments: [nil, 50, 193, 194])
  func closedIssues(limit: Int?) async throws {
    let recorded = try RecordedExchanges(file: "issues-02-closed-16-pages-2019.json")
    let replay = recorded.handler
    try await withLoopbackServer { request in
      // The recording was made with the server's own page size.
      let target = request.target.split(separator: "&per_page=")[0]
      return await replay(
        LoopbackRequest(method: "GET", target: String(target), headers: request.headers))
    } perform: { server in
      let listing = IssueListing(
        provider: try Provider(asking: server),
        repository: try #require(RepositoryName("hub4j/github-api")),
        filter: IssueFilter(state: .closed), limit: limit)
      var issues: [GitHub.Issue] = []
      var hasMore = true
      for try await page in listing {
        issues += page.issues
        hasMore = page.hasMore
      }
      let expected = try recorded.exchanges.flatMap { exchange in
        try GitHubJSON.decode([GitHub.Issue].self, from: Data(exchange.body.utf8))
      }.filter { !$0.isPullRequest }.map(\.number)
      #expect(expected.count == 193)
      #expect(issues.map(\.number) == Array(expected.prefix(limit ?? .max)))
      #expect(hasMore == (limit == 50))
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("Filter options", .timeLimit(.minutes(5)))
  struct FilterOptionsTests {
    @Test(
      "each option becomes the server's own parameter",
      arguments: [
        ([], ["state=open"]),
        (["--state", "open"], ["state=open"]),
        (["-s", "closed"], ["state=closed"]),
        (["-s", "all"], ["state=all"]),
        (["--label", "bug"], ["state=open", "labels=bug"]),
        (["-l", "bug", "-l", "good first issue"], ["state=open", "labels=bug,good first issue"]),
        (["-l", "c++ & #1?=%"], ["state=open", "labels=c++ & #1?=%"]),
        (["--assignee", "octocat"], ["state=open", "assignee=octocat"]),
        (["-a", "*"], ["state=open", "assignee=*"]),
        (["-a", "none"], ["state=open", "assignee=none"]),
        (["--author", "dependabot[bot]"], ["state=open", "creator=dependabot[bot]"]),
        (["-A", "ada"], ["state=open", "creator=ada"]),
        (["--mention", "ada"], ["state=open", "mentioned=ada"]),
        (["--milestone", "2"], ["state=open", "milestone=2"]),
        (["-m", "*"], ["state=open", "milestone=*"]),
        (["-m", "none"], ["state=open", "milestone=none"]),
        (["--since", "2026-01-31"], ["state=open", "since=2026-01-31T00:00:00Z"]),
        (
          ["--since", "2026-01-31T13:30:15.9+02:00"], ["state=open", "since=2026-01-31T11:30:15Z"]
        ),
        (["--sort", "updated"], ["state=open", "sort=updated"]),
        (
          ["--sort", "comments", "--order", "asc"],
          ["state=open", "sort=comments", "direction=asc"]
        ),
        (
          ["-s", "all", "-l", "bug", "-A", "ada", "--sort", "updated"],
          ["state=all", "labels=bug", "creator=ada", "sort=updated"]
        ),
      ] as [([String], Set<String>)])
    func query(arguments: [String], expected: Set<String>) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url] + arguments)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.first { $0.path.hasSuffix("/issues") })
        let items = request.query.filter { $0.name != "per_page" }.map { "\($0.name)=\($0.value)" }
        #expect(Set(items) == expected)
        #expect(items.count == expected.count)
      }
    }

    @Test(
      "the sample is filtered as a server would",
      arguments: [
        ([], [85968, 85907, 85850, 85714, 85333]),
        (["--include-pull-requests"], [85968, 85941, 85907, 85850, 85714, 85333]),
        (["-s", "closed"], [84877, 84210, 83999, 61234]),
        (["-l", "bug", "-l", "CRASH"], [85968]),
        (["-a", "octocat"], [85714]),
        (["-a", "*"], [85714]),
        (["-a", "none"], [85968, 85907, 85850, 85333]),
        (["-A", "monalisa", "-s", "all"], [85968, 83999]),
        (["--mention", "octocat"], [85968]),
        (["-m", "31", "-s", "all"], [85968, 85714, 84877]),
        (["-m", "none", "-s", "closed"], [84210, 83999, 61234]),
        (["--since", "2025-12-01"], [85968, 85907, 85333]),
        (["--sort", "updated"], [85968, 85907, 85333, 85850, 85714]),
        (["--sort", "comments", "--order", "asc"], [85850, 85968, 85333, 85907, 85714]),
        (["--order", "asc", "--limit", "2"], [85333, 85714]),
      ] as [([String], [Int])])
    func sample(arguments: [String], expected: [Int]) async throws {
      let result = try await IssuesProgram.run(["swiftlang/swift", "--stub"] + arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.numbers == expected)
    }
  }
}

import TestSupport
import Testing

extension CommandTests {
  @Suite("Filter options", .timeLimit(.minutes(5)))
  struct FilterOptionsTests {
    @Test(
      "each filter option becomes a request parameter",
      arguments: [
        ([], ["state=open"]),
        (["--state", "open"], ["state=open"]),
        (["-s", "closed"], ["state=closed"]),
        (["-s", "all"], ["state=all"]),
        (["--label", "bug"], ["state=open", "labels=bug"]),
        (["-l", "bug", "-l", "good first issue"], ["state=open", "labels=bug,good first issue"]),
        (
          ["-l", "bug,good first issue", "-lcrash"],
          ["state=open", "labels=bug,good first issue,crash"]
        ),
        (["-l", "bug, crash"], ["state=open", "labels=bug,crash"]),
        (
          ["-sall", "-lbug", "-aoctocat", "-Aada", "-m2", "-L5"],
          ["state=all", "labels=bug", "assignee=octocat", "creator=ada", "milestone=2"]
        ),
        (["-l", "c++ & #1?=%"], ["state=open", "labels=c++ & #1?=%"]),
        (["--assignee", "octocat"], ["state=open", "assignee=octocat"]),
        (["-a", "*"], ["state=open", "assignee=*"]),
        (["-a", "none"], ["state=open", "assignee=none"]),
        (["--author", "dependabot[bot]"], ["state=open", "creator=dependabot[bot]"]),
        (["-A", "ada"], ["state=open", "creator=ada"]),
        (["--mention", "ada"], ["state=open", "mentioned=ada"]),
        (["--milestone", "2"], ["state=open", "milestone=2"]),
        (["--milestone", "6.3"], ["state=open", "milestone=2"]),
        (["--milestone", "NEXT"], ["state=open", "milestone=3"]),
        (["--author", "@me"], ["state=open", "creator=octocat"]),
        (
          ["-a", "@me", "--mention", "@me"],
          ["state=open", "assignee=octocat", "mentioned=octocat"]
        ),
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
          ["swiftlang/swift", "--api-url", server.url] + arguments,
          environment: ["TZ": "UTC0", "GH_ENTERPRISE_TOKEN": IssuesProgram.token])
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.first { $0.path.hasSuffix("/issues") })
        let items = request.query.filter { $0.name != "per_page" }.map { "\($0.name)=\($0.value)" }
        #expect(Set(items) == expected)
        #expect(items.count == expected.count)
      }
    }

    @Test(
      "a date begins in the user's time zone, and a time keeps its own zone",
      arguments: [
        ("2026-01-31", "JST-9", "2026-01-30T15:00:00Z"),
        ("2026-01-31", "EST5", "2026-01-31T05:00:00Z"),
        // In summer.
        ("2026-07-01", "CET-1CEST,M3.5.0,M10.5.0/3", "2026-06-30T22:00:00Z"),
        ("2026-07-01T00:00:00Z", "JST-9", "2026-07-01T00:00:00Z"),
        ("2026-07-01t02:00:00+02:00", "JST-9", "2026-07-01T00:00:00Z"),
      ])
    func since(text: String, zone: String, expected: String) async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let result = try await IssuesProgram.run(
          ["swiftlang/swift", "--api-url", server.url, "--since", text], environment: ["TZ": zone])
        #expect(result.status == .exited(0), "\(result.errorText)")
        let request = try #require(server.log.requests.first { $0.path.hasSuffix("/issues") })
        #expect(request.queryValue("since") == expected)
      }
    }

    @Test("@me and milestone titles are looked up once, and unresolved ones are reported")
    func lookups() async throws {
      try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
        let options = ["swiftlang/swift", "--api-url", server.url, "--no-cache"]
        let token = ["GH_ENTERPRISE_TOKEN": IssuesProgram.token]
        let result = try await IssuesProgram.run(
          options + ["-a", "@me", "-A", "@me", "-m", "6.3"], environment: token)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let paths = server.log.requests.map(\.path)
        #expect(paths.count { $0 == "/user" } == 1)
        #expect(paths.count { $0.hasSuffix("/milestones") } == 1)

        try await IssuesProgram.run(options + ["-a", "@me"]).expectFailure(
          4, saying: ["Requires authentication", "GH_ENTERPRISE_TOKEN"])
        try await IssuesProgram.run(options + ["-m", "6.4"]).expectFailure(
          3, saying: ["swiftlang/swift has no milestone “6.4”", "There are: Next, 6.3, 6.2."])
        try await IssuesProgram.run(options + ["-m", "4"]).expectFailure(
          3, saying: ["no milestone “4”"])
      }
    }

    @Test(
      "sample data is filtered like a server's list",
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
        (["-m", "Swift 6.3", "-s", "all"], [85968, 85714, 84877]),
        (["-a", "@me"], [85714]),
        (["-S", "crash"], [85968, 85850]),
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

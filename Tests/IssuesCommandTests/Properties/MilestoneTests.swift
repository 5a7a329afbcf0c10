import TestSupport
import Testing

extension CommandTests {
  @Suite("issues milestone", .timeLimit(.minutes(5)))
  struct MilestoneTests {
    private func run(
      _ server: LoopbackServer, _ arguments: [String],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["milestone"] + arguments + ["--api-url", server.url, "-R", "swiftlang/swift"],
        environment: ["GH_ENTERPRISE_TOKEN": IssuesProgram.token, "NO_COLOR": "1"],
        connection: connection)
    }

    private func withGitHub(
      _ body: (LoopbackServer, LoopbackGitHub) async throws -> Void
    ) async throws {
      let github = LoopbackGitHub(repositories: [.swift(issues: SyntheticIssues(count: 3))])
      try await withLoopbackServer(answering: github.handler) { server in
        try await body(server, github)
      }
    }

    @Test("a milestone is created, changed, closed, reopened and deleted")
    func life() async throws {
      try await withGitHub { server, _ in
        let before = try await run(server, ["list", "--all", "--state", "all"]).lines
        let created = try await run(
          server,
          ["create", "Fresh", "--due", "2026-12-31", "-d", "text", "--json", "number,due_on"])
        #expect(created.status == .exited(0), "\(created.errorText)")
        #expect(created.outputText.contains(#""due_on":"2026-12-31T"#))
        let number = try #require(
          created.outputText.firstMatch(of: /"number":(\d+)/)
        ).output.1
        let row = "\(number)\tFresh\topen\t2026-12-31\t0\t0"
        #expect(try await run(server, ["list", "--all"]).lines.contains(row))

        let edited = try await run(server, ["edit", "fresh", "-t", "Later", "--due", "none"])
        #expect(edited.lines.count == 1)
        #expect(edited.lines.first?.hasSuffix("/swiftlang/swift/milestone/\(number)") == true)
        // By its number, where no title is like that.
        let closed = try await run(
          server, ["close", String(number)], connection: .terminal(columns: 100, rows: 24))
        #expect(
          closed.screen.contains("Closed the milestone “Later” in \(server.host)/swiftlang/swift: ")
        )
        #expect(
          try await run(server, ["list", "--state", "closed", "--all"]).lines
            .contains("\(number)\tLater\tclosed\t\t0\t0"))
        let reopened = try await run(server, ["reopen", "Later", "--json", "state"])
        #expect(reopened.lines == [#"{"state":"open"}"#])
        let unasked = try await run(server, ["delete", "Later"])
        unasked.expectFailure(64, saying: ["no terminal", "--yes"])
        #expect(try await run(server, ["delete", "Later", "-y"]).status == .exited(0))
        #expect(try await run(server, ["list", "--all", "--state", "all"]).lines == before)
      }
    }

    @Test("an unknown milestone is reported with the existing ones")
    func unknown() async throws {
      try await withGitHub { server, github in
        let first = try #require(
          try await run(
            server, ["list", "--all", "--state", "all", "--json", "title", "-q", ".[0].title"]
          )
          .lines.first)
        try await run(server, ["close", "nope"])
          .expectFailure(3, saying: ["has no milestone “nope”", first])
        #expect(github.receipts.isEmpty)
      }
    }

    @Test("wrong usage of issues milestone sends no request")
    func usage() async throws {
      try await withGitHub { server, github in
        for day in ["tomorrow", "2026-02-30", "2026-1-1", "2026-12-31T00:00:00Z"] {
          try await run(server, ["create", "x", "--due", day])
            .expectFailure(64, saying: ["2026-12-31"])
        }
        try await run(server, ["edit", "x"]).expectFailure(64, saying: ["--title, --description"])
        #expect(github.receipts.isEmpty)
      }
    }

    @Test("an existing milestone's title is refused")
    func taken() async throws {
      try await withGitHub { server, _ in
        #expect(try await run(server, ["create", "Fresh"]).status == .exited(0))
        try await run(server, ["create", "Fresh"])
          .expectFailure(
            64, saying: ["already has a milestone “Fresh”", "'issues milestone edit'"])
      }
    }

    @Test("the list of milestones is sorted as requested")
    func order() async throws {
      try await withGitHub { server, _ in
        for (title, day) in [("b", "2027-01-01"), ("c", "2026-01-01")] {
          #expect(try await run(server, ["create", title, "--due", day]).status == .exited(0))
        }
        let byDay = try await run(
          server, ["list", "--all", "--json", "title", "-q", ".[].title"]
        ).lines
        #expect(byDay.firstIndex(of: "c") ?? .max < byDay.firstIndex(of: "b") ?? -1)
        let byTitle = try await run(
          server,
          [
            "list", "--all", "--sort", "title", "--order", "desc", "--json", "title", "-q",
            ".[].title",
          ]
        ).lines
        #expect(byTitle == byDay.sorted { $0.lowercased() > $1.lowercased() })
      }
    }
  }
}

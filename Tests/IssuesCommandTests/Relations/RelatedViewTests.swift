import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("The relations and the timeline of an issue", .timeLimit(.minutes(5)))
  struct RelatedViewTests {
    private static func github() -> LoopbackGitHub {
      let github = TreeTests.github()
      github.block(2, by: 5, of: TreeTests.repository)
      github.block(6, by: 2, of: TreeTests.repository)
      github.changeIssue(2, of: TreeTests.repository) { issue in
        (issue.type, issue.body) = ("Feature", "The text")
      }
      return github
    }

    private func view(
      _ server: LoopbackServer, _ arguments: [String],
      connection: CommandRun.Connection = .pipes
    ) async throws -> CommandRun.Result {
      try await IssuesProgram.run(
        ["view", "swiftlang/swift", "--api-url", server.url] + arguments,
        environment: IssuesProgram.plainTerminal, connection: connection)
    }

    @Test("a terminal shows an issue's type, parent, sub-issues and dependencies with their states")
    func page() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await view(server, ["2"], connection: .terminal(columns: 80, rows: 60))
        #expect(result.status == .exited(0), "\(result.errorText)")
        for line in [
          "Type: Feature", "Parent: #1 Issue 1 0/2", "Sub-issues, 1 of 1 done:", "  ✓ #4 Issue 4",
          "Blocked by:", "  ● #5 Issue 5", "Blocks:", "  ● #6 Issue 6",
        ] {
          #expect(result.screen.contains(line), "\(line)")
        }
        #expect(server.log.requests.count == 5)
      }
    }

    @Test("a pipe gets relations as lines after the other fields, and none without relations")
    func plain() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let related = try await view(server, ["2"])
        #expect(
          related.lines.drop { $0 != "kind:\tissue" }.prefix { $0 != "--" } == [
            "kind:\tissue", "type:\tFeature", "parent:\tswiftlang/swift#1",
            "sub-issues:\tswiftlang/swift#4", "sub-issues-done:\t1/1",
            "blocked-by:\tswiftlang/swift#5", "blocking:\tswiftlang/swift#6",
          ])
        let before = server.log.requests.count
        let alone = try await view(server, ["9"])
        #expect(alone.lines.drop { $0 != "kind:\tissue" }.dropFirst().first == "--")
        #expect(server.log.requests.count == before + 1)
      }
    }

    @Test("JSON includes relations if they are requested, without other requests")
    func json() async throws {
      try await withLoopbackServer(answering: Self.github().handler) { server in
        let result = try await view(
          server,
          [
            "2", "--json", "number,parent,sub_issues,blocked_by,blocking", "--jq",
            "[.number, .parent.number, (.sub_issues, .blocked_by, .blocking | map(.number))]"
              + " | tojson",
          ])
        #expect(result.outputText == "[2,1,[4],[5],[6]]\n", "\(result.errorText)")
        let before = server.log.requests.count
        _ = try await view(server, ["2", "--json", "number,type"])
        #expect(server.log.requests.count == before + 1)
      }
    }

    @Test("an issue whose relations fail to load is shown, with an error")
    func broken() async throws {
      let github = Self.github()
      github.fail("/repos/swiftlang/swift/issues/2/sub_issues", with: .badGateway)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await view(server, ["2", "--retries", "0"])
        result.expectFailure(6, saying: ["parent, sub-issues and dependencies", "are missing"])
        #expect(result.lines.contains("> The text"))
        let json = try await view(server, ["2", "--retries", "0", "--json", "number,parent"])
        #expect(json.status == .exited(6))
      }
    }

    @Test("a parent that the token can't read is left out")
    func hidden() async throws {
      let github = Self.github()
      github.fail("/repos/swiftlang/swift/issues/1", with: .notFound)
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await view(server, ["2"], connection: .terminal(columns: 80, rows: 60))
        #expect(result.status == .exited(0), "\(result.screen)")
        #expect(!result.screen.contains("Issue 1"))
      }
    }

    // MARK: The timeline

    private static func eventful() -> LoopbackGitHub {
      let github = TreeTests.github()
      github.changeIssue(9, of: TreeTests.repository) { issue in
        issue.createdAt = 1_700_000_000
        issue.updatedAt = 1_700_000_000
        issue.body = "The text"
        issue.events = [
          SyntheticEvent(
            "labeled", by: "ada", at: 1_700_000_100, #""label":{"name":"bug","color":"ff0000"}"#),
          SyntheticEvent("subscribed", by: "ada", at: 1_700_000_100),
          SyntheticEvent("moved_to_mars", by: nil, at: 1_700_000_300),
          SyntheticEvent(
            "cross-referenced", by: "grace-h", at: 1_700_000_400,
            """
            "source":{"type":"issue","issue":{"number":77,"title":"The fix","pull_request":{"url":"u"},\
            "repository_url":"https://api.github.com/repos/a/b"}}
            """),
          SyntheticEvent(
            "closed", by: "ada", at: 1_700_000_500,
            #""state_reason":"completed","commit_id":"0123456789""#),
        ]
      }
      github.addComment(on: 9, of: TreeTests.repository, at: 1_700_000_200) {
        $0.body = "A comment"
      }
      return github
    }

    @Test("the timeline has a line for each event, between the comments")
    func timeline() async throws {
      try await withLoopbackServer(answering: Self.eventful().handler) { server in
        let result = try await view(
          server, ["9", "--timeline"], connection: .terminal(columns: 100, rows: 60))
        #expect(result.status == .exited(0), "\(result.screen)")
        var rest = result.screen[...]
        for part in [
          "The text", "· ada added the label bug ·", "A comment", "· ghost moved to mars ·",
          "· grace-h mentioned this in the pull request a/b#77 “The fix” ·",
          "· ada closed this as completed with 0123456 ·",
        ] {
          let found = rest.firstRange(of: part)
          #expect(found != nil, "\(part)")
          if let found { rest = rest[found.upperBound...] }
        }
        #expect(!result.screen.contains("subscribed"))
        #expect(!result.screen.contains("see it with --comments"))
      }
    }

    @Test("a pipe gets an event as a line with its name on GitHub and its time")
    func plainTimeline() async throws {
      try await withLoopbackServer(answering: Self.eventful().handler) { server in
        let result = try await view(server, ["9", "--timeline"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        let events = result.lines.filter { $0.hasPrefix("event:") }
        #expect(
          events.map { $0.split(separator: "\t")[1] } == [
            "labeled", "subscribed", "moved_to_mars", "cross-referenced", "closed",
          ])
        #expect(events[0] == "event:\tlabeled\tada\t2023-11-14T22:15:00Z\tadded the label bug")
        #expect(result.lines.contains("> A comment"))
      }
    }

    @Test("JSON has the events as they were sent, and an incomplete timeline is invalid JSON")
    func jsonTimeline() async throws {
      let github = Self.eventful()
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await view(
          server,
          ["9", "--json", "number,timeline", "--jq", ".timeline | map(.event) | join(\" \")"])
        #expect(
          result.outputText
            == "labeled subscribed commented moved_to_mars cross-referenced closed\n")
        github.fail("/repos/swiftlang/swift/issues/9/timeline", with: .badGateway)
        let broken = try await view(server, ["9", "--json", "number,timeline", "--retries", "0"])
        broken.expectFailure(6, saying: ["the timeline is incomplete"])
        #expect(!broken.outputText.hasSuffix("}\n"))
        let both = try await view(server, ["9", "--json", "timeline,comments_list"])
        both.expectFailure(64, saying: ["comments_list"])
      }
    }
  }
}

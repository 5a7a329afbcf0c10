import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues sync --timeline", .timeLimit(.minutes(5)))
  struct TimelineTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 40, newest: 1_700_000_000))

    /// A GitHub whose issue 9 was closed, and has a comment.
    private static func eventful(
      _ configure: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
    ) -> LoopbackGitHub {
      var configuration = LoopbackGitHub.Configuration()
      configuration.repositories = [repository]
      configure(&configuration)
      let github = LoopbackGitHub(configuration)
      github.changeIssue(9, of: repository) { issue in
        issue.isPullRequest = false
        issue.closedAt = issue.createdAt + 7_200
        issue.events = [
          SyntheticEvent("closed", by: "grace-h", at: issue.createdAt + 7_200)
        ]
      }
      github.addComment(on: 9, of: repository, at: 1_700_000_000) { comment in
        comment.author = "ada"
        comment.body = "A comment"
      }
      return github
    }

    @Test("the mirror shows an issue's timeline as the server does")
    func view() async throws {
      let scene = try MirrorScene(Self.eventful())
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let arguments = ["view", "swiftlang/swift", "9", "--timeline", "--api-url", server.url]
        let synced = try await scene.sync(server, ["swiftlang/swift"])
        #expect(synced.outputText.contains("\t0 timelines\t"))
        try await scene.run(arguments + ["--offline"]).expectFailure(
          1, saying: ["timeline of swiftlang/swift#9", "issues sync", "--timeline"])
        let first = try await scene.sync(server, ["swiftlang/swift", "--timeline"])
        #expect(first.outputText.firstMatch(of: /\t[1-9]\d* timelines\t/) != nil)
        let textless = try await scene.run(arguments + ["--offline"])
        textless.expectFailure(1, saying: ["no texts", "issues sync", "--comments"])
        #expect(textless.lines.contains { $0.hasPrefix("event:\tcommented\tada\t") })
        try await scene.sync(server, ["swiftlang/swift", "--comments"])
        let mirrored = try await scene.run(arguments + ["--offline"])
        #expect(mirrored.status == .exited(0), "\(mirrored.errorText)")
        #expect(mirrored.lines.contains("> A comment"))
        let online = try await scene.run(arguments + ["--no-cache"])
        #expect(mirrored.outputText == online.outputText)
        let json = ["--json", "number,timeline"]
        #expect(
          try await scene.run(arguments + json + ["--offline"]).outputText
            == scene.run(arguments + json + ["--no-cache"]).outputText)
        // A recent timeline is shown without a request.
        let before = server.log.requestCount
        let young = try await scene.run(arguments + ["--max-age", "1h"])
        #expect(young.outputText == online.outputText)
        #expect(server.log.requestCount == before)
      }
    }

    private struct Entry: Decodable {
      let number: Int
    }

    @Test("an export has the timeline, and the list of mirrors has the time of its sync")
    func export() async throws {
      let scene = try MirrorScene(Self.eventful())
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let repository = "\(server.host)/swiftlang/swift"
        let arguments = ["export", repository, "--state", "all", "--timeline"]
        try await scene.sync(server, ["swiftlang/swift"])
        try await scene.run(arguments).expectFailure(
          3, saying: ["no timelines of swiftlang/swift", "issues sync", "--timeline"])
        let list = ["mirror", "list", "--json", "timelines_synced_at"]
        #expect(try await scene.run(list).outputText.contains("null"))
        try await scene.sync(server, ["swiftlang/swift", "--timeline", "--comments"])
        #expect(try await !scene.run(list).outputText.contains("null"))
        let before = server.log.requestCount
        for comments in [[], ["--comments"]] {
          let exported = try await scene.run(
            arguments + ["--include-pull-requests"] + comments)
          #expect(exported.status == .exited(0), "\(exported.errorText)")
          let issue = try #require(exported.lines.first { $0.contains(#""number":9,"#) })
          #expect(issue.contains(#""timeline":[{"#))
          #expect(issue.contains(#""event":"closed""#))
          // The text of a comment is there though it is kept once.
          #expect(issue.contains("A comment"))
          // Those of pull requests aren't mirrored.
          #expect(exported.lines.contains { $0.contains(#""timeline":null}"#) })
          let whole = try JSONDecoder().decode([Entry].self, from: Data(exported.outputText.utf8))
          #expect(whole.count == 40)
        }
        #expect(server.log.requestCount == before)
        try await scene.run(arguments + ["--format", "csv"]).expectFailure(
          64, saying: ["--format json", "issues sql"])
      }
    }

    @Test("a server without timelines is reported in a sentence, and asked once")
    func lacking() async throws {
      let scene = try MirrorScene(Self.eventful { $0.hasRelations = false })
      try await withLoopbackServer(answering: scene.github.handler) { server in
        for _ in 0..<2 {
          let result = try await scene.sync(server, ["swiftlang/swift", "--timeline"])
          #expect(
            result.errorText
              == "The server of \(server.host)/swiftlang/swift doesn't provide timelines.\n")
        }
        #expect(server.log.requests.count { $0.path.hasSuffix("/timeline") } == 1)
        try await scene.run(
          ["view", "swiftlang/swift", "9", "--timeline", "--offline", "--api-url", server.url]
        ).expectFailure(1, saying: ["has no timelines"])
      }
    }

    @Test("statistics list unknown figures, and include them after a sync of the timeline")
    func statistics() async throws {
      let scene = try MirrorScene(Self.eventful())
      try await withLoopbackServer(answering: scene.github.handler) { server in
        struct Report: Decodable {
          struct Unknown: Decodable {
            var figure: String
            var command: String
          }
          struct Time: Decodable { var issues: Int }
          var unknown: [Unknown]
          var unanswered: Int?
          var timeToFirstAnswer: Time?
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        func report() async throws -> Report {
          let result = try await scene.run(
            ["stats", "swiftlang/swift", "--json", "--weeks", "520"],
            environment: ["GH_HOST": server.host])
          #expect(result.status == .exited(0), "\(result.errorText)")
          return try decoder.decode(Report.self, from: result.output)
        }
        try await scene.sync(server)
        var found = try await report()
        #expect(found.unknown.map(\.figure) == ["first_answers", "reopened"])
        #expect(found.unknown[0].command.hasSuffix("--comments"))
        #expect(found.unknown[1].command.hasSuffix("--timeline"))
        #expect(found.timeToFirstAnswer == nil && found.unanswered == nil)
        try await scene.sync(server, ["swiftlang/swift", "--timeline"])
        found = try await report()
        #expect(found.unknown.isEmpty)
        let fromTimelines = try #require(found.timeToFirstAnswer).issues
        #expect(fromTimelines > 0)
        try await scene.sync(server, ["swiftlang/swift", "--comments"])
        #expect(try await report().timeToFirstAnswer?.issues == fromTimelines)
      }
    }
  }
}

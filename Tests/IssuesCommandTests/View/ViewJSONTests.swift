import Foundation
import TestSupport
import Testing

extension CommandTests {
  @Suite("One issue as JSON", .timeLimit(.minutes(5)))
  struct ViewJSONTests {
    private struct Shown: Decodable {
      struct Comment: Decodable {
        var id: Int64
        var body: String
      }
      var number: Int?
      var title: String?
      var comments: Int?
      var commentsList: [Comment]?

      enum CodingKeys: String, CodingKey {
        case number, title, comments
        case commentsList = "comments_list"
      }
    }

    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 20, pullRequests: 0, closed: 0))

    private static func run(
      _ flags: [String], comments: Int, place: [String] = ["swiftlang/swift", "7"]
    ) async throws -> (CommandRun.Result, paths: [String]) {
      let github = LoopbackGitHub(repositories: [repository])
      github.changeIssue(7, of: repository) {
        $0.title = "It crashes"
        $0.comments = comments
      }
      return try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          ["view"] + place + flags + ["--api-url", server.url])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.hasSuffix("}\n"))
        return (result, server.log.requests.map(\.path))
      }
    }

    @Test("JSON has all fields of an issue, and its comments as a number, as in GitHub's API")
    func all() async throws {
      let (result, paths) = try await Self.run(["--json"], comments: 3)
      let object = try #require(
        try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
      #expect(object["comments"] as? Int == 3)
      #expect(object["title"] as? String == "It crashes")
      #expect(object["comments_list"] == nil)
      #expect(object.keys.contains("reactions") && object.keys.contains("milestone"))
      #expect(result.lines.count == 1)
      #expect(paths.count == 1)
    }

    @Test(
      "JSON includes comments with --comments or by name, one per line",
      arguments: [
        (["--json", "--comments"], 0, true), (["--json", "number,comments_list"], 3, true),
        (["--json", "comments_list"], 0, false), (["--json", "comments_list", "-c"], 150, false),
        (["--json", "number", "--comments"], 150, true),
      ])
    func comments(flags: [String], count: Int, hasNumber: Bool) async throws {
      let (result, _) = try await Self.run(flags, comments: count)
      let shown = try JSONDecoder().decode(Shown.self, from: result.output)
      let list = try #require(shown.commentsList)
      #expect(
        list.map { $0.body.prefix { $0 != "\n" } }
          == (0..<count).map { "Comment \($0 + 1): I see this too." })
      #expect(Set(list.map(\.id)).count == count)
      #expect(shown.number == (hasNumber ? 7 : nil))
      #expect(result.lines.count == (count == 0 ? 1 : count + 2))
    }

    @Test("JSON has the requested fields only")
    func fields() async throws {
      let (result, paths) = try await Self.run(["--json", "number,title"], comments: 3)
      #expect(result.outputText == #"{"number":7,"title":"It crashes"}"# + "\n")
      #expect(paths.count == 1)
    }

    @Test(
      "--json doesn't consume the issue after it",
      arguments: [
        (["swiftlang/swift"], ["--json", "7"]), (["7"], ["--json", "swiftlang/swift"]),
        ([], ["--json", "swiftlang/swift#7"]),
        ([], ["--json", "https://github.com/swiftlang/swift/issues/7"]),
        ([], ["--json", "swiftlang/swift", "7"]),
      ])
    func value(place: [String], flags: [String]) async throws {
      let (result, _) = try await Self.run(flags, comments: 0, place: place)
      let shown = try JSONDecoder().decode(Shown.self, from: result.output)
      #expect(shown.number == 7)
      #expect(shown.title == "It crashes")
    }

    @Test("interrupted comments leave the JSON object incomplete")
    func broken() async throws {
      let github = LoopbackGitHub(repositories: [Self.repository])
      github.changeIssue(7, of: Self.repository) { $0.comments = 250 }
      github.intercept(where: { $0.queryValue("page") == "2" }, response: { _, _ in .reset })
      try await withLoopbackServer(answering: github.handler) { server in
        let result = try await IssuesProgram.run(
          [
            "view", "swiftlang/swift#7", "--json", "--comments", "--api-url", server.url,
            "--retries", "0",
          ])
        result.expectFailure(6, saying: ["the comments are incomplete", "after 100"])
        #expect(result.lines.count == 101)
        #expect(throws: (any Error).self) {
          try JSONSerialization.jsonObject(with: result.output)
        }
      }
    }
  }
}

import Foundation
import Testing

@testable import TestSupport

@Suite("Relations on the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackRelationsTests {
  private func id(_ number: Int) -> Int { GitHubJSON.issueID(number) }

  private func numbers(_ answer: WritingClient.Answer) -> [Int] {
    answer.json.elements?.compactMap { $0["number"]?.integer } ?? []
  }

  @Test("sub-issues are added by id, listed in order, moved, and removed")
  func subIssues() async throws {
    try await withWritableGitHub { _, client in
      for number in [2, 3, 4] {
        let answer = try await client.send(
          "POST", "/issues/1/sub_issues", #"{"sub_issue_id":\#(id(number))}"#)
        #expect(answer.status == 201)
        #expect(answer.json.at("number") == .number(1))
        #expect(answer.json.at("sub_issues_summary.total") == .number(Double(number - 1)))
      }
      #expect(try await numbers(client.send("GET", "/issues/1/sub_issues")) == [2, 3, 4])
      let page = try await client.send("GET", "/issues/1/sub_issues?per_page=2")
      #expect(numbers(page) == [2, 3])
      #expect(page.headers["Link"]?.contains("rel=\"next\"") == true)
      #expect(
        try await client.send("GET", "/issues/3/parent").json.at("number") == .number(1))
      #expect(try await client.send("GET", "/issues/1/parent").status == 404)
      let moved = try await client.send(
        "PATCH", "/issues/1/sub_issues/priority",
        #"{"sub_issue_id":\#(id(2)),"after_id":\#(id(4))}"#)
      #expect(moved.status == 200)
      #expect(try await numbers(client.send("GET", "/issues/1/sub_issues")) == [3, 4, 2])
      let listed = try await client.send("GET", "/issues?state=all&per_page=100")
      _ = try await client.send("PATCH", "/issues/3", #"{"state":"closed"}"#)
      let relisted = try await client.send("GET", "/issues?state=all&per_page=100")
      #expect(listed.headers["ETag"] != relisted.headers["ETag"])
      let parent = relisted.json.elements?.first { $0["number"] == .number(1) }
      #expect(parent?.at("sub_issues_summary.completed") == .number(1))
      let removed = try await client.send(
        "DELETE", "/issues/1/sub_issue", #"{"sub_issue_id":\#(id(3))}"#)
      #expect(removed.status == 200)
      #expect(try await numbers(client.send("GET", "/issues/1/sub_issues")) == [4, 2])
    }
  }

  @Test("a second parent, a cycle, a number instead of an id and a ninth level are refused")
  func refusals() async throws {
    try await withWritableGitHub(issues: 12) { _, client in
      func add(_ child: Int, to parent: Int) async throws -> WritingClient.Answer {
        try await client.send(
          "POST", "/issues/\(parent)/sub_issues", #"{"sub_issue_id":\#(id(child))}"#)
      }
      for level in 1..<8 { #expect(try await add(level + 1, to: level).status == 201) }
      #expect(try await add(9, to: 8).status == 422)
      #expect(try await add(1, to: 3).status == 422)
      let again = try await add(2, to: 1)
      #expect(again.status == 422)
      #expect(again.json["message"]?.text?.contains("may only have one parent") == true)
      #expect(try await add(2, to: 10).json["message"] == again.json["message"])
      let replaced = try await client.send(
        "POST", "/issues/10/sub_issues",
        #"{"sub_issue_id":\#(id(2)),"replace_parent":true}"#)
      #expect(replaced.status == 201)
      #expect(
        try await client.send("POST", "/issues/1/sub_issues", #"{"sub_issue_id":5}"#).status == 404)
      #expect(try await client.send("POST", "/issues/1/sub_issues", "{}").status == 422)
    }
  }

  @Test("dependencies are added by id, visible from both sides, and counted while open")
  func dependencies() async throws {
    try await withWritableGitHub { _, client in
      let path = "/issues/1/dependencies/blocked_by"
      let answer = try await client.send("POST", path, #"{"issue_id":\#(id(2))}"#)
      #expect(answer.status == 201)
      #expect(answer.json.at("issue_dependencies_summary.blocked_by") == .number(1))
      let again = try await client.send("POST", path, #"{"issue_id":\#(id(2))}"#)
      #expect(again.status == 422)
      #expect(again.json["message"]?.text?.contains("has already been taken") == true)
      #expect(try await numbers(client.send("GET", path)) == [2])
      #expect(
        try await numbers(client.send("GET", "/issues/2/dependencies/blocking")) == [1])
      _ = try await client.send("PATCH", "/issues/2", #"{"state":"closed"}"#)
      let issue = try await client.send("GET", "/issues/1").json
      #expect(issue.at("issue_dependencies_summary.blocked_by") == .number(0))
      #expect(issue.at("issue_dependencies_summary.total_blocked_by") == .number(1))
      for _ in 0..<2 {
        #expect(try await client.send("DELETE", "\(path)/\(id(2))").status == 200)
      }
      #expect(try await numbers(client.send("GET", path)).isEmpty)
    }
  }

  @Test("the timeline has comments and events in order and only events that happened")
  func timeline() async throws {
    let time = Watched(1_790_000_000)
    try await withWritableGitHub {
      $0.now = { Date(timeIntervalSince1970: Double(time.current)) }
    } perform: { _, client in
      func step(_ method: String, _ path: String, _ body: String) async throws {
        time.update { $0 += 60 }
        #expect(try await client.send(method, path, body).status < 300)
      }
      try await step("POST", "/issues", #"{"title":"a"}"#)
      try await step("PATCH", "/issues/6", #"{"title":"b","type":"Bug"}"#)
      try await step("POST", "/issues/6/comments", #"{"body":"hi"}"#)
      try await step("POST", "/issues/6/sub_issues", #"{"sub_issue_id":\#(id(1))}"#)
      try await step("PATCH", "/issues/6", #"{"state":"closed","state_reason":"not_planned"}"#)
      let events = try await client.send("GET", "/issues/6/timeline").json
      #expect(
        events.texts("event") == [
          "renamed", "issue_type_added", "commented", "sub_issue_added", "closed",
        ])
      #expect(events.at("0.rename.to") == .string("b"))
      #expect(events.at("3.sub_issue.number") == .number(1))
      #expect(events.at("4.state_reason") == .string("not_planned"))
      #expect(events.at("4.actor.login") == .string("octocat"))
    }
  }

  @Test("an older server has no relations")
  func older() async throws {
    try await withWritableGitHub {
      $0.hasRelations = false
    } perform: { _, client in
      for path in ["sub_issues", "parent", "dependencies/blocked_by", "timeline"] {
        #expect(try await client.send("GET", "/issues/1/\(path)").status == 404)
      }
      #expect(try await client.send("GET", "/issue-types").status == 404)
      let issue = try await client.send("GET", "/issues/1").json
      #expect(issue["sub_issues_summary"] == nil && issue["type"] == nil)
    }
  }

  @Test(
    "responses have the properties required by GitHub's API description",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  func description() async throws {
    let folder = try #require(RecordedExchanges.folder)
    let file = folder.appending(path: "openapi-writes-2022-11-28.json")
    let description = try #require(JSONInput(Data(contentsOf: file)))
    func required(_ schema: String) -> [String] {
      description.at("components.schemas.\(schema).required")?.elements?.compactMap(\.text) ?? []
    }
    func expect(_ value: JSONInput?, _ schema: String) {
      let names = required(schema)
      #expect(!names.isEmpty, "\(schema)")
      for name in names { #expect(value?[name] != nil, "\(schema).\(name)") }
    }
    try await withWritableGitHub { _, client in
      _ = try await client.send("PATCH", "/issues/1", #"{"title":"new","state":"closed"}"#)
      _ = try await client.send("PATCH", "/issues/1", #"{"type":"Bug"}"#)
      _ = try await client.send("PATCH", "/issues/1", #"{"type":"Task"}"#)
      _ = try await client.send("POST", "/issues/1/labels", #"{"labels":["made for this"]}"#)
      _ = try await client.send("POST", "/issues/1/sub_issues", #"{"sub_issue_id":\#(id(2))}"#)
      _ = try await client.send(
        "POST", "/issues/1/dependencies/blocked_by", #"{"issue_id":\#(id(3))}"#)
      _ = try await client.send("POST", "/issues/1/comments", #"{"body":"hi"}"#)
      let issue = try await client.send("GET", "/issues/1").json
      expect(issue, "Issue")
      expect(issue["type"], "nullable-IssueType")
      expect(issue["sub_issues_summary"], "SubIssuesSummary")
      expect(issue["issue_dependencies_summary"], "IssueDependenciesSummary")
      expect(try await client.send("GET", "/issue-types").json.at("0"), "nullable-IssueType")
      let schemas = [
        "renamed": "RenamedIssueEvent", "closed": "StateChangeIssueEvent",
        "labeled": "LabeledIssueEvent", "issue_type_changed": "IssueTypeChangedIssueEvent",
        "sub_issue_added": "SubIssueAddedIssueEvent",
        "blocked_by_added": "BlockedByAddedIssueEvent", "commented": "TimelineCommentEvent",
      ]
      let events = try await client.send("GET", "/issues/1/timeline?per_page=100").json
      for (kind, schema) in schemas {
        let event = events.elements?.first { $0["event"] == .string(kind) }
        expect(event, schema)
        for name in ["sub_issue", "blocked_by"] {
          if let other = event?[name] { expect(other, "nullable-IssueReference") }
        }
      }
    }
  }
}

import Foundation
import Testing

@testable import TestSupport

@Suite("Mutations of the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackMutationTests {
  private static func mutate(
    _ name: String, _ input: String, _ client: WritingClient
  ) async throws -> JSONInput {
    let type = name.prefix(1).uppercased() + name.dropFirst()
    let query = "mutation M($input: \(type)Input!) { \(name)(input: $input) { clientMutationId } }"
    let answer = try await client.send(
      "POST", "//graphql", #"{"query":"\#(query)","variables":{"input":{\#(input)}}}"#)
    #expect(answer.status == 200)
    return answer.json
  }

  @Test("at most three issues can be pinned, and they can be unpinned")
  func pins() async throws {
    try await withWritableGitHub { github, client in
      for number in 1...4 {
        let id = try await client.send("GET", "/issues/\(number)").json["node_id"]?.text ?? ""
        let answer = try await Self.mutate("pinIssue", #""issueId":"\#(id)""#, client)
        #expect((answer["errors"] == nil) == (number < 4))
      }
      let id = try await client.send("GET", "/issues/1").json["node_id"]?.text ?? ""
      let answer = try await Self.mutate("unpinIssue", #""issueId":"\#(id)""#, client)
      #expect(answer.at("data.unpinIssue.issue.number") == .number(1))
      let issues = github.issues(of: github.configuration.repositories[0])
      #expect(issues.filter(\.isPinned).map(\.number) == [2, 3])
      #expect(github.receipts.map(\.isCommitted) == [true, true, true, false, true])
    }
  }

  @Test("deleting an issue requires admin permission and removes the issue")
  func delete() async throws {
    try await withWritableGitHub {
      $0.permissions = ["weak": .write]
    } perform: { _, client in
      let id = try await client.send("GET", "/issues/2").json["node_id"]?.text ?? ""
      var weak = client
      weak.token = "weak"
      let refused = try await Self.mutate("deleteIssue", #""issueId":"\#(id)""#, weak)
      #expect(refused.at("errors.0.type") == .string("FORBIDDEN"))
      #expect(refused.at("data.deleteIssue") == .null)
      let done = try await Self.mutate("deleteIssue", #""issueId":"\#(id)""#, client)
      #expect(
        done.at("data.deleteIssue.repository.nameWithOwner") == .string("swiftlang/swift"))
      #expect(try await client.send("GET", "/issues/2").status == 410)
      let twice = try await Self.mutate("deleteIssue", #""issueId":"\#(id)""#, client)
      #expect(twice.at("errors.0.type") == .string("NOT_FOUND"))
    }
  }

  @Test("an issue is transferred with its comments, and its old address redirects")
  func transfer() async throws {
    try await withWritableGitHub {
      $0.repositories.append(
        LoopbackRepository(
          id: 7, owner: "swiftlang", name: "other", issues: SyntheticIssues(count: 1)))
    } perform: { github, client in
      let created = try await client.send(
        "POST", "/issues", #"{"title":"t","labels":["bug","Fresh"]}"#)
      _ = try await client.send("POST", "/issues/6/comments", #"{"body":"kept"}"#)
      let id = created.json["node_id"]?.text ?? ""
      let target = try await client.send("GET", "//repos/swiftlang/other").json["node_id"]?.text
      let answer = try await Self.mutate(
        "transferIssue", #""issueId":"\#(id)","repositoryId":"\#(target ?? "")""#, client)
      #expect(answer.at("data.transferIssue.issue.number") == .number(2))
      let old = try await client.send("PATCH", "/issues/6", #"{"title":"u"}"#)
      #expect(old.status == 307)
      #expect(old.headers["Location"]?.hasSuffix("/repositories/7/issues/2") == true)
      let there = try await client.send("GET", "//repos/swiftlang/other/issues/2").json
      #expect(there["labels"]?.texts("name") == ["bug"] && there["comments"] == .number(1))
      let comments = try await client.send("GET", "//repos/swiftlang/other/issues/2/comments")
      #expect(comments.json.texts("body") == ["kept"])
      let again = try await Self.mutate(
        "deleteIssue", #""issueId":"\#(there["node_id"]?.text ?? "")""#, client)
      #expect(again["errors"] == nil)
    }
  }

  @Test("'gh issue comment' writes a comment")
  func comment() async throws {
    try await withWritableGitHub { github, client in
      let query =
        "query IssueByNumber($owner: String!, $repo: String!, $number: Int!) { repository(owner: "
        + "$owner, name: $repo) { hasIssuesEnabled issue: issueOrPullRequest(number: $number) { "
        + "__typename ...on Issue{id,url} } } }"
      let asked = try await client.send(
        "POST", "//graphql",
        #"{"query":"\#(query)","variables":{"owner":"swiftlang","repo":"swift","number":1}}"#)
      let id = try #require(asked.json.at("data.repository.issue.id")?.text)
      let mutation =
        "mutation CommentCreate($input:AddCommentInput!){addComment(input: $input)"
        + "{commentEdge{node{url}}}}"
      let answer = try await client.send(
        "POST", "//graphql",
        #"{"query":"\#(mutation)","variables":{"input":{"subjectId":"\#(id)","body":"By gh"}}}"#)
      let url = try #require(answer.json.at("data.addComment.commentEdge.node.url")?.text)
      #expect(url.hasPrefix("https://github.com/swiftlang/swift/issues/1#issuecomment-"))
      // gh refuses an answer with more than it has asked for.
      #expect(
        answer.body
          == #"{"data":{"addComment":{"commentEdge":{"node":{"url":"\#(url)"}}}}}"#)
      let comments = github.comments(on: 1, of: github.configuration.repositories[0])
      #expect(comments.last?.body == "By gh")
      #expect(github.receipts.count == 1)
    }
  }
}

import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Write endpoints", .timeLimit(.minutes(5)))
struct WriteEndpointTests {
  /// A request: its target, and what it is to be on the wire. The path is below `/repos/a/b`.
  struct Row: Sendable {
    var target: GitHub
    var method: String
    var path: String
    var body: String?
    var idempotency: Idempotency

    init(
      _ target: GitHub, _ method: String, _ path: String, _ body: String? = nil,
      _ idempotency: Idempotency = .idempotent
    ) {
      self.target = target
      self.method = method
      self.path = path
      self.body = body
      self.idempotency = idempotency
    }
  }

  static let rows = [
    Row(
      .createIssue(repositoryFullName: "a/b", issue: NewIssue(title: "t")), "POST", "/issues",
      #"{"title":"t"}"#, .once),
    Row(
      .createIssue(
        repositoryFullName: "a/b",
        issue: NewIssue(
          title: "t", body: "", labels: ["x"], assignees: ["ada"], milestone: 3, type: "Bug")),
      "POST", "/issues",
      #"{"assignees":["ada"],"body":"","labels":["x"],"milestone":3,"title":"t","type":"Bug"}"#,
      .once),
    Row(
      .editIssue(repositoryFullName: "a/b", number: 7, edit: IssueEdit(body: "")), "PATCH",
      "/issues/7", #"{"body":""}"#, .once),
    Row(
      .editIssue(repositoryFullName: "a/b", number: 7, edit: IssueEdit(state: .closed)), "PATCH",
      "/issues/7", #"{"state":"closed"}"#),
    Row(
      .editIssue(
        repositoryFullName: "a/b", number: 7,
        edit: IssueEdit(
          title: "n", state: .closed, stateReason: .duplicate, duplicateIssueID: 5_000_000_001,
          milestone: .clear, type: .set("Task"))), "PATCH", "/issues/7",
      #"{"duplicate_issue_id":5000000001,"milestone":null,"state":"closed","#
        + #""state_reason":"duplicate","title":"n","type":"Task"}"#, .once),
    Row(
      .lockIssue(repositoryFullName: "a/b", number: 7, reason: .tooHeated), "PUT",
      "/issues/7/lock", #"{"lock_reason":"too heated"}"#),
    Row(.lockIssue(repositoryFullName: "a/b", number: 7), "PUT", "/issues/7/lock"),
    Row(
      .removeReaction(repositoryFullName: "a/b", number: 7, reactionID: 9), "DELETE",
      "/issues/7/reactions/9"),
    Row(.unlockIssue(repositoryFullName: "a/b", number: 7), "DELETE", "/issues/7/lock"),
    Row(
      .addLabels(repositoryFullName: "a/b", number: 7, names: ["x", "y"]), "POST",
      "/issues/7/labels", #"{"labels":["x","y"]}"#),
    Row(
      .removeLabel(repositoryFullName: "a/b", number: 7, name: "url/chars?"), "DELETE",
      "/issues/7/labels/url%2Fchars%3F"),
    Row(
      .addAssignees(repositoryFullName: "a/b", number: 7, logins: ["ada"]), "POST",
      "/issues/7/assignees", #"{"assignees":["ada"]}"#),
    Row(
      .removeAssignees(repositoryFullName: "a/b", number: 7, logins: ["ada"]), "DELETE",
      "/issues/7/assignees", #"{"assignees":["ada"]}"#),
    Row(
      .addSubIssue(repositoryFullName: "a/b", number: 7, subIssueID: 5_000_000_001), "POST",
      "/issues/7/sub_issues", #"{"sub_issue_id":5000000001}"#, .once),
    Row(
      .addSubIssue(
        repositoryFullName: "a/b", number: 7, subIssueID: 5_000_000_001, replacesParent: true),
      "POST", "/issues/7/sub_issues", #"{"replace_parent":true,"sub_issue_id":5000000001}"#, .once),
    Row(
      .removeSubIssue(repositoryFullName: "a/b", number: 7, subIssueID: 5_000_000_001), "DELETE",
      "/issues/7/sub_issue", #"{"sub_issue_id":5000000001}"#),
    Row(
      .moveSubIssue(
        repositoryFullName: "a/b", number: 7, subIssueID: 5_000_000_001, to: .after(5_000_000_002)),
      "PATCH", "/issues/7/sub_issues/priority",
      #"{"after_id":5000000002,"sub_issue_id":5000000001}"#),
    Row(
      .moveSubIssue(
        repositoryFullName: "a/b", number: 7, subIssueID: 5_000_000_001, to: .before(5_000_000_002)),
      "PATCH", "/issues/7/sub_issues/priority",
      #"{"before_id":5000000002,"sub_issue_id":5000000001}"#),
    Row(
      .addBlockedBy(repositoryFullName: "a/b", number: 7, issueID: 5_000_000_001), "POST",
      "/issues/7/dependencies/blocked_by", #"{"issue_id":5000000001}"#, .once),
    Row(
      .removeBlockedBy(repositoryFullName: "a/b", number: 7, issueID: 5_000_000_001), "DELETE",
      "/issues/7/dependencies/blocked_by/5000000001"),
    Row(
      .setFields(
        repositoryFullName: "a/b", number: 7,
        values: [
          GitHub.NewFieldValue(fieldID: 1, content: .text("High")),
          GitHub.NewFieldValue(fieldID: 2, content: .number(3)),
          GitHub.NewFieldValue(fieldID: 3, content: .options(["a", "b"])),
        ]),
      "POST", "/issues/7/issue-field-values",
      #"{"issue_field_values":[{"field_id":1,"value":"High"},{"field_id":2,"value":3},"#
        + #"{"field_id":3,"value":["a","b"]}]}"#),
    Row(
      .clearField(repositoryFullName: "a/b", number: 7, fieldID: 5_000_000_001), "DELETE",
      "/issues/7/issue-field-values/5000000001"),
    Row(
      .createComment(repositoryFullName: "a/b", number: 7, body: "hi"), "POST",
      "/issues/7/comments", #"{"body":"hi"}"#, .once),
    Row(
      .editComment(repositoryFullName: "a/b", id: 5_000_000_001, body: "hi"), "PATCH",
      "/issues/comments/5000000001", #"{"body":"hi"}"#, .once),
    Row(.deleteComment(repositoryFullName: "a/b", id: 9), "DELETE", "/issues/comments/9"),
    Row(
      .react(repositoryFullName: "a/b", number: 7, kind: .thumbsUp), "POST",
      "/issues/7/reactions", #"{"content":"+1"}"#),
    Row(
      .reactToComment(repositoryFullName: "a/b", id: 9, kind: .heart), "POST",
      "/issues/comments/9/reactions", #"{"content":"heart"}"#),
    Row(
      .removeCommentReaction(repositoryFullName: "a/b", id: 9, reactionID: 5), "DELETE",
      "/issues/comments/9/reactions/5"),
    Row(
      .createLabel(
        repositoryFullName: "a/b", label: NewLabel(name: "x", color: "#d73a4a", description: "d")),
      "POST", "/labels", #"{"color":"d73a4a","description":"d","name":"x"}"#, .once),
    Row(
      .editLabel(
        repositoryFullName: "a/b", name: "a b",
        edit: LabelEdit(newName: "y", color: "BADA55", description: "")), "PATCH",
      "/labels/a%20b", #"{"color":"BADA55","description":"","new_name":"y"}"#, .once),
    Row(.deleteLabel(repositoryFullName: "a/b", name: "x"), "DELETE", "/labels/x"),
    Row(
      .createMilestone(
        repositoryFullName: "a/b",
        milestone: NewMilestone(
          title: "v1", description: "d", dueOn: Date(timeIntervalSince1970: 0))),
      "POST", "/milestones", #"{"description":"d","due_on":"1970-01-01T00:00:00Z","title":"v1"}"#,
      .once),
    Row(
      .editMilestone(
        repositoryFullName: "a/b", number: 2,
        edit: MilestoneEdit(
          title: "v2", description: "", state: .closed,
          dueOn: .set(Date(timeIntervalSince1970: 0)))), "PATCH", "/milestones/2",
      #"{"description":"","due_on":"1970-01-01T00:00:00Z","state":"closed","title":"v2"}"#),
    Row(
      .editMilestone(repositoryFullName: "a/b", number: 2, edit: MilestoneEdit(dueOn: .clear)),
      "PATCH", "/milestones/2", #"{"due_on":null}"#),
    Row(.deleteMilestone(repositoryFullName: "a/b", number: 2), "DELETE", "/milestones/2"),
  ]

  @Test("each write request matches GitHub's description byte for byte")
  func requests() async throws {
    try await withLoopbackServer { _ in
      .json("{}")
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server, token: try AccessToken("t0ken"))
      for row in Self.rows {
        #expect(row.target.effectiveIdempotency == row.idempotency)
        _ = try await provider.request(row.target)
      }
      let requests = server.log.requests
      for (row, request) in zip(Self.rows, requests) {
        #expect(request.method == row.method)
        #expect(request.target == "/repos/a/b\(row.path)")
        #expect(String(decoding: request.body, as: UTF8.self) == row.body ?? "")
        #expect(request.headers["Content-Type"] == (row.body.map { _ in "application/json" }))
        #expect(request.headers["Authorization"] == "Bearer t0ken")
        // Without a body a lock announces that there is none.
        if row.method != "DELETE" { #expect(request.headers["Content-Length"] != nil) }
      }
      #expect(requests.count == Self.rows.count)
    }
  }

  @Test("an invalid name or number is refused before anything is sent")
  func refused() async throws {
    try await withLoopbackServer { _ in
      .json("{}")
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      let targets: [GitHub] = [
        .createIssue(repositoryFullName: "a/..", issue: NewIssue(title: "t")),
        .editIssue(repositoryFullName: "a/b", number: 0, edit: IssueEdit()),
        .lockIssue(repositoryFullName: "a", number: 1),
        .addLabels(repositoryFullName: "a/b", number: -1, names: ["x"]),
        .removeLabel(repositoryFullName: "a/b", number: 1, name: ""),
        .removeLabel(repositoryFullName: "a/b", number: 1, name: ".."),
        .editComment(repositoryFullName: "a/b", id: 0, body: "x"),
        .deleteComment(repositoryFullName: "a b/c", id: 1),
        .deleteLabel(repositoryFullName: "a/b", name: ""),
        .deleteMilestone(repositoryFullName: "a/b", number: 0),
      ]
      for target in targets {
        let error = await #expect(throws: NetworkError.self) {
          try await provider.request(target)
        }
        #expect(error?.code == .requestMapping && error?.bytesSent == 0, "\(target)")
      }
      #expect(server.log.connectionCount == 0)
    }
  }

  @Test("a redirected write fails with the redirect, and nothing is sent to its target")
  func redirect() async throws {
    try await withLoopbackServer { request in
      .json(
        #"{"message":"Moved Permanently"}"#, status: request.method == "POST" ? 307 : 301,
        headers: ["Location": "/repositories/1/issues"])
    } perform: { server in
      let provider = try Provider<GitHub>(asking: server)
      for row in Self.rows {
        let error = await #expect(throws: NetworkError.self) {
          try await provider.request(row.target)
        }
        #expect(error?.code == .statusCode)
        #expect(error?.message.contains("look it up to learn its new name") == true)
      }
      #expect(server.log.requests.allSatisfy { $0.path.hasPrefix("/repos/a/b/") })
      #expect(server.log.requestCount == Self.rows.count)
    }
  }

  @Test(
    "a stub responds to each write like a server",
    arguments: [
      (.createIssue(repositoryFullName: "a/b", issue: NewIssue(title: "t")), 201),
      (.editIssue(repositoryFullName: "a/b", number: 85_968, edit: IssueEdit(title: "t")), 200),
      (
        .editIssue(
          repositoryFullName: "a/b", number: 85_968, edit: IssueEdit(milestone: .set(12_345))), 422
      ),
      (.editIssue(repositoryFullName: "a/b", number: 1, edit: IssueEdit(title: "t")), 404),
      (.lockIssue(repositoryFullName: "a/b", number: 85_968), 204),
      (.unlockIssue(repositoryFullName: "a/b", number: 85_968), 204),
      (.addLabels(repositoryFullName: "a/b", number: 85_968, names: ["x"]), 200),
      (.removeLabel(repositoryFullName: "a/b", number: 85_968, name: "x"), 404),
      (.addAssignees(repositoryFullName: "a/b", number: 85_968, logins: ["ada"]), 201),
      (.removeAssignees(repositoryFullName: "a/b", number: 85_968, logins: ["ada"]), 200),
      (.createComment(repositoryFullName: "a/b", number: 85_968, body: "hi"), 201),
      (.deleteComment(repositoryFullName: "a/b", id: 1), 404),
      (.react(repositoryFullName: "a/b", number: 85_968, kind: .eyes), 201),
      (.createLabel(repositoryFullName: "a/b", label: NewLabel(name: "new")), 201),
      (.editLabel(repositoryFullName: "a/b", name: "none", edit: LabelEdit()), 404),
      (.deleteLabel(repositoryFullName: "a/b", name: "none"), 404),
      (.createMilestone(repositoryFullName: "a/b", milestone: NewMilestone(title: "new")), 201),
      (.editMilestone(repositoryFullName: "a/b", number: 12_345, edit: MilestoneEdit()), 404),
      (.deleteMilestone(repositoryFullName: "a/b", number: 12_345), 404),
      (.createIssue(repositoryFullName: "octocat/nothing", issue: NewIssue(title: "t")), 404),
    ] as [(GitHub, Int)])
  func samples(target: GitHub, status: Int) async throws {
    let provider = Provider.gitHub(.stubbed())
    do throws(NetworkError) {
      let response = try await provider.request(target)
      #expect(response.status.code == status)
      #expect(response.body.isEmpty == (status == 204))
    } catch {
      #expect(error.response?.status.code == status, "\(error)")
    }
  }
}

import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("IssueWriter", .timeLimit(.minutes(5)))
struct IssueWriterTests {
  private func writer(_ server: LoopbackServer, of name: String = "o/r") throws -> IssueWriter {
    IssueWriter(
      provider: try Provider(asking: server, token: "t0ken"),
      repository: try #require(RepositoryName(name)))
  }

  /// An issue as a server answers with it.
  private static func issue(
    _ number: Int = 7, of repository: String = "o/r", title: String = "t", extra: String = ""
  ) -> String {
    """
    {"id":1,"number":\(number),"title":"\(title)","state":"open",\
    "url":"https://api.github.com/repos/\(repository)/issues/\(number)",\
    "html_url":"https://github.com/\(repository)/issues/\(number)"\(extra)}
    """
  }

  private static func error(
    _ body: () async throws -> Void
  ) async throws -> NetworkError {
    try #require(await #expect(throws: NetworkError.self) { try await body() })
  }

  @Test("IssueWriter creates an issue, and names the dropped properties")
  func creation() async throws {
    var routes = RouteTable()
    routes.on("/repos/o/r/labels/bug", .json(#"{"name":"bug"}"#))
    routes.on("/repos/o/r/labels/crash", .json(#"{"name":"crash"}"#))
    routes.on(
      "/repos/o/r/issues",
      .json(
        Self.issue(title: "It crashes", extra: #","body":"a\nb","labels":[{"name":"Bug"}]"#),
        status: 201))
    try await withLoopbackServer(answering: routes.handler) { server in
      let written = try await writer(server).create(
        NewIssue(
          title: " It crashes ", body: "a\r\nb\n", labels: ["bug", "crash"], assignees: ["ada"],
          milestone: 3, type: "Bug"))
      #expect(written.value.number == 7)
      #expect(String(decoding: written.json, as: UTF8.self).contains(#""html_url""#))
      #expect(
        written.dropped.map(\.description) == [
          "labels: asked for bug, crash; got bug", "assignees: asked for ada; got none",
          "milestone: asked for 3; got none", "type: asked for Bug; got none",
        ])
      #expect(server.log.requests.count { $0.method == "POST" } == 1)
    }
  }

  @Test("IssueWriter sends one request if the server accepts every property")
  func taken() async throws {
    let answer = Self.issue(
      extra:
        #","type":{"name":"Bug"},"milestone":{"number":3,"title":"m"},"assignees":[{"login":"Ada"}]"#
    )
    try await withLoopbackServer { _ in
      .json(answer, status: 201)
    } perform: { server in
      let written = try await writer(server).create(
        NewIssue(title: "t", assignees: ["ada"], milestone: 3, type: "Bug"))
      #expect(written.dropped.isEmpty)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("IssueWriter creates a missing label only on request")
  func unknownLabel() async throws {
    var routes = RouteTable()
    routes.on("/repos/o/r/labels/bug", .json(#"{"name":"bug"}"#))
    routes.on("/repos/o/r/issues", .json(Self.issue(), status: 201))
    routes.on("/repos/o/r/issues/7/labels", .json(#"[{"name":"bug"},{"name":"new"}]"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let writer = try writer(server)
      let create = try await Self.error {
        _ = try await writer.create(NewIssue(title: "t", labels: ["bug", "new"]))
      }
      let add = try await Self.error { _ = try await writer.addLabels(["new"], to: 7) }
      for error in [create, add] {
        #expect(error.code == .absent && error.bytesSent == 0)
        #expect(error.message.contains("o/r has no label “new”"))
      }
      #expect(!server.log.requests.contains { $0.method == "POST" })
      let added = try await writer.addLabels(["new"], to: 7, createsLabels: true)
      #expect(added.value.map(\.name) == ["bug", "new"] && added.dropped.isEmpty)
    }
  }

  @Test("IssueWriter closes an issue with a reason or as a duplicate, and reopens it")
  func state() async throws {
    let answers = RouteTable.sequence([
      .json(Self.issue().replacing("open", with: "closed")),
      .json(Self.issue(3, extra: #","x":1"#).replacing(#""id":1"#, with: #""id":5000000003"#)),
      .json(
        Self.issue(extra: #","state_reason":"completed""#).replacing("open", with: "closed")),
      .json(Self.issue(extra: #","state_reason":"reopened""#)),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let writer = try writer(server)
      #expect(try await writer.close(7).dropped.isEmpty)
      #expect(
        try await writer.close(7, asDuplicateOf: 3).dropped.map(\.description) == [
          "state reason: asked for duplicate; got completed"
        ])
      #expect(try await writer.reopen(7).dropped.isEmpty)
      #expect(
        server.log.requests.map { "\($0.method) \(String(decoding: $0.body, as: UTF8.self))" } == [
          #"PATCH {"state":"closed","state_reason":"completed"}"#, "GET ",
          #"PATCH {"duplicate_issue_id":5000000003,"state":"closed","state_reason":"duplicate"}"#,
          #"PATCH {"state":"open","state_reason":"reopened"}"#,
        ])
    }
  }

  @Test("a missing label counts as removed, but a missing issue is an error")
  func removal() async throws {
    var routes = RouteTable()
    routes.on("/repos/o/r/issues/7/labels/a", .json(#"[{"name":"b"},{"name":"c"}]"#))
    routes.on(
      "/repos/o/r/issues/7/labels/b", .json(#"{"message":"Label does not exist"}"#, status: 404))
    routes.on("/repos/o/r/issues/7", .json(Self.issue(extra: #","labels":[{"name":"c"}]"#)))
    try await withLoopbackServer(answering: routes.handler) { server in
      let writer = try writer(server)
      let removed = try await writer.removeLabels(["a", "b"], from: 7)
      #expect(removed.value.map(\.name) == ["c"] && removed.dropped.isEmpty)
      let error = try await Self.error { _ = try await writer.removeLabels(["x"], from: 7) }
      #expect(error.response?.status == .notFound)
    }
  }

  @Test(
    "IssueWriter refuses a response with another issue or another repository",
    arguments: [
      issue(8), issue(of: "evil/r"), issue(of: "o/r2"),
      issue().replacing("github.com/o/r/issues/7\"}", with: "github.com/o/r/issues/8\"}"),
      issue().replacing("https://github.com/o/r/issues/7", with: "javascript:alert(7)"),
      issue().replacing("https://github.com/o/r", with: "https://github.com/o/r/issues/7/../../x"),
    ])
  func hostile(answer: String) async throws {
    try await withLoopbackServer { _ in
      .json(answer)
    } perform: { server in
      let writer = try writer(server)
      let errors = [
        try await Self.error { _ = try await writer.edit(7, IssueEdit(title: "t")) },
        try await Self.error { _ = try await writer.addAssignees(["ada"], to: 7) },
        try await Self.error { _ = try await writer.removeAssignees(["ada"], from: 7) },
      ]
      for error in errors {
        #expect(error.code == .decoding)
        #expect(error.bytesSent != 0)
        #expect(error.message.contains("something other"))
      }
      #expect(server.log.requestCount == 3)
    }
  }

  @Test("IssueWriter adds comments, and refuses a response with another issue's comment")
  func comments() async throws {
    func comment(_ id: Int, on number: Int, of repository: String = "o/r") -> LoopbackResponse {
      .json(
        """
        {"id":\(id),"body":"hi","issue_url":"https://api.github.com/repos/\(repository)/issues/\(number)",\
        "html_url":"https://github.com/\(repository)/issues/\(number)#issuecomment-\(id)"}
        """)
    }
    let answers = RouteTable.sequence([
      comment(1, on: 7), comment(1, on: 8), comment(1, on: 7, of: "o/x"), comment(1, on: 8),
      comment(2, on: 8), .json("", status: 204),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let writer = try writer(server)
      #expect(try await writer.comment("hi\n", on: 7).dropped.isEmpty)
      for _ in 0..<2 {
        let error = try await Self.error { _ = try await writer.comment("hi", on: 7) }
        #expect(error.code == .decoding)
      }
      let edited = try await writer.editComment(1, to: "other")
      #expect(edited.dropped.map(\.description) == ["body: the server stored a different one"])
      let error = try await Self.error { _ = try await writer.editComment(1, to: "hi") }
      #expect(error.code == .decoding)
      try await writer.deleteComment(1)
      #expect(server.log.requests.last?.method == "DELETE")
    }
  }

  @Test("a comment whose response is lost is sent once, and its error reports it as possibly sent")
  func lostAnswer() async throws {
    for fault in [LoopbackResponse.reset, .closeWithoutAnswering, .text("", status: 502)] {
      try await withLoopbackServer { _ in
        fault
      } perform: { server in
        let provider = Provider.gitHub(
          .init(
            server: try GitHubServer(apiURL: server.url),
            retries: RetryPolicy(baseDelay: .zero),
            transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
        let writer = IssueWriter(
          provider: provider, repository: try #require(RepositoryName("o/r")))
        let error = try await Self.error { _ = try await writer.comment("hi", on: 7) }
        #expect(error.bytesSent != 0)
        #expect(server.log.requestCount == 1)
        // A state may arrive twice, but another user may change a text between two attempts.
        _ = try await Self.error { _ = try await writer.close(1) }
        #expect(server.log.requestCount == 5)
        _ = try await Self.error { _ = try await writer.editComment(1, to: "hi") }
        #expect(server.log.requestCount == 6)
      }
    }
  }

  @Test("a reaction is removed although the response is lost, and the next attempt finds none")
  func lostRemoval() async throws {
    let removals = Watched(0)
    try await withLoopbackServer { request in
      guard request.method == "DELETE" else { return .json(#"{"id":5,"content":"heart"}"#) }
      removals.update { $0 += 1 }
      return .text("", status: removals.current.isMultiple(of: 2) ? 404 : 502)
    } perform: { server in
      let provider = Provider.gitHub(
        .init(
          server: try GitHubServer(apiURL: server.url), retries: RetryPolicy(baseDelay: .zero),
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      let writer = IssueWriter(
        provider: provider, repository: try #require(RepositoryName("o/r")))
      try await writer.unreact(.heart, to: 7)
      try await writer.unreact(.heart, toComment: 1)
      #expect(removals.current == 4)
    }
  }

  @Test("IssueWriter's REST requests work on stubs")
  func stubs() async throws {
    let writer = IssueWriter(
      provider: Provider.gitHub(.stubbed()),
      repository: try #require(RepositoryName("apple/swift")))
    let number = try #require(
      GitHubJSON.decode(
        [GitHub.Issue].self,
        from: GitHub.issues(repositoryFullName: "apple/swift").sampleData
      ).first { $0.milestone == nil && $0.labels.isEmpty == false }
    ).number
    let created = try await writer.create(
      NewIssue(title: "t", body: "b", labels: ["new"], assignees: ["ada"]), createsLabels: true)
    #expect(created.dropped.isEmpty && created.value.assignees.map(\.login) == ["ada"])
    let edited = try await writer.edit(number, IssueEdit(title: "other", milestone: .clear))
    #expect(edited.dropped.isEmpty && edited.value.title == "other")
    #expect(try await writer.close(number, reason: .notPlanned).value.state == .closed)
    #expect(try await writer.reopen(number).value.state == .open)
    let added = try await writer.addLabels(["new"], to: number, createsLabels: true)
    #expect(added.value.map(\.name).contains("new"))
    #expect(try await writer.removeLabels(["new"], from: number).dropped.isEmpty)
    #expect(try await writer.addAssignees(["ada"], to: number).dropped.isEmpty)
    #expect(try await writer.removeAssignees(["ada"], from: number).dropped.isEmpty)
    let comment = try await writer.comment("hi", on: number)
    #expect(comment.value.body == "hi" && comment.value.issueNumber == number)
    try await writer.lock(number, reason: .resolved)
    try await writer.unlock(number)
    try await writer.react(.rocket, to: number)
    let label = try await writer.createLabel(NewLabel(name: "new", color: "#ffffff"))
    #expect(label.value.color == "ffffff" && label.dropped.isEmpty)
    let milestone = try await writer.createMilestone(NewMilestone(title: "new"))
    #expect(milestone.value.state == .open)

    let sample: [IssueComment] = try GitHubJSON.decode(
      [IssueComment].self,
      from: GitHub.repositoryComments(repositoryFullName: "apple/swift").sampleData)
    let id = try #require(sample.first).id
    #expect(try await writer.editComment(id, to: "other").value.body == "other")
    try await writer.react(.heart, toComment: id)
    try await writer.deleteComment(id)
  }

  @Test("labels are changed and deleted by name, and milestones by number")
  func properties() async throws {
    var routes = RouteTable()
    routes.on("/repos/o/r/labels/a%20b", method: "PATCH", .json(#"{"name":"c"}"#))
    routes.on("/repos/o/r/labels/c", method: "DELETE", .json("", status: 204))
    routes.on("/repos/o/r/milestones/2", method: "PATCH", .json(#"{"number":2,"title":"v2"}"#))
    routes.on("/repos/o/r/milestones/2", method: "DELETE", .json("", status: 204))
    try await withLoopbackServer(answering: routes.handler) { server in
      let writer = try writer(server)
      #expect(try await writer.editLabel("a b", LabelEdit(newName: "c")).value.name == "c")
      try await writer.deleteLabel("c")
      let milestone = try await writer.editMilestone(2, MilestoneEdit(title: "v2"))
      #expect(milestone.value.title == "v2")
      #expect(String(decoding: milestone.json, as: UTF8.self) == #"{"number":2,"title":"v2"}"#)
      try await writer.deleteMilestone(2)
      #expect(server.log.requestCount == 4)
    }
  }

  @Test("a response with another label or milestone is refused")
  func otherProperties() async throws {
    var routes = RouteTable()
    routes.on("/repos/o/r/labels", method: "POST", .json(#"{"name":"evil"}"#))
    routes.on("/repos/o/r/milestones/2", method: "PATCH", .json(#"{"number":7,"title":"v2"}"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let writer = try writer(server)
      await #expect(throws: NetworkError.self) {
        try await writer.createLabel(NewLabel(name: "bug"))
      }
      await #expect(throws: NetworkError.self) {
        try await writer.editMilestone(2, MilestoneEdit(title: "v2"))
      }
    }
  }

  @Test("an issue can be closed only as a duplicate of another issue in its repository")
  func otherOriginal() async throws {
    var routes = RouteTable()
    let moved =
      #"{"number":9,"title":"t","state":"open","html_url":"https://github.com/o/else/issues/9"}"#
    routes.on("/repos/o/r/issues/9", .json(moved))
    routes.on("/repos/o/r/issues/7", .json(#"{"number":7,"title":"t","state":"open"}"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let writer = try writer(server)
      for original in [9, 7] {
        let error = await #expect(throws: NetworkError.self) {
          _ = try await writer.close(7, asDuplicateOf: original)
        }
        #expect(error?.bytesSent == 0)
      }
      #expect(server.log.requests.allSatisfy { $0.method == "GET" })
    }
  }
}

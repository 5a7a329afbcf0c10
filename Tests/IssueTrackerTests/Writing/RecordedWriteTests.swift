import Foundation
import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite(
  "Recorded writes", .timeLimit(.minutes(5)),
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
struct RecordedWriteTests {
  /// Plays one scenario of a file, in its order, and compares what was sent with what was recorded.
  private func replay(
    _ scenario: String, in file: String, of repository: String,
    perform body: (IssueWriter, Provider<GitHub>) async throws -> Void
  ) async throws {
    let recorded = try RecordedExchanges(file: "writes-\(file).json").selecting {
      $0.hasPrefix("\(scenario)#")
    }
    try await withLoopbackServer(answering: recorded.handlerInOrder) { server in
      let provider = try Provider<GitHub>(asking: server)
      try await body(
        IssueWriter(provider: provider, repository: try #require(RepositoryName(repository))),
        provider)
      let requests = server.log.requests
      #expect(requests.count == recorded.exchanges.count)
      for (request, exchange) in zip(requests, recorded.exchanges) {
        #expect("\(request.method)" == exchange.method)
        let sent = try fields(of: String(decoding: request.body, as: UTF8.self))
        #expect(try sent == fields(of: exchange.requestBody ?? ""), "\(exchange.name)")
      }
    }
  }

  /// The members of a body. Empty lists are what is left out here.
  private func fields(of body: String) throws -> NSDictionary {
    guard !body.isEmpty else { return [:] }
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return (object ?? [:]).filter { ($0.value as? [Any])?.isEmpty != true } as NSDictionary
  }

  @Test("an issue is created with all properties, locked, unlocked and closed")
  func lifeOfAnIssue() async throws {
    try await replay(
      "create-full-lock-unlock-close-2021", in: "01-issue-create-edit-close",
      of: "hub4j-test-org/github-api-test"
    ) { writer, provider in
      let milestone = try await writer.createMilestone(
        NewMilestone(title: "Test Milestone Title3", description: "Test Milestone"))
      let created = try await writer.create(
        NewIssue(
          title: "testing", body: "this is body", labels: ["bug", "question"],
          assignees: ["bitwiseman"], milestone: milestone.value.number), createsLabels: true)
      #expect(created.dropped.isEmpty)
      let repository = try #require(RepositoryName("hub4j-test-org/github-api-test"))
      try await writer.lock(created.value.number)
      #expect(try await provider.issue(1, of: repository).isLocked)
      try await writer.unlock(1)
      #expect(try await provider.issue(1, of: repository).isLocked == false)
      // Of 2021, before there were reasons.
      let closed = try await writer.edit(1, IssueEdit(state: .closed))
      #expect(closed.value.state == .closed && closed.dropped.isEmpty)
    }
  }

  @Test("an issue is closed as not planned")
  func notPlanned() async throws {
    try await replay(
      "close-not-planned-2024", in: "01-issue-create-edit-close", of: "hub4j-test-org/GHIssueTest"
    ) { writer, provider in
      let repository = try #require(RepositoryName("hub4j-test-org/GHIssueTest"))
      let number = try await writer.create(
        NewIssue(title: "closeIssueNotPlanned", body: "## test")
      ).value.number
      _ = try await provider.issue(number, of: repository)
      #expect(try await writer.close(number, reason: .notPlanned).dropped.isEmpty)
      #expect(try await provider.issue(number, of: repository).stateReason == .notPlanned)
    }
  }

  @Test("an issue's text is cleared")
  func emptyText() async throws {
    try await replay(
      "update-title-body-2016", in: "01-issue-create-edit-close",
      of: "api-padawan/api-sandbox_1477178611.761873"
    ) { writer, _ in
      _ = try await writer.create(
        NewIssue(
          title: "Migrate issues to v3", body: "Move all Issues calls to v3 of the API"))
      let edited = try await writer.edit(1, IssueEdit(title: "Use all the v3 api!", body: ""))
      #expect(edited.dropped.isEmpty)
    }
  }

  @Test("labels are added, including an existing one")
  func labels() async throws {
    try await replay(
      "add-labels-2022", in: "02-labels-on-issue", of: "hub4j-test-org/GHIssueTest"
    ) { writer, _ in
      let name = "addLabels_label_name_"
      let number = try await writer.create(
        NewIssue(title: "addLabels", body: "## test")
      ).value.number
      for (labels, count) in [(["1"], 1), (["2", "3"], 3), (["1"], 3)] {
        let written = try await writer.addLabels(
          labels.map { name + $0 }, to: number, createsLabels: true)
        #expect(written.value.count == count && written.dropped.isEmpty)
      }
    }
  }

  @Test("comments are created and edited")
  func comment() async throws {
    try await replay(
      "comment-update-2016", in: "04-comments", of: "api-padawan/api-sandbox_1477178642.807532"
    ) { writer, _ in
      let number = try await writer.create(
        NewIssue(
          title: "Migrate issues to v3", body: "Move all Issues calls to v3 of the API")
      ).value.number
      let id = try await writer.comment("Another test comment", on: number).value.id
      #expect(try await writer.editComment(id, to: "A test comment update").dropped.isEmpty)
    }
  }

  @Test("the properties dropped by a server are reported")
  func dropped() async throws {
    try await replay(
      "silently-dropped-labels-2026", in: "12-errors-handmade", of: "o/r"
    ) { writer, _ in
      let written = try await writer.create(
        NewIssue(title: "t", labels: ["bug"], assignees: ["o"], milestone: 1, type: "Bug"),
        createsLabels: true)
      #expect(Set(written.dropped.map(\.field)) == [.labels, .assignees, .milestone, .type])
    }
  }

  @Test("every response to a write of issues, comments and labels can be decoded")
  func decoding() throws {
    var counts: [String: Int] = [:]
    let exchanges = try RecordedExchanges.files().filter { $0.hasPrefix("writes-") }
      .flatMap { try RecordedExchanges(file: $0).exchanges }
    for exchange in exchanges
    where ["POST", "PATCH", "PUT", "DELETE"].contains(exchange.method)
      && [200, 201].contains(exchange.status)
    {
      let path = exchange.url.split(separator: "?")[0].split(separator: "/").dropFirst(2)
        .map(String.init)
      let body = Data(exchange.body.utf8)
      guard path.count > 3, path[0] == "repos" else { continue }
      let kind = "\(path[3]) \(path.count)"
      switch (path[3], path.count) {
      case ("issues", 4), ("issues", 5):
        let issue = try GitHubJSON.decode(GitHub.Issue.self, from: body)
        #expect(issue.number > 0 && issue.url?.hasSuffix("/issues/\(issue.number)") == true)
      case ("issues", 6) where path[5] == "comments", ("issues", 6) where path[4] == "comments":
        let comment = try GitHubJSON.decode(IssueComment.self, from: body)
        #expect(comment.issueNumber != nil, "\(exchange.name)")
      case ("issues", 6...7) where path[5] == "labels":
        _ = try GitHubJSON.decode([GitHub.Label].self, from: body)
      case ("issues", 6) where path[5] == "assignees":
        _ = try GitHubJSON.decode(GitHub.Issue.self, from: body)
      case ("labels", _): _ = try GitHubJSON.decode(GitHub.Label.self, from: body)
      case ("milestones", _): _ = try GitHubJSON.decode(GitHub.Milestone.self, from: body)
      default: continue
      }
      counts[kind, default: 0] += 1
    }
    #expect(counts.values.reduce(0, +) > 80, "\(counts)")
  }

  @Test("every recorded or handmade refusal is explained in one line")
  func refusals() async throws {
    for file in ["writes-11-errors-recorded.json", "writes-12-errors-handmade.json"] {
      for exchange in try RecordedExchanges(file: file).exchanges where exchange.status >= 400 {
        try await withLoopbackServer {
          exchange.response(to: $0)
        } perform: { server in
          let provider = try Provider(asking: server)
          let error = await #expect(throws: NetworkError.self) {
            try await provider.request(
              .createIssue(repositoryFullName: "o/r", issue: NewIssue(title: "t")))
          }
          let message = try #require(error?.message)
          #expect(message.count < 900, "\(exchange.name): \(message)")
          #expect(message.utf8.allSatisfy { $0 >= 0x20 }, "\(exchange.name)")
          // More than the status.
          #expect(!message.hasSuffix("status \(exchange.status)"), "\(exchange.name)")
        }
      }
    }
  }
}

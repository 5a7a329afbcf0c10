import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import Logging
import TestSupport
import Testing

@Suite(
  "Recorded writes, sent from the outbox", .timeLimit(.minutes(5)),
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
struct RecordedOutboxTests {
  /// Sends changes to a server that answers as recorded, and compares what was sent with what was recorded.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - file: Its file.
  ///   - places: The exchanges of it that the outbox has, from 1.
  ///   - repository: The repository.
  ///   - changes: The changes.
  ///   - plugins: Plugins of the provider.
  /// - Returns: The entries.
  /// - Throws: What keeps something from being sent.
  @discardableResult
  private func replay(
    _ scenario: String, in file: String, _ places: [Int], of repository: String,
    _ changes: Change..., plugins: [Plugin] = []
  ) async throws -> [OutboxEntry] {
    let all = try RecordedExchanges(file: "writes-\(file).json").scenario(scenario).exchanges
    let exchanges = places.map { all[$0 - 1] }
    let folder = try ScratchFolder()
    let outbox = try Outbox(path: folder["outbox.db"])
    let handler = RecordedExchanges(exchanges).handlerInOrder
    let hasReads = exchanges.contains { $0.method == "GET" }
    let last = Watched<LoopbackResponse?>(nil)
    return try await withLoopbackServer { request in
      // The outbox reads what it is about to replace: nothing has changed it since the last write.
      if request.method == "GET", !hasReads, let response = last.current {
        return response.with { $0.status = 200 }
      }
      let response = await handler(request)
      last.update { $0 = response }
      return response
    } perform: { server in
      let gitHub = try GitHubServer(apiURL: server.url)
      let name = try #require(RepositoryName(repository))
      try await outbox.add(changes.map { Intention($0, in: name, on: gitHub) })
      let sending = OutboxSending(
        pace: OutboxPace(interval: .zero, perMinute: .max, perHour: .max))
      for try await _ in outbox.send(
        options: sending,
        connect: { server in
          OutboxConnection(
            provider: Provider.gitHub(
              .init(
                server: server, retries: nil, rateLimits: nil, plugins: plugins,
                timeouts: Timeouts(scaledTo: .seconds(300)),
                transport: CurlTransport(configuration: .init(certificates: CertificateStore())))))
        })
      {}
      let entries = try await outbox.entries()
      for entry in entries {
        #expect(entry.state == .sent, "\(entry.change): \(entry.reason ?? "")")
        #expect(entry.answer?.dropped == [])
      }
      let sent = server.log.requests.filter { $0.method != "GET" }
      let recorded = exchanges.filter { $0.method != "GET" }
      #expect(sent.map(\.method) == recorded.map(\.method))
      for (request, exchange) in zip(sent, recorded) {
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(try fields(of: body) == fields(of: exchange.requestBody ?? ""), "\(exchange.name)")
      }
      return entries
    }
  }

  /// The members of a body. Empty lists are what is left out here.
  private func fields(of body: String) throws -> NSDictionary {
    guard !body.isEmpty else { return [:] }
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return (object ?? [:]).filter { ($0.value as? [Any])?.isEmpty != true } as NSDictionary
  }

  @Test("a recorded issue is created with every field, locked and unlocked")
  func lock() async throws {
    let entries = try await replay(
      "create-full-lock-unlock-close-2021", in: "01-issue-create-edit-close", [2, 3, 4, 5, 6],
      of: "hub4j-test-org/github-api-test",
      .createIssue(
        NewIssue(
          title: "testing", body: "this is body", labels: ["bug", "question"],
          assignees: ["bitwiseman"], milestone: 1), createsLabels: true),
      .lock(.pending(1), nil), .unlock(.pending(1)))
    #expect(entries.map(\.answer?.number) == [1, 1, 1])
    // The issue as it is after the write, for the mirror.
    let locked = try entries.map { entry in
      try GitHubJSON.decode(GitHub.Issue.self, from: try #require(entry.answer?.json)).isLocked
    }
    #expect(locked == [false, true, false])
  }

  @Test("a recorded issue is closed as not planned")
  func close() async throws {
    try await replay(
      "close-not-planned-2024", in: "01-issue-create-edit-close", [1, 3],
      of: "hub4j-test-org/GHIssueTest",
      .createIssue(NewIssue(title: "closeIssueNotPlanned", body: "## test")),
      .close(.pending(1), .notPlanned))
  }

  @Test("a recorded title is changed, and a body emptied")
  func edit() async throws {
    try await replay(
      "rename-events-close-2021", in: "01-issue-create-edit-close", [1, 2],
      of: "hub4j-test-org/github-api",
      .createIssue(NewIssue(title: "Some invalid issue name")),
      .edit(.pending(1), IssueChange(title: TextChange("Fixed issue name"))))
    try await replay(
      "update-title-body-2016", in: "01-issue-create-edit-close", [1, 2],
      of: "api-padawan/api-sandbox_1477178611.761873",
      .createIssue(
        NewIssue(title: "Migrate issues to v3", body: "Move all Issues calls to v3 of the API")),
      .edit(
        .pending(1),
        IssueChange(title: TextChange("Use all the v3 api!"), body: TextChange(""))))
  }

  @Test("recorded labels are added, one of them again")
  func labels() async throws {
    func adding(_ names: String...) -> Change {
      .edit(
        .pending(1),
        IssueChange(
          addedLabels: names.map { "addLabels_label_name_\($0)" }, createsLabels: true))
    }
    try await replay(
      "add-labels-2022", in: "02-labels-on-issue", [1, 2, 3, 4], of: "hub4j-test-org/GHIssueTest",
      .createIssue(NewIssue(title: "addLabels", body: "## test")), adding("1"), adding("2", "3"),
      adding("1"))
  }

  @Test("a recorded comment is written, changed and deleted")
  func comments() async throws {
    let issue = NewIssue(
      title: "Migrate issues to v3", body: "Move all Issues calls to v3 of the API")
    try await replay(
      "comment-update-2016", in: "04-comments", [1, 2, 3],
      of: "api-padawan/api-sandbox_1477178642.807532",
      .createIssue(issue), .comment(on: .pending(1), body: "Another test comment"),
      .editComment(id: 255_559_982, on: 1, body: TextChange("A test comment update")))
  }

  @Test("recorded issues of 2026 are created with a milestone, and a deprecation is logged once")
  func milestones() async throws {
    func issue(_ name: String, _ milestone: Int) -> Change {
      .createIssue(NewIssue(title: "Issue \(name) for sort test", milestone: milestone))
    }
    let lines = Watched<[String]>([])
    let logger = Logger(label: "recorded") { _ in Lines(lines: lines) }
    let entries = try await replay(
      "milestones-sorted-2026", in: "08-milestones", [7, 8, 10], of: "hub4j-test-org/github-api",
      issue("A1", 7), issue("A2", 7), issue("B1", 8),
      plugins: [.deprecations(logger: logger)])
    #expect(Set(entries.compactMap(\.answer?.number)).count == 3)
    #expect(lines.current.count == 1)
    #expect(lines.current.first?.contains("Fri, 10 Mar 2028 00:00:00 GMT") == true)
  }
}

/// Keeps what is logged.
private struct Lines: LogHandler {
  let lines: Watched<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.notice

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.update { $0.append("\(event.message)") } }
}

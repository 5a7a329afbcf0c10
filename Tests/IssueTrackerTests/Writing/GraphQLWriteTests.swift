import Foundation
import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("IssueWriter's GraphQL mutations", .timeLimit(.minutes(5)))
struct GraphQLWriteTests {
  private func writer(_ server: LoopbackServer) throws -> IssueWriter {
    IssueWriter(
      provider: try Provider(asking: server, token: "t0ken"),
      repository: try #require(RepositoryName("o/r")))
  }

  private static func node(_ number: Int, of repository: String = "o/r") -> LoopbackResponse {
    .json(
      """
      {"data":{"repository":{"id":"R_1","url":"https://github.com/\(repository)","issue":{"id":"I_\(number)",\
      "number":\(number),"url":"https://github.com/\(repository)/issues/\(number)"}}}}
      """)
  }

  @Test("IssueWriter pins, unpins and deletes an issue after looking it up")
  func changes() async throws {
    func done(_ name: String) -> LoopbackResponse {
      .json(#"{"data":{"\#(name)":{"clientMutationId":null}}}"#)
    }
    let answers = RouteTable.sequence([
      Self.node(7), done("pinIssue"), Self.node(7), done("unpinIssue"), Self.node(7),
      done("deleteIssue"),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let writer = try writer(server)
      try await writer.pin(7)
      try await writer.unpin(7)
      try await writer.delete(7)
      let sent = server.log.requests.map { String(decoding: $0.body, as: UTF8.self) }
      for (body, name) in zip([sent[1], sent[3], sent[5]], ["pin", "unpin", "delete"]) {
        #expect(body.contains("{\(name)Issue(input:{issueId:$id})"))
        #expect(body.contains(#""variables":{"id":"I_7"}"#))
      }
      #expect(server.log.requests.allSatisfy { $0.method == "POST" && $0.path == "/graphql" })
    }
  }

  @Test("IssueWriter subscribes to an issue and unsubscribes from it")
  func subscriptions() async throws {
    let github = LoopbackGitHub(repositories: [
      LoopbackRepository(id: 1, owner: "o", name: "r", issues: SyntheticIssues(count: 3))
    ])
    try await withLoopbackServer(answering: github.handler) { server in
      let writer = try writer(server)
      try await writer.subscribe(to: 2)
      try await writer.unsubscribe(from: 3)
      let states = github.receipts.filter { $0.body.contains("mutation") }.map(\.body)
      #expect(states.count == 2 && states.allSatisfy { $0.contains("updateSubscription") })
      #expect(states[0].contains("state:SUBSCRIBED") && states[1].contains("state:UNSUBSCRIBED"))
    }
  }

  @Test("IssueWriter creates an issue with a template's labels without push permission")
  func creationFromTemplate() async throws {
    var repository = LoopbackRepository(
      id: 1, owner: "o", name: "r", issues: SyntheticIssues(count: 3))
    repository.files = [
      ".github/ISSUE_TEMPLATE/bug.yml":
        "name: Bug report\ndescription: d\nlabels: [bug, no such label]\nassignees: ada\n"
    ]
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [repository]
    configuration.permission = .read
    let github = LoopbackGitHub(configuration)
    try await withLoopbackServer(answering: github.handler) { server in
      let written = try await writer(server).create(
        NewIssue(
          title: "It crashes", body: "### What?\n\nx", labels: ["bug", "no such label"],
          assignees: ["ada"], milestone: 3, template: "Bug report"))
      #expect(written.value.title == "It crashes" && written.value.body == "### What?\n\nx")
      #expect(written.value.labels.map(\.name) == ["bug"])
      #expect(written.value.user?.login == "octocat")
      #expect(
        written.dropped.map(\.description) == [
          "labels: asked for bug, no such label; got bug", "milestone: asked for 3; got none",
        ])
      #expect(String(decoding: written.json, as: UTF8.self).contains(#""title":"It crashes""#))
      let kept = github.issues(of: repository).filter(\.isWritten)
      #expect(kept.map(\.number) == [written.value.number] && kept[0].assignees == ["ada"])
      // REST drops them without a word.
      let plain = try await writer(server).create(
        NewIssue(title: "It crashes", labels: ["bug"]), createsLabels: true)
      #expect(plain.value.labels.isEmpty && plain.dropped.map(\.field) == [.labels])
    }
  }

  @Test("a response with an issue of another repository is refused")
  func creationElsewhere() async throws {
    let answers = RouteTable.sequence([
      Self.node(7),
      .json(
        #"{"data":{"createIssue":{"issue":{"number":8,"title":"t","body":"","url":"https://github.com/evil/r/issues/8"}}}}"#
      ),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await writer(server).create(NewIssue(title: "t", template: "Bug report"))
      }
      #expect(error?.code == .decoding && error?.bytesSent != 0)
    }
  }

  @Test("a repository's permissions determine the properties that will be dropped")
  func permissions() {
    let issue = NewIssue(title: "t", labels: ["a"], assignees: ["b"], milestone: 1, type: "Bug")
    let reader = RepositoryPermissions.told(
      in: Data(#"{"permissions":{"admin":false,"push":false,"pull":true}}"#.utf8))
    #expect(reader?.dropped(from: issue) == [.labels, .assignees, .milestone, .type])
    #expect(reader?.dropped(from: NewIssue(title: "t", body: "b")) == [])
    #expect(RepositoryPermissions(push: true).dropped(from: issue) == [])
    #expect(RepositoryPermissions.told(in: Data(#"{"id":1}"#.utf8)) == nil)
  }

  @Test("IssueWriter transfers an issue, and refuses a response with another repository")
  func transfer() async throws {
    func moved(to repository: String) -> LoopbackResponse {
      .json(
        #"{"data":{"transferIssue":{"issue":{"number":3,"url":"https://github.com/\#(repository)/issues/3"}}}}"#
      )
    }
    let there = LoopbackResponse.json(
      #"{"data":{"repository":{"id":"R_2","url":"https://github.com/o/there"}}}"#)
    let answers = RouteTable.sequence([
      Self.node(7), there, moved(to: "o/there"), Self.node(7), there, moved(to: "evil/there"),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let (writer, name) = (try writer(server), try #require(RepositoryName("o/there")))
      #expect(try await writer.transfer(7, to: name) == 3)
      let error = await #expect(throws: NetworkError.self) {
        _ = try await writer.transfer(7, to: name, createsLabels: true)
      }
      #expect(error?.code == .decoding)
      let sent = server.log.requests.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(sent[2].contains("createLabelsIfMissing:false"))
      #expect(sent[5].contains("createLabelsIfMissing:true"))
      #expect(sent[2].contains(#""variables":{"id":"I_7","to":"R_2"}"#))
    }
  }

  @Test(
    "IssueWriter changes nothing if the lookup returns another issue",
    arguments: [node(8), node(7, of: "o/renamed"), node(7, of: "evil/r")])
  func hostile(answer: LoopbackResponse) async throws {
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let error = await #expect(throws: NetworkError.self) {
        try await writer(server).delete(7)
      }
      #expect(error?.code == .decoding)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test(
    "IssueWriter reports a refusal that has a success status",
    arguments: [
      (
        "FORBIDDEN", "forbidden",
        "viewer may not; it doesn't exist, or the token may not change it"
      ),
      ("UNPROCESSABLE", "refused", "refused the request: viewer may not"),
      ("RATE_LIMITED", "rateLimited", "viewer may not"),
    ])
  func refusals(type: String, code: String, message: String) async throws {
    let refusal = LoopbackResponse.json(
      #"{"data":{"pinIssue":null},"errors":[{"type":"\#(type)","path":["pinIssue"],"message":"viewer may not"}]}"#
    )
    try await withLoopbackServer(
      answering: RouteTable.sequence([Self.node(7), refusal])
    ) { server in
      let error = await #expect(throws: NetworkError.self) { try await writer(server).pin(7) }
      #expect(error?.code.rawValue == code)
      #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    }
  }

  @Test(
    "IssueWriter refuses a response without proof of the change",
    arguments: [
      #"{"data":{"deleteIssue":null}}"#, "{}", "<html>",
      #"{"data":{"deleteIssue":null},"errors":[{"message":null}]}"#,
      #"{"errors":[{"message":"Something went wrong while executing your query."}]}"#,
    ])
  func unproven(answer: String) async throws {
    try await withLoopbackServer(
      answering: RouteTable.sequence([Self.node(7), .json(answer)])
    ) { server in
      let error = await #expect(throws: NetworkError.self) { try await writer(server).delete(7) }
      #expect(error?.bytesSent != 0)
      if answer.contains("went wrong") {
        #expect(error?.message.hasSuffix("look before you send it again") == true)
      }
      #expect(server.log.requestCount == 2)
    }
  }

  @Test("IssueWriter works on stubs")
  func stubs() async throws {
    let writer = IssueWriter(
      provider: Provider.gitHub(.stubbed()),
      repository: try #require(RepositoryName("apple/swift")))
    try await writer.pin(85_968)
    try await writer.unpin(85_968)
    try await writer.delete(85_968)
    let destination = try #require(RepositoryName("apple/swift-nio"))
    #expect(try await writer.transfer(85_968, to: destination) > 1)
    await #expect(throws: NetworkError.self) { try await writer.pin(1) }
  }
}

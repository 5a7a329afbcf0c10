import Foundation
import HTTPTargets
import SampleData
import Testing

@testable import GitHubAPI

@Suite("Encoding of decodable types")
struct CodingTests {
  typealias Value = any Codable & Equatable & Sendable

  private func check<Coded: Codable & Equatable>(_ value: Coded) throws {
    let plain = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Coded.self, from: plain) == value)
    let json = try GitHubJSON.encoder().encode(value)
    #expect(try GitHubJSON.decode(Coded.self, from: json) == value)
  }

  private func check<Entity: Codable & Equatable>(_ type: Entity.Type, _ json: Data) throws {
    try check(try GitHubJSON.decode(type, from: json))
  }

  @Test("every sample survives encoding and decoding")
  func samples() throws {
    try check([GitHub.Issue].self, Data(SampleData.issues))
    try check(RateLimitStatus.self, Data(SampleData.rateLimit))
    try check(GitHub.Repository.self, Data(SampleData.repository))
    try check([GitHub.Repository].self, Data(SampleData.repositories))
    try check(
      SearchResults<GitHub.Repository>.self, Data(SampleData.searchRepositories))
    try check(GitHub.User.self, Data(SampleData.user))
    let name = "swiftlang/swift"
    try check(
      [GitHub.Label].self, GitHub.labels(repositoryFullName: name, pageSize: 100).sampleData)
    try check(
      [GitHub.Milestone].self, GitHub.milestones(repositoryFullName: name).sampleData)
    try check([GitHub.User].self, GitHub.assignees(repositoryFullName: name).sampleData)
    try check(
      [IssueComment].self, GitHub.repositoryComments(repositoryFullName: name).sampleData)
    try check(
      SearchResults<GitHub.Issue>.self,
      GitHub.searchIssues(query: "repo:\(name) is:open").sampleData)
    for path in [".github/ISSUE_TEMPLATE", ".github/ISSUE_TEMPLATE/bug.yml"] {
      try check(
        RepositoryContents.self, GitHub.contents(repositoryFullName: name, path: path).sampleData)
    }
  }

  @Test(
    "names, references, servers and filters survive encoding and decoding",
    arguments: [
      RepositoryName("swiftlang/swift"), Username("dependabot[bot]"),
      try? RepositoryReference(parsing: "https://ghe.example:8443/o/r/issues/12"),
      // Its description can't be read: a host without a dot is known from URLs only.
      try? RepositoryReference(parsing: "http://intranet/o/r"),
      try? IssueReference(parsing: "#12"), try? IssueReference(parsing: "o/r#12"),
      GitHubServer.github, try? GitHubServer(host: "octocorp.ghe.com"),
      try? GitHubServer(host: "ghe.example:8443"),
      try? GitHubServer(apiURL: "http://127.0.0.1:8080/api/v3/"),
      Assignee.anybody, Assignee.nobody, Assignee("octocat"),
      MilestoneChoice.number(3), MilestoneChoice.any, MilestoneChoice.absent,
      MilestoneChoice.title("3"), MilestoneChoice.title("none"), MilestoneChoice.title("*"),
      IssueFilter(),
      IssueFilter(
        state: .all, labels: ["a, b", ""], assignee: Assignee("octocat"),
        creator: Username("a"), mentioned: Username("b"), milestone: .title("4"),
        since: Date(timeIntervalSince1970: 1_700_000_000), sort: .comments, direction: .ascending),
      RateLimitWait.never, RateLimitWait.upTo(.milliseconds(1)), RateLimitWait.forever,
      LockReason.tooHeated, IssueState.open, StateReason.duplicate,
    ] as [Value?])
  func values(_ value: Value?) throws {
    let value: Value = try #require(value)
    try check(value)
  }

  @Test("a fraction of a second in a filter survives a precise encoder")
  func fraction() throws {
    let filter = IssueFilter(since: Date(timeIntervalSince1970: 1_700_000_000.123))
    let json = try JSONEncoder().encode(filter)
    #expect(try JSONDecoder().decode(IssueFilter.self, from: json) == filter)
  }

  @Test(
    "the bodies of writes can be encoded",
    arguments: [
      NewIssue(
        title: "t", body: "b", labels: ["l"], assignees: ["u"], milestone: 3, type: "Bug",
        parentIssueID: 9_000_000_000, template: "bug.md"),
      NewIssue(title: "t"), IssueEdit(),
      IssueEdit(
        title: "t", body: "", state: .closed, stateReason: .duplicate, duplicateIssueID: 7,
        milestone: .set(3), type: .clear),
      IssueEdit(milestone: .clear, type: .set("Bug")),
      NewLabel(name: "bug"), NewLabel(name: "bug", color: "d73a4a", description: "d"),
      LabelEdit(), LabelEdit(newName: "n", color: "ffffff", description: ""),
      NewMilestone(title: "t", dueOn: Date(timeIntervalSince1970: 1_700_000_000)),
      MilestoneEdit(), MilestoneEdit(title: "t", state: .closed, dueOn: .clear),
      MilestoneEdit(description: "", dueOn: .set(Date(timeIntervalSince1970: 1_700_000_000))),
    ] as [Value])
  func writes(_ value: Value) throws {
    try check(value)
  }

  @Test(
    "contents, permissions and reactions survive encoding and decoding",
    arguments: [
      RepositoryContents.file(
        RepositoryContent(name: "é.md", path: "a/é.md", size: 9, text: "# Ünï\r\n🎉")),
      RepositoryContents.file(RepositoryContent(name: "e", path: "e", text: "")),
      RepositoryContents.folder([
        RepositoryContent(name: "f", path: "f"),
        RepositoryContent(name: "d", path: "d", kind: .folder),
        RepositoryContent(name: "l", path: "l", kind: .link),
        RepositoryContent(name: "m", path: "m", kind: .other),
      ]),
      RepositoryPermissions(admin: false, push: true, triage: true),
      Reactions(counts: [.heart: 2]), Reactions.Kind.heart,
    ] as [Value])
  func others(_ value: Value) throws {
    try check(value)
  }

  @Test("values with a text form are encoded as their text")
  func texts() throws {
    let filter = IssueFilter(
      assignee: .nobody, creator: Username("octocat"), milestone: .number(3))
    let json = String(decoding: try GitHubJSON.encoder().encode(filter), as: UTF8.self)
    #expect(
      json == """
        {"assignee":"none","creator":"octocat","direction":"desc","fields":[],"labels":[],"milestone":3,\
        "sort":"created","state":"open"}
        """)
    let servers = try GitHubJSON.encoder().encode([GitHubServer.github])
    #expect(String(decoding: servers, as: UTF8.self) == #"["https://api.github.com"]"#)
  }

  @Test("a missing member of a stored filter has its default")
  func defaults() throws {
    #expect(try GitHubJSON.decode(IssueFilter.self, from: Data("{}".utf8)) == IssueFilter())
    let json = Data(#"{"state":"closed","milestone":"*"}"#.utf8)
    let filter = try GitHubJSON.decode(IssueFilter.self, from: json)
    #expect(filter == IssueFilter(state: .closed, milestone: .any))
  }

  @Test("text refused by an initializer isn't decoded, and the error has the reason")
  func refused() throws {
    func error<Coded: Decodable>(_ type: Coded.Type, _ json: String) -> DecodingError.Context? {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(type, from: Data(json.utf8))
      }
      guard case .dataCorrupted(let context) = error else { return nil }
      return context
    }
    let name = error(RepositoryName.self, #""../r""#)
    #expect(name?.debugDescription == "The text isn't a valid RepositoryName.")
    #expect(error([Username].self, #"["a","b c"]"#)?.codingPath.first?.intValue == 1)
    #expect(error(Assignee.self, #""a/b""#) != nil)
    #expect(error(MilestoneChoice.self, #""next""#) != nil)
    let server = error(GitHubServer.self, #""http://ghe.example/api/v3""#)
    #expect(InvalidInput.Code.apiURL ~= (server?.underlyingError ?? CancellationError()))
    let secret = error(GitHubServer.self, #""https://u:secret@ghe.example""#)
    #expect(secret?.debugDescription.contains("secret") == false)
  }

  @Test("the template name isn't sent in the request for a new issue")
  func template() throws {
    let target = GitHub.createIssue(
      repositoryFullName: "o/r", issue: NewIssue(title: "t", template: "bug.md"))
    let request = try Endpoint(target).request()
    let body = String(decoding: try #require(request.body?.data), as: UTF8.self)
    #expect(body == #"{"title":"t"}"#)
  }
}

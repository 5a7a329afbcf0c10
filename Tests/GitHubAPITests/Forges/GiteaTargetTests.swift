import HTTPTargets
import PlatformModules
import Testing

@testable import GitHubAPI

@Suite("The requests of Forgejo and Gitea")
struct GiteaTargetTests {
  private static func request(_ target: GitHub, _ forge: Forge) throws -> TargetRequest {
    try Endpoint(GiteaTarget(target, on: forge), baseURL: "https://forge.example/api/v1").request()
  }

  private static let name = "acme/widgets"
  private static let base = "https://forge.example/api/v1/"

  @Test(
    "reads have the server's own parameters",
    arguments: [
      (
        GitHub.issues(
          repositoryFullName: name,
          filter: IssueFilter(
            state: .all, labels: ["bug", "good first issue"], assignee: Assignee("bob"),
            creator: Username("carol"), mentioned: Username("john.doe"), milestone: .title("v2"),
            since: Date(timeIntervalSince1970: 1_790_000_000)), pageSize: 50),
        "repos/acme/widgets/issues?state=all&labels=bug%2Cgood%20first%20issue&assigned_by=bob"
          + "&created_by=carol&mentioned_by=john.doe&milestones=v2&since=2026-09-21T14%3A13%3A20Z"
          + "&limit=50"
      ),
      (
        .searchIssues(query: "crash slow repo:acme/widgets is:issue is:open label:bug"),
        "repos/acme/widgets/issues?state=open&labels=bug&q=crash%20slow&type=issues&limit=30"
      ),
      (
        .searchIssues(query: "crash org:acme"),
        "repos/issues/search?owner=acme&state=all&q=crash&limit=30"
      ),
      (
        .concerningIssues(involvement: .mentioned),
        "repos/issues/search?mentioned=true&state=open&limit=30"
      ),
      (
        .milestones(repositoryFullName: name),
        "repos/acme/widgets/milestones?state=all&page=1&limit=30"
      ),
      (
        .blockedBy(repositoryFullName: name, number: 7),
        "repos/acme/widgets/issues/7/dependencies?page=1&limit=30"
      ),
      (
        .blocking(repositoryFullName: name, number: 7),
        "repos/acme/widgets/issues/7/blocks?page=1&limit=30"
      ),
      (.issueComments(repositoryFullName: name, number: 7), "repos/acme/widgets/issues/7/comments"),
      (.searchRepositories(query: "swift"), "repos/search?q=swift&limit=30"),
    ])
  func reads(target: GitHub, address: String) throws {
    for forge in [Forge.forgejo, .gitea] {
      let request = try Self.request(target, forge)
      #expect(request.url == Self.base + address)
      #expect(request.method == .get)
      #expect(request.headers[.accept] == "application/json")
    }
  }

  @Test(
    "writes have the server's own bodies",
    arguments: [
      (
        GitHub.editIssue(
          repositoryFullName: name, number: 7,
          edit: IssueEdit(state: .closed, stateReason: .completed, milestone: .clear)),
        "PATCH repos/acme/widgets/issues/7", #"{"milestone":0,"state":"closed"}"#
      ),
      (
        .addDependency(
          repositoryFullName: name, number: 7,
          on: IssuePlace(repository: RepositoryName("acme/gadgets")!, number: 3)),
        "POST repos/acme/widgets/issues/7/dependencies",
        #"{"index":3,"owner":"acme","repo":"gadgets"}"#
      ),
      (
        .createLabel(repositoryFullName: name, label: NewLabel(name: "urgent")),
        "POST repos/acme/widgets/labels", ##"{"color":"#ededed","name":"urgent"}"##
      ),
      (
        .removeReaction(repositoryFullName: name, number: 7, reactionID: 0, kind: .heart),
        "DELETE repos/acme/widgets/issues/7/reactions", #"{"content":"heart"}"#
      ),
      (
        .addLabels(repositoryFullName: name, number: 7, names: ["bug"]),
        "POST repos/acme/widgets/issues/7/labels", #"{"labels":["bug"]}"#
      ),
    ])
  func writes(target: GitHub, line: String, body: String) throws {
    let request = try Self.request(target, .forgejo)
    #expect("\(request.method.rawValue) \(request.url.dropFirst(Self.base.count))" == line)
    let data = try #require(request.body?.data)
    #expect(String(decoding: data, as: UTF8.self) == body)
  }

  @Test(
    "what a server lacks is refused by name",
    arguments: [
      (GitHub.subIssues(repositoryFullName: name, number: 7), "sub-issues"),
      (.issueTypes(repositoryFullName: name), "types of issues"),
      (.label(repositoryFullName: name, name: "bug"), "a label by its name"),
      (.issues(repositoryFullName: name, filter: IssueFilter(labels: ["a,b"])), "with a comma"),
      (.issues(repositoryFullName: name, filter: IssueFilter(milestone: .absent)), "no milestone"),
      (.issues(repositoryFullName: name, filter: IssueFilter(assignee: .nobody)), "no assignee"),
      (.searchIssues(query: "\"a phrase\" repo:acme/widgets"), "phrases"),
      (.searchIssues(query: "crash -label:bug repo:acme/widgets"), "searches with"),
      (.searchIssues(query: "crash repo:acme/widgets repo:acme/gadgets"), "name one"),
      (.searchIssues(query: "crash assignee:bob"), "over repositories"),
      (
        .editIssue(
          repositoryFullName: name, number: 7,
          edit: IssueEdit(state: .closed, stateReason: .notPlanned)), "reasons for closing"
      ),
      (
        .createIssue(repositoryFullName: name, issue: NewIssue(title: "A", labels: ["bug"])),
        "use their IDs"
      ),
      (.addAssignees(repositoryFullName: name, number: 7, logins: ["bob"]), "single assignees"),
      (.mutate(.transfer(issueID: "a", repositoryID: "b", createsLabels: false)), "transfers"),
      (.presence(repositoryFullName: name, numbers: [1]), "GraphQL"), (.rateLimit, "rate limits"),
    ])
  func refused(target: GitHub, words: String) throws {
    for forge in [Forge.forgejo, .gitea] {
      let error = #expect(throws: NetworkError.self) { try Self.request(target, forge) }
      #expect(error?.code == .refused)
      #expect(error?.bytesSent == 0)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(error?.message.hasPrefix(forge.name) == true)
    }
  }

  @Test("Gitea has one order, and Forgejo names its own")
  func orders() throws {
    let filter = IssueFilter(sort: .updated, direction: .ascending)
    let target = GitHub.issues(repositoryFullName: Self.name, filter: filter)
    #expect(try Self.request(target, .forgejo).url.contains("&sort=leastupdate&"))
    #expect(throws: NetworkError.self) { try Self.request(target, .gitea) }
  }

  @Test("GitHub's provider refuses the endpoints of Forgejo and Gitea")
  func onGitHub() async throws {
    let provider = Provider.gitHub(.stubbed())
    let error = await #expect(throws: NetworkError.self) {
      try await provider.request(.pinIssue(repositoryFullName: "apple/swift", number: 1))
    }
    #expect(error?.code == .refused)
  }
}

@Suite("The pages of Forgejo and Gitea")
struct GiteaPagesTests {
  private static func next(
    _ url: String, _ headers: HTTPFields, count: Int?
  ) throws -> String? {
    let request = TargetRequest(method: .get, url: url)
    return try GiteaPages.next(
      after: TargetResponse(request: request, status: .ok, headers: headers),
      count: count)?.url
  }

  private static let list = "https://forge.example/api/v1/repos/a/b/labels"

  @Test("only the number of a link is used")
  func link() throws {
    let link =
      #"<http://other.example/api/v1/x?page=3&state=all>; rel="next",<http://other.example/>; rel="last""#
    #expect(
      try Self.next("\(Self.list)?limit=5&page=2", [.link: link], count: nil)
        == "\(Self.list)?limit=5&page=3")
    for query in ["", "?page=1", "?page=9223372036854775807"] {
      #expect(throws: NetworkError.self) {
        let link = "<http://other.example/\(query)>; rel=\"next\""
        return try Self.next(Self.list, [.link: link], count: 5)
      }
    }
  }

  @Test(
    "without links, the total decides, and the first page tells the size",
    arguments: [
      ("page=1&limit=100", 50, 120, "page=2&limit=50"),
      ("page=2&limit=50", 50, 120, "page=3&limit=50"),
      ("page=3&limit=50", 20, 120, nil), ("page=1&limit=100", 50, 50, nil),
      ("page=2&limit=50", 0, 120, nil),
      ("page=9223372036854775807&limit=100", 1, 120, nil),
      ("page=2&limit=9223372036854775807", 1, 120, nil), ("page=-5&limit=100", 1, 120, nil),
    ] as [(String, Int, Int, String?)])
  func totals(query: String, count: Int, total: Int, next: String?) throws {
    let found = try Self.next(
      "\(Self.list)?\(query)", [.totalCount: "\(total)"], count: count)
    #expect(found == next.map { "\(Self.list)?\($0)" })
  }

  @Test("a timeline ends with an empty page")
  func timeline() throws {
    let list = "https://forge.example/api/v1/repos/a/b/issues/1/timeline?page=1&limit=100"
    #expect(try Self.next(list, [.totalCount: "50"], count: 50)?.contains("page=2") == true)
    #expect(try Self.next(list, [.totalCount: "0"], count: 0) == nil)
  }
}

@Suite("The filtered lists of Forgejo and Gitea")
struct GiteaAnswersTests {
  private static func isAccepted(_ query: String, _ body: String) throws -> Bool {
    let url = "https://forge.example/api/v1/repos/a/b/issues?\(query)"
    let response = TargetResponse(
      request: TargetRequest(url: url), status: .ok, body: Data(body.utf8))
    let plugin = GiteaAnswers(forge: .forgejo).plugin
    let result = try plugin.process?(.success(response), GitHub.rateLimit) ?? .success(response)
    return (try? result.get()) != nil
  }

  private static func issue(_ fields: String) -> String {
    #"{"id":1,"number":1,"title":"A","state":"open",\#(fields)}"#
  }

  private static func issue(_ created: Int, _ updated: Int) -> String {
    issue(
      #""created_at":"2026-01-0\#(created)T00:00:00Z","updated_at":"2026-02-0\#(updated)T00:00:00Z""#
    )
  }

  private static let crash = issue(
    #""labels":[{"name":"Bug"}],"milestone":{"title":"v2"},"comments":1"#)
  private static let unreadable = #"{"labels":[{"name":7}]}"#

  @Test(
    "a page that doesn't follow its own parameters is an error",
    arguments: [
      ("state=all", "[{}]", true), ("labels=bug", "[\(crash)]", true),
      ("labels=bug%2Cui", "[\(crash)]", false), ("milestones=v2", "[\(crash)]", true),
      ("milestones=v3", "[\(crash)]", false), ("labels=bug", "[]", true),
      ("labels=bug", "null", true), ("labels=bug", "[\(issue(#""labels":null"#))]", false),
      // The list reports an entry that can't be read, unless there is nothing else.
      ("labels=bug", "[\(crash),\(unreadable)]", true), ("labels=bug", "[\(unreadable)]", false),
      ("labels=ui", "[\(crash),\(unreadable)]", false), ("labels=bug", "{}", false),
      (
        "sort=mostcomment", "[\(issue(#""comments":1"#)),\(issue(#""comments":2"#))]", false
      ),
      // An issue that has just changed is misplaced.
      ("sort=leastupdate", "[\(issue(1, 3)),\(issue(2, 1)),\(issue(3, 2))]", true),
      ("sort=leastupdate", "[\(issue(3, 3)),\(issue(2, 1)),\(issue(1, 2))]", false),
    ])
  func pages(query: String, body: String, isAccepted: Bool) throws {
    #expect(try Self.isAccepted(query, body) == isAccepted)
  }
}

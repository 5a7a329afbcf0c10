import Foundation
import TestSupport
import Testing

@Suite("Loopback GitHub's lists across repositories", .timeLimit(.minutes(2)))
struct LoopbackCrossRepositoryTests {
  private static func github(
    repositories count: Int = 200, issues: Int = 12,
    _ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
  ) -> LoopbackGitHub {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories =
      LoopbackRepository.organization(
        "acme", repositories: count, issues: SyntheticIssues(count: issues))
      + [.swift(issues: SyntheticIssues(count: 30))]
    configuration.tokenOwner = "ada"
    change(&configuration)
    return LoopbackGitHub(configuration)
  }

  private static func ask(
    _ github: LoopbackGitHub, _ target: String, token: String? = "any"
  ) -> LoopbackResponse {
    var headers: LoopbackHeaders = ["Host": "127.0.0.1:1", "User-Agent": "test"]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return github.respond(to: LoopbackRequest(method: "GET", target: target, headers: headers))
  }

  private static func objects(_ response: LoopbackResponse) throws -> [[String: Any]] {
    try #require(JSONSerialization.jsonObject(with: response.body) as? [[String: Any]])
  }

  private static func name(_ object: [String: Any]) -> String? {
    (object["repository"] as? [String: Any])?["full_name"] as? String
  }

  @Test("an organization's 200 repositories are listed in linked pages")
  func repositories() throws {
    let github = Self.github()
    let first = Self.ask(github, "/orgs/acme/repos?per_page=100")
    #expect(try Self.objects(first).count == 100)
    #expect(first.headers["Link"]?.contains("rel=\"next\"") == true)
    let last = Self.ask(github, "/orgs/ACME/repos?per_page=100&page=2", token: nil)
    #expect(try Self.objects(last).last?["full_name"] as? String == "acme/repo-200")
    #expect(Self.ask(github, "/orgs/nobody/repos").status == 404)
  }

  @Test(
    "each filtered list has the token owner's issues, newest first, with their repositories",
    arguments: ["assigned", "created", "mentioned"])
  func filters(filter: String) throws {
    let response = Self.ask(
      Self.github(repositories: 5, issues: 400), "/issues?filter=\(filter)&state=all&per_page=100")
    let objects = try Self.objects(response)
    #expect(!objects.isEmpty)
    let times = objects.compactMap { $0["created_at"] as? String }
    #expect(times == times.sorted(by: >))
    for object in objects {
      #expect(Self.name(object) != nil)
      switch filter {
      case "assigned":
        let assignees = object["assignees"] as? [[String: Any]] ?? []
        #expect(assignees.contains { $0["login"] as? String == "ada" })
      case "created": #expect((object["user"] as? [String: Any])?["login"] as? String == "ada")
      default: #expect((object["body"] as? String)?.contains("@ada") == true)
      }
    }
    #expect(Set(objects.compactMap(Self.name)).count > 1)
  }

  @Test("an organization's list has only its own issues, and all of them on request")
  func organization() throws {
    let all = try Self.objects(
      Self.ask(Self.github(), "/orgs/acme/issues?filter=all&state=all&per_page=100&page=24"))
    #expect(all.count == 100)
    #expect(all.allSatisfy { Self.name($0)?.hasPrefix("acme/") == true })
    let own = try Self.objects(Self.ask(Self.github(), "/orgs/acme/issues?per_page=100"))
    #expect(own.allSatisfy { $0["state"] as? String == "open" })
  }

  @Test("a list without a token or with an unknown filter is refused")
  func refusals() {
    #expect(Self.ask(Self.github(), "/issues", token: nil).status == 404)
    #expect(Self.ask(Self.github(), "/orgs/acme/issues", token: nil).status == 404)
    #expect(Self.ask(Self.github(), "/issues?filter=everything").status == 422)
  }

  @Test("single sign-on shortens lists and searches and refuses other requests")
  func singleSignOn() throws {
    let github = Self.github { $0.singleSignOn["acme"] = 7 }
    let list = Self.ask(github, "/issues?filter=all&per_page=100")
    #expect(list.headers["X-GitHub-SSO"] == "partial-results; organizations=7")
    #expect(try Self.objects(list).allSatisfy { Self.name($0) == "swiftlang/swift" })
    let search = Self.ask(github, "/search/issues?q=is:issue")
    #expect(search.headers["X-GitHub-SSO"] == "partial-results; organizations=7")
    for path in ["/orgs/acme/repos", "/orgs/acme/issues", "/repos/acme/repo-1/issues"] {
      let refused = Self.ask(github, path)
      #expect(refused.status == 403)
      #expect(refused.headers["X-GitHub-SSO"]?.hasPrefix("required; url=") == true)
    }
    #expect(Self.ask(github, "/repos/swiftlang/swift/issues").headers["X-GitHub-SSO"] == nil)
  }

  @Test("a search finds items by owner and requested reviewer")
  func search() throws {
    let response = Self.ask(
      Self.github(repositories: 5, issues: 400),
      "/search/issues?q=org:acme+is:pr+is:open+review-requested:@me&per_page=100")
    let answer = try #require(
      JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    let items = try #require(answer["items"] as? [[String: Any]])
    #expect(!items.isEmpty)
    #expect(items.allSatisfy { $0["pull_request"] != nil })
    #expect(
      items.allSatisfy { ($0["repository_url"] as? String)?.contains("/repos/acme/") == true })
  }

  @Test(
    "listed items have the properties required by GitHub's API description",
    .enabled(if: RecordedExchanges.folder != nil, "there are no recordings here"))
  func description() throws {
    let folder = try #require(RecordedExchanges.folder)
    let file = folder.appending(path: "openapi-writes-2022-11-28.json")
    let description = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let schemas = try #require(
      (description["components"] as? [String: Any])?["schemas"] as? [String: Any])
    func required(_ schema: String) throws -> [String] {
      try #require((schemas[schema] as? [String: Any])?["required"] as? [String])
    }
    let github = Self.github()
    for path in ["/issues?filter=all&state=all", "/orgs/acme/issues?filter=all"] {
      for object in try Self.objects(Self.ask(github, path)) {
        for name in try required("Issue") { #expect(object.keys.contains(name), "\(name)") }
      }
    }
    for object in try Self.objects(Self.ask(github, "/orgs/acme/repos")) {
      for name in try required("MinimalRepository") {
        #expect(object.keys.contains(name), "\(name)")
      }
    }
    // And the client sends the parameters of the description.
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    for path in ["/issues", "/orgs/{org}/issues"] {
      let get = try #require(paths[path]?["get"] as? [String: Any])
      let names = (get["parameters"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
      #expect(
        Set(["filter", "state", "labels", "since", "sort", "direction", "per_page"])
          .isSubset(of: Set(names ?? [])))
    }
  }
}

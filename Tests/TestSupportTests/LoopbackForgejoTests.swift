import Foundation
import Testing

@testable import TestSupport

@Suite("The loopback Forgejo and Gitea", .timeLimit(.minutes(5)))
struct LoopbackForgejoTests {
  private static let forges = [LoopbackForge.forgejo, .gitea]

  // MARK: Recorded answers

  /// A recorded answer: the names of its header fields, but for `Date`, and the members of its first object.
  struct Recorded: Sendable, CustomTestStringConvertible {
    var forge: LoopbackForge
    var path: String
    var headers: String
    var members: String
    var testDescription: String { "\(forge.rawValue) \(path)" }

    init(_ forge: LoopbackForge, _ path: String, list: String = "", _ members: String) {
      self.forge = forge
      self.path = path
      self.members = members
      let exposed = list.isEmpty ? "" : "Access-Control-Expose-Headers "
      let link = list == "linked" ? "Link " : ""
      headers =
        forge == .forgejo
        ? "\(exposed)Cache-Control Content-Type \(link)X-Content-Type-Options X-Frame-Options"
        : "\(exposed)Cache-Control Content-Type \(link)Vary X-Content-Type-Options"
      if !list.isEmpty { headers += " X-Total-Count" }
    }
  }

  private static let issue =
    "id url html_url number user original_author original_author_id title body ref assets labels "
    + "milestone assignee assignees state is_locked comments created_at updated_at closed_at "
    + "due_date pull_request repository pin_order"
  private static let comment =
    "id html_url pull_request_url issue_url user original_author original_author_id body assets "
    + "created_at updated_at"
  private static let milestone =
    "id title description state open_issues closed_issues created_at updated_at closed_at due_on"
  private static let repository =
    "id owner name full_name description empty private fork template mirror size language "
    + "languages_url html_url url link ssh_url clone_url original_url website stars_count "
    + "forks_count watchers_count open_issues_count open_pr_counter release_counter "
    + "default_branch archived created_at updated_at archived_at permissions has_issues "
    + "internal_tracker has_wiki has_pull_requests has_projects has_releases has_packages "
    + "has_actions ignore_whitespace_conflicts allow_merge_commits allow_rebase "
    + "allow_rebase_explicit allow_squash_merge allow_fast_forward_only_merge "
    + "allow_rebase_update default_delete_branch_after_merge default_merge_style "
    + "default_allow_maintainer_edit avatar_url internal mirror_interval object_format_name "
    + "mirror_updated topics"

  private static let recorded = [
    Recorded(.gitea, "//version", "version"),
    Recorded(.forgejo, "//version", "version"),
    Recorded(
      .gitea, "//settings/api",
      "max_response_items default_paging_num default_git_trees_per_page default_max_blob_size "
        + "default_max_response_size"),
    Recorded(
      .forgejo, "//settings/api",
      "max_response_items default_paging_num default_git_trees_per_page default_max_blob_size"),
    Recorded(
      .gitea, "",
      repository + " has_code projects_mode allow_manual_merge autodetect_manual_merge licenses"),
    Recorded(
      .forgejo, "",
      repository + " parent has_wiki_contents wiki_branch wiki_ssh_url wiki_clone_url "
        + "globally_editable_wiki default_update_style repo_transfer"),
    Recorded(
      .gitea, "/issues?limit=2&page=2&state=all&type=issues", list: "linked",
      issue + " time_estimate"),
    Recorded(.forgejo, "/issues?limit=30&page=1&state=all&type=issues", list: "alone", issue),
    Recorded(.gitea, "/issues/4/comments?limit=50&page=1", list: "alone", comment),
    Recorded(.forgejo, "/issues/4/comments?limit=3&page=1", list: "alone", comment),
    Recorded(.gitea, "/milestones?limit=50&page=1&state=all", list: "alone", milestone),
    Recorded(.forgejo, "/milestones?limit=3&page=1&state=all", list: "alone", milestone),
    Recorded(
      .gitea, "/issues/4/reactions?limit=50&page=1", list: "alone", "user content created_at"),
    Recorded(
      .forgejo, "/issues/4/reactions?limit=3&page=1", list: "alone", "user content created_at"),
    Recorded(
      .forgejo, "/labels?limit=3&page=1", list: "alone",
      "id name exclusive is_archived color description url"),
    Recorded(.forgejo, "/labels?limit=3&page=9", list: "alone", ""),
  ]

  @Test("an answer has the header fields and members of a recorded one", arguments: recorded)
  func recording(_ recorded: Recorded) async throws {
    let client = ForgeClient(recorded.forge)
    _ = await client.send("POST", "/issues/4/comments", #"{"body":"x"}"#)
    _ = await client.send("POST", "/issues/4/reactions", #"{"content":"heart"}"#)
    let answer = await client.get(recorded.path)
    #expect(answer.status == 200)
    let names = answer.headers.fields.map(\.name).filter { $0 != "Date" }
    #expect(names == recorded.headers.split(separator: " ").map(String.init))
    #expect(
      Self.members(answer.json) == Set(recorded.members.split(separator: " ").map(String.init)))
    #expect(answer.headers["Content-Type"] == "application/json;charset=utf-8")
    #expect(answer.body.hasSuffix("\n") == (recorded.forge == .forgejo))
  }

  @Test(
    "a user has the members of a recorded one", arguments: forges)
  func user(_ forge: LoopbackForge) async {
    var client = ForgeClient(forge) { $0.tokenOwner = "Ghost" }
    let user = await client.get("//user")
    let members =
      "id login login_name source_id full_name email avatar_url html_url language is_admin "
      + "last_login created restricted active prohibit_login location website description "
      + "visibility followers_count following_count starred_repos_count username"
    let own = forge == .forgejo ? ["pronouns"] : []
    #expect(Self.members(user.json) == Set(members.split(separator: " ").map(String.init) + own))
    #expect(user.json["id"] == .number(-1))
    client.token = nil
    #expect(await client.get("//user").status == 401)
  }

  private static func members(_ json: JSONInput) -> Set<String> {
    guard case .object(let members) = json.elements?.first ?? json else { return [] }
    return Set(members.keys)
  }

  // MARK: The server

  @Test("only the version is known without signing in", arguments: forges)
  func signIn(_ forge: LoopbackForge) async {
    var client = ForgeClient(forge) { $0.requiresSignIn = true }
    client.token = nil
    let version = await client.get("//version").json["version"]?.text
    #expect(version?.contains("+gitea-") == (forge == .forgejo))
    #expect(await client.get("/issues").status == 403)
  }

  @Test("the API is below the path of the installation, and nothing else exists")
  func subPath() async {
    let client = ForgeClient(.gitea) { $0.subPath = "/git" }
    #expect(await client.get("//version").status == 404)
    let answer = await client.send("GET", target: "/git/api/v1/repos/swiftlang/swift/issues/1")
    let page = "http://h/git/swiftlang/swift/issues/1"
    #expect(answer.json["html_url"] == .string(page))
    let moved = await client.send("GET", target: "/git/api/v1/repos/apple/swift")
    #expect(moved.headers["Location"] == "/git/api/v1/repos/swiftlang/swift")
    for target in ["/", "/repos/swiftlang/swift", "/graphql", "/git/api/v1/rate_limit"] {
      let other = await client.send("GET", target: target)
      #expect(other.status == 404)
      #expect(other.body == "404 page not found\n")
      #expect(other.headers["Content-Type"] == "text/plain; charset=utf-8")
    }
  }

  @Test("no header of GitHub's is sent, even with an error of GitHub's", arguments: forges)
  func headers(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge)
    let path = "/repos/swiftlang/swift/issues"
    client.github.fail(path, with: .primaryRateLimit(status: 403, reset: 9), times: 1)
    client.github.fail(path, with: .serverError, times: 1)
    let limited = await client.get("/issues")
    #expect(limited.status == 429)
    #expect(limited.headers["Content-Type"] == "text/html")
    #expect(limited.headers["Cache-Control"] == nil)
    let failed = await client.get("/issues")
    #expect(failed.status == 500)
    #expect(failed.message == "")
    for answer in [limited, failed, await client.get("/issues")] {
      for field in answer.headers {
        let name = field.name.lowercased()
        #expect(!name.hasPrefix("x-github") && !name.hasPrefix("x-rate") && name != "etag")
      }
    }
  }

  @Test("a wrong token fails a public read, and Forgejo repeats it")
  func wrongToken() async {
    for forge in Self.forges {
      var client = ForgeClient(forge) { $0.acceptedTokens = ["right"] }
      client.token = "wrong"
      let answer = await client.get("/issues")
      #expect(answer.status == 401)
      #expect(answer.message?.contains("wrong") == (forge == .forgejo))
      client.token = nil
      #expect(await client.get("/issues").status == 200)
      #expect(await client.send("POST", "/issues", #"{"title":"x"}"#).status == 401)
      #expect(await client.get("/assignees").message == "token is required")
    }
  }

  @Test("a missing scope is named", arguments: forges)
  func scopes(_ forge: LoopbackForge) async {
    let hidden = ForgeClient(forge) {
      $0.scopes = ["public-only", "all"]
      $0.repositories[0].isPrivate = true
    }
    #expect(await hidden.get("/issues").status == 403)
    let client = ForgeClient(forge) { $0.scopes = ["read:issue"] }
    #expect(await client.get("/issues").status == 200)
    #expect(await client.get("").status == 403)
    let write = await client.send("POST", "/issues", #"{"title":"x"}"#)
    #expect(write.status == 403)
    #expect(write.message?.contains("[write:issue]") == true)
    #expect(await client.get("//user").message?.contains("[read:user]") == true)
  }

  @Test("a renamed repository redirects every method, and a renamed user too", arguments: forges)
  func renamed(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge) { $0.renamedUsers = ["older": "swiftlang"] }
    for method in ["GET", "POST", "PATCH", "DELETE"] {
      let answer = await client.send(method, "//repos/apple/swift/issues?a=b", "{}")
      #expect(answer.status == 301)
      #expect(answer.headers["Location"] == "/api/v1/repos/swiftlang/swift/issues?a=b")
    }
    let user = await client.get("//repos/older/swift")
    #expect(user.status == 307)
    #expect(user.headers["Location"] == "/api/v1/repos/swiftlang/swift")
  }

  @Test("what is absent gets a 404 in the server's words, and so does a deleted issue")
  func absent() async {
    let forgejo = ForgeClient(.forgejo)
    forgejo.github.deleteIssue(2, of: forgejo.repository)
    for path in ["/issues/2", "/issues/999", "//repos/a/b", "/labels/1", "/milestones/1"] {
      let answer = await forgejo.get(path)
      #expect(answer.status == 404)
      #expect(answer.message == "The target couldn't be found.")
      #expect(answer.json["errors"] == .array([]))
      #expect(answer.json["url"] == .string("http://h/api/swagger"))
    }
    let gitea = await ForgeClient(.gitea).get("/issues/999")
    #expect(gitea.body == #"{"errors":null,"message":"not found","url":"http://h/api/swagger"}"#)
  }

  @Test("a repository counts its issues apart from its pull requests", arguments: forges)
  func counts(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 20, pullRequests: 0.4)
    let pulls = client.github.issues(of: client.repository).filter(\.isPullRequest).count
    let answer = await client.get("").json
    #expect(pulls > 0)
    #expect(answer["open_pr_counter"] == .number(Double(pulls)))
    #expect(answer["open_issues_count"] == .number(Double(20 - pulls)))
    #expect(answer.at("permissions.push") == .bool(true))
  }

  // MARK: Lists

  @Test("pages are cut at the maximum, and lead to each other", arguments: forges)
  func pages(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 7) { $0.maximumPage = 2 }
    let settings = await client.get("//settings/api").json
    #expect(settings["max_response_items"] == .number(2))
    let answer = await client.get("/issues?type=issues&state=all&limit=100&page=2")
    #expect(answer.numbers == [5, 4])
    #expect(answer.headers["X-Total-Count"] == "7")
    let path = "/api/v1/repos/swiftlang/swift/issues?limit=100&page"
    #expect(
      answer.links == [
        "<\(path)=3&state=all&type=issues>; rel=\"next\"",
        "<\(path)=4&state=all&type=issues>; rel=\"last\"",
        "<\(path)=1&state=all&type=issues>; rel=\"first\"",
        "<\(path)=1&state=all&type=issues>; rel=\"prev\"",
      ])
    #expect(await client.get("/issues?page=9").numbers == [])
    #expect(await client.get("/labels?limit=1").links == [])
    #expect(await client.get("/issues/comments?limit=1").links == [])
  }

  @Test("links can lead to another origin than the client's")
  func linkOrigin() async {
    let client = ForgeClient(.forgejo) { $0.linkOrigin = "http://elsewhere.example" }
    let answer = await client.get("/issues?limit=2")
    #expect(answer.headers["Link"]?.hasPrefix("<http://elsewhere.example/api/v1/repos/") == true)
  }

  @Test("parameters of GitHub's mean nothing", arguments: forges)
  func foreignParameters(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 9)
    let plain = await client.get("/issues")
    let answer = await client.get(
      "/issues?per_page=2&direction=asc&assignee=none&creator=x&mentioned=x&milestone=77")
    #expect(answer.numbers == plain.numbers)
  }

  @Test("all labels must match, and unknown ones don't count", arguments: forges)
  func labels(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 60)
    let issues = client.github.issues(of: client.repository)
    func numbers(_ names: [String]) -> [Int] {
      issues.filter { issue in names.allSatisfy { issue.labels.map(\.name).contains($0) } }
        .map(\.number).reversed()
    }
    let both = await client.get("/issues?limit=50&labels=bug,Linux")
    #expect(both.numbers == numbers(["bug", "Linux"]))
    #expect(await client.get("/issues?limit=50&labels=bug,nope").numbers == numbers(["bug"]))
    #expect(await client.get("/issues?labels=nope").headers["X-Total-Count"] == "60")
  }

  @Test("milestones are found by title and id, and any matches", arguments: forges)
  func milestones(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge, issues: 60)
    let issues = client.github.issues(of: client.repository)
    let id = try #require(
      await client.get("/milestones?name=6.3").json.at("0.id")?.integer)
    let answer = await client.get("/issues?limit=50&milestones=6.2,\(id),nope")
    #expect(!answer.numbers.isEmpty)
    #expect(
      answer.numbers
        == issues.filter { [1, 2].contains($0.milestone) }.map(\.number).reversed())
    #expect(await client.get("/issues?milestones=2,nope").headers["X-Total-Count"] == "60")
    _ = await client.send("PATCH", "/milestones/\(id)", #"{"state":"closed"}"#)
    #expect(
      await client.get("/milestones").json.elements?.count == (forge == .forgejo ? 3 : 2))
    #expect(await client.get("/milestones?state=closed").json.texts("title") == ["6.3"])
    #expect(await client.get("/milestones").json.at("0.number") == nil)
  }

  @Test("times are inclusive and whole seconds, in any zone", arguments: forges)
  func times(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge, issues: 3) { $0.timeZoneOffset = 7200 }
    let time = 1_790_000_000
    client.github.changeIssue(2, of: client.repository) { $0.updatedAt = time }
    let text = try #require(await client.get("/issues/2").json["updated_at"]?.text)
    #expect(text.hasSuffix("+02:00"))
    let escaped = text.replacing("+", with: "%2B")
    for name in ["since", "before"] {
      let found = await client.get("/issues?\(name)=\(escaped)").numbers
      #expect(found.contains(2) && found.count == (name == "since" ? 1 : 3))
    }
    #expect(await client.get("/issues?since=\(Timestamp.iso8601(time + 1))").numbers == [])
    for wrong in [text, "2026-01-01", "yesterday"] {
      #expect(await client.get("/issues?since=\(wrong)").status == 422)
    }
  }

  @Test("people are found by login, and an unknown one gets a 404", arguments: forges)
  func people(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 60) { $0.missingUsers = ["nobody"] }
    let issues = client.github.issues(of: client.repository)
    let answer = await client.get("/issues?limit=50&created_by=ada")
    #expect(answer.numbers == issues.filter { $0.author == "ada" }.map(\.number).reversed())
    for name in ["created_by", "assigned_by", "mentioned_by"] {
      #expect(await client.get("/issues?\(name)=nobody").status == 404)
    }
    #expect(await client.get("//users/nobody").status == 404)
  }

  @Test("text is found in titles and texts, and a number finds its issue", arguments: forges)
  func text(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 9)
    client.github.changeIssue(3, of: client.repository) { $0.body = "The Needle" }
    client.github.changeIssue(5, of: client.repository) { $0.title = "needles" }
    #expect(await client.get("/issues?q=needle").numbers == [5, 3])
    #expect(await client.get("/issues?q=needle&state=closed").numbers == [])
    #expect(await client.get("/issues?q=7").numbers.contains(7))
  }

  @Test("the index of texts lags behind, and the database doesn't")
  func lag() async {
    let client = ForgeClient(.gitea, issues: 1) { $0.searchLag = 2 }
    _ = await client.send("POST", "/issues", #"{"title":"needle"}"#)
    #expect(await client.get("/issues?q=needle").numbers == [])
    #expect(await client.get("/issues").numbers == [2, 1])
    #expect(await client.get("/issues?q=needle").numbers == [2])
  }

  @Test("Forgejo sorts by change, and Gitea doesn't")
  func sorts() async {
    for forge in Self.forges {
      let client = ForgeClient(forge, issues: 3)
      client.github.changeIssue(2, of: client.repository) { $0.updatedAt = 1_800_000_000 }
      let answer = await client.get("/issues?sort=leastupdate")
      #expect(answer.numbers.last == (forge == .forgejo ? 2 : 1))
      #expect(
        await client.get("/issues?sort=oldest").numbers
          == (forge == .forgejo ? [1, 2, 3] : [3, 2, 1]))
    }
  }

  @Test("an order by change begins at a time, and ends at another")
  func span() async {
    let client = ForgeClient(.forgejo, issues: 4)
    for number in 1...4 {
      client.github.changeIssue(number, of: client.repository) {
        $0.updatedAt = 1_800_000_000 - number
      }
    }
    func time(_ number: Int) -> String { Timestamp.iso8601(1_800_000_000 - number) }
    let since = await client.get("/issues?sort=leastupdate&since=\(time(3))&limit=2")
    #expect(since.numbers == [3, 2])
    #expect(since.headers["X-Total-Count"] == "3")
    let both = "since=\(time(3))&before=\(time(2))"
    #expect(await client.get("/issues?sort=recentupdate&\(both)").numbers == [2, 3])
    #expect(await client.get("/issues?\(both)").numbers == [3, 2])
    let reverse = "since=\(time(2))&before=\(time(3))"
    #expect(await client.get("/issues?\(reverse)").numbers == [])
    #expect(await client.get("/issues?sort=leastupdate&\(reverse)").numbers == [])
  }

  @Test("faults of reading are those of a proxy, not of GitHub", arguments: forges)
  func faults(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge) { $0.faults = LoopbackFaults(share: 1) }
    var statuses: Set<Int> = []
    for _ in 0..<100 {
      let answer = await client.get("/issues")
      statuses.insert(answer.status)
      #expect(!answer.body.contains("documentation_url"))
      #expect(answer.headers["X-GitHub-Request-Id"] == nil)
    }
    #expect(statuses == [200, 429, 500, 502, 503, 504])
  }

  @Test("comments of an issue come at once, and those of a repository in pages", arguments: forges)
  func comments(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 2) { $0.maximumPage = 3 }
    for index in 0..<4 {
      client.github.addComment(on: 1, of: client.repository, at: 1_790_000_000 + index)
    }
    let since = Timestamp.iso8601(1_790_000_000)
    let own = await client.get("/issues/1/comments?since=\(since)&limit=1")
    #expect(own.json.elements?.count == 4)
    let all = await client.get("/issues/comments?since=\(since)")
    #expect(all.json.elements?.count == 3)
    #expect(all.headers["X-Total-Count"] == "4")
    #expect(all.headers["Link"] == nil)
    let rest = await client.get("/issues/comments?since=\(since)&page=2")
    #expect(rest.json.elements?.first == own.json.elements?.last)
    #expect(rest.json.at("0.issue_url") == .string("http://h/swiftlang/swift/issues/1"))
    let before = await client.get("/issues/comments?since=\(since)&before=\(since)")
    #expect(before.headers["X-Total-Count"] == "1")
  }

  @Test("an empty timeline or list of reactions is null", arguments: forges)
  func null(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 0)
    _ = await client.send("POST", "/issues", #"{"title":"x"}"#)
    for path in ["timeline", "reactions"] {
      let answer = await client.get("/issues/1/\(path)")
      #expect(answer.body.filter { $0 != "\n" } == "null")
      #expect(answer.headers["X-Total-Count"] == "0")
    }
    _ = await client.send("POST", "/issues/1/labels", #"{"labels":["bug"]}"#)
    _ = await client.send("POST", "/issues/1/comments", #"{"body":"y"}"#)
    _ = await client.send("PATCH", "/issues/1", #"{"state":"closed","title":"z"}"#)
    let events = await client.get("/issues/1/timeline").json
    #expect(Set(events.texts("type")) == ["label", "comment", "change_title", "close"])
    let event = events.elements?.first { $0["type"] == .string("change_title") }
    #expect(event?["old_title"] == .string("x"))
    #expect(event?["new_title"] == .string("z"))
  }

  @Test("a search of all issues has one relation, any label, and known owners", arguments: forges)
  func search(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge, issues: 40) {
      $0.tokenOwner = "ada"
      $0.missingUsers = ["nobody"]
      $0.repositories.append(
        LoopbackRepository(
          id: 7, owner: "acme", name: "widgets",
          issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0)))
    }
    let all = await client.get("//repos/issues/search")
    #expect(all.headers["X-Total-Count"] == "43")
    #expect(all.json.elements?.count == (forge == .forgejo ? 20 : 30))
    let acme = await client.get("//repos/issues/search?owner=acme")
    #expect(acme.json.at("0.repository.full_name") == .string("acme/widgets"))
    #expect(acme.numbers == [3, 2, 1])
    #expect(await client.get("//repos/issues/search?owner=nobody").status == 400)
    let own = await client.get("//repos/issues/search?created=true&limit=50")
    #expect(own.json.elements?.allSatisfy { $0.at("user.login") == .string("ada") } == true)
    let labels = await client.get("//repos/issues/search?owner=swiftlang&labels=bug,Linux&limit=50")
    let issues = client.github.issues(of: client.repository)
    let expected = issues.filter { issue in
      issue.labels.contains { ["bug", "Linux"].contains($0.name) }
    }
    #expect(labels.numbers == expected.map(\.number).reversed())
    let found = await client.get("//repos/search?q=widg")
    #expect(found.json["ok"] == .bool(true))
    #expect(found.json["data"]?.texts("full_name") == ["acme/widgets"])
    #expect(await client.get("//repos/search?sort=nope").status == 422)
    #expect(await client.get("//orgs/acme/repos").json.texts("name") == ["widgets"])
    #expect(await client.get("//users/acme/repos").json.at("0.name") == .string("widgets"))
  }

  @Test("notifications are marked by the query, with 205 and a body", arguments: forges)
  func notifications(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge) {
      $0.notifications = (1...3).map {
        SyntheticNotification(id: $0, number: $0, updatedAt: 1_700_000_000 + $0, isRead: $0 == 3)
      }
    }
    let unread = await client.get("//notifications")
    #expect(unread.json.elements?.map { $0["id"] } == [.number(2), .number(1)])
    #expect(unread.json.at("0.repository.full_name") == .string("swiftlang/swift"))
    // As recorded on codeberg.org.
    #expect(
      Self.members(unread.json)
        == ["id", "repository", "subject", "unread", "pinned", "updated_at", "url"])
    #expect(
      Self.members(unread.json.at("0.subject") ?? .null) == [
        "title", "url", "latest_comment_url", "html_url", "latest_comment_html_url", "type",
        "state",
      ])
    #expect(await client.get("//notifications?all=true").json.elements?.count == 3)
    #expect(await client.get("//notifications?status-types=read").json.at("0.id") == .number(3))
    let time = Timestamp.iso8601(1_700_000_001)
    let marked = await client.send("PUT", "//notifications?last_read_at=\(time)")
    #expect(marked.status == 205)
    #expect(marked.json.elements?.map { $0["id"] } == [.number(1)])
    let thread = await client.send("PATCH", "//notifications/threads/2")
    #expect(thread.status == 205)
    #expect(thread.json["unread"] == .bool(false))
    #expect(await client.get("//notifications/threads/2").json["unread"] == .bool(false))
    #expect(await client.get("//notifications").json == .array([]))
  }

  @Test("templates come parsed, and broken ones are counted", arguments: forges)
  func templates(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge) {
      $0.issueForms = [#"{"name":"Form"}"#]
      $0.repositories[0].files = [
        ".github/ISSUE_TEMPLATE/bug.md": "---\nname: Bug\nabout: It fails\nlabels: bug\n---\nText",
        ".gitea/ISSUE_TEMPLATE/broken.md": "No front matter",
      ]
    }
    let templates = await client.get("/issue_templates")
    #expect(templates.json.texts("name") == ["Bug", "Form"])
    #expect(templates.json.at("0.content") == .string("Text"))
    #expect(templates.json.at("0.labels.0") == .string("bug"))
    #expect(templates.headers["X-Gitea-Warning"] != nil)
    #expect(
      await client.get("/issue_config").json["blank_issues_enabled"] == .bool(true))
    let file = await client.get("/contents/.github/ISSUE_TEMPLATE/bug.md").json
    let content = try #require(file["content"]?.text)
    #expect(Data(base64Encoded: content)?.count == file["size"]?.integer)
    #expect(await client.get("/contents/.gitea").json.at("0.type") == .string("dir"))
    #expect(await client.get("/contents/nope").status == 404)
  }
}

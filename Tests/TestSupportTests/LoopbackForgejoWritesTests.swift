import Foundation
import Testing

@testable import TestSupport

@Suite("Writing to the loopback Forgejo and Gitea", .timeLimit(.minutes(5)))
struct LoopbackForgejoWritesTests {
  private static let forges = [LoopbackForge.forgejo, .gitea]

  private static func label(_ name: String, _ client: ForgeClient) async throws -> Int {
    let labels = await client.get("/labels?limit=50").json.elements ?? []
    return try #require(labels.first { $0["name"] == .string(name) }?["id"]?.integer)
  }

  private static func milestone(_ title: String, _ client: ForgeClient) async throws -> Int {
    try #require(await client.get("/milestones?name=\(title)").json.at("0.id")?.integer)
  }

  // MARK: Issues

  @Test("a created issue has labels and a milestone by id, and can be read", arguments: forges)
  func create(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let label = try await Self.label("bug", client)
    let milestone = try await Self.milestone("6.3", client)
    let answer = await client.send(
      "POST", "/issues",
      """
      {"title":"A","body":"b\\r\\nc","labels":[\(label),1],"milestone":\(milestone),\
      "assignees":["ada"]}
      """)
    #expect(answer.status == 201)
    let issue = answer.json
    #expect(issue["number"] == .number(6))
    #expect(issue["body"] == .string("b\r\nc"))
    #expect(issue["labels"]?.texts("name") == ["bug"])
    #expect(issue.at("milestone.title") == .string("6.3"))
    #expect(issue.at("assignee.login") == .string("ada"))
    #expect(issue.at("user.login") == .string("octocat"))
    #expect(issue["html_url"] == .string("http://h/swiftlang/swift/issues/6"))
    #expect(await client.get("/issues/6").json == issue)
    #expect(await client.get("/issues?created_by=octocat").json == .array([issue]))
    let plain = await client.send("POST", "/issues", #"{"title":"B","milestone":9}"#)
    for name in ["milestone", "assignee", "assignees", "closed_at", "pull_request"] {
      #expect(plain.json[name] == .null)
    }
    #expect(plain.json["body"] == .string(""))
    let receipt = try #require(client.github.receipts.last)
    #expect(receipt.isCommitted && receipt.login == "octocat")
  }

  @Test(
    "names of labels, unknown assignees, no title and no media type get a 422", arguments: forges)
  func refused(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge) { $0.missingUsers = ["nobody"] }
    let names = await client.send("POST", "/issues", #"{"title":"x","labels":["bug"]}"#)
    #expect(names.status == 422)
    #expect(
      names.message
        == "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.labels of type int64"
    )
    for body in [#"{"title":"x","assignees":["nobody"]}"#, #"{"body":"x"}"#, #"{"title":""}"#] {
      #expect(await client.send("POST", "/issues", body).status == 422)
    }
    let untyped = await client.send("PUT", "/issues/1/labels", #"{"labels":[]}"#, headers: [:])
    #expect(untyped.status == 422)
    #expect(untyped.message == "[]: Empty Content-Type")
  }

  @Test("a reader's labels, milestone and assignees vanish without an error", arguments: forges)
  func reader(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge) { $0.permission = .read }
    let label = try await Self.label("bug", client)
    let milestone = try await Self.milestone("6.3", client)
    let answer = await client.send(
      "POST", "/issues",
      #"{"title":"x","labels":[\#(label)],"milestone":\#(milestone),"assignees":["ada"]}"#)
    #expect(answer.status == 201)
    #expect(answer.json["labels"] == .array([]))
    #expect(answer.json["milestone"] == .null)
    #expect(answer.json["assignees"] == .null)
    #expect(await client.send("PATCH", "/issues/6", #"{"state":"closed"}"#).status == 201)
    let stranger = await client.send("PATCH", "/issues/1", #"{"state":"closed"}"#)
    #expect(stranger.status == 403)
    #expect(stranger.body.isEmpty)
    for (method, path) in [("DELETE", "/issues/1"), ("POST", "/issues/1/pin"), ("POST", "/labels")]
    {
      #expect(await client.send(method, path, "{}").status == 403)
    }
    #expect(await client.send("POST", "/issues/1/comments", #"{"body":"x"}"#).status == 201)
  }

  @Test("a long title is cut, on Forgejo at bytes and on Gitea at characters")
  func longTitle() async throws {
    let long = String(repeating: "ä", count: 300)
    let body = #"{"title":"x\#(long)"}"#
    let forgejo = await ForgeClient(.forgejo).send("POST", "/issues", body)
    let gitea = await ForgeClient(.gitea).send("POST", "/issues", body)
    #expect(forgejo.json["title"] == .string("x" + String(repeating: "ä", count: 127)))
    #expect(gitea.json["title"] == .string("x" + String(repeating: "ä", count: 253) + "…"))
  }

  @Test("an edit replaces assignees, and ignores labels and an empty title", arguments: forges)
  func edit(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let milestone = try await Self.milestone("6.2", client)
    let before = await client.get("/issues/2").json
    let label = try await Self.label("wontfix", client)
    let answer = await client.send(
      "PATCH", "/issues/2",
      """
      {"title":"","body":"new","labels":[\(label)],"milestone":\(milestone),\
      "assignees":["ken","ada"]}
      """)
    #expect(answer.status == 201)
    #expect(answer.json["title"] == before["title"])
    #expect(answer.json["labels"] == before["labels"])
    #expect(answer.json["assignees"]?.texts("login") == ["ken", "ada"])
    #expect(answer.json.at("milestone.title") == .string("6.2"))
    #expect(answer.json["updated_at"] != before["updated_at"])
    let removed = await client.send("PATCH", "/issues/2", #"{"milestone":0,"assignees":[]}"#)
    #expect(removed.json["milestone"] == .null)
    #expect(removed.json["assignees"] == .null)
    #expect(await client.send("PATCH", "/issues/2", #"{"milestone":5}"#).status == 500)
    let closed = await client.send("PATCH", "/issues/2", #"{"state":"closed"}"#)
    #expect(closed.json["state"] == .string("closed"))
    #expect(closed.json["closed_at"]?.text != nil)
    let odd = await client.send("PATCH", "/issues/2", #"{"state":"odd"}"#)
    #expect(odd.status == (forge == .forgejo ? 201 : 412))
    #expect(
      await client.get("/issues/2").json["state"]
        == .string(forge == .forgejo ? "open" : "closed"))
  }

  @Test("an issue with open dependencies isn't closed", arguments: forges)
  func dependencies(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge)
    let body = #"{"index":1,"owner":"swiftlang","repo":"swift"}"#
    let added = await client.send("POST", "/issues/2/dependencies", body)
    #expect(added.status == 201)
    #expect(added.json["number"] == .number(2))
    #expect(await client.get("/issues/2/dependencies").numbers == [1])
    #expect(await client.get("/issues/1/blocks").numbers == [2])
    #expect(await client.send("POST", "/issues/2/dependencies", body).status == 500)
    #expect(await client.send("POST", "/issues/2/blocks", body).status == 500)
    let close = await client.send("PATCH", "/issues/2", #"{"state":"closed"}"#)
    #expect(close.status == 412)
    #expect(
      close.message == "cannot close this issue because it still has open dependencies")
    #expect(await client.send("DELETE", "/issues/2/dependencies", body).status == 201)
    #expect(await client.get("/issues/2/dependencies").json == .array([]))
    #expect(await client.send("POST", "/issues/2/blocks", body).status == 201)
    #expect(await client.get("/issues/1/dependencies").numbers == [2])
  }

  @Test("only Gitea locks, administrators pin and delete, and nothing is gone", arguments: forges)
  func administration(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge)
    let lock = await client.send("PUT", "/issues/1/lock", #"{"lock_reason":"spam"}"#)
    #expect(lock.status == (forge == .gitea ? 204 : 404))
    #expect(lock.body == (forge == .gitea ? "" : "404 page not found\n"))
    #expect(await client.get("/issues/1").json["is_locked"] == .bool(forge == .gitea))
    #expect(await client.send("POST", "/issues/1/pin").status == 204)
    #expect(await client.get("/issues/1").json["pin_order"] == .number(1))
    #expect(await client.send("DELETE", "/issues/1/pin").status == 204)
    #expect(await client.send("DELETE", "/issues/1").status == 204)
    #expect(await client.get("/issues/1").status == 404)
    #expect(await client.send("POST", "/issues", #"{"title":"x"}"#).json["number"] == .number(6))
  }

  @Test("an archived repository refuses new issues and comments, but not edits")
  func archived() async {
    for forge in Self.forges {
      let client = ForgeClient(forge) { $0.repositories[0].isArchived = true }
      let answer = await client.send("POST", "/issues", #"{"title":"x"}"#)
      #expect(answer.status == 423)
      #expect(
        answer.message
          == (forge == .forgejo
            ? "<Repository 44838949:swiftlang/swift> is archived" : "swiftlang/swift is archived"))
      #expect(await client.send("POST", "/issues/1/comments", #"{"body":"x"}"#).status == 423)
      #expect(await client.send("PATCH", "/issues/1", #"{"title":"x"}"#).status == 201)
    }
  }

  // MARK: Labels

  @Test("labels of an issue are all ids or all names, and unknown ones vanish", arguments: forges)
  func labels(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let bug = try await Self.label("bug", client)
    let set = await client.send("PUT", "/issues/1/labels", #"{"labels":["Linux","nope"]}"#)
    #expect(set.status == 200)
    #expect(set.json.texts("name") == ["Linux"])
    let added = await client.send("POST", "/issues/1/labels", #"{"labels":[\#(bug),3]}"#)
    #expect(added.json.texts("name") == ["Linux", "bug"])
    let mixture = await client.send("POST", "/issues/1/labels", #"{"labels":[\#(bug),"Linux"]}"#)
    #expect(mixture.status == 400)
    let unknown = await client.send("DELETE", "/issues/1/labels/nope")
    #expect(unknown.status == 422)
    #expect(unknown.message == "label does not exist [label_id: 0]")
    #expect(
      await client.send("DELETE", "/issues/1/labels/Linux").status
        == (forge == .forgejo ? 204 : 422))
    #expect(await client.send("DELETE", "/issues/1/labels/\(bug)").status == 204)
    _ = await client.send("PUT", "/issues/1/labels", #"{"labels":["bug","Linux"]}"#)
    let removed = await client.send(
      "DELETE", "/issues/1/labels/\(bug)", headers: ["Accept": "application/vnd.github+json"])
    #expect(removed.status == (forge == .forgejo ? 200 : 204))
    #expect(removed.json.elements?.count == (forge == .forgejo ? 1 : nil))
    #expect(await client.get("/issues/1/labels").json.texts("name") == ["Linux"])
    #expect(await client.send("DELETE", "/issues/1/labels").status == 204)
    #expect(await client.get("/issues/1/labels").json == .array([]))
  }

  @Test("two labels of a repository can share a name, and are changed by id", arguments: forges)
  func repositoryLabels(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let body = ##"{"name":"twin","color":"#AbC"}"##
    let first = await client.send("POST", "/labels", body)
    let second = await client.send("POST", "/labels", body)
    #expect(first.status == 201 && second.status == 201)
    #expect(first.json["color"] == .string("aabbcc"))
    let id = try #require(second.json["id"]?.integer)
    let updated = await client.get("/issues/1").json["updated_at"]
    let changed = await client.send("PATCH", "/labels/\(id)", #"{"name":"other"}"#)
    #expect(changed.json["name"] == .string("other"))
    let names = await client.get("/labels?limit=50").json.texts("name")
    #expect(names.contains("twin") && names.contains("other"))
    #expect(await client.send("DELETE", "/labels/\(id)").status == 204)
    #expect(await client.get("/labels/\(id)").status == 404)
    #expect(await client.send("POST", "/labels", #"{"name":"x","color":"red"}"#).status == 422)
    #expect(await client.get("/issues/1").json["updated_at"] == updated)
  }

  @Test("a milestone is changed by id, and Gitea clears a due date left out", arguments: forges)
  func milestones(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let created = await client.send(
      "POST", "/milestones", #"{"title":"v9","due_on":"2027-01-01T01:00:00+01:00"}"#)
    #expect(created.status == 201)
    #expect(created.json["due_on"] == .string("2027-01-01T00:00:00Z"))
    let id = try #require(created.json["id"]?.integer)
    let changed = await client.send("PATCH", "/milestones/\(id)", #"{"state":"closed"}"#)
    #expect(changed.status == 200)
    #expect(changed.json["state"] == .string("closed"))
    #expect((changed.json["due_on"] == .null) == (forge == .gitea))
    #expect(await client.send("DELETE", "/milestones/\(id)").status == 204)
    #expect(await client.get("/milestones/\(id)").status == 404)
  }

  // MARK: Comments and reactions

  @Test("a comment moves the issue's time, and its edit or deletion doesn't", arguments: forges)
  func comments(_ forge: LoopbackForge) async throws {
    let time = Watched(1_790_000_000)
    let client = ForgeClient(forge) {
      $0.now = { Date(timeIntervalSince1970: Double(time.current)) }
    }
    let before = await client.get("/issues/1").json
    let created = await client.send("POST", "/issues/1/comments", #"{"body":"x"}"#)
    #expect(created.status == 201)
    let id = try #require(created.json["id"]?.integer)
    let after = await client.get("/issues/1").json
    #expect(after["updated_at"] != before["updated_at"])
    time.update { $0 += 60 }
    let edited = await client.send("PATCH", "/issues/comments/\(id)", #"{"body":"y"}"#)
    #expect(edited.status == 200)
    #expect(edited.json["updated_at"] != created.json["updated_at"])
    _ = await client.send("POST", "/issues/1/reactions", #"{"content":"heart"}"#)
    #expect(await client.get("/issues/1").json == after)
    #expect(await client.get("/issues/comments/\(id)").json == edited.json)
    #expect(await client.send("DELETE", "/issues/comments/\(id)").status == 204)
    #expect(await client.get("/issues/1").json["updated_at"] == after["updated_at"])
    let missing = await client.send("POST", "/issues/99/comments", #"{"body":"x"}"#)
    #expect(missing.status == (forge == .forgejo ? 404 : 500))
    #expect(missing.message == (forge == .forgejo ? "The target couldn't be found." : ""))
  }

  @Test("a reaction is added once and removed with a body", arguments: forges)
  func reactions(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let comment = await client.send("POST", "/issues/1/comments", #"{"body":"x"}"#)
    let id = try #require(comment.json["id"]?.integer)
    for path in ["/issues/1/reactions", "/issues/comments/\(id)/reactions"] {
      let body = #"{"content":"heart"}"#
      let first = await client.send("POST", path, body)
      #expect(first.status == 201)
      #expect(first.json["content"] == .string("heart"))
      #expect(await client.send("POST", path, body).status == 200)
      #expect(await client.get(path).json.elements?.count == 1)
      #expect(await client.send("POST", path, #"{"content":"gitea"}"#).status == 403)
      #expect(await client.send("DELETE", path, body).status == 200)
      #expect(await client.get(path).body.hasPrefix("null"))
    }
  }

  @Test("a file comes in a form, and can be read at its address", arguments: forges)
  func attachment(_ forge: LoopbackForge) async throws {
    let client = ForgeClient(forge)
    let form = """
      --b\r\nContent-Disposition: form-data; name="attachment"; filename="a.png"\r\n\
      Content-Type: image/png\r\n\r\n1\r\n2\r\n--b--\r\n
      """
    let answer = await client.send(
      "POST", "/issues/1/assets?name=c.png", form,
      headers: ["Content-Type": "multipart/form-data; boundary=b"])
    #expect(answer.status == 201)
    #expect(answer.json["name"] == .string("c.png"))
    #expect(answer.json["size"] == .number(4))
    let url = try #require(answer.json["browser_download_url"]?.text)
    let file = await client.send("GET", target: String(url.dropFirst("http://h".count)))
    #expect(file.body == "1\r\n2")
    #expect(file.headers["Content-Type"] == "image/png")
    #expect(client.github.uploads.map(\.contentType) == ["image/png"])
  }

  @Test("faults of writing strike as on GitHub", arguments: forges)
  func faults(_ forge: LoopbackForge) async {
    let client = ForgeClient(forge)
    for fault in [LoopbackWriteFault.badGateway, .contentLimit, .unauthorized, .otherIssue] {
      client.github.strike(fault)
    }
    let gateway = await client.send("POST", "/issues", #"{"title":"x"}"#)
    #expect(gateway.status == 502)
    #expect(gateway.headers["Content-Type"] == "text/html")
    let limited = await client.send("POST", "/issues", #"{"title":"x"}"#)
    #expect(limited.status == 429)
    #expect(limited.headers["Retry-After"] == nil)
    #expect(await client.send("POST", "/issues", #"{"title":"x"}"#).status == 401)
    let other = await client.send("POST", "/issues", #"{"title":"x"}"#)
    #expect(other.json["number"] == .number(8))
    #expect(client.github.receipts.map(\.isCommitted) == [false, false, false, true])
  }
}

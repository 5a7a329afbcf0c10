import Foundation
import Testing

@testable import TestSupport

@Suite("Writing to the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackWritesTests {
  @Test("a created issue can be read, listed, found and counted")
  func create() async throws {
    try await withWritableGitHub { _, client in
      let before = try await client.send("GET", "/issues?per_page=1")
      let answer = try await client.send(
        "POST", "/issues",
        """
        {"title":" A title ","body":"one\\ntwo\\r\\n","labels":["bug",{"name":"Fresh"}],\
        "assignees":["ada"],"milestone":2,"type":"Bug"}
        """)
      #expect(answer.status == 201)
      #expect(
        answer.headers["Location"]
          == "http://127.0.0.1:\(client.port)/repos/swiftlang/swift/issues/6")
      #expect(answer.headers["ETag"]?.hasPrefix("\"") == true)
      let issue = answer.json
      #expect(issue.at("number") == .number(6))
      #expect(issue.at("title") == .string("A title"))
      #expect(issue.at("body") == .string("one\ntwo\r\n"))
      #expect(issue.at("user.login") == .string("octocat"))
      #expect(issue.at("labels")?.texts("name") == ["bug", "Fresh"])
      #expect(issue.at("labels.1.color") == .string("ededed"))
      #expect(issue.at("assignees")?.texts("login") == ["ada"])
      #expect(issue.at("milestone.title") == .string("6.3"))
      #expect(issue.at("type.name") == .string("Bug"))
      #expect(issue.at("html_url") == .string("https://github.com/swiftlang/swift/issues/6"))
      #expect(issue.at("reactions.total_count") == .number(0))
      #expect(try await client.send("GET", "/issues/6").json == issue)
      let list = try await client.send("GET", "/issues?per_page=1&creator=octocat")
      #expect(list.json.elements == [issue])
      let after = try await client.send("GET", "/issues?per_page=1")
      #expect(after.headers["ETag"] != before.headers["ETag"])
      let since = try #require(issue["created_at"]?.text)
      let recent = try await client.send("GET", "/issues?since=\(since)&state=all")
      #expect(recent.json.elements?.count == 1)
      let found = try await client.send("GET", "//search/issues?q=title+repo:swiftlang/swift")
      #expect(found.json.at("items.0.number") == .number(6))
      #expect(try await client.send("GET", "/labels/fresh").status == 200)
    }
  }

  @Test("a change appears in the response, and an equal value changes nothing")
  func update() async throws {
    let time = Watched(1_790_000_000)
    try await withWritableGitHub {
      $0.now = { Date(timeIntervalSince1970: Double(time.current)) }
    } perform: { _, client in
      _ = try await client.send("POST", "/issues", #"{"title":"a","body":"b","labels":["bug"]}"#)
      func patch(_ body: String) async throws -> JSONInput {
        time.update { $0 += 60 }
        let answer = try await client.send("PATCH", "/issues/6", body)
        #expect(answer.status == 200)
        return answer.json
      }
      let created = try await client.send("GET", "/issues/6")
      let same = try await patch(#"{"title":"a","state":"open","state_reason":"completed"}"#)
      #expect(same == created.json)
      let closed = try await patch(#"{"state":"closed"}"#)
      #expect(closed.at("state_reason") == .string("completed"))
      #expect(closed.at("closed_by.login") == .string("octocat"))
      #expect(closed.at("updated_at") == closed.at("closed_at"))
      let stillClosed = try await patch(#"{"state":"closed","state_reason":"not_planned"}"#)
      #expect(stillClosed == closed)
      let reopened = try await patch(#"{"state":"open","body":"","labels":["Linux","bug"]}"#)
      #expect(reopened.at("state_reason") == .string("reopened"))
      #expect(reopened.at("body") == .string(""))
      #expect(reopened.at("labels")?.texts("name") == ["Linux", "bug"])
      let unplanned = try await patch(
        #"{"state":"closed","state_reason":"not_planned","labels":[],"milestone":1}"#)
      #expect(unplanned.at("state_reason") == .string("not_planned"))
      #expect(unplanned.at("labels") == .array([]))
      #expect(try await patch(#"{"milestone":null}"#).at("milestone") == .null)
      let tag = try #require(created.headers["ETag"])
      let again = try await client.send("GET", "/issues/6", headers: ["If-None-Match: \(tag)"])
      #expect(again.status == 200)
      let newTag = try #require(again.headers["ETag"])
      let known = try await client.send("GET", "/issues/6", headers: ["If-None-Match: \(newTag)"])
      #expect(known.status == 304)
    }
  }

  @Test("comments are written, edited and deleted")
  func comments() async throws {
    try await withWritableGitHub { github, client in
      let old = github.comments(on: 2, of: github.configuration.repositories[0]).count
      let answer = try await client.send("POST", "/issues/2/comments", #"{"body":"Hello\n"}"#)
      #expect(answer.status == 201)
      let id = try #require(answer.json["id"]?.integer)
      #expect(answer.headers["Location"]?.hasSuffix("/issues/comments/\(id)") == true)
      #expect(answer.json["body"] == .string("Hello\n"))
      #expect(
        answer.json["html_url"]
          == .string("https://github.com/swiftlang/swift/issues/2#issuecomment-\(id)"))
      let list = try await client.send("GET", "/issues/2/comments")
      #expect(list.json.elements?.last == answer.json && list.json.elements?.count == old + 1)
      #expect(try await client.send("GET", "/issues/2").json["comments"]?.integer == old + 1)
      let all = try await client.send("GET", "/issues/comments?sort=updated&per_page=1")
      #expect(all.json.elements == [answer.json])
      let edited = try await client.send("PATCH", "/issues/comments/\(id)", #"{"body":"Hi"}"#)
      #expect(edited.status == 200 && edited.json["body"] == .string("Hi"))
      #expect(try await client.send("GET", "/issues/comments/\(id)").json == edited.json)
      #expect(try await client.send("DELETE", "/issues/comments/\(id)").status == 204)
      #expect(try await client.send("DELETE", "/issues/comments/\(id)").status == 404)
      #expect(try await client.send("GET", "/issues/2").json["comments"]?.integer == old)
    }
  }

  @Test("an issue's comments can be listed since a given time")
  func commentsSince() async throws {
    try await withWritableGitHub { _, client in
      let answer = try await client.send("POST", "/issues/1/comments", #"{"body":"late"}"#)
      let time = try #require(answer.json["created_at"]?.text)
      let late = try await client.send("GET", "/issues/1/comments?since=\(time)")
      #expect(late.json.texts("body") == ["late"])
    }
  }

  @Test("simultaneous writes get different issue numbers")
  func atOnce() async throws {
    try await withWritableGitHub(issues: 0) { github, client in
      let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
        for place in 1...30 {
          group.addTask {
            try await client.send("POST", "/issues", #"{"title":"n\#(place)"}"#).json["number"]?
              .integer
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers.compactMap(\.self).sorted() == Array(1...30))
      let titles = github.issues(of: github.configuration.repositories[0]).map(\.title)
      #expect(Set(titles).count == 30 && github.receipts.allSatisfy(\.isCommitted))
    }
  }

  @Test("labels are added to an issue, replaced and removed, as recorded")
  func labels() async throws {
    try await withWritableGitHub { _, client in
      _ = try await client.send("POST", "/issues", #"{"title":"t"}"#)
      let labels = "/issues/6/labels"
      let added = try await client.send("POST", labels, #"{"labels":["bug","url-chars?"]}"#)
      #expect(added.status == 200 && added.json.texts("name") == ["bug", "url-chars?"])
      let again = try await client.send("POST", labels, #"{"labels":["BUG"]}"#)
      #expect(again.json == added.json)
      let rest = try await client.send("DELETE", "\(labels)/url-chars%3F")
      #expect(rest.status == 200 && rest.json.texts("name") == ["bug"])
      let twice = try await client.send("DELETE", "\(labels)/url-chars%3F")
      #expect(twice.status == 404 && twice.json["message"] == .string("Label does not exist"))
      let bare = try await client.send("PUT", labels, #"["Linux","wontfix"]"#)
      #expect(bare.status == 200 && bare.json.texts("name") == ["Linux", "wontfix"])
      #expect(try await client.send("GET", labels).json == bare.json)
      #expect(try await client.send("DELETE", labels).status == 204)
      #expect(try await client.send("GET", labels).json == .array([]))
    }
  }

  @Test("a repository's labels and milestones are created, changed and deleted")
  func properties() async throws {
    try await withWritableGitHub { _, client in
      let made = try await client.send("POST", "/labels", #"{"name":"a b","color":"BADA55"}"#)
      #expect(made.status == 201 && made.json["color"] == .string("BADA55"))
      #expect(made.headers["Location"]?.hasSuffix("/labels/a%20b") == true)
      let taken = try await client.send("POST", "/labels", #"{"name":"A B","color":"000000"}"#)
      #expect(taken.status == 422 && taken.json.at("errors.0.code") == .string("already_exists"))
      let color = try await client.send("POST", "/labels", #"{"name":"c","color":"invalid"}"#)
      #expect(
        color.json.at("errors.0")
          == .object([
            "resource": .string("Label"), "code": .string("invalid"), "field": .string("color"),
          ]))
      _ = try await client.send("POST", "/issues", #"{"title":"t","labels":["a b"]}"#)
      let renamed = try await client.send("PATCH", "/labels/a%20b", #"{"new_name":"c"}"#)
      #expect(renamed.status == 200 && renamed.json["id"] == made.json["id"])
      #expect(try await client.send("GET", "/issues/6/labels").json.texts("name") == ["c"])
      #expect(try await client.send("DELETE", "/labels/c").status == 204)
      #expect(try await client.send("GET", "/issues/6").json["labels"] == .array([]))
      #expect(try await client.send("DELETE", "/labels/c").status == 404)

      let milestone = try await client.send("POST", "/milestones", #"{"title":"v9"}"#)
      #expect(milestone.status == 201 && milestone.json["number"] == .number(4))
      #expect(milestone.json["open_issues"] == .number(0))
      #expect(try await client.send("POST", "/milestones", #"{"title":"v9"}"#).status == 422)
      _ = try await client.send("PATCH", "/issues/6", #"{"milestone":4}"#)
      let counted = try await client.send("GET", "/milestones/4")
      #expect(counted.json["open_issues"] == .number(1))
      let closed = try await client.send(
        "PATCH", "/milestones/4", #"{"state":"closed","due_on":"2026-12-24T00:00:00Z"}"#)
      #expect(closed.json["state"] == .string("closed") && closed.json["closed_at"] != .null)
      #expect(closed.json["due_on"] == .string("2026-12-24T00:00:00Z"))
      #expect(try await client.send("DELETE", "/milestones/4").status == 204)
      #expect(try await client.send("DELETE", "/milestones/4").status == 404)
      #expect(try await client.send("GET", "/issues/6").json["milestone"] == .null)
    }
  }

  @Test("issues are assigned, locked and given reactions")
  func others() async throws {
    try await withWritableGitHub { _, client in
      _ = try await client.send("POST", "/issues", #"{"title":"t"}"#)
      let people = "/issues/6/assignees"
      let added = try await client.send("POST", people, #"{"assignees":["ada","ken"]}"#)
      #expect(added.status == 201 && added.json["assignees"]?.texts("login") == ["ada", "ken"])
      let removed = try await client.send("DELETE", people, #"{"assignees":["ada"]}"#)
      #expect(removed.status == 200 && removed.json["assignees"]?.texts("login") == ["ken"])
      #expect(try await client.send("GET", "/assignees/ada").status == 204)

      #expect(try await client.send("PUT", "/issues/6/lock", "").status == 204)
      let lock = try await client.send("PUT", "/issues/6/lock", #"{"lock_reason":"spam"}"#)
      #expect(lock.status == 204)
      let locked = try await client.send("GET", "/issues/6").json
      #expect(locked["locked"] == .bool(true))
      #expect(locked["active_lock_reason"] == .string("spam"))
      let wrong = try await client.send("PUT", "/issues/6/lock", #"{"lock_reason":"x"}"#)
      #expect(wrong.status == 422)
      #expect(try await client.send("DELETE", "/issues/6/lock").status == 204)
      #expect(try await client.send("GET", "/issues/6").json["locked"] == .bool(false))

      let reactions = "/issues/6/reactions"
      let first = try await client.send("POST", reactions, #"{"content":"heart"}"#)
      let second = try await client.send("POST", reactions, #"{"content":"heart"}"#)
      #expect(first.status == 201 && second.status == 200 && first.json == second.json)
      let count = try await client.send("GET", "/issues/6").json.at("reactions.heart")
      #expect(count == .number(1))
      #expect(try await client.send("GET", reactions).json.elements == [first.json])
      let id = try #require(first.json["id"]?.integer)
      #expect(try await client.send("DELETE", "\(reactions)/\(id)").status == 204)
      #expect(try await client.send("DELETE", "\(reactions)/\(id)").status == 404)
      let wrongContent = try await client.send("POST", reactions, #"{"content":"love"}"#)
      #expect(wrongContent.status == 422)
    }
  }

  @Test("the configuration determines line endings", arguments: LoopbackLineEnds.allCases)
  func lineEnds(_ lineEnds: LoopbackLineEnds) async throws {
    try await withWritableGitHub {
      $0.lineEnds = lineEnds
    } perform: { _, client in
      let answer = try await client.send("POST", "/issues", #"{"title":"t","body":"a\r\nb\nc"}"#)
      let expected =
        switch lineEnds {
        case .kept: "a\r\nb\nc"
        case .crlf: "a\r\nb\r\nc"
        case .lf: "a\nb\nc"
        }
      #expect(answer.json["body"] == .string(expected))
    }
  }

  @Test("the search shows a change after a few requests")
  func searchLag() async throws {
    try await withWritableGitHub {
      $0.searchLag = 3
    } perform: { _, client in
      _ = try await client.send("POST", "/issues", #"{"title":"needle"}"#)
      var counts: [Int?] = []
      for _ in 1...4 {
        let found = try await client.send("GET", "//search/issues?q=needle+repo:swiftlang/swift")
        counts.append(found.json["total_count"]?.integer)
      }
      #expect(counts == [0, 0, 1, 1])
      #expect(try await client.send("GET", "/issues/6").status == 200)
    }
  }

  @Test(
    "writes that GitHub refuses are refused with its messages",
    arguments: [
      ("/issues", #"{"title":"#, 400, "Problems parsing JSON"),
      ("/issues", #""t""#, 400, "Body should be a JSON object"),
      ("/issues", #"{"body":"b"}"#, 422, "Invalid request.\n\n\"title\" wasn't supplied."),
      ("/issues", #"{"title":" "}"#, 422, "Validation Failed"),
      ("/issues", #"{"title":"t","milestone":"6.3"}"#, 422, "Validation Failed"),
      ("/issues", #"{"title":"t","assignees":["ghost"]}"#, 422, "Validation Failed"),
      ("/issues/1/comments", #"{"body":""}"#, 422, "Validation Failed"),
      ("/issues/99/comments", #"{"body":"b"}"#, 404, "Not Found"),
      ("/issues/4/comments", #"{"body":"b"}"#, 410, "This issue was deleted"),
    ])
  func refusals(path: String, body: String, status: Int, message: String) async throws {
    try await withWritableGitHub {
      $0.missingUsers = ["ghost"]
    } perform: { github, client in
      github.deleteIssue(4, of: github.configuration.repositories[0])
      let before = github.stateJSON()
      let answer = try await client.send("POST", path, body)
      #expect(answer.status == status)
      #expect(answer.json["message"] == .string(message))
      #expect(github.stateJSON() == before)
    }
  }

  @Test("text above the maximum length is refused, and text of that length is accepted")
  func lengths() async throws {
    try await withWritableGitHub { _, client in
      func body(_ length: Int) -> String {
        #"{"body":"\#(String(repeating: "é", count: length))"}"#
      }
      #expect(try await client.send("POST", "/issues/1/comments", body(65_536)).status == 201)
      let long = try await client.send("POST", "/issues/1/comments", body(65_537))
      #expect(
        long.json.at("errors.0.message")
          == .string("body is too long (maximum is 65536 characters)"))
      let title = String(repeating: "x", count: 257)
      #expect(try await client.send("POST", "/issues", #"{"title":"\#(title)"}"#).status == 422)
    }
  }

  @Test(
    "errors have the same bodies as the recorded ones",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"),
    arguments: [
      "err-422-title-missing-2026#1", "err-422-title-blank-2026#1",
      "err-422-milestone-invalid-2026#1", "err-400-problems-parsing-json-2026#1",
      "err-422-assignee-invalid-2026#1", "err-422-label-already-exists-2026#1",
      "err-422-title-too-long-2026#1",
    ])
  func recorded(name: String) async throws {
    let recorded = try RecordedExchanges(file: "writes-12-errors-handmade.json")
    let exchange = try #require(recorded.exchanges.first { $0.name == name })
    let sent = try #require(Self.sent[name])
    try await withWritableGitHub {
      $0.missingUsers = ["no-such-user"]
    } perform: { _, client in
      let path = name.contains("label") ? "/labels" : "/issues"
      let answer = try await client.send("POST", path, sent)
      #expect(answer.status == exchange.status)
      #expect(answer.body == exchange.body)
    }
  }

  /// The bodies of the recorded requests.
  private static let sent = [
    "err-422-title-missing-2026#1": #"{"body":"b"}"#,
    "err-422-title-blank-2026#1": #"{"title":""}"#,
    "err-422-milestone-invalid-2026#1": #"{"title":"t","milestone":"v1"}"#,
    "err-400-problems-parsing-json-2026#1": #"{"title":"#,
    "err-422-assignee-invalid-2026#1": #"{"title":"t","assignees":["no-such-user"]}"#,
    "err-422-label-already-exists-2026#1": #"{"name":"bug","color":"f29513"}"#,
    "err-422-title-too-long-2026#1": #"{"title":"\#(String(repeating: "x", count: 257))"}"#,
  ]

  @Test("responses can announce the API version's deprecation")
  func deprecation() async throws {
    try await withWritableGitHub {
      $0.announcesDeprecation = true
    } perform: { _, client in
      let answer = try await client.send(
        "POST", "/issues", #"{"title":"t"}"#, headers: ["X-GitHub-Api-Version: 2022-11-28"])
      #expect(answer.headers["Deprecation"] == "Tue, 10 Mar 2026 00:00:00 GMT")
      #expect(answer.headers["Link"]?.contains("rel=\"deprecation\"") == true)
    }
  }
}

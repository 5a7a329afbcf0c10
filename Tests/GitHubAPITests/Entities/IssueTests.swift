import Foundation
import GitHubAPI
import Testing

@Suite("Issue")
struct IssueTests {
  private func decode(_ json: String) throws -> GitHub.Issue {
    try GitHubJSON.decode(GitHub.Issue.self, from: Data(json.utf8))
  }

  /// An issue with the required fields and some more.
  private func decode(with fields: String) throws -> GitHub.Issue {
    try decode(#"{"id": 1, "number": 2, "title": "t", "state": "open", \#(fields)}"#)
  }

  @Test("an issue requires only its id, number, title and state")
  func required() throws {
    let issue = try decode(#"{"id": 1, "number": 2, "title": "t", "state": "open"}"#)
    #expect(issue == GitHub.Issue(id: 1, number: 2, title: "t"))
  }

  @Test(
    "the error for a missing required field names the field",
    arguments: ["id", "number", "title", "state"])
  func missing(key: String) throws {
    let fields = ["id": "1", "number": "2", "title": #""t""#, "state": #""open""#]
    let rest = fields.filter { $0.key != key }.map { #""\#($0.key)": \#($0.value)"# }
    let error = #expect(throws: DecodingError.self) {
      try decode("{\(rest.joined(separator: ","))}")
    }
    guard case .keyNotFound(let missing, _) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(missing.stringValue == key)
  }

  @Test("an issue number below 1 is refused", arguments: [0, -1, Int.min])
  func impossible(number: Int) {
    #expect(throws: DecodingError.self) {
      try decode(#"{"id": 1, "number": \#(number), "title": "t", "state": "open"}"#)
    }
  }

  @Test("every optional field may be null")
  func nulls() throws {
    let optional =
      GitHub.Issue.Field.allCases.map(\.rawValue)
      .filter { !["id", "number", "title", "state"].contains($0) } + ["assignee"]
    let issue = try decode(with: optional.map { #""\#($0)": null"# }.joined(separator: ","))
    #expect(issue == GitHub.Issue(id: 1, number: 2, title: "t"))
  }

  @Test("an optional field of the wrong type throws an error with its path")
  func wrongType() throws {
    let error = #expect(throws: DecodingError.self) {
      try GitHubJSON.decode(
        [GitHub.Issue].self,
        from: Data(
          #"[{"id": 1, "number": 2, "title": "t", "state": "open", "user": {"login": 7}}]"#.utf8))
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue).suffix(2) == ["user", "login"])
  }

  @Test("an invalid time throws an error with its path")
  func wrongTime() throws {
    let error = #expect(throws: DecodingError.self) {
      try decode(with: #""updated_at": "yesterday""#)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["updated_at"])
  }

  @Test("an ID beyond 32 bits is kept, and unknown keys and a search score are ignored")
  func large() throws {
    let issue = try decode(
      #"{"id": 4712345012, "number": 2, "title": "t", "state": "open", "score": 1.5, "new": {}}"#)
    #expect(issue.id == 4_712_345_012)
  }

  @Test("labels may be objects or strings and have nulls, and a # before a color is removed")
  func labels() throws {
    let issue = try decode(
      with: """
        "labels": ["bug", {"id": 9000000000, "name": "ui", "color": null, "description": null},
        {"name": "x", "color": "#fc2929"}]
        """)
    #expect(
      issue.labels == [
        GitHub.Label(name: "bug"), GitHub.Label(serverID: 9_000_000_000, name: "ui"),
        GitHub.Label(name: "x", color: "fc2929"),
      ])
  }

  @Test("a label other than an object or a string is refused")
  func wrongLabel() {
    #expect(throws: DecodingError.self) { try decode(with: #""labels": [1]"#) }
    #expect(throws: DecodingError.self) { try decode(with: #""labels": [{"color": "ffffff"}]"#) }
  }

  @Test(
    "an issue with a pull request link is a pull request",
    arguments: [
      (#"{"url": "u", "html_url": null, "diff_url": null}"#, true),
      (#"{"html_url": "h", "draft": false, "merged_at": null}"#, true),
      (#"{"url": null, "html_url": null, "diff_url": null, "patch_url": null}"#, false),
      ("{}", false), ("null", false),
    ])
  func pullRequest(link: String, isPullRequest: Bool) throws {
    #expect(try decode(with: #""pull_request": \#(link)"#).isPullRequest == isPullRequest)
  }

  @Test(
    "assignees are decoded from either key, and the list takes precedence",
    arguments: [
      (#""assignees": [{"login": "a"}, {"login": "b"}], "assignee": {"login": "a"}"#, ["a", "b"]),
      (#""assignee": {"login": "a"}"#, ["a"]), (#""assignee": null"#, []),
      (#""assignees": null, "assignee": {"login": "a"}"#, ["a"]),
      (#""assignees": [], "assignee": {"login": "a"}"#, []),
    ])
  func assignees(fields: String, logins: [String]) throws {
    #expect(try decode(with: fields).assignees.map(\.login) == logins)
  }

  @Test("an unknown state and an unknown reason are kept")
  func unknownState() throws {
    let issue = try decode(
      #"{"id": 1, "number": 2, "title": "t", "state": "frozen", "state_reason": "cold"}"#)
    #expect(issue.state.rawValue == "frozen")
    #expect(issue.stateReason?.rawValue == "cold")
    #expect(
      try GitHubJSON.decode(GitHub.Issue.self, from: GitHubJSON.encoder().encode(issue)) == issue)
  }

  @Test("an empty body differs from a missing body")
  func body() throws {
    #expect(try decode(with: #""body": """#).body == "")
    #expect(try decode(with: #""body": null"#).body == nil)
  }

  @Test("a milestone requires only a title")
  func milestone() throws {
    let issue = try decode(with: #""milestone": {"title": "v1", "due_on": null}"#)
    #expect(issue.milestone == GitHub.Milestone(title: "v1"))
  }

  @Test("an issue can be decoded by a decoder with any date strategy")
  func plainDecoder() throws {
    let json = """
      {"id": 1, "number": 2, "title": "t", "state": "open", "created_at": "2019-10-03T10:54:51Z"}
      """
    let issue = try JSONDecoder().decode(GitHub.Issue.self, from: Data(json.utf8))
    #expect(issue.createdAt == Date(timeIntervalSince1970: 1_570_100_091))
    let encoded = String(decoding: try JSONEncoder().encode(issue), as: UTF8.self)
    #expect(encoded.contains("2019-10-03T10:54:51Z"))
  }

  @Test("an invalid byte or a lone surrogate is replaced, and the page is still decoded")
  func invalidText() throws {
    var body = Data(#"[{"id": 1, "number": 2, "state": "open", "title": "a"#.utf8)
    body.append(0xFF)
    body.append(
      contentsOf: #"b \ud83d c \ud83d\udc1b \\ud83d \udc1b\ud83d\n\u0041"}]"#.utf8)
    let issues = try GitHubJSON.decode([GitHub.Issue].self, from: body)
    #expect(issues.map(\.title) == ["a\u{FFFD}b \u{FFFD} c 🐛 \\ud83d \u{FFFD}\u{FFFD}\nA"])
  }

  @Test(
    "a body that isn't JSON throws an error",
    arguments: ["", "<html></html>", "[", "[{]", #"{"message": "no list"}"#, #""\ud83d"#, "\\"])
  func notJSON(body: String) {
    #expect(throws: DecodingError.self) {
      try GitHubJSON.decode([GitHub.Issue].self, from: Data(body.utf8))
    }
  }
}

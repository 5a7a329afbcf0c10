import Foundation
import GitHubAPI
import HTTPTargets
import SampleData
import TestSupport
import TestTraits
import Testing

@testable import IssueMirror

@Suite("A page of a change feed", .tags(.heavy), .timeLimit(.minutes(5)))
struct FeedPageTests {
  /// Whether an entry is what the entity says that is decoded from the same bytes.
  private static func check(_ entry: FeedPage.Entry, agreesWith issue: GitHub.Issue) throws {
    let item = try #require(entry.item)
    func seconds(_ date: Date?) -> Int? {
      date.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }
    let found = [
      entry.id == issue.id, entry.number == issue.number, entry.body == issue.body,
      entry.author?.login == issue.user?.login, entry.author?.id == issue.user?.serverID,
      entry.createdAt == seconds(issue.createdAt),
      entry.updatedAt == seconds(issue.updatedAt) ?? seconds(issue.createdAt) ?? 0,
      item.title == issue.title, item.state == issue.state.rawValue,
      item.closedAt == seconds(issue.closedAt), item.commentsCount == issue.commentsCount,
      item.isPullRequest == issue.isPullRequest,
      item.labels.map(\.name) == issue.labels.map(\.name),
      item.labels.map(\.id) == issue.labels.map(\.serverID),
      item.labels.map(\.description) == issue.labels.map(\.description),
      item.assignees.map(\.login) == issue.assignees.map(\.login),
      item.milestone?.number == issue.milestone?.number,
      item.milestone?.title == issue.milestone?.title,
      item.milestone?.state == issue.milestone?.state?.rawValue,
      try GitHubJSON.decode(GitHub.Issue.self, from: entry.json) == issue,
    ]
    try TestSupport.check(!found.contains(false), "\(found): \(entry) is not \(issue)")
  }

  private static func page(_ json: String, of feed: ChangeFeed = .items) throws -> FeedPage {
    try FeedPage(Data(json.utf8), of: feed)
  }

  @Test("a feed page keeps the server's bytes, including whitespace and unknown members")
  func bytes() throws {
    let entries = [
      #"{"id":1, "number": 2,"title":"a \" } ] b","state":"open","x":{"y":[1,{}]}}"#,
      #"{"number":3,"state":"closed","id":4,"title":"\\"}"#,
    ]
    let page = try Self.page(" [ \(entries[0]) ,\n\(entries[1])\t] \r\n")
    #expect(page.entries.map { String(decoding: $0.json, as: UTF8.self) } == entries)
    // A body that is itself a part of something.
    let whole = Data("xx[\(entries[0])]".utf8)
    let part = try FeedPage(whole.dropFirst(2), of: .items)
    #expect(String(decoding: part.entries[0].json, as: UTF8.self) == entries[0])
    #expect(try Self.page("[]").entries.isEmpty)
  }

  @Test(
    "a feed page is as lenient as the entities",
    arguments: [
      #""labels":["bug",{"name":"x","id":null,"color":null}]"#, #""labels":null"#,
      #""user":null"#, #""user":{"login":"ghost"}"#, #""assignees":null,"assignee":{"login":"a"}"#,
      #""assignee":{"login":"a"}"#, #""assignee":{"login":"a"},"assignees":[]"#,
      #""assignee":null"#, #""pull_request":{"url":null,"html_url":null}"#,
      #""pull_request":{"html_url":"x"}"#, #""pull_request":null"#, #""pull_request":{}"#,
      #""milestone":{"title":"m"}"#, #""milestone":null"#, #""body":null"#, #""comments":null"#,
      #""updated_at":"2026-01-31T12:00:00.75+01:00""#, #""created_at":"1969-12-31T23:59:59.5Z""#,
      #""closed_at":null,"updated_at":null"#, #""body":"\u00fc\ud83c\udf89\n\/\b\f\r\t\"""#,
      #""body":"half \ud83c, \udf89\ud83c\u0041, \ud83c""#, #""comments":12e0"#,
      #""\u0062ody":"an escaped name""#, #""locked":true"#, #""locked":null,"url":null"#,
      #""reactions":null"#, #""reactions":{"+1":2,"x":"y"}"#,
      #""reactions":{"heart":"none","total_count":0}"#, #""user":{"login":"a","blog":""}"#,
    ])
  func leniency(members: String) throws {
    let json = Data(#"[{"id":5000000000,"number":1,"title":"t","state":"open",\#(members)}]"#.utf8)
    let issue = try #require(try GitHubJSON.decode([GitHub.Issue].self, from: json).first)
    let entry = try #require(try FeedPage(json, of: .items).entries.first)
    try Self.check(entry, agreesWith: issue)
  }

  @Test("one invalid title doesn't discard a feed page")
  func badText() throws {
    var json = Data(#"[{"id":1,"number":1,"title":"a"#.utf8)
    json += [0xFF, 0xE2, 0x82]
    json += Data(#" b","state":"open"},{"id":2,"number":2,"title":"c","state":"open"}]"#.utf8)
    let issues = try GitHubJSON.decode([GitHub.Issue].self, from: json)
    let page = try FeedPage(json, of: .items)
    #expect(page.entries.count == 2)
    for (entry, issue) in zip(page.entries, issues) { try Self.check(entry, agreesWith: issue) }
  }

  @Test(
    "JSON that isn't a feed page is refused",
    arguments: [
      "", "{}", "null", "[", "[]]", "[] x", "[{}]", #"[{"id":1,"number":1,"title":"t"}]"#,
      #"[{"id":1,"number":1,"title":null,"state":"open"}]"#,
      #"[{"id":"1","number":1,"title":"t","state":"open"}]"#,
      #"[{"id":1.5,"number":1,"title":"t","state":"open"}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open"},]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open",}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open" "x":1}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","x":01}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","x":.5}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","x":nul}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","x":"\x"}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","x":"\u12g4"}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","created_at":"yesterday"}]"#,
      "[{\"id\":1,\"number\":1,\"title\":\"a\nb\",\"state\":\"open\"}]",
      #"[{"id":1,"number":0,"title":"t","state":"open"}]"#,
      #"[{"id":1,"number":-1,"title":"t","state":"open"}]"#,
      #"[{"id":1,"number":1099511627776,"title":"t","state":"open"}]"#,
      #"[{"id":1,"number":9223372036854775807,"title":"t","state":"open"}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","comments":9223372036854775807}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","body":"a","body":"b"}]"#,
      #"[{"id":1,"number":1,"title":"t","state":"open","body":null,"\u0062ody":"b"}]"#,
      "[\(String(repeating: #"{"id":1,"number":1,"title":"t","state":"open"},"#, count: 20_000))null]",
      "[\(String(repeating: "[", count: 600))", "<html><body>Unicorn!</body></html>",
    ])
  func refusal(json: String) {
    let failure = #expect(throws: NetworkError.self) { try Self.page(json) }
    #expect(failure?.code == .decoding)
  }

  @Test(
    "a feed page with too many entries is refused, even if each is readable"
  )
  func tooManyEntries() throws {
    func page(_ count: Int) -> Data {
      let entry = #"{"id":1,"number":1,"title":"t","state":"open"}"#
      return Data("[\(Array(repeating: entry, count: count).joined(separator: ","))]".utf8)
    }
    #expect(try FeedPage(salvaging: page(10_000), of: .items).entries.count == 10_000)
    let failure = #expect(throws: NetworkError.self) {
      try FeedPage(salvaging: page(10_001), of: .items)
    }
    #expect(failure?.message.contains("more than 10000 entries") == true)
  }

  @Test(
    "a feed page is refused if an entry has too many values")
  func tooManyValues() {
    for part in ["0", #""a":0"#] {
      let parts = Array(repeating: part, count: GitHubJSON.maximumCount).joined(separator: ",")
      let value = part == "0" ? "[\(parts)]" : "{\(parts)}"
      #expect(throws: NetworkError.self) {
        try Self.page(#"[{"id":1,"number":1,"title":"t","state":"open","x":\#(value)}]"#)
      }
    }
  }

  @Test(
    "a feed page is refused if an issue has too many labels or assignees"
  )
  func tooManyParts() throws {
    func issue(_ member: String, _ part: String, _ count: Int) -> String {
      let parts = Array(repeating: part, count: count).joined(separator: ",")
      return #"[{"id":1,"number":1,"title":"t","state":"open","\#(member)":[\#(parts)]}]"#
    }
    for (member, part) in [
      ("labels", #"{"name":"a"}"#), ("labels", #""a""#), ("assignees", #"{"login":"a"}"#),
    ] {
      #expect(try Self.page(issue(member, part, 1_000)).entries.count == 1)
      #expect(throws: NetworkError.self) { try Self.page(issue(member, part, 1_001)) }
    }
  }

  @Test(
    "a feed page is refused if an entity couldn't be decoded later",
    arguments: [
      #""html_url":17"#, #""url":[]"#, #""locked":"yes""#, #""state_reason":1"#,
      #""author_association":false"#, #""reactions":[]"#, #""reactions":{"total_count":"1"}"#,
      #""reactions":{"+1":"1","total_count":1}"#, #""reactions":{"heart":1.5}"#,
      #""user":{"login":"a","type":1}"#, #""user":{"login":"a","followers":"many"}"#,
      #""user":{"login":"a","created_at":"yesterday"}"#, #""assignees":[{"login":"a","bio":1}]"#,
      #""milestone":{"title":"m","due_on":1}"#, #""milestone":{"title":"m","open_issues":"1"}"#,
      #""milestone":{"title":"m","html_url":1}"#, #""milestone":{"title":"m","id":"1"}"#,
      #""pull_request":{"url":"x","merged_at":"soon"}"#,
    ])
  func undecodable(members: String) {
    let json = #"[{"id":1,"number":1,"title":"t","state":"open",\#(members)}]"#
    #expect(throws: (any Error).self) {
      try GitHubJSON.decode([GitHub.Issue].self, from: Data(json.utf8))
    }
    #expect(throws: NetworkError.self) { try Self.page(json) }
  }

  @Test(
    "a page of comments is refused if a comment couldn't be decoded or found later",
    arguments: [
      #""id":9,"author_association":1"#, #""id":9,"reactions":{"+1":"1"}"#, #""id":-1"#,
      #""id":9,"user":{"login":"a","type":1}"#, #""id":17592186044416"#, #""id":0"#,
      #""id":9,"body":"a","body":"b""#,
    ])
  func badComments(members: String) throws {
    let url = #""html_url":"https://github.com/a/b/issues/8""#
    #expect(try Self.page(#"[{"id":17592186044415,\#(url)}]"#, of: .comments).entries.count == 1)
    #expect(throws: NetworkError.self) {
      try Self.page(#"[{\#(members),\#(url)}]"#, of: .comments)
    }
    for number in ["0", "-3", "1099511627776"] {
      let url = #""issue_url":"https://api.github.com/repos/a/b/issues/\#(number)""#
      #expect(throws: NetworkError.self) { try Self.page(#"[{"id":9,\#(url)}]"#, of: .comments) }
    }
  }

  @Test("a feed page is parsed to the same depth as later decoding")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      let (open, close) = (
        String(repeating: "[", count: depth), String(repeating: "]", count: depth)
      )
      return #"[{"id":1,"number":1,"title":"t","state":"open","x":\#(open)\#(close)}]"#
    }
    #expect(try Self.page(nested(254)).entries.count == 1)
    #expect(throws: NetworkError.self) { try Self.page(nested(255)) }
    #expect(throws: (any Error).self) {
      try GitHubJSON.decode([GitHub.Issue].self, from: Data(nested(255).utf8))
    }
  }

  @Test(
    "a page of comments has the issue number of each comment",
    arguments: [
      (#""issue_url":"https://api.github.com/repos/a/b/issues/12""#, 12),
      (#""issue_url":"","html_url":"https://github.com/a/b/pull/7#issuecomment-9""#, 7),
      (#""html_url":"https://github.com/a/b/issues/8#issuecomment-9""#, 8),
      (#""issue_url":null"#, nil), (#""html_url":"https://github.com/a/b""#, nil),
    ] as [(String, Int?)])
  func comments(members: String, number: Int?) throws {
    let json = #"[{"id":9,\#(members),"body":"b","updated_at":"1970-01-01T00:01:00Z"}]"#
    guard let number else {
      #expect(throws: NetworkError.self) { try Self.page(json, of: .comments) }
      return
    }
    let entry = try #require(try Self.page(json, of: .comments).entries.first)
    #expect(entry.number == number)
    #expect(entry.id == 9)
    #expect(entry.updatedAt == 60)
    #expect(entry.body == "b")
    #expect(entry.item == nil)
  }

  @Test(
    "a recorded feed page is stored, and read back with its decoded values",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"),
    arguments: [
      "issues-02-closed-16-pages-2019.json", "issues-01-paginated-5x3.json",
      "forgejo-recorded-mit.json",
    ])
  func recorded(file: String) async throws {
    let test = try await TestMirror()
    var issues: [Int: GitHub.Issue] = [:]
    for exchange in try RecordedExchanges(file: file).exchanges where exchange.status == 200 {
      let body = Data(exchange.body.utf8)
      guard let decoded = try? GitHubJSON.decode([GitHub.Issue].self, from: body) else { continue }
      let page = try FeedPage(body, of: .items)
      for (entry, issue) in zip(page.entries, decoded) {
        try Self.check(entry, agreesWith: issue)
        issues[issue.number] = issue
      }
      try await test.mirror.store(
        page, of: test.repository, sweep: nil, at: TestMirror.now)
    }
    #expect(!issues.isEmpty)
    let kept = try await test.mirror.issues(
      of: test.repository, filter: IssueFilter(state: .all), includesPullRequests: true)
    #expect(Dictionary(uniqueKeysWithValues: kept.map { ($0.number, $0) }) == issues)
    #expect(try await test.mirror.check() == [])
  }

  @Test("parsing a mutated feed page yields the same values as decoding it")
  func fuzz() throws {
    let words = GitHub.Issue.Field.allCases.map(\.rawValue) + ["login", "name", "assignee", "open"]
    let samples = try [FuzzJSON(Array(SampleData.issues))]
    let failure = FuzzTest("change feeds", iterations: 40).run { source in
      // Written anew, so that no object has a name twice: which of them counts is up to the reader.
      let mutation = source.mutation(ofJSON: samples, words: words)
      guard let tree = try? FuzzJSON(mutation) else { return }
      let body = Data(tree.text(using: &source))
      let decoded = try? GitHubJSON.decode([GitHub.Issue].self, from: body)
      let most = FeedPage.Entry.largestNumber + 1
      guard let issues = decoded,
        issues.allSatisfy({ 1..<most ~= $0.number && 0..<most ~= $0.commentsCount })
      else {
        try TestSupport.check((try? FeedPage(body, of: .items)) == nil, "taken, but no issues")
        return
      }
      let page = try FeedPage(body, of: .items)
      try TestSupport.check(page.entries.count == issues.count, "another number of entries")
      for (entry, issue) in zip(page.entries, issues) {
        try Self.check(entry, agreesWith: issue)
      }
    }
    #expect(failure == nil)
  }

  @Test("a feed page with mutated bytes never crashes the process")
  func fuzzBytes() throws {
    let sample = Array(SampleData.issues)
    let failure = FuzzTest("bytes of change feeds", iterations: 100).run { source in
      let body = Data(source.mutation(of: [sample], words: ["\\u", "\\ud83c", "{", "\"", "]"]))
      guard let page = try? FeedPage(body, of: .items) else { return }
      for entry in page.entries {
        _ = try GitHubJSON.decode(Anything.self, from: entry.json)
      }
    }
    #expect(failure == nil)
  }

  /// Any JSON: what is kept has to be some.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }
}

import PlatformModules
import Testing

@testable import TestSupport

/// A page of the issue list, as far as these tests look at it.
private struct Item: Decodable {
  struct PullRequest: Decodable {
    var url: String
  }

  var number: Int
  var title: String
  var state: String
  var pullRequest: PullRequest?
}

private var decoder: JSONDecoder {
  let decoder = JSONDecoder()
  decoder.keyDecodingStrategy = .convertFromSnakeCase
  return decoder
}

@Suite("The loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackGitHubTests {
  private static let list = "/repos/swiftlang/swift/issues"

  private static func get(
    _ target: String, from server: LoopbackServer, headers: [String] = ["User-Agent: test"]
  ) async throws -> (status: Int, headers: LoopbackHeaders, body: Data) {
    let connection = try await RawConnection(port: server.port)
    let fields = ["Host: 127.0.0.1:\(server.port)", "Connection: close"] + headers
    try await connection.send(
      "GET \(target) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
    let answer = try await connection.receiveAll()
    await connection.close()
    let end = try #require(answer.firstRange(of: Data("\r\n\r\n".utf8)))
    let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(
      separator: "\r\n")
    let status = try #require(lines.first?.split(separator: " ").dropFirst().first)
    var fieldsReceived = LoopbackHeaders()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fieldsReceived.add(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    return (try #require(Int(status)), fieldsReceived, answer[end.upperBound...])
  }

  /// Follows one relation of `Link` from page to page.
  private static func walk(
    _ target: String, relation: String = "next", from server: LoopbackServer
  ) async throws -> (items: [Item], pages: Int, last: LoopbackHeaders) {
    var items: [Item] = []
    var pages = 0
    var headers = LoopbackHeaders()
    var next: String? = target
    while let target = next, pages < 100 {
      let answer = try await get(target, from: server)
      #expect(answer.status == 200)
      items += try decoder.decode([Item].self, from: answer.body)
      pages += 1
      headers = answer.headers
      let links = answer.headers["Link"]?.split(separator: ",").map(String.init) ?? []
      next = links.first { $0.hasSuffix("rel=\"\(relation)\"") }.flatMap { link in
        link.split { $0 == "<" || $0 == ">" }.first { $0.hasPrefix(server.url) }
      }.map { String($0.dropFirst(server.url.count)) }
    }
    return (items, pages, headers)
  }

  @Test(
    "cursors visit every item exactly once in every order",
    arguments: [
      "?state=all&per_page=7",
      "?state=all&per_page=100&sort=updated&direction=asc",
      "?sort=updated&state=all&per_page=9",
      "?sort=comments&direction=asc&state=all&per_page=10",
      "?direction=asc&state=all",
    ]
  )
  func cursors(query: String) async throws {
    let github = LoopbackGitHub()
    try await withLoopbackServer(answering: github.handler) { server in
      let walked = try await Self.walk(Self.list + query, from: server)
      #expect(walked.items.map(\.number).sorted() == Array(1...250))
      #expect(walked.items.contains { $0.pullRequest != nil })
      #expect(walked.last["Link"]?.contains("rel=\"last\"") == false)
      let targets = server.log.requests.dropFirst().map(\.path)
      #expect(targets.allSatisfy { $0 == "/repositories/44838949/issues" })
    }
  }

  @Test("newest items come first, and prev links lead back to them")
  func order() async throws {
    let github = LoopbackGitHub()
    try await withLoopbackServer(answering: github.handler) { server in
      let forward = try await Self.walk(Self.list + "?state=all&per_page=60", from: server)
      #expect(forward.items.map(\.number) == Array((1...250).reversed()))
      #expect(forward.pages == 5)
      let target = try #require(server.log.requests.last?.target)
      let back = try await Self.walk(target, relation: "prev", from: server)
      #expect(back.items.map(\.number).sorted() == Array(1...250))
      #expect(back.items.last?.number == 250 - 59)
    }
  }

  @Test("an item updated during an ascending walk by cursors isn't missed")
  func updatedMeanwhile() async throws {
    let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 30))
    let github = LoopbackGitHub(repositories: [repository])
    try await withLoopbackServer(answering: github.handler) { server in
      let target = Self.list + "?state=all&sort=updated&direction=asc&per_page=10"
      let first = try await Self.get(target, from: server)
      let seen = try decoder.decode([Item].self, from: first.body).map(\.number)
      let touched = try #require(seen.first)
      github.changeIssue(touched, of: repository) { $0.updatedAt += 1_000_000_000 }
      let link = try #require(first.headers["Link"])
      let next = try #require(link.split { $0 == "<" || $0 == ">" }.first)
      let rest = try await Self.walk(String(next.dropFirst(server.url.count)), from: server)
      #expect(Set(seen + rest.items.map(\.number)) == Set(1...30))
      #expect(rest.items.last?.number == touched)
    }
  }

  @Test("each filter keeps only matching issues")
  func filters() async throws {
    let github = LoopbackGitHub()
    let all = github.issues(of: .swift())
    let since = Timestamp.iso8601(all[200].updatedAt)
    let cases: [(String, (SyntheticIssue) -> Bool)] = [
      ("", { $0.isOpen }),
      ("state=closed", { !$0.isOpen }),
      (
        "state=all&labels=bug,Linux",
        { $0.labels.filter { ["bug", "Linux"].contains($0.name) }.count == 2 }
      ),
      ("state=all&assignee=ada", { $0.assignees.contains("ada") }),
      ("state=all&assignee=none", { $0.assignees.isEmpty }),
      ("state=all&assignee=*", { !$0.assignees.isEmpty }),
      ("state=all&creator=ken", { $0.author == "ken" }),
      ("state=all&mentioned=ken", { $0.mentions.contains("ken") }),
      ("state=all&milestone=2", { $0.milestone == 2 }),
      ("state=all&milestone=none", { $0.milestone == nil }),
      ("state=all&since=\(since)", { $0.updatedAt >= all[200].updatedAt }),
    ]
    try await withLoopbackServer(answering: github.handler) { server in
      for (query, matches) in cases {
        let walked = try await Self.walk("\(Self.list)?per_page=50&\(query)", from: server)
        let expected = all.filter(matches).map(\.number)
        #expect(!expected.isEmpty && expected.count < 250, "\(query) tells nothing apart")
        #expect(walked.items.map(\.number) == expected.reversed(), "\(query)")
      }
    }
  }

  @Test("a former name redirects to the repository's id and keeps the query")
  func renamed() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let answer = try await Self.get("/repos/Apple/swift/issues?state=all", from: server)
      #expect(answer.status == 301)
      let url = "\(server.url)/repositories/44838949/issues?state=all"
      #expect(answer.headers["Location"] == url)
      let body = String(decoding: answer.body, as: UTF8.self)
      #expect(body.hasPrefix(#"{"message":"Moved Permanently","url":"\#(url)""#))
      let repository = try await Self.get("/repositories/44838949", from: server)
      #expect(String(decoding: repository.body, as: UTF8.self).contains(#""id":44838949,"#))
    }
  }

  @Test(
    "requests that GitHub refuses get its error statuses",
    arguments: [
      ("/repos/o/r", ["User-Agent: t"], 404),
      ("/repos/swiftlang/swift/issues/251", ["User-Agent: t"], 404),
      ("/users/nobody", ["User-Agent: t"], 404),
      ("/rate_limit", [], 403),
      ("/rate_limit", ["User-Agent: t", "Authorization: Bearer wrong"], 401),
      ("/rate_limit", ["User-Agent: t", "Authorization: Bearer right"], 200),
      ("/rate_limit", ["User-Agent: t", "Authorization: token right"], 200),
      (list + "?page=100&per_page=100", ["User-Agent: t"], 422),
      (list + "?page=2&per_page=100", ["User-Agent: t"], 200),
      (list + "?milestone=77", ["User-Agent: t"], 422),
      (list + "?state=ajar", ["User-Agent: t"], 422),
      ("/repos/swiftlang/secret", ["User-Agent: t"], 404),
      ("/repos/swiftlang/secret", ["User-Agent: t", "Authorization: Bearer right"], 200),
      ("/repos/swiftlang/silent/issues", ["User-Agent: t"], 410),
    ]
  )
  func refusals(target: String, headers: [String], status: Int) async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.acceptedTokens = ["right"]
    configuration.missingUsers = ["nobody"]
    configuration.repositories += [
      LoopbackRepository(id: 2, owner: "swiftlang", name: "secret", isPrivate: true),
      LoopbackRepository(id: 3, owner: "swiftlang", name: "silent", hasIssues: false),
    ]
    let github = LoopbackGitHub(configuration)
    try await withLoopbackServer(answering: github.handler) { server in
      let answer = try await Self.get(target, from: server, headers: headers)
      #expect(answer.status == status)
      #expect(answer.headers["X-GitHub-Media-Type"] != nil)
      #expect(answer.headers["x-ratelimit-remaining"] != nil)
      #expect(answer.headers["Date"]?.hasSuffix(" GMT") == true)
    }
  }

  @Test("a conditional request gets a 304, free with a token, until an issue changes")
  func conditional() async throws {
    let repository = LoopbackRepository.swift()
    let github = LoopbackGitHub(repositories: [repository])
    try await withLoopbackServer(answering: github.handler) { server in
      let token = ["User-Agent: t", "Authorization: Bearer t"]
      let first = try await Self.get(Self.list, from: server, headers: token)
      let tag = try #require(first.headers["ETag"])
      let asked = token + ["If-None-Match: \(tag)"]
      let second = try await Self.get(Self.list, from: server, headers: asked)
      #expect(second.status == 304)
      #expect(second.body.isEmpty)
      #expect(second.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"])
      github.changeIssue(250, of: repository) { $0.title = "changed" }
      let third = try await Self.get(Self.list, from: server, headers: asked)
      #expect(third.status == 200)
      #expect(third.headers["ETag"] != tag)
    }
  }

  @Test("an error is returned as often as configured")
  func errors() async throws {
    let github = LoopbackGitHub()
    github.fail(Self.list, with: .secondaryRateLimit(status: 429, retryAfter: 7), times: 1)
    github.fail(Self.list, with: .unavailable, times: 1)
    try await withLoopbackServer(answering: github.handler) { server in
      let limited = try await Self.get("/api/v3\(Self.list)", from: server)
      #expect(limited.status == 429)
      #expect(limited.headers["Retry-After"] == "7")
      let broken = try await Self.get(Self.list, from: server)
      #expect(broken.status == 503)
      #expect(broken.headers["Content-Type"]?.hasPrefix("text/html") == true)
      #expect(try await Self.get(Self.list, from: server).status == 200)
    }
  }

  @Test("the primary limit applies after the allowed requests")
  func rateLimit() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 2
    configuration.now = { Date(timeIntervalSince1970: 1_000_000) }
    let github = LoopbackGitHub(configuration)
    try await withLoopbackServer(answering: github.handler) { server in
      #expect(try await Self.get("/users/a", from: server).status == 200)
      let last = try await Self.get("/users/a", from: server)
      #expect(last.headers["x-ratelimit-remaining"] == "0")
      let refused = try await Self.get("/users/a", from: server)
      #expect(refused.status == 403)
      #expect(refused.headers["x-ratelimit-reset"] == "1003600")
      #expect(refused.headers["Date"] == "Mon, 12 Jan 1970 13:46:40 GMT")
    }
  }

  @Test("links use the client's own address, even through a proxy and below /api/v3")
  func origins() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let proxied = try await Self.get(
        "http://api.example:8/repos/swiftlang/swift/issues?per_page=1", from: server)
      let start = "<http://api.example:8/repositories/44838949/issues?per_page=1&after="
      #expect(proxied.headers["Link"]?.hasPrefix(start) == true)
      let enterprise = try await Self.get("/api/v3\(Self.list)?page=1", from: server)
      let link = "<\(server.url)/api/v3/repositories/44838949/issues?after="
      #expect(enterprise.headers["Link"]?.hasPrefix(link) == true)
    }
  }

  @Test("a user's repositories have numbered pages")
  func repositories() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      struct Repository: Decodable {
        var fullName: String
      }
      let first = try await Self.get("/users/swiftlang/repos?per_page=40", from: server)
      let page = try decoder.decode([Repository].self, from: first.body)
      #expect(page.count == 40)
      #expect(page.first?.fullName == "swiftlang/swift")
      let base = "<\(server.url)/users/swiftlang/repos?per_page=40&page="
      #expect(first.headers["Link"] == "\(base)2>; rel=\"next\", \(base)2>; rel=\"last\"")
      let second = try await Self.get(
        "/users/swiftlang/repos?per_page=40&page=2", from: server)
      #expect(try decoder.decode([Repository].self, from: second.body).count == 2)
      #expect(second.headers["Link"] == "\(base)1>; rel=\"prev\", \(base)1>; rel=\"first\"")
    }
  }

  @Test("a deleted or transferred issue is no longer listed, and its address reports the reason")
  func goneIssues() async throws {
    let swift = LoopbackRepository.swift(issues: SyntheticIssues(count: 9))
    let other = LoopbackRepository(
      id: 2, owner: "swiftlang", name: "other", issues: SyntheticIssues(count: 4))
    let github = LoopbackGitHub(repositories: [swift, other])
    github.deleteIssue(3, of: swift)
    #expect(github.transferIssue(5, of: swift, to: other) == 5)
    #expect(github.transferIssue(5, of: swift, to: other) == nil)
    try await withLoopbackServer(answering: github.handler) { server in
      let listed = try await Self.walk(Self.list + "?state=all", from: server)
      #expect(listed.items.map(\.number) == [9, 8, 7, 6, 4, 2, 1])
      let deleted = try await Self.get("\(Self.list)/3", from: server)
      #expect(deleted.status == 410)
      for tail in ["", "/comments?per_page=1"] {
        let moved = try await Self.get("\(Self.list)/5\(tail)", from: server)
        #expect(moved.status == 301)
        #expect(moved.headers["Location"] == "\(server.url)/repositories/2/issues/5\(tail)")
      }
      let there = try await Self.get("/repositories/2/issues/5", from: server)
      let item = try decoder.decode(Item.self, from: there.body)
      #expect(there.status == 200 && item.title == SyntheticIssues(count: 9).make()[4].title)
    }
  }

  @Test("comments have numbered pages with links to the next and last page")
  func comments() async throws {
    struct Comment: Decodable {
      var id: Int
      var body: String
    }
    let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 2))
    let github = LoopbackGitHub(repositories: [repository])
    github.changeIssue(1, of: repository) { $0.comments = 5 }
    try await withLoopbackServer(answering: github.handler) { server in
      let base = "\(server.url)/repositories/44838949/issues/1/comments?per_page=2&page="
      let first = try await Self.get("\(Self.list)/1/comments?per_page=2", from: server)
      let page = try decoder.decode([Comment].self, from: first.body)
      #expect(page.map { $0.body.prefix(10) } == ["Comment 1:", "Comment 2:"])
      #expect(first.headers["Link"] == "<\(base)2>; rel=\"next\", <\(base)3>; rel=\"last\"")
      let last = try await Self.get("\(Self.list)/1/comments?per_page=2&page=3", from: server)
      #expect(try decoder.decode([Comment].self, from: last.body).count == 1)
      #expect(last.headers["Link"] == "<\(base)2>; rel=\"prev\", <\(base)1>; rel=\"first\"")
    }
  }

  @Test("hostile issues have hostile titles, bodies and comments")
  func hostileTexts() async throws {
    struct Text: Decodable {
      var body: String
    }
    let recipe = SyntheticIssues(count: 3, isHostile: true)
    let repository = LoopbackRepository.swift(issues: recipe)
    let github = LoopbackGitHub(repositories: [repository])
    github.changeIssue(1, of: repository) { $0.comments = 2 }
    try await withLoopbackServer(answering: github.handler) { server in
      let issue = try await Self.get("\(Self.list)/1", from: server)
      var texts = [try decoder.decode(Text.self, from: issue.body).body]
      let comments = try await Self.get("\(Self.list)/1/comments", from: server)
      texts += try decoder.decode([Text].self, from: comments.body).map(\.body)
      #expect(texts.count == 3)
      for text in texts {
        for sample in HostileText.samples {
          #expect(
            text.unicodeScalars.split(separator: "\n").contains {
              $0.firstRange(of: Array(sample.unicodeScalars.prefix { $0 != "\r" })) != nil
            })
        }
        #expect(text.split(separator: "\n").contains { $0.count > 10_000 })
      }
    }
  }

  @Test("hostile text arrives unchanged")
  func hostile() async throws {
    let recipe = SyntheticIssues(count: HostileText.samples.count, isHostile: true)
    let github = LoopbackGitHub(repositories: [.swift(issues: recipe)])
    try await withLoopbackServer(answering: github.handler) { server in
      let walked = try await Self.walk(
        Self.list + "?state=all&direction=asc&per_page=100", from: server)
      #expect(
        walked.items.map { Array($0.title.unicodeScalars) }
          == HostileText.samples.map { Array($0.unicodeScalars) })
      let whole = try await Self.get(Self.list + "?state=all", from: server)
      #expect(!whole.body.contains { $0 < 0x20 })
    }
  }

  @Test("gh's list query returns all issues and no pull requests")
  func graphQL() async throws {
    let github = LoopbackGitHub()
    let issues = github.issues(of: .swift()).filter { !$0.isPullRequest }
    try await withLoopbackServer(answering: github.handler) { server in
      var numbers: [Int] = []
      var cursor = "null"
      for _ in 1...10 where cursor != "" {
        let body = """
          {"query":"query IssueList { repository { issues(first: 100) { totalCount nodes {\
          number,title} pageInfo{hasNextPage endCursor} } } }","variables":{"owner":"swiftlang",\
          "repo":"swift","limit":100,"endCursor":\(cursor),"states":["OPEN","CLOSED"]}}
          """
        let connection = try await RawConnection(port: server.port)
        try await connection.send(
          """
          POST /api/graphql HTTP/1.1\r\nUser-Agent: t\r\nConnection: close\r
          Content-Length: \(body.utf8.count)\r\n\r\n\(body)
          """)
        let answer = try await connection.receiveAll()
        let end = try #require(answer.firstRange(of: Data("\r\n\r\n".utf8)))
        let list = try decoder.decode(List.self, from: answer[end.upperBound...])
          .data.repository.issues
        #expect(list.totalCount == issues.count)
        numbers += list.nodes.map(\.number)
        cursor = list.pageInfo.hasNextPage ? JSONText.string(list.pageInfo.endCursor) : ""
      }
      #expect(numbers == issues.map(\.number).reversed())
    }
  }

  private struct List: Decodable {
    struct Body: Decodable {
      var repository: Repository
    }

    struct Repository: Decodable {
      var issues: Issues
    }

    struct Issues: Decodable {
      var totalCount: Int
      var nodes: [Node]
      var pageInfo: PageInfo
    }

    struct Node: Decodable {
      var number: Int
    }

    struct PageInfo: Decodable {
      var hasNextPage: Bool
      var endCursor: String?
    }

    var data: Body
  }

  @Test(
    "times are formatted for HTTP and ISO 8601",
    arguments: [
      (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
      (784_111_777, "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
      (1_709_164_800, "2024-02-29T00:00:00Z", "Thu, 29 Feb 2024 00:00:00 GMT"),
      (4_102_444_799, "2099-12-31T23:59:59Z", "Thu, 31 Dec 2099 23:59:59 GMT"),
    ]
  )
  func times(seconds: Int, iso: String, http: String) {
    #expect(Timestamp.iso8601(seconds) == iso)
    #expect(Timestamp.httpDate(seconds) == http)
    #expect(Timestamp.seconds(iso) == seconds)
  }
}

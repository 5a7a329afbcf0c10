import Foundation
import Testing

@testable import TestSupport

@Suite("Repository search of the loopback GitHub")
struct LoopbackSearchTests {
  /// An answer, as far as these tests look at it.
  private struct Page: Decodable {
    struct Item: Decodable {
      var id: Int
      var fullName: String
      var score: Double
    }

    var totalCount: Int
    var incompleteResults: Bool
    var items: [Item]
  }

  private static func get(
    _ target: String, from github: LoopbackGitHub, token: String? = nil
  ) async -> LoopbackResponse {
    var headers: LoopbackHeaders = ["User-Agent": "t", "Host": "h"]
    if let token { headers.add("Authorization", "Bearer \(token)") }
    return await github.handler(
      LoopbackRequest(method: "GET", target: target, headers: headers))
  }

  private static func page(_ response: LoopbackResponse) throws -> Page {
    #expect(response.status == 200)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Page.self, from: response.body)
  }

  private static func link(_ relation: String, in response: LoopbackResponse) -> String? {
    response.headers["Link"]?.split(separator: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
      .map { String($0.drop { $0 != "/" }.dropFirst(3).prefix { $0 != ">" }) }
  }

  private static func walk(
    _ target: String, in github: LoopbackGitHub
  ) async throws -> (names: [String], pages: Int) {
    var (names, pages): ([String], Int) = ([], 0)
    var next: String? = target
    while let target = next, pages < 100 {
      let response = await get(target, from: github)
      names += try page(response).items.map(\.fullName)
      pages += 1
      next = link("next", in: response)
    }
    return (names, pages)
  }

  @Test(
    "links visit every search result once, up to 1,000 results",
    arguments: [(250, 100, 250, 3), (1677, 30, 1000, 34), (1000, 100, 1000, 10), (0, 30, 0, 1)])
  func pages(total: Int, pageSize: Int, found: Int, pageCount: Int) async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = []
    configuration.repositoriesPerSearch = total
    let github = LoopbackGitHub(configuration)
    let target = "/search/repositories?q=tetris+language%3Aswift&per_page=\(pageSize)"
    let walked = try await Self.walk(target, in: github)
    #expect(walked.names.count == found)
    #expect(Set(walked.names).count == found)
    #expect(walked.names.allSatisfy { $0.contains("/tetris-") })
    #expect(walked.pages == pageCount)
    #expect(try Self.page(await Self.get(target, from: github)).totalCount == total)
  }

  @Test("matching existing repositories come first, and private ones require a token")
  func own() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [
      .swift(), LoopbackRepository(id: 2, owner: "ada", name: "engine"),
      LoopbackRepository(id: 3, owner: "ada", name: "swift-notes", isPrivate: true),
    ]
    configuration.repositoriesPerSearch = 5
    let github = LoopbackGitHub(configuration)
    let open = try Self.page(await Self.get("/search/repositories?q=SWIFT", from: github))
    #expect(open.items.map(\.fullName).first == "swiftlang/swift")
    #expect(open.items.count == 5 && open.totalCount == 5 && !open.incompleteResults)
    let own = try Self.page(
      await Self.get("/api/v3/search/repositories?q=swift+user:ada", from: github, token: "t"))
    #expect(own.items.map(\.fullName).first == "ada/swift-notes")
    #expect(own.items.allSatisfy { $0.fullName.hasPrefix("ada/") })
  }

  @Test(
    "a search refuses the queries that GitHub refuses",
    arguments: [
      "", "?q=", "?q=%20", "?q=\(String(repeating: "a", count: 257))", "?q=a&page=35",
      "?q=a&per_page=100&page=11",
    ])
  func refused(query: String) async {
    let response = await Self.get("/search/repositories\(query)", from: LoopbackGitHub())
    #expect(response.status == 422)
    #expect(response.headers["x-ratelimit-resource"] == "search")
  }

  @Test("searches have a separate quota per minute")
  func quota() async throws {
    var configuration = LoopbackGitHub.Configuration()
    let time = Watched(1_000_000.0)
    configuration.now = { Date(timeIntervalSince1970: time.current) }
    configuration.searchRateLimit = 2
    configuration.rateLimit = 3
    let github = LoopbackGitHub(configuration)
    let search = "/search/repositories?q=a"
    for remaining in ["1", "0"] {
      let answer = await Self.get(search, from: github, token: "t")
      #expect(answer.status == 200)
      #expect(answer.headers["x-ratelimit-remaining"] == remaining)
      #expect(answer.headers["x-ratelimit-resource"] == "search")
    }
    let refused = await Self.get(search, from: github, token: "t")
    #expect(refused.status == 403)
    #expect(refused.headers["x-ratelimit-reset"] == "1000060")
    #expect(refused.headers["x-ratelimit-resource"] == "search")
    #expect(refused.headers["x-ratelimit-limit"] == "2")
    let other = await Self.get("/repos/swiftlang/swift", from: github, token: "t")
    #expect(other.headers["x-ratelimit-remaining"] == "2")
    #expect(other.headers["x-ratelimit-resource"] == "core")
    let limits = await Self.get("/rate_limit", from: github, token: "t")
    let text = String(decoding: limits.body, as: UTF8.self)
    #expect(text.contains(#""search":{"limit":2,"used":2,"remaining":0,"reset":1000060}"#))
    time.update { $0 += 60 }
    #expect(await Self.get(search, from: github, token: "t").status == 200)
  }

  @Test("a configured limit applies to searches, and an interception applies once")
  func faults() async throws {
    let github = LoopbackGitHub()
    let path = "/search/repositories"
    github.fail(path, with: .primaryRateLimit(status: 403, reset: 30), times: 1)
    github.intercept(times: 1, where: { $0.path == path }, response: { _, _ in .text("{") })
    let limited = await Self.get("\(path)?q=a", from: github)
    #expect(limited.status == 403)
    #expect(limited.headers["x-ratelimit-resource"] == "search")
    #expect(await Self.get("\(path)?q=a", from: github).body == Data("{".utf8))
    let third = await Self.get("\(path)?q=a", from: github)
    #expect(third.status == 200)
    #expect(third.headers["x-ratelimit-used"] == "3")
    #expect(third.headers["x-ratelimit-limit"] == "10")
  }
}

import Foundation
import Testing

@testable import TestSupport

@Suite("The issue search of the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackIssueSearchTests {
  private struct Page: Decodable {
    var totalCount: Int
    var items: [AnsweredItem]
  }

  private static func page(_ response: LoopbackResponse) throws -> Page {
    #expect(response.status == 200)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(Page.self, from: response.body)
  }

  @Test("an issue search finds issues by title words and common qualifiers")
  func found() async throws {
    let cases: [(String, (SyntheticIssue) -> Bool)] = [
      ("CRASH closure repo:swiftlang/swift", { $0.title.hasPrefix("Crash") }),
      ("repo:swiftlang/swift is:open is:issue", { $0.isOpen && !$0.isPullRequest }),
      ("repo:SwiftLang/Swift type:pr state:closed", { !$0.isOpen && $0.isPullRequest }),
      (
        "repo:swiftlang/swift label:\"good first issue\" author:ken in:title",
        { $0.author == "ken" && $0.labels.contains { $0.name == "good first issue" } }
      ),
      ("repo:swiftlang/swift milestone:Next no:such", { $0.milestone == 3 }),
    ]
    let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 2000))
    let github = LoopbackGitHub(repositories: [
      repository, LoopbackRepository(id: 2, owner: "ada", name: "engine"),
    ])
    for (query, matches) in cases {
      let expected = github.issues(of: repository).filter(matches).map(\.number)
      #expect(!expected.isEmpty && expected.count < 1000)
      var numbers: [Int] = []
      var next: String? = "/search/issues?q=\(PercentCoding.encode(query))&per_page=100"
      while let target = next {
        let response = await github.get(target)
        let page = try Self.page(response)
        #expect(page.totalCount == expected.count)
        numbers += page.items.compactMap(\.number)
        next = response.link("next")
      }
      #expect(numbers == expected.reversed(), "\(query)")
    }
  }

  @Test("a search covers every visible repository unless it names some")
  func repositories() async throws {
    let github = LoopbackGitHub(repositories: [
      .swift(issues: SyntheticIssues(count: 20)),
      LoopbackRepository(id: 2, owner: "ada", name: "engine", issues: SyntheticIssues(count: 30)),
      LoopbackRepository(
        id: 3, owner: "ada", name: "secret", isPrivate: true, issues: SyntheticIssues(count: 40)),
    ])
    func total(_ query: String, token: String? = nil) async throws -> Int {
      let headers: LoopbackHeaders = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
      return try Self.page(
        await github.get("/search/issues?q=\(PercentCoding.encode(query))", headers: headers)
      ).totalCount
    }
    #expect(try await total("is:open is:closed") < 50)
    #expect(try await total("state:all") == 50)
    #expect(try await total("state:all", token: "t") == 90)
    #expect(try await total("repo:ada/engine repo:swiftlang/swift") == 50)
    #expect(try await total("repo:ada/engine repo:ada/nothing") == 30)
    #expect(try await total("repo:ada/secret") == 0)
    func advanced(_ query: String) async throws -> Int {
      let text = PercentCoding.encode(query)
      return try Self.page(await github.get("/search/issues?q=\(text)&advanced_search=true"))
        .totalCount
    }
    #expect(try await advanced("repo:ada/engine repo:swiftlang/swift") == 0)
    #expect(try await advanced("(repo:ada/engine OR repo:swiftlang/swift)") == 50)
    #expect(try await advanced("(is:open OR is:closed) repo:ada/engine") < 31)
    let page = try Self.page(
      await github.get("/search/issues?q=state:all&per_page=15&page=2"))
    #expect(page.items.count == 15)
    #expect(page.items.map(\.number) == [5, 4, 3, 2, 1, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21])
  }

  @Test(
    "an issue search refuses the queries that GitHub refuses",
    arguments: ["", "?q=", "?q=a&page=35"])
  func refused(query: String) async {
    let response = await LoopbackGitHub().get("/search/issues\(query)")
    #expect(response.status == 422)
    #expect(response.headers["x-ratelimit-resource"] == "search")
  }
}

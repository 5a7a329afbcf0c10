import Foundation
import Testing

@testable import TestSupport

@Suite("The timeline of the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackTimelineTests {
  private static let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 300))
  private static let list = "/repos/swiftlang/swift/issues"
  private static let newest = SyntheticIssues(count: 1).newest

  private static func github(
    _ change: (inout LoopbackGitHub.Configuration) -> Void = { _ in }
  ) -> LoopbackGitHub {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [
      repository,
      LoopbackRepository(id: 2, owner: "swiftlang", name: "elsewhere"),
    ]
    configuration.now = { Date(timeIntervalSince1970: Double(newest + 100)) }
    change(&configuration)
    return LoopbackGitHub(configuration)
  }

  /// The expected list: all items, filtered and in order.
  private static func expected(
    _ issues: [SyntheticIssue], since: Int, _ key: (SyntheticIssue) -> Int
  ) -> [Int] {
    issues.filter { $0.updatedAt >= since }
      .sorted { (key($0), $0.number) < (key($1), $1.number) }.map(\.number)
  }

  @Test("the timeline stays sorted in every requested order after any changes")
  func keptUp() async throws {
    let github = Self.github()
    var changes = 0
    for round in 0..<8 {
      let since = Self.newest - [0, 50_000, 900_000, 10_000_000][round % 4]
      let time = Timestamp.iso8601(since)
      let issues = github.issues(of: Self.repository)
      let query = "\(Self.list)?state=all&since=\(time)&per_page=17"
      let updated = try await github.walk("\(query)&sort=updated&direction=asc")
      #expect(
        updated.items.map(\.number) == Self.expected(issues, since: since) { $0.updatedAt })
      let created = try await github.walk("\(query)&sort=created")
      #expect(
        created.items.map(\.number)
          == Self.expected(issues, since: since) { $0.createdAt }.reversed())
      let commented = try await github.walk(
        "\(query)&sort=comments&direction=asc&labels=bug")
      let bugs = issues.filter { $0.labels.contains { $0.name == "bug" } }
      #expect(
        commented.items.map(\.number) == Self.expected(bugs, since: since) { $0.comments })
      let object = await github.get("/repos/swiftlang/swift")
      let open = issues.count(where: \.isOpen)
      #expect(
        String(decoding: object.body, as: UTF8.self).contains("\"open_issues_count\":\(open),"))
      for _ in 0..<40 {
        github.stir(Self.repository, changes, seed: 1, at: Self.newest + 100 + changes / 7)
        changes += 1
      }
    }
    #expect(github.issues(of: Self.repository).count > 250)
  }

  @Test(
    "the timeline can begin at any time, and two hundred beginnings share one sorted list")
  func beginnings() async throws {
    let size = 20_000
    let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: size))
    let github = LoopbackGitHub(repositories: [repository])
    let issues = github.issues(of: repository)
    let times = issues.map(\.updatedAt).sorted()
    for step in 0..<200 {
      let since = times[step * (size - 1) / 199]
      let page = try await github.items(
        "\(Self.list)?state=all&sort=updated&direction=asc&per_page=3"
          + "&since=\(Timestamp.iso8601(since))")
      let first = times.partitioningIndex(from: since)
      #expect(
        page.map { Int($0.updatedAt.timeIntervalSince1970) }
          == Array(times[first..<min(first + 3, size)]))
    }
  }

  @Test(
    "the timeline can have page numbers at any depth with a link to the last page"
  )
  func pagesByNumber() async throws {
    let github = Self.github { $0.pagesByNumber = true }
    let first = await github.get("\(Self.list)?state=all&sort=updated&direction=asc&per_page=2")
    #expect(
      first.link("next") == "/repositories/44838949/issues?state=all&sort=updated&direction=asc"
        + "&per_page=2&page=2")
    #expect(first.link("last")?.hasSuffix("&page=150") == true)
    let walked = try await github.walk("\(Self.list)?state=all&per_page=2")
    #expect(walked.items.map(\.number) == (1...300).reversed().map(Optional.init))
    #expect(walked.pages == 150)
  }

  @Test("with page numbers, an item changed between requests makes the next page skip an item")
  func hole() async throws {
    let github = Self.github { $0.pagesByNumber = true }
    let query = "\(Self.list)?state=all&sort=updated&direction=asc&per_page=100"
    let first = try await github.items(query)
    github.changeIssue(try #require(first[0].number), of: Self.repository) {
      $0.updatedAt = Self.newest + 100
    }
    let rest = try await github.items("\(query)&page=2") + github.items("\(query)&page=3")
    #expect(Set((first + rest).compactMap(\.number)).count == 299)
  }

  @Test("a list keeps its entity tag until something on the page changes")
  func tags() async throws {
    let github = Self.github()
    let query = "\(Self.list)?state=all&sort=updated&direction=asc&per_page=10"
    func tag() async -> String? { await github.get(query).headers["ETag"] }
    let known = try #require(await tag())
    let numbers = try await github.items(query).compactMap(\.number)
    github.changeIssue(try #require((1...300).first { !numbers.contains($0) }), of: Self.repository)
    {
      $0.title = "Somewhere else"
    }
    #expect(await tag() == known)
    let asked = await github.get(query, headers: ["If-None-Match": known])
    #expect(asked.status == 304 && asked.body.isEmpty && asked.link("next") != nil)
    github.changeIssue(numbers[3], of: Self.repository) { $0.title = "Here" }
    #expect(await tag() != known)
    #expect(await github.get(query, headers: ["If-None-Match": known]).status == 200)
  }

  @Test("configured changes between requests are reproducible")
  func activity() async throws {
    func numbers(_ seed: UInt64) async throws -> [[Int?]] {
      let github = Self.github {
        $0.activity = LoopbackActivity(changesPerRequest: 2.5, maximumCount: 60, seed: seed)
      }
      var pages: [[Int?]] = []
      for _ in 0..<40 {
        let query = "?state=all&sort=updated&per_page=100"
        pages.append(try await github.items(Self.list + query).map(\.number))
      }
      return pages
    }
    let first = try await numbers(1)
    #expect(try await numbers(1) == first)
    #expect(try await numbers(2) != first)
    // Two changes with the first request, three with the second.
    #expect(first[0].prefix(1) != first[39].prefix(1))
    #expect(first[24] == first[39] && first[0] != first[24])
    #expect(LoopbackActivity(changesPerRequest: 2.5).changes(with: 2) == 2..<5)
    #expect(LoopbackActivity(changesPerRequest: 0.5).changes(with: 1).isEmpty)
  }

  @Test("a configured share of responses fails reproducibly")
  func faults() async throws {
    let plain = Self.github()
    let github = Self.github { $0.faults = LoopbackFaults(share: 0.25, seed: 3) }
    var struck: [Int] = []
    for number in 1...400 {
      let answer = await github.get("\(Self.list)/7")
      if answer.status != 200 || answer.interruption != nil
        || answer.headers["Content-Length"] != nil || answer.headers["Content-Encoding"] != nil
        || answer.headers["Transfer-Encoding"] != nil
        || answer.wireSteps(for: Self.request).count > 1
      {
        struck.append(number)
      } else {
        #expect(await answer.body == plain.get("\(Self.list)/7").body)
      }
    }
    #expect((60...140).contains(struck.count))
    #expect(struck == (1...400).filter { LoopbackFaults(share: 0.25, seed: 3).fault($0) != nil })
    #expect((1...400).allSatisfy { LoopbackFaults(share: 0).fault($0) == nil })
  }

  private static let request = LoopbackRequest(method: "GET", target: "/")

  @Test("generated prose has realistic sizes, a few common words and many rare ones")
  func prose() async throws {
    let issues = SyntheticIssues(count: 400, hasProse: true).make()
    #expect(SyntheticIssues(count: 400, hasProse: true).make() == issues)
    var counts: [String: Int] = [:]
    for issue in issues {
      let words = "\(issue.title) \(issue.body ?? "")".lowercased().split { !$0.isLetter }
      for word in Set(words) { counts[String(word), default: 0] += 1 }
    }
    #expect(counts.count > 15_000)
    #expect(counts.values.count { $0 > 200 } > 3)
    #expect(counts.values.count { $0 < 10 } > 8_000)
    let github = LoopbackGitHub(repositories: [
      .swift(issues: SyntheticIssues(count: 500, hasProse: true))
    ])
    let page = await github.get("\(Self.list)?state=all&per_page=100")
    #expect((4_000...6_000).contains(page.body.count / 100))
  }
}

extension [Int] {
  /// The first place of a value that isn't less, in ascending values.
  fileprivate func partitioningIndex(from value: Int) -> Int {
    firstIndex { $0 >= value } ?? count
  }
}

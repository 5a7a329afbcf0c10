import Foundation
import Testing

@testable import TestSupport

@Suite("A repository's comments on the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackCommentsTests {
  private static let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 40))
  private static let list = "/repos/swiftlang/swift/issues"
  private static let timeline = "\(list)/comments?sort=updated&direction=asc"
  private static let now = SyntheticIssues(count: 1).newest + 1_000_000

  /// Every comment by its issue's number and its body, in the order of the last changes.
  private static func expected(_ github: LoopbackGitHub, since: Int = 0) -> [String] {
    github.issues(of: repository)
      .flatMap { issue in
        github.comments(on: issue.number, of: repository).map { (issue.number, $0) }
      }
      .filter { $0.1.updatedAt >= since }
      .sorted { ($0.1.updatedAt, $0.0, $0.1.index) < ($1.1.updatedAt, $1.0, $1.1.index) }
      .map { "\($0.0): \($0.1.body)" }
  }

  private static func names(_ items: [AnsweredItem]) -> [String] {
    items.map { "\($0.issueUrl?.split(separator: "/").last ?? ""): \($0.body ?? "")" }
  }

  @Test(
    "a repository's comments have numbered pages, are sorted by change, and accept 'since'"
  )
  func timeline() async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    let all = try await github.walk("\(Self.timeline)&per_page=30")
    #expect(Self.names(all.items) == Self.expected(github))
    #expect(Set(all.items.map(\.id)).count == all.items.count)
    #expect(all.pages == (all.items.count + 29) / 30 && all.pages > 4)
    let middle = all.items[all.items.count / 2].updatedAt
    let since = Int(middle.timeIntervalSince1970)
    let late = try await github.walk("\(Self.timeline)&since=\(Timestamp.iso8601(since))")
    #expect(late.items == all.items.filter { $0.updatedAt >= middle })
    let oldest = try await github.walk("\(Self.list)/comments?direction=desc")
    #expect(oldest.items.map(\.id).sorted() == all.items.map(\.id).sorted())
    let times = oldest.items.map(\.updatedAt)
    #expect(times == times.sorted())
    #expect(await github.get("\(Self.timeline)&since=yesterday").status == 422)
  }

  @Test("a new comment changes its issue, and an edited or deleted one doesn't")
  func changes() async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    github.changeIssue(7, of: Self.repository) { $0.comments = 3 }
    func issue() async throws -> AnsweredItem {
      let items = try await github.items("\(Self.list)?state=all&per_page=100")
      return try #require(items.first { $0.number == 7 })
    }
    _ = try await github.items(Self.timeline)
    let before = try await issue()
    #expect(before.comments == 3)
    #expect(
      github.addComment(on: 7, of: Self.repository, at: Self.now) { $0.body = "Fourth" } == 3)
    let written = try await issue()
    #expect(written.comments == 4)
    #expect(written.updatedAt.timeIntervalSince1970 == Double(Self.now))
    #expect(try await Self.names(github.walk(Self.timeline).items).last == "7: Fourth")

    #expect(
      github.changeComment(0, on: 7, of: Self.repository) {
        $0.body = "Edited"
        $0.updatedAt = Self.now + 1
      })
    #expect(github.deleteComment(1, on: 7, of: Self.repository))
    #expect(!github.deleteComment(1, on: 7, of: Self.repository))
    let after = try await issue()
    #expect(after.comments == 3 && after.updatedAt == written.updatedAt)
    let kept = try await github.walk("\(Self.list)/7/comments?per_page=2")
    #expect(kept.items.map(\.body?.first) == ["E", "C", "F"] && kept.pages == 2)
    #expect(try await Self.names(github.walk(Self.timeline).items) == Self.expected(github))
    // A place is never used again.
    #expect(github.addComment(on: 7, of: Self.repository, at: Self.now + 2) == 4)
    #expect(github.addComment(on: 41, of: Self.repository, at: Self.now + 2) == nil)
  }

  @Test("a repository's comments stay sorted after any change")
  func keptUp() async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    for change in 0..<150 {
      github.stir(Self.repository, change, at: Self.now + change / 5)
      guard change.isMultiple(of: 10) else { continue }
      let all = try await github.walk("\(Self.timeline)&per_page=100")
      #expect(Self.names(all.items) == Self.expected(github))
      let late = try await github.walk(
        "\(Self.timeline)&per_page=100&since=\(Timestamp.iso8601(Self.now))")
      #expect(Self.names(late.items) == Self.expected(github, since: Self.now))
    }
  }

  @Test("a comment is unchanged when its issue's title changes")
  func independent() async throws {
    let github = LoopbackGitHub(repositories: [Self.repository])
    github.changeIssue(7, of: Self.repository) { $0.comments = 1 }
    let before = try await github.items("\(Self.list)/7/comments")
    github.changeIssue(7, of: Self.repository) { $0.title = "Another" }
    #expect(try await github.items("\(Self.list)/7/comments") == before)
  }
}

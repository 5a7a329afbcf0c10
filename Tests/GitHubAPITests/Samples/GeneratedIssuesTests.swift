import Foundation
import HTTPTargets
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Generated issues", .ownThread, .timeLimit(.minutes(5)))
struct GeneratedIssuesTests {
  private static let repositories = ["vapor/vapor", "curl/curl", "ada-example/swift-calendar"]

  @Test("generated issues cover the cases that a list must handle", arguments: repositories)
  func variety(repository: String) throws {
    let issues = GeneratedIssues(repository: repository).all()
    #expect(issues.map(\.number) == (1...issues.count).reversed())
    #expect(issues.count(where: \.isPullRequest) > 20)
    #expect(issues.count { $0.state == .open && !$0.isPullRequest } > 120)
    #expect(issues.count { $0.state == .closed } > 60)
    #expect(issues.allSatisfy { ($0.state == .closed) == ($0.closedAt != nil) })
    #expect(Set(issues.compactMap(\.stateReason)).count == 3)
    #expect(issues.contains { $0.body == nil })
    #expect(issues.contains { $0.user?.login == "ghost" })
    #expect(issues.contains { $0.title.count > 180 })
    #expect(issues.contains { $0.title.contains("日本語") })
    #expect(issues.contains { $0.title.contains("👩‍👩‍👧‍👦") })
    #expect(issues.contains { $0.assignees.count == 2 })
    #expect(issues.contains { $0.milestone?.number == 3 })
    #expect(issues.contains { $0.commentsCount > 100 } && issues.contains { $0.commentsCount == 0 })
    #expect(issues.contains { $0.reactions?.total ?? 0 > 10 })
    #expect(issues.allSatisfy { $0.id > Int64(UInt32.max) })
    #expect(issues.flatMap(\.labels).allSatisfy { $0.color?.count == 6 })
    // Few are alike but for the number.
    #expect(Set(issues.map(\.title)).count > issues.count / 2)
  }

  @Test(
    "generated issues are created one after the other, and change later",
    arguments: repositories)
  func times(repository: String) throws {
    let issues = GeneratedIssues(repository: repository).all()
    let opened = issues.compactMap(\.createdAt)
    #expect(opened.count == issues.count)
    #expect(zip(opened, opened.dropFirst()).allSatisfy { $0 > $1 })
    for issue in issues {
      let (created, updated) = (try #require(issue.createdAt), try #require(issue.updatedAt))
      #expect(created <= updated)
      #expect(updated < Date(timeIntervalSince1970: 1_765_540_800))
      #expect(created.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0)
    }
  }

  @Test(
    "generated issues contain all elements of Markdown, and the newest contains each of them"
  )
  func markdown() throws {
    let issues = GeneratedIssues(repository: "vapor/vapor").all()
    #expect(issues.first?.isPullRequest == false && issues.first?.state == .open)
    let newest = try #require(issues.first?.body)
    for text in [
      "### ", "1. ", "```swift", "|:---", "- [x]", "> > ", "](https://", "<details>", "![", "@",
      "#",
    ] {
      #expect(newest.contains(text), "\(text)")
    }
    let bodies = issues.compactMap(\.body)
    #expect(bodies.contains { $0.utf8.contains(13) } && bodies.contains { !$0.utf8.contains(13) })
    #expect(bodies.contains { $0.contains(":thinking:") })
    #expect(bodies.contains { $0.count < 200 })
  }

  @Test("generated issues are the same every time, and differ between repositories")
  func determinism() throws {
    let issues = GeneratedIssues(repository: "vapor/vapor").all()
    #expect(issues == GeneratedIssues(repository: "vapor/vapor").all())
    #expect(
      issues.prefix(20).map(\.title)
        != GeneratedIssues(repository: "a/b").all().prefix(20).map(\.title))
    // The dice are the same in every process.
    #expect(SampleDice.hash("vapor/vapor") == 6_577_055_656_565_785_528)
    #expect(issues.count == 334)
    #expect(issues.first?.title == "Slow start when the network goes away")
  }

  @Test("generated issues are the same in a lookup as in the list, and other numbers aren't found")
  func single() async throws {
    let provider = Provider.gitHub(.stubbed())
    let name = try #require(RepositoryName("vapor/vapor"))
    let issues = GeneratedIssues(repository: "vapor/vapor").all()
    for issue in issues.prefix(20) {
      #expect(try await provider.issue(issue.number, of: name) == issue)
    }
    let missing = await #expect(throws: NetworkError.self) {
      try await provider.issue(issues.count + 1, of: name)
    }
    #expect(missing?.response?.status == .notFound)
    #expect(missing?.message.hasSuffix("Not Found") == true)
  }

  @Test("generated issues match the count of their repository")
  func counts() async throws {
    let provider = Provider.gitHub(.stubbed())
    let repository = try await provider.repository(try #require(RepositoryName("Vapor/Vapor")))
    #expect(repository.fullName == "vapor/vapor")
    let open = GeneratedIssues(repository: "vapor/vapor").all().count { $0.state == .open }
    #expect(repository.openIssuesCount == open)
  }

  @Test("generated issues are empty for a repository without issues and for an unknown one")
  func refusals() async throws {
    let provider = Provider.gitHub(.stubbed())
    for (name, status) in [("octocat/notes", HTTPResponse.Status.gone), ("apple/swif", .notFound)] {
      for target in [
        GitHub.issues(repositoryFullName: name), .issue(repositoryFullName: name, number: 1),
        .issueComments(repositoryFullName: name, number: 1),
      ] {
        let error = await #expect(throws: NetworkError.self) { try await provider.request(target) }
        #expect(error?.response?.status == status)
      }
    }
  }
}

import Foundation
import Testing

@testable import GitHubAPI

@Suite("What is decoded to warm up")
struct WarmUpTests {
  @Test("a repository with an owner and topics")
  func repository() throws {
    let json = Data(GitHubJSON.warmUpSamples.repository.utf8)
    let repository = try GitHubJSON.decoder().decode(GitHub.Repository.self, from: json)
    #expect(repository.owner != nil)
    #expect(repository.topics == ["t"])
  }

  @Test("an issue that has every part of another type")
  func issue() throws {
    let json = Data(GitHubJSON.warmUpSamples.issues.utf8)
    let issue = try #require(try GitHubJSON.decoder().decode([GitHub.Issue].self, from: json).first)
    #expect(issue.user != nil && issue.milestone != nil && issue.createdAt != nil)
    #expect(issue.labels.count == 1 && issue.assignees.count == 1)
    #expect(issue.pullRequest != nil)
    #expect(issue.reactions?.total == 1)
    #expect(issue.type != nil && issue.subIssues != nil && issue.dependencies != nil)
  }
}

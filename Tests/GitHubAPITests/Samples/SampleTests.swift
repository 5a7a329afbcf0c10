import Foundation
import SampleData
import Testing

@testable import GitHubAPI

@Suite("Samples")
struct SampleTests {
  private func decode(_ body: Data) throws -> [GitHub.Issue] {
    try GitHubJSON.decode([GitHub.Issue].self, from: body)
  }

  @Test("each sample is small, because embedding it costs compile time")
  func sizes() {
    for sample in [
      SampleData.issues, SampleData.repository, SampleData.repositories, SampleData.user,
      SampleData.rateLimit, SampleData.searchRepositories,
    ] {
      #expect((100...8_192).contains(sample.count))
    }
  }

  @Test("the sample repository, repositories and user can be decoded")
  func others() throws {
    let repository = try GitHubJSON.decode(
      GitHub.Repository.self, from: Data(SampleData.repository))
    #expect(repository.id == 44_838_949)
    #expect(repository.fullName == "swiftlang/swift")
    let repositories = try GitHubJSON.decode(
      [GitHub.Repository].self, from: Data(SampleData.repositories))
    #expect(repositories.count == 5)
    #expect(Set(repositories.map(\.id)).count == 5)
    #expect(repositories.contains { $0.language == nil && $0.pushedAt == nil })
    let user = try GitHubJSON.decode(GitHub.User.self, from: Data(SampleData.user))
    #expect(repositories.allSatisfy { $0.owner?.login == user.login })
  }

  @Test("the sample issues cover the cases that a list must handle")
  func issues() throws {
    let issues = try SampleIssues.all()
    #expect((10...12).contains(issues.count))
    #expect(Set(issues.map(\.id)).count == issues.count)
    #expect(issues.count(where: \.isPullRequest) == 2)
    #expect(issues.contains { $0.state == .closed && $0.stateReason == .notPlanned })
    #expect(issues.contains { $0.body == nil })
    #expect(issues.contains { $0.body == "" })
    #expect(issues.contains { $0.user?.login == "ghost" })
    #expect(issues.contains { $0.milestone != nil })
    #expect(issues.contains { $0.title.count > 180 })
    #expect(issues.contains { $0.title.contains("🐛") })
    #expect(issues.contains { $0.id > Int64(UInt32.max) })
    #expect(issues.contains { $0.reactions?.total == 0 })
    #expect(issues.contains { ($0.reactions?.counts.count ?? 0) > 2 })
    #expect(issues.flatMap(\.labels).allSatisfy { $0.color?.count == 6 })
    #expect(issues.allSatisfy { ($0.state == .closed) == ($0.closedAt != nil) })
    #expect(
      issues.allSatisfy { $0.htmlURL?.hasPrefix("https://github.com/swiftlang/swift/") == true })
  }

  @Test(
    "a stub finds and counts the repositories that match all search terms",
    arguments: [
      ("swift", 78), ("swift user:apple", 6), ("SWIFT http", 2), ("language:c", 5),
      ("user:octocat", 3),
      ("org:apple nio", 1), ("stars:>10 curl", 1), ("weather ☀️", 1), ("no-such-repository", 0),
    ])
  func search(query: String, count: Int) throws {
    let target = GitHub.searchRepositories(query: query)
    let found = try GitHubJSON.decode(
      SearchResults<GitHub.Repository>.self, from: target.sampleData)
    #expect(found.items.count == min(count, 30))
    #expect(found.totalCount == count)
    #expect(!found.isIncomplete)
    let all = try SampleRepositories.all()
    #expect(all.count >= 90 && Set(all.map(\.id)).count == all.count)
    #expect(Set(all.map { $0.fullName.lowercased() }).count == all.count)
    #expect(all.allSatisfy { RepositoryName($0.fullName) != nil })
    #expect(found.items == all.filter(found.items.contains), "in the order of the sample")
    #expect(all.allSatisfy { $0.htmlURL == "https://github.com/\($0.fullName)" })
    #expect(all.contains { $0.language == nil } && all.contains { $0.id > Int64(UInt32.max) })
  }

  /// The first page of what a stub answers.
  private func list(_ filter: IssueFilter) throws -> [GitHub.Issue] {
    try decode(
      GitHub.issues(repositoryFullName: "apple/swift", filter: filter, pageSize: 100).sampleData)
  }

  @Test("a stub returns the whole sample file for an unfiltered list")
  func everything() throws {
    #expect(try list(IssueFilter(state: .all)) == SampleIssues.all())
  }

  @Test("a stub filters and sorts")
  func filtering() throws {
    let open = try list(IssueFilter())
    let closed = try list(IssueFilter(state: .closed))
    #expect(!open.isEmpty && open.allSatisfy { $0.state == .open })
    #expect(!closed.isEmpty && closed.allSatisfy { $0.state == .closed })
    #expect(try open.count + closed.count == SampleIssues.all().count)
    let oldest = IssueFilter(state: .all, direction: .ascending)
    #expect(try list(oldest) == SampleIssues.all().reversed())
  }

  @Test("a stub's items have every key, and pull requests have their link")
  func keys() throws {
    let answer = GitHub.issues(
      repositoryFullName: "apple/swift", filter: IssueFilter(state: .all), pageSize: 100
    ).sampleData
    let objects = try #require(
      JSONSerialization.jsonObject(with: answer) as? [[String: Any]])
    for object in objects {
      let keys = Set(object.keys).symmetricDifference(GitHub.Issue.Field.allCases.map(\.rawValue))
      #expect(keys.isEmpty || keys == ["draft", "pull_request"])
    }
    #expect(objects.count { $0["pull_request"] != nil } == 2)
  }

  @Test(
    "a repository name selects its sample, and an unknown owner's name selects the default sample",
    arguments: [
      ("apple/swift", "swiftlang/swift"), ("SwiftLang/Swift", "swiftlang/swift"),
      ("vapor/Vapor", "vapor/vapor"), ("apple/swift-nio.git", "apple/swift-nio"),
      ("octocat/notes", "octocat/notes"), ("my/own", "swiftlang/swift"),
      ("apple/swift-n", nil), ("swiftlang/swif", nil), ("octocat/nothing", nil),
    ])
  func names(name: String, found: String?) throws {
    #expect(try SampleRepositories.named(name)?.fullName == found)
  }
}

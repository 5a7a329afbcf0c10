// Nothing but the module itself: what a program needs comes with it.
import IssueTracker
import Testing

@Suite("A program that imports only IssueTracker")
struct ImportTests {
  @Test("a program that imports only IssueTracker can create a provider without arguments")
  func provider() {
    let provider = Provider.gitHub()
    #expect(type(of: provider) == Provider<GitHub>.self)
  }

  @Test(
    "a program that imports only IssueTracker can use Swift Testing's Issue and GitHub.Issue"
  )
  func names() {
    let issue = GitHub.Issue(
      id: 1, number: 1, title: "One", labels: [GitHub.Label(name: "bug")])
    withKnownIssue { Issue.record("\(issue.title)") }
  }

  @Test(
    "a program that imports only IssueTracker can decode the samples of a stubbed provider"
  )
  func samples() async throws {
    let provider = Provider.gitHub(.stubbed())
    let user: GitHub.User = try await provider.request(.userProfile(username: "a"))
      .decode(using: GitHubJSON.decoder())
    #expect(Username(user.login) != nil)
    let repositories: [GitHub.Repository] = try await provider.request(.repos(username: "a"))
      .decode(using: GitHubJSON.decoder())
    #expect(!repositories.isEmpty)
    let repository: GitHub.Repository = try await provider.request(.repo(fullName: "a/b"))
      .decode(using: GitHubJSON.decoder())
    #expect(RepositoryName(repository.fullName) != nil)
    let issues: [GitHub.Issue] = try await provider.request(.issues(repositoryFullName: "a/b"))
      .decode(using: GitHubJSON.decoder())
    #expect(issues.count > 3 && issues.allSatisfy { $0.state == .open })
  }

  @Test("a program that imports only IssueTracker can track and list the sample issues")
  func tracking() async throws {
    let provider = Provider.gitHub(.stubbed())
    let (names, input) = AsyncStream.makeStream(of: String.self)
    input.yield("apple/swift")
    input.finish()
    var count = 0
    for await issues in IssueTrackerModel(provider: provider, repositoryNames: names).trackIssues()
    {
      count = issues.count
      #expect(issues.allSatisfy { !$0.isPullRequest })
    }
    #expect(count > 2)

    let name = try #require(RepositoryName("apple/swift"))
    var listed = 0
    for try await page in IssueListing(provider: provider, repository: name) {
      listed += page.issues.count
      #expect(!page.hasMore)
    }
    #expect(listed == count)
  }
}

import GitHubAPI
import HTTPTargets
import IssueTracker
import TestSupport
import Testing

@Suite("A renamed repository", .timeLimit(.minutes(5)))
struct RenamedRepositoryTests {
  @Test(
    "a renamed repository is looked up first, and its issues are requested by the new name",
    arguments: [nil, "ghp_0123456789"])
  func requests(token: String?) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub.everywhere().handler) { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server, token: token),
        repositoryNames: Names(names: ["apple/Swift"]))
      for await outcome in model.outcomes() {
        #expect(outcome.name == "apple/Swift")
        #expect(outcome.repository?.fullName == "swiftlang/swift")
        #expect(!outcome.issues.isEmpty)
      }
      let requests = server.log.requests
      #expect(
        requests.map(\.path) == [
          "/repos/apple/Swift", "/repositories/44838949", "/repos/swiftlang/swift/issues",
          // Pull requests were among the first hundred.
          "/repositories/44838949/issues",
        ])
      #expect(requests.dropFirst(2).first?.rawQuery == "state=open&per_page=100")
      for request in requests {
        #expect(request.method == "GET")
        #expect(request.headers.values(of: "Accept") == ["application/vnd.github+json"])
        #expect(request.headers.values(of: "X-GitHub-Api-Version") == ["2022-11-28"])
        let agent = try #require(request.headers["User-Agent"])
        #expect(agent.hasPrefix("issue-tracker-client/"))
        #expect(
          request.headers.values(of: "Authorization") == (token.map { ["Bearer \($0)"] } ?? []))
      }
    }
  }

  @Test("a repository renamed to another origin is requested without the token")
  func otherOrigin() async throws {
    let github = LoopbackGitHub.everywhere()
    try await withLoopbackServer(answering: github.handler) { other in
      let elsewhere = "\(other.url)/repos/swiftlang/swift"
      try await withLoopbackServer { request in
        guard request.path == "/repos/apple/swift" else { return await github.handler(request) }
        return .json("{}", status: 301, headers: ["Location": elsewhere])
      } perform: { server in
        let model = IssueTrackerModel(
          provider: try Provider(asking: server, token: "ghp_0123456789"),
          repositoryNames: Names(names: ["apple/swift"]))
        for await issues in model.trackIssues() { #expect(!issues.isEmpty) }
        #expect(other.log.requests.map(\.path) == ["/repos/swiftlang/swift"])
        #expect(other.log.requests.first?.headers["Authorization"] == nil)
        let own = server.log.requests
        #expect(
          own.map(\.path).prefix(2) == ["/repos/apple/swift", "/repos/swiftlang/swift/issues"])
        #expect(own.allSatisfy { $0.headers["Authorization"] == "Bearer ghp_0123456789" })
      }
    }
  }

  @Test("a repository renamed to an invalid name fails with a reason and without another request")
  func hostileName() async throws {
    try await withLoopbackServer { _ in
      .json(#"{"id": 1, "full_name": "../../user", "name": "user"}"#)
    } perform: { server in
      let model = IssueTrackerModel(
        provider: try Provider(asking: server), repositoryNames: Names(names: ["a/b"]))
      for await outcome in model.outcomes() {
        #expect(outcome.failure?.code == .requestMapping)
        #expect(outcome.issues.isEmpty)
      }
      #expect(server.log.requests.map(\.path) == ["/repos/a/b"])
    }
  }
}

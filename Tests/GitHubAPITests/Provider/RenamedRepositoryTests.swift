import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("A renamed repository", .timeLimit(.minutes(5)))
struct RenamedRepositoryTests {
  private struct Idle: Interceptor {
    func intercept(
      _ request: TargetRequest, call: TargetCall, next: Next
    ) async throws(NetworkError) -> TargetResponse {
      try await next(request)
    }
  }

  private func withGitHub(
    _ perform: @Sendable (GitHubServer, any Transport) async throws -> Void
  ) async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [.swift(issues: SyntheticIssues(count: 1))]
    try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
      let certificates = CurlTransport.Configuration(certificates: CertificateStore())
      try await perform(
        try GitHubServer(apiURL: server.url), CurlTransport(configuration: certificates))
    }
  }

  @Test("a renamed repository is found by a provider with custom interceptors")
  func found() async throws {
    try await withGitHub { server, transport in
      let provider = Provider.gitHub(
        .init(server: server, interceptors: [Idle()], transport: transport))
      let repository = try await provider.repository(try #require(RepositoryName("apple/swift")))
      #expect(repository.fullName == "swiftlang/swift")
    }
  }

  @Test("a renamed repository isn't found by a provider without redirects")
  func withoutRedirects() async throws {
    try await withGitHub { server, transport in
      let provider = Provider.gitHub(.init(server: server, redirects: nil, transport: transport))
      let error = try #require(
        await #expect(throws: NetworkError.self) {
          try await provider.request(.repo(fullName: "apple/swift"))
        })
      #expect(error.code == .statusCode)
      #expect(error.response?.status == .movedPermanently)
    }
  }
}

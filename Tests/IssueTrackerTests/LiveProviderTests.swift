import CurlTransport
import IssueTracker
import Testing

@testable import HTTPTargets

@Suite("Provider.gitHub")
struct LiveProviderTests {
  private func interceptors(_ configuration: GitHub.Configuration) -> [String] {
    Provider.gitHub(configuration).interceptors.map { "\(type(of: $0))" }
  }

  @Test("Provider.gitHub explains errors and accepts a token with any configuration")
  func plugins() throws {
    var plain = GitHub.Configuration()
    plain.cache = nil
    plain.retries = nil
    plain.rateLimits = nil
    let providers = [
      Provider.gitHub(), .gitHub(.stubbed()), .gitHub(.init(token: try AccessToken("t"))),
      .gitHub(.init(transport: StubTransport(.failure(.cancelled)))), .gitHub(plain),
    ]
    let limited = TargetResponse(
      request: TargetRequest(url: "https://api.github.com/x"), status: .init(code: 429))
    let error = NetworkError(.statusCode, "429", response: limited)
    for provider in providers {
      let explained = provider.plugins.process(.failure(error), of: GitHub.rateLimit)
      let code =
        if case .failure(let error) = explained { error.code } else { nil as NetworkError.Code? }
      #expect(code == .rateLimited)
      #expect(provider.plugins.contains { $0.prepare != nil })
      #expect(provider.redirects != nil)
    }
    #expect(providers[0].transport is CurlTransport)
    #expect(providers[2].transport is CurlTransport)
  }

  @Test("Provider.gitHub has its interceptors in the documented order")
  func interceptors() {
    var configuration = GitHub.Configuration()
    #expect(
      interceptors(configuration) == [
        "RetryInterceptor", "EarlyCallInterceptor", "RateLimitInterceptor",
      ])
    configuration.cache = CachingInterceptor(store: MemoryResponseStore())
    configuration.interceptors = [CoalescingInterceptor()]
    #expect(
      interceptors(configuration) == [
        "CachingInterceptor", "CoalescingInterceptor", "RetryInterceptor", "EarlyCallInterceptor",
        "RateLimitInterceptor",
      ])
    configuration.cache = nil
    configuration.retries = nil
    configuration.rateLimits = nil
    #expect(interceptors(configuration) == ["CoalescingInterceptor", "EarlyCallInterceptor"])
  }

  @Test("Provider.gitHub with only stubs fails for a target without a stub")
  func unstubbed() async {
    var configuration = GitHub.Configuration.stubbed()
    configuration.stubbing = { $0 == .rateLimit ? .immediate : .never }
    let provider = Provider.gitHub(configuration)
    await #expect(throws: Never.self) { try await provider.request(.rateLimit) }
    let error = await #expect(throws: NetworkError.self) {
      try await provider.request(.ownProfile)
    }
    #expect(error?.code == .requestMapping)
  }

  @Test("Provider.gitHub differs from a bare provider, which has no token or interceptors")
  func bare() {
    let bare = Provider<GitHub>(transport: CurlTransport.shared)
    #expect(bare.interceptors.isEmpty && bare.plugins.isEmpty)
  }
}

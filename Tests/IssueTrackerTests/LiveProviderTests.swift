import GitHubAPI
import IssueTracker
import Testing

@testable import HTTPTargets

@Suite("Provider<GitHub> of this package")
struct LiveProviderTests {
  @Test("explains errors and takes a token, with whatever arguments it is made")
  func plugins() throws {
    let providers = [
      Provider<GitHub>(), Provider<GitHub>(stubClosure: { _ in .immediate }),
      Provider<GitHub>(plugins: []), Provider<GitHub>(server: .github),
      Provider<GitHub>(token: try AccessToken("t")),
      Provider<GitHub>(stubClosure: { _ in .never }, plugins: []),
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
      #expect(provider.interceptors.contains { $0 is RetryInterceptor })
      #expect(provider.redirects != nil)
      #expect(provider.transport is CurlTransport)
    }
  }

  @Test("retries inside the caller's interceptors, or not at all")
  func retry() throws {
    let provider = Provider<GitHub>(interceptors: [CoalescingInterceptor()])
    #expect(provider.interceptors.first is CoalescingInterceptor)
    #expect(provider.interceptors.dropFirst().contains { $0 is RetryInterceptor })
    #expect(!Provider<GitHub>(retry: nil).interceptors.contains { $0 is RetryInterceptor })
  }
}

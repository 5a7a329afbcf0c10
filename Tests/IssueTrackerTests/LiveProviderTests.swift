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
    for provider in providers {
      #expect(provider.plugins.contains { $0 is GitHubErrors })
      #expect(provider.plugins.contains { $0 is AccessTokenPlugin })
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

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
      #expect(provider.redirects != nil)
      #expect(provider.transport is CurlTransport)
    }
  }
}

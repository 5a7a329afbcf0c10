import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport

extension Provider where Target == GitHub {
  /// Asks a loopback server over connections of its own, each request once unless said otherwise.
  init(
    asking server: LoopbackServer, token: AccessToken? = nil,
    interceptors: [any Interceptor] = [], retry: RetryInterceptor? = nil
  ) throws {
    self.init(
      server: try GitHubServer(apiURL: server.url), token: token, interceptors: interceptors,
      retry: retry,
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
  }
}

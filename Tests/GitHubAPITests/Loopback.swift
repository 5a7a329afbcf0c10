import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport

extension Provider where Target == GitHub {
  /// Asks a loopback server over connections of its own, each request once unless said otherwise.
  ///
  /// It waits for as long as the test may take: two others that compute hold up the server on two processors.
  init(
    asking server: LoopbackServer, token: AccessToken? = nil,
    interceptors: [any Interceptor] = [], retry: RetryPolicy? = nil
  ) throws {
    var configuration = GitHub.Configuration(
      server: try GitHubServer(apiURL: server.url), token: token, interceptors: interceptors,
      retries: retry, timeouts: Timeouts(scaledTo: .seconds(300)),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
    configuration.refusesForeignServers = false
    self = .gitHub(configuration)
  }
}

import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport

extension Provider where Target == GitHub {
  /// Asks a loopback server over connections of its own.
  init(
    asking server: LoopbackServer, token: AccessToken? = nil,
    interceptors: [any Interceptor] = []
  ) throws {
    self.init(
      server: try GitHubServer(apiURL: server.url), token: token, interceptors: interceptors,
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
  }
}

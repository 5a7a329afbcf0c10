internal import ArgumentParser
internal import TestSupport

/// What makes a server on 127.0.0.1 stand for `https://HOST`: a relay that ends TLS with a certificate of an
/// authority of its own, and an HTTP proxy whose tunnels lead there, whatever host they are for.
struct TLSFront {
  /// Who has signed the certificate; its files are gone with it.
  let authority: CertificateAuthority
  private let relay: LoopbackRelay
  private let proxy: LoopbackRelay

  /// Where the proxy is.
  var proxyURL: String { "http://127.0.0.1:\(proxy.port)" }

  /// Starts both.
  ///
  /// - Parameters:
  ///   - host: The host; nil for neither.
  ///   - port: Where the server is.
  /// - Returns: The front; nil without a host.
  /// - Throws: When there is nothing to make certificates or to speak TLS with.
  static func start(for host: String?, port: UInt16) async throws -> TLSFront? {
    guard let host else { return nil }
    if let problem = CertificateAuthority.problem {
      throw ValidationError("--tls-host: \(problem)")
    }
    let authority = try await CertificateAuthority()
    let relay = try LoopbackRelay.tls(
      try await authority.certificate(.good, host: host), to: port)
    return TLSFront(
      authority: authority, relay: relay, proxy: try LoopbackRelay.proxy(to: relay.port))
  }

  /// Stops both.
  func stop() async {
    await proxy.stop()
    await relay.stop()
  }
}

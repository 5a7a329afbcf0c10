internal import ArgumentParser
internal import TestSupport

/// Impersonates `https://HOST` on 127.0.0.1. A relay terminates TLS with a certificate from its own authority, and
/// every tunnel of an HTTP proxy leads to the relay.
struct TLSFront {
  /// The authority deletes its files when it is released.
  let authority: CertificateAuthority
  private let relay: LoopbackRelay
  private let proxy: LoopbackRelay

  var proxyURL: String { "http://127.0.0.1:\(proxy.port)" }

  /// Returns nil without a host. Throws if there is no tool to create certificates or terminate TLS.
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

  func stop() async {
    await proxy.stop()
    await relay.stop()
  }
}

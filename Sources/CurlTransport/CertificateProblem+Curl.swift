internal import HTTPTargets

extension CertificateProblem {
  /// Tells what libcurl found wrong with a certificate.
  ///
  /// - Parameters:
  ///   - verifyResult: What `CURLINFO_SSL_VERIFYRESULT` says: of OpenSSL one of its
  ///     [`X509_V_ERR_…`](https://docs.openssl.org/3.0/man3/X509_STORE_CTX_get_error/), of other TLS
  ///     libraries nothing that could be read.
  ///   - words: libcurl's message, the only sign of a wrong host, which libcurl checks by itself, and of
  ///     everything where the TLS library is another one.
  init?(verifyResult: Int, words: String) {
    switch verifyResult {
    case 10: self = .expired
    case 9: self = .notYetValid
    // The certificate itself, or the last one of those that came with it.
    case 18, 19: self = .selfSigned
    case 2, 20, 21: self = .unknownAuthority
    case 23: self = .revoked
    case 62, 64: self = .wrongHost
    default: self.init(words: words.lowercased())
    }
  }

  private init?(words: String) {
    let signs: [(CertificateProblem, [String])] = [
      (
        .wrongHost,
        [
          "does not match target host name", "no alternative certificate subject name",
          "host name mismatch", "hostname mismatch",
        ]
      ),
      (.expired, ["expired", "expiration date has passed"]),
      (.notYetValid, ["not yet valid", "activation date is in the future"]),
      (.revoked, ["revoked"]),
      (.selfSigned, ["self-signed", "self signed"]),
      (.unknownAuthority, ["local issuer", "unknown ca", "signer not found", "issuer is unknown"]),
    ]
    guard let sign = signs.first(where: { $0.1.contains { words.contains($0) } }) else {
      return nil
    }
    self = sign.0
  }

  /// A sentence about a host's certificate.
  func sentence(about host: String) -> String {
    switch self {
    case .expired: "the certificate of \(host) has expired"
    case .notYetValid: "the certificate of \(host) isn't valid yet"
    case .selfSigned: "the certificate of \(host) is self-signed"
    case .unknownAuthority: "the certificate of \(host) is of an authority that isn't trusted"
    case .wrongHost: "the certificate of \(host) is for another host"
    case .revoked: "the certificate of \(host) has been revoked"
    }
  }
}

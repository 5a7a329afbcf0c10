/// What a transport reports when it couldn't carry a request out.
public struct TransportFailure: Sendable, Hashable {
  /// The step that failed.
  public var reason: Reason
  /// The transport's own number; for libcurl a
  /// [CURLcode](https://curl.se/libcurl/c/libcurl-errors.html).
  public var code: Int
  /// What is wrong with the certificate, with reason ``Reason/certificate``, where that is known.
  public var certificateProblem: CertificateProblem?

  /// Creates a report.
  public init(_ reason: Reason, code: Int, certificateProblem: CertificateProblem? = nil) {
    self.reason = reason
    self.code = code
    self.certificateProblem = certificateProblem
  }

  /// The step that failed.
  public enum Reason: String, Sendable, Hashable {
    /// The host name has no address.
    case nameLookup
    /// No connection to the host or the proxy.
    case connection
    /// The proxy was reached and won't connect to the host: it wants credentials, or forbids it.
    case proxy
    /// The connection broke, or the body is shorter than announced.
    case interrupted
    /// The server's certificate isn't trusted, has expired, or names another host.
    case certificate
    /// The TLS handshake failed.
    case tls
    /// The answer isn't valid HTTP.
    case malformedResponse
    /// The compressed body is damaged.
    case contentEncoding
    /// Anything else.
    case other
  }
}

/// The scheme, host and port of a URL: the boundary that a secret must not cross (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `https` or `http`.
  public let scheme: String
  /// The host in lower case without a trailing dot; an IPv6 address stands in brackets.
  public let host: String
  /// The port, the scheme's own where the URL names none.
  public let port: Int

  /// Finds the origin of an absolute http or https URL; nil if there is room for doubt.
  ///
  /// Readers of URLs disagree about user information, backslashes, blanks, control characters,
  /// percent-encoded or non-ASCII hosts, and numbers as addresses. A URL with any of these has no
  /// origin here, so that `https://api.github.com@evil.example/` equals nothing.
  public init?(url: String) {
    guard let url = AbsoluteURL(url) else { return nil }
    self = url.origin
  }

  /// Creates an origin from a parsed host.
  package init(scheme: String, host: HostName) {
    self.init(
      scheme: scheme, host: host.host, port: host.port ?? Self.defaultPort(of: scheme))
  }

  /// Creates an origin from parts that are known to be valid.
  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether a request to this origin stays on this machine: 127.0.0.0/8, ::1, `localhost` and names
  /// below it.
  public var isLoopback: Bool { HostName(host)?.isLoopback == true }

  /// Whether credentials may go there: over TLS, or to this machine.
  public var isTrustworthy: Bool { scheme == "https" || isLoopback }

  /// The origin as the beginning of a URL. The scheme's own port is left out.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, and the port unless it is the scheme's own.
  package var authority: String {
    port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

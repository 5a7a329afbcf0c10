/// The scheme, host and port that a URL's request goes to: the line that a secret must not cross
/// (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `https` or `http`.
  public let scheme: String
  /// The host in lower case without a trailing dot; an IPv6 address stands in brackets.
  public let host: String
  /// The port, the scheme's own where the URL names none.
  public let port: Int

  /// Finds the origin of an absolute http or https URL, or gives nil when there is room for doubt.
  ///
  /// Readers of URLs disagree about user information, backslashes, blanks, control characters,
  /// percent-encoded or non-ASCII hosts, and numbers as addresses. A URL with any of these has no
  /// origin here, so that `https://api.github.com@evil.example/` equals nothing.
  public init?(url: String) {
    guard let url = AbsoluteURL(url) else { return nil }
    self = url.origin
  }

  /// Puts an origin together from a host that was read.
  package init(scheme: String, host: HostName) {
    self.init(
      scheme: scheme, host: host.host, port: host.port ?? Self.defaultPort(of: scheme))
  }

  /// Puts an origin together from parts that are known to be right.
  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether a request to this origin stays on this machine: 127.0.0.0/8, ::1, `localhost` and names
  /// below it.
  public var isLoopback: Bool { HostName(host)?.isLoopback == true }

  /// Whether credentials may be sent there: over TLS, or to this machine.
  public var isTrustworthy: Bool { scheme == "https" || isLoopback }

  /// The origin as it begins a URL: the port stands only where it isn't the scheme's own.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, and the port where it isn't the scheme's own.
  package var authority: String {
    port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

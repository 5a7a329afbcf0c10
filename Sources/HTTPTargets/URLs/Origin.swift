/// The scheme, host and port of a URL: the boundary that a secret must not cross (RFC 6454, section 4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `https` or `http`.
  public let scheme: String
  /// The host in lower case without a trailing dot; an IPv6 address stands in brackets.
  public let host: String
  /// The port; by default the scheme's own.
  public let port: Int

  /// The origin of an absolute http or https URL; nil in case of doubt.
  ///
  /// Parsers disagree about user information, backslashes, blanks, control characters, percent-encoded or non-ASCII
  /// hosts, and numbers as addresses. A URL with any of these has no origin, so `https://api.github.com@evil.example/`
  /// equals nothing.
  public init?(url: String) {
    guard let url = AbsoluteURL(url) else { return nil }
    self = url.origin
  }

  package init(scheme: String, host: HostName) {
    self.init(
      scheme: scheme, host: host.host, port: host.port ?? Self.defaultPort(of: scheme))
  }

  /// The parts must be valid.
  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether the origin is on this machine: 127.0.0.0/8, ::1, `localhost` and names below it.
  public var isLoopback: Bool { HostName(host)?.isLoopback == true }

  /// Whether credentials may go there: over TLS, or to this machine.
  public var isTrustworthy: Bool { scheme == "https" || isLoopback }

  /// The origin as the beginning of a URL, without a default port.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, and the port unless it is the scheme's own.
  package var authority: String {
    port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension Origin: Codable {
  /// Decodes the origin of a URL, such as its own text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText(Origin.init(url:))
  }

  /// Encodes the origin as the beginning of a URL.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}

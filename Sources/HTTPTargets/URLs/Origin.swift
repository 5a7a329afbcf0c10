/// The scheme, host and port of a URL (RFC 6454, section 4). A secret of one origin must not be sent to another.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `https` or `http`.
  public let scheme: String
  /// The host in lowercase without a trailing dot. An IPv6 address is in brackets.
  public let host: String
  /// The port; by default that of the scheme.
  public let port: Int

  /// Creates the origin of an absolute http or https URL; nil if it is ambiguous.
  ///
  /// Parsers disagree about user information, backslashes, spaces, control characters, percent-encoded or non-ASCII
  /// hosts, and numbers as addresses. A URL with any of these has no origin, so `https://api.github.com@evil.example/`
  /// never equals another origin.
  public init?(url: String) {
    guard let url = AbsoluteURL(url) else { return nil }
    self = url.origin
  }

  package init(scheme: String, host: HostName) {
    self.init(
      scheme: scheme, host: host.host, port: host.port ?? Self.defaultPort(of: scheme))
  }

  /// Creates an origin from valid parts.
  package init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether the origin is on this machine: 127.0.0.0/8, ::1, `localhost` and its subdomains.
  public var isLoopback: Bool { HostName(host)?.isLoopback == true }

  /// Whether credentials may be sent to the origin: over TLS, or to this machine.
  public var isTrustworthy: Bool { scheme == "https" || isLoopback }

  /// The origin as the beginning of a URL, without a default port.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, and the port unless it is the default of the scheme.
  package var authority: String {
    port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension Origin: Codable {
  /// Decodes an origin from a URL, such as its own text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeText(Origin.init(url:))
  }

  /// Encodes the origin as the beginning of a URL.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(self)
  }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Scheme, host and port of a URL: the unit that credentials belong to
/// ([RFC 6454](https://www.rfc-editor.org/rfc/rfc6454#section-4)).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `https` or `http`, in lower case.
  public let scheme: String
  /// The host in lower case; an IPv6 address without its brackets.
  public let host: String
  /// The port, the scheme's own one if the URL names none.
  public let port: Int

  /// Creates the origin of an absolute http or https URL; nil for anything else.
  ///
  /// The URL has to be valid by [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986) as it stands: what
  /// two parsers could read differently (blanks, backslashes, control characters) is refused.
  public init?(url: String) {
    guard let components = URL(string: url, encodingInvalidCharacters: false),
      let scheme = components.scheme?.lowercased(), scheme == "https" || scheme == "http",
      var host = components.host(percentEncoded: true)?.lowercased(), !host.isEmpty,
      !host.contains("%")
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.hasSuffix(".") { host.removeLast() }
    guard !host.isEmpty else { return nil }
    let port = components.port ?? (scheme == "https" ? 443 : 80)
    guard (1...65535).contains(port) else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1
  /// ([RFC 6761](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)).
  public var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether credentials may be sent there: over TLS, or to this machine.
  public var isTrustworthy: Bool { scheme == "https" || isLoopback }

  /// The origin as text, with the port only where it isn't the scheme's own.
  public var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    let isDefault = port == (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
  }
}

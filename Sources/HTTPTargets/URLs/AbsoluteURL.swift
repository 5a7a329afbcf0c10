/// An http or https URL, split at its authority and parsed strictly: see ``Origin/init(url:)``.
package struct AbsoluteURL {
  package let origin: Origin
  package let rest: Substring

  /// Parses a URL. The result is nil if it is invalid, or if two parsers could interpret it differently.
  package init?(_ text: String) {
    // An array of bytes, because every call parses a URL, and reading the characters or bytes of a string takes much
    // longer.
    let bytes = Array(text.utf8)
    guard
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard scheme == "https" || scheme == "http", bytes[(colon + 1)...].starts(with: "//".utf8)
    else { return nil }
    let start = colon + 3
    let end =
      bytes[start...].firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      } ?? bytes.endIndex
    guard let host = HostName(bytes[start..<end]) else { return nil }
    origin = Origin(scheme: scheme, host: host)
    rest = text[text.utf8.index(text.startIndex, offsetBy: end)...]
  }

  /// The reason that text isn't a URL that can be requested; nil if it is.
  package static func problem(of text: String) -> String? {
    guard AbsoluteURL(text) == nil else { return nil }
    let scalars = text.unicodeScalars
    guard !scalars.allSatisfy(\.isASCII), let slashes = text.firstRange(of: "://") else {
      return "it is not an absolute http or https URL"
    }
    let host = scalars[slashes.upperBound...].prefix { !"/?#".unicodeScalars.contains($0) }
    return host.allSatisfy(\.isASCII)
      ? "characters that aren't ASCII must be percent-encoded"
      : "its host isn't ASCII: write an international name in Punycode, as in xn--bcher-kva.example"
  }
}

extension AbsoluteURL {
  /// Resolves a `Location` or `Link` (RFC 3986, section 5.2). Encodes only spaces and non-ASCII characters. If a
  /// reference has a character that RFC 3986 doesn't allow (`?a[0]=%20`), Foundation's `URL` encodes the rest twice
  /// (`%2520`), which breaks signed URLs.
  package func resolving(_ reference: String) -> String? {
    // Compares scalars, because a number sign with a combining mark is a different character, but still begins a
    // fragment.
    let reference = Self.sendable(reference.unicodeScalars.prefix { $0 != "#" })
    let delimiter = reference.first { ":/?".contains($0) }
    if delimiter == ":" { return AbsoluteURL(reference)?.normalized }
    if reference.hasPrefix("//") {
      return AbsoluteURL("\(origin.scheme):\(reference)")?.normalized
    }
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    let resolved: String
    switch reference.first {
    case nil: resolved = String(rest.prefix { $0 != "#" })
    case "/": resolved = reference
    case "?": resolved = path + reference
    default:
      let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      resolved = directory + reference
    }
    return AbsoluteURL("\(origin)\(resolved)")?.normalized
  }

  private var normalized: String {
    let path = rest.prefix { $0 != "?" }
    return "\(origin)\(Self.removingDotSegments(path))\(rest[path.endIndex...])"
  }

  private static func removingDotSegments(_ path: Substring) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      switch segment {
      case ".", "..":
        if segment == "..", kept.count > 1 { kept.removeLast() }
        if index == segments.count - 1 { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  private static func sendable(_ text: Substring.UnicodeScalarView) -> String {
    text.reduce(into: "") { encoded, scalar in
      if scalar == " " || !scalar.isASCII {
        encoded += PercentEncoding.encode(String(scalar))
      } else {
        encoded.unicodeScalars.append(scalar)
      }
    }
  }
}

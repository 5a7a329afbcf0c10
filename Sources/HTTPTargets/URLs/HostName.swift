internal import PlatformModules

/// A host name. It is stricter than RFC 3986, so that libcurl and all other parsers use the checked host. It allows
/// labels of `A-Z a-z 0-9 - _`, four decimal parts, or IPv6 in brackets. It doesn't allow user information, escapes or
/// non-ASCII names.
package struct HostName: Hashable, Sendable {
  /// The host in lowercase without a trailing dot. An IPv6 address is in brackets.
  package let host: String
  package let port: Int?

  package init?(_ authority: some StringProtocol) {
    self.init(Array(authority.utf8)[...])
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let hostBytes: ArraySlice<UInt8>
    let portBytes: ArraySlice<UInt8>?
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      hostBytes = bytes[...end]
      let rest = bytes[(end + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
      portBytes = rest.isEmpty ? nil : rest.dropFirst()
      guard let address = Self.canonicalIPv6(hostBytes.dropFirst().dropLast()) else { return nil }
      host = "[\(address)]"
    } else {
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
      hostBytes = bytes[..<(colon ?? bytes.endIndex)]
      portBytes = colon.map { bytes[($0 + 1)...] }
      guard let name = Self.canonicalName(hostBytes) else { return nil }
      host = name
    }
    if let portBytes {
      guard (1...5).contains(portBytes.count), portBytes.allSatisfy(\.isASCIIDigit),
        let number = Int(String(decoding: portBytes, as: UTF8.self)), (1...65_535).contains(number)
      else { return nil }
      port = number
    } else {
      port = nil
    }
  }

  /// Whether the host is this machine: 127.0.0.0/8, ::1, `localhost` or a subdomain of it (RFC 6761, section 6.3).
  package var isLoopback: Bool {
    host == "[::1]" || host == "localhost" || host.hasSuffix(".localhost")
      || (host.hasPrefix("127.") && Self.isIPv4(Array(host.utf8)[...]))
  }

  private static func canonicalName(_ bytes: ArraySlice<UInt8>) -> String? {
    // A single trailing dot makes the name absolute, and doesn't change the host.
    let name = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
    guard (1...253).contains(name.count) else { return nil }
    var label = name.prefix { $0 != UInt8(ascii: ".") }
    while isLabel(label), label.endIndex < name.endIndex {
      label = name[(label.endIndex + 1)...].prefix { $0 != UInt8(ascii: ".") }
    }
    guard isLabel(label) else { return nil }
    // Some parsers treat `127.1`, `0x7f.1` and `2130706433` as addresses, others as names.
    let isHexadecimal = label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8)
    guard !(isHexadecimal || label.allSatisfy(\.isASCIIDigit)) || isIPv4(name) else {
      return nil
    }
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(bytes.count)
      && bytes.first != UInt8(ascii: "-") && bytes.last != UInt8(ascii: "-")
      && bytes.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The parts aren't split into an array of strings, because every call parses a URL.
    var rest = bytes
    for number in 1...4 {
      let part = rest.prefix { $0 != UInt8(ascii: ".") }
      // Some parsers treat a leading zero as octal.
      guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit),
        part.count == 1 || part.first != UInt8(ascii: "0"),
        part.reduce(0, { 10 * $0 + Int($1 - UInt8(ascii: "0")) }) <= 255
      else { return false }
      rest = rest[part.endIndex...]
      if number < 4, rest.popFirst() == nil { return false }
    }
    return rest.isEmpty
  }

  /// Returns the form of RFC 5952: lowercase, without leading zeros, and with the longest run of zeros as `::`. Zones
  /// aren't accepted.
  private static func canonicalIPv6(_ bytes: ArraySlice<UInt8>) -> String? {
    // inet_pton(3) would accept an embedded IPv4 address.
    let isPlain = bytes.allSatisfy {
      $0 == UInt8(ascii: ":") || Character(Unicode.Scalar($0)).isHexDigit
    }
    var address = in6_addr()
    guard isPlain, unsafe inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    else { return nil }
    return unsafe withUnsafeBytes(of: address) { bytes in
      let starts = stride(from: 0, to: bytes.count, by: 2)
      return compressed(starts.map { unsafe UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) })
    }
  }

  private static func compressed(_ groups: [UInt16]) -> String {
    var longest = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > longest.count { longest = start..<end }
      start = max(end, start + 1)
    }
    let hexadecimal = { (groups: ArraySlice<UInt16>) in
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard longest.count > 1 else { return hexadecimal(groups[...]) }
    return hexadecimal(groups[..<longest.lowerBound]) + "::"
      + hexadecimal(groups[longest.upperBound...])
  }
}

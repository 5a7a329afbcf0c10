/// Percent-encoding of query strings (RFC 3986, section 2.1; `+` is a blank, as in HTML forms).
enum PercentCoding {
  /// Decodes a component. An invalid escape stays as it is.
  static func decode(_ text: some StringProtocol, plusIsBlank: Bool = false) -> String {
    var bytes: [UInt8] = []
    var source = Array(text.utf8)[...]
    while let byte = source.popFirst() {
      if byte == UInt8(ascii: "%"),
        let high = source.first.flatMap(hexValue),
        let low = source.dropFirst().first.flatMap(hexValue)
      {
        bytes.append(high << 4 | low)
        source = source.dropFirst(2)
      } else if byte == UInt8(ascii: "+"), plusIsBlank {
        bytes.append(UInt8(ascii: " "))
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes everything but unreserved characters.
  static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  /// Splits a query string.
  static func queryItems(_ query: String) -> [LoopbackRequest.QueryItem] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return LoopbackRequest.QueryItem(
        decode(parts[0], plusIsBlank: true),
        parts.count > 1 ? decode(parts[1], plusIsBlank: true) : ""
      )
    }
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

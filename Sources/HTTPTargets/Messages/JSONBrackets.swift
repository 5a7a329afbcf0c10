#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The brackets of a JSON text, counted without reading the rest of its grammar.
enum JSONBrackets {
  /// Whether a text that begins as an object or an array goes on to where that ends; nil for any other
  /// text.
  static func areClosed(in text: Data) -> Bool? {
    let blanks = Set(" \t\r\n".utf8)
    guard let first = text.first(where: { !blanks.contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return text.withUnsafeBytes { bytes in
      var depth = 0
      var isInString = false
      var isEscaped = false
      for byte in bytes {
        if isInString {
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      return !isInString && depth <= 0
    }
  }
}

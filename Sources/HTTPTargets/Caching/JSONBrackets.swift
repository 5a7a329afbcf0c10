#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Tells a JSON text that was cut short from a whole one, without decoding it.
enum JSONBrackets {
  /// Whether the text is an array or an object, and ends where that does.
  static func match(in text: Data) -> Bool {
    text.withUnsafeBytes { bytes in
      var depth = 0
      var isInString = false
      var isEscaped = false
      var hasEnded = false
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
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
          continue
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          guard !hasEnded else { return false }
          depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          hasEnded = depth == 0
        case UInt8(ascii: "\""):
          isInString = true
        default:
          break
        }
        guard depth > 0 || hasEnded && isBracket(byte) else { return false }
      }
      return hasEnded
    }
  }

  private static func isBracket(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }
}

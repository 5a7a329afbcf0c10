internal import PlatformModules

/// Writes JSON values (RFC 8259) as text instead of encoding them: the synthetic answers are large and alike.
enum JSONText {
  /// A string with its quotes; nil gives `null`.
  static func string(_ text: String?) -> String {
    guard let text else { return "null" }
    // Most texts have nothing to escape. Byte by byte, unoptimised, they would take longer than all else in an answer.
    if strcspn(text, escaped) == text.utf8.count { return "\"\(text)\"" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + text.utf8.count / 16 + 2)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case ..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let escaped = String(decoding: Array(1..<0x20) + [0x22, 0x5C], as: UTF8.self)

  /// An array of values that are already JSON.
  static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// A time, or `null`.
  static func time(_ seconds: Int?) -> String {
    seconds.map { "\"\(Timestamp.iso8601($0))\"" } ?? "null"
  }
}

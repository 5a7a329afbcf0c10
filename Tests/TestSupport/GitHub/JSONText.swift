/// Spells JSON values (RFC 8259).
///
/// The synthetic answers are large and all alike, so they are written as text, not encoded.
enum JSONText {
  /// A string with its quotes; nil gives `null`.
  static func string(_ text: String?) -> String {
    guard let text else { return "null" }
    var result = "\""
    result.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += digits.count == 1 ? "\\u000\(digits)" : "\\u00\(digits)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
    return result
  }

  /// An array of values that are spelled already.
  static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// A time, or `null`.
  static func time(_ seconds: Int?) -> String {
    seconds.map { "\"\(Timestamp.iso8601($0))\"" } ?? "null"
  }
}

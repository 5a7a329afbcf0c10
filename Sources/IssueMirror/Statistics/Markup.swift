/// A piece of a page that is HTML and XML at once (<https://www.w3.org/TR/html-polyglot/>), in which no text
/// of anybody's can become markup: what is put into a literal is escaped, unless it is a piece itself.
///
/// ```swift
/// let cell: Markup = "<td>\(label.name)</td>"
/// let row: Markup = "<tr>\(cell)</tr>"
/// ```
struct Markup: ExpressibleByStringInterpolation {
  /// The markup.
  let text: String

  init(stringLiteral value: String) {
    text = value
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  /// Some pieces, one after the other.
  init(_ pieces: some Sequence<Markup>) {
    text = pieces.reduce(into: "") { $0 += $1.text }
  }

  /// Tells what stands in the literal from what is put into it.
  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    mutating func appendInterpolation(_ piece: Markup) {
      text += piece.text
    }

    mutating func appendInterpolation(_ number: Int) {
      text += String(number)
    }

    /// A length in a drawing, to a tenth.
    mutating func appendInterpolation(_ length: Double) {
      text += String((length * 10).rounded() / 10)
    }

    mutating func appendInterpolation(_ string: String) {
      text += Markup.escaped(string)
    }
  }

  /// Text as it stands between tags and in the quotation marks of an attribute.
  ///
  /// What XML has no character for (<https://www.w3.org/TR/xml/#charsets>), and controls that HTML calls
  /// an error, become replacement characters. What turns the direction of what stands beside it is written as
  /// `\u{202E}`: a title in a drawing has no `<bdi>`.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      case "\0"..<" ", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
      case _ where scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value:
        result += "\u{FFFD}"
      case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

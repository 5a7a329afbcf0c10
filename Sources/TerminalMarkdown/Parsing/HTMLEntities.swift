/// The common entities of HTML, and all numeric ones. cmark decodes all entities, but not in HTML.
enum HTMLEntities {
  private static let maximumLength = 10

  private static let named: [String: Character] = [
    "amp": "&", "apos": "'", "bull": "•", "cent": "¢", "check": "✓", "copy": "©", "cross": "✗",
    "darr": "↓", "deg": "°", "divide": "÷", "emsp": "\u{2003}", "ensp": "\u{2002}", "euro": "€",
    "frac12": "½", "ge": "≥", "gt": ">", "harr": "↔", "hearts": "♥", "hellip": "…", "infin": "∞",
    "laquo": "«", "larr": "←", "ldquo": "“", "le": "≤", "lsquo": "‘", "lt": "<", "mdash": "—",
    "micro": "µ", "middot": "·", "minus": "−", "nbsp": "\u{A0}", "ndash": "–", "ne": "≠",
    "para": "¶", "plusmn": "±", "pound": "£", "quot": "\"", "raquo": "»", "rarr": "→",
    "rdquo": "”", "reg": "®", "rsquo": "’", "sect": "§", "thinsp": "\u{2009}", "times": "×",
    "trade": "™", "uarr": "↑", "yen": "¥", "zwj": "\u{200D}", "zwnj": "\u{200C}",
  ]

  static func decode(_ text: String) -> String {
    guard text.utf8.contains(0x26) else { return text }
    var result = ""
    var rest = text[...]
    while let ampersand = rest.utf8.firstIndex(of: 0x26) {
      result += rest[..<ampersand]
      let begin = rest.utf8.index(after: ampersand)
      let limit =
        rest.utf8.index(begin, offsetBy: maximumLength, limitedBy: rest.endIndex) ?? rest.endIndex
      if let end = rest.utf8[begin..<limit].firstIndex(of: 0x3B),
        let character = character(String(decoding: rest.utf8[begin..<end], as: UTF8.self))
      {
        result.append(character)
        rest = rest[rest.utf8.index(after: end)...]
      } else {
        result += "&"
        rest = rest[begin...]
      }
    }
    return result + rest
  }

  private static func character(_ name: String) -> Character? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let value =
      digits.lowercased().hasPrefix("x")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return value.map { Character($0 == 0 ? "\u{FFFD}" : Unicode.Scalar($0) ?? "\u{FFFD}") }
  }
}

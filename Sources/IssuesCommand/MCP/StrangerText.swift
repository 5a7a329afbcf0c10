internal import StyledText

/// Marks untrusted text, so that a model can distinguish it from this program's text.
///
/// The mark contains a number that the author of the text can't know, and the text is changed so that it contains
/// nothing like a mark. Invisible and reordering characters are shown or omitted, as on a terminal.
struct StrangerText: Sendable, Hashable {
  private static let word = "stranger"

  let name: String

  init(nonce: UInt32 = .random(in: 0 ... .max)) {
    let digits = String(nonce, radix: 16)
    name = "\(Self.word)-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }

  var opening: String { "<\(name)>" }
  var closing: String { "</\(name)>" }

  /// Text in one line, such as a title, cut if it costs more than `cost` in JSON.
  func marked(line text: String, atMost cost: Int = .max) -> String {
    let text = Self.defused(TerminalText(text).string)
    guard JSONCost.of(text) > cost else { return opening + text + closing }
    let cut = JSONCost.prefix(of: text[...], atMost: max(0, cost - 1))
    return "\(opening)\(cut)…\(closing)"
  }

  /// The text without anything that a model could mistake for a mark with any number. Each `<` before the mark's word,
  /// with only a slash or spaces between them, becomes `&lt;`, which Markdown shows as `<`.
  static func defused(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "<"), opensMark(bytes[(index + 1)...]) {
        result += "&lt;".utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text with its line breaks, made safe and without possible marks.
  static func harmless(_ text: String) -> String { defused(PlainText.harmless(text)) }

  private static func opensMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    // A longer gap doesn't look like a mark, and would make the search quadratic.
    let gap = bytes.prefix(8).prefix { byte in
      byte == UInt8(ascii: "/") || byte <= UInt8(ascii: " ")
    }
    let word = bytes[gap.endIndex...].prefix(Self.word.utf8.count)
    return word.map { $0 | 0x20 }.elementsEqual(Self.word.utf8)
  }
}

/// The cost of text within a JSON string, in UTF-16 code units, with the escapes of ``OrderedJSON``.
enum JSONCost {
  static func of(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  /// The longest prefix within a cost. It ends between characters, unless the first one alone costs more.
  static func prefix(of text: Substring, atMost cost: Int) -> Substring {
    var (end, left) = (text.startIndex, cost)
    while end < text.endIndex {
      let next = text.index(after: end)
      let price = of(text[end..<next])
      guard price <= left else { break }
      (end, left) = (next, left - price)
    }
    if end == text.startIndex {
      for index in text.unicodeScalars.indices {
        let price = of(text.unicodeScalars[index])
        guard price <= left else { break }
        (end, left) = (text.unicodeScalars.index(after: index), left - price)
      }
    }
    return text[..<end]
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "\"", "\\", "\n", "\r", "\t", "\u{8}", "\u{C}": 2
    case "\u{0}"..."\u{1F}": 6
    default: (TerminalText.isConcealed(scalar) ? 6 : 1) * (scalar.value > 0xFFFF ? 2 : 1)
    }
  }
}

/// An estimate of the number of tokens that a language model reads for a text, made without its vocabulary. It tends to
/// be too high.
///
/// A tokenizer splits text into words (including the preceding space), parts of camelCase, groups of three digits, and
/// runs of punctuation marks and of spaces. It further splits any piece that is too long for its vocabulary. The costs
/// are those of four vocabularies (cl100k and o200k of OpenAI, Anthropic's published one, DeepSeek's) on issues, crash
/// reports, code, hashes and other languages. The estimate is at most 5% below the highest of the four, and usually
/// above all of them. `Scripts/judge-tokens` repeats the comparison.
struct TokenEstimate {
  private enum Kind {
    case none
    case lower
    case upper
    case digit
    case blank
    case lineEnd
    case mark
    case other
  }

  /// The cost of a word in hundredths of a token, by the number of letters.
  private static let words = [
    0, 100, 100, 100, 100, 105, 110, 115, 125, 140, 150, 170, 190, 210, 230,
  ]
  private static let furtherLetter = 26
  private static let lettersOfCapitals = 3
  /// The maximum length of a name. A longer run of letters, digits and base64 characters is encoded data.
  private static let longestName = 40
  private static let letterOfCode = 75
  /// The factor, in percent, that accounts for tokenizers with higher costs than these.
  private static let markUp = 108

  private var settled = 0
  private var piece = 0
  private var kind = Kind.none
  private var length = 0
  private var capitals = 0
  private var codeLength = 0
  private var beforeCode = 0

  var tokens: Int { ((settled + piece + surcharge) * Self.markUp + 9_999) / 10_000 }

  static func tokens(_ text: String) -> Int {
    var estimate = TokenEstimate()
    for scalar in text.unicodeScalars { estimate.take(scalar) }
    return estimate.tokens
  }

  /// The longest prefix of text with at most this many tokens.
  static func prefix(_ text: String, upTo tokens: Int) -> Substring {
    var estimate = TokenEstimate()
    var index = text.startIndex
    let scalars = text.unicodeScalars
    while index < scalars.endIndex {
      estimate.take(scalars[index])
      if estimate.tokens > tokens { return text[..<index] }
      index = scalars.index(after: index)
    }
    return text[...]
  }

  /// The cost of encoded text in addition to the cost of its words.
  private var surcharge: Int {
    guard codeLength > Self.longestName else { return 0 }
    return max(0, codeLength * Self.letterOfCode - (settled + piece - beforeCode))
  }

  mutating func take(_ scalar: Unicode.Scalar) {
    let next = Self.kind(of: scalar)
    if !isContinued(by: next) {
      // A space belongs to the following word, but not to a number.
      if kind == .blank, length == 1, next == .digit { piece = 100 }
      settled += piece
      (piece, length, capitals) = (0, 0, 0)
    }
    if Self.mayBeCode(scalar) {
      if codeLength == 0 { beforeCode = settled + piece }
      codeLength += 1
    } else if codeLength > 0 {
      settled += surcharge
      codeLength = 0
    }
    kind = next
    length += 1
    if next == .upper { capitals += 1 }
    switch next {
    case .lower, .upper: piece = wordPrice
    case .digit: piece = (length + 2) / 3 * 100
    case .blank: piece = length > 1 ? 100 : 0
    case .lineEnd: piece = 100
    case .mark: piece = 95 + (min(length, 4) - 1) * 40 + max(0, length - 4) * 10
    case .other: piece = Self.price(of: scalar)
    case .none: break
    }
  }

  private func isContinued(by next: Kind) -> Bool {
    switch (kind, next) {
    case (.lower, .upper), (.other, .other): false
    case (.lower, .lower), (.upper, .lower), (.upper, .upper): true
    default: kind == next
    }
  }

  private var wordPrice: Int {
    if capitals > 1 {
      return (length + Self.lettersOfCapitals - 1) / Self.lettersOfCapitals * 100
    }
    let last = Self.words.count - 1
    return Self.words[min(length, last)] + max(0, length - last) * Self.furtherLetter
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar {
    case "a"..."z": .lower
    case "A"..."Z": .upper
    case "0"..."9": .digit
    case " ": .blank
    case "\n", "\r", "\t": .lineEnd
    default: scalar.isASCII ? .mark : .other
    }
  }

  private static func mayBeCode(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "/", "=", "_": true
    default: false
    }
  }

  private static func price(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    // The first case is for Latin letters, including those with diacritics; the second is for letters of two bytes in
    // other alphabets.
    case ..<0x250: 110
    case ..<0x800: 56
    case ..<0x2000: 200
    case ..<0x2E80: 160
    case ..<0x10000: 130
    default: 280
    }
  }
}

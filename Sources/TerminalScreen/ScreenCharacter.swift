internal import StyledText

/// A character for a cell, with a width that all programs agree on.
///
/// Terminals, ncurses and libc measure code points. A cluster that shows as one emoji takes two columns in some
/// programs and six in others, and the difference would shift the rest of the row. A cluster therefore gets two
/// columns, and ``ScreenText`` shows a substitute unless the terminal is known to support clusters. Clusters in words,
/// such as Thai and Devanagari, are split if a code point has its own column. Combining marks are kept up to a limit.
struct ScreenCharacter {
  /// The maximum number of combining marks that ncurses supports in a cell.
  private static let maximumMarks = 4

  static let ascii = (0..<128).map { String(Unicode.Scalar(UInt8($0))) }

  let text: String
  let columns: Int

  static func parts(of character: Character) -> [ScreenCharacter] {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else { return [] }
    if isCluster(scalars) { return [ScreenCharacter(text: String(character), columns: 2)] }
    if regionalIndicators.contains(base) { return scalars.compactMap(letter(of:)) }
    guard scalars.count > 1 else {
      return ScreenCharacter(base, marks: Substring.UnicodeScalarView()).map { [$0] } ?? []
    }
    var parts: [ScreenCharacter] = []
    var rest = Substring(String(character)).unicodeScalars
    while let next = rest.popFirst() {
      let marks = rest.prefix { combines($0) }
      rest = rest[marks.endIndex...]
      if let part = ScreenCharacter(next, marks: marks.prefix(maximumMarks)) { parts.append(part) }
      if isPictorial(next) { break }
    }
    return parts
  }

  /// The maximum number of code points: enough for a family of four with skin tones. Longer clusters are split.
  private static let maximumCluster = 11

  /// Whether text is a flag, a keycap, or another emoji of several code points.
  static func isCluster(_ text: String) -> Bool {
    // A cluster has at least four bytes (a digit and a selector). Nearly all other characters have fewer.
    text.utf8.count > 3 && isCluster(text.unicodeScalars)
  }

  private static func isCluster(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard let base = scalars.first, let second = scalars.dropFirst().first,
      scalars.count <= maximumCluster
    else { return false }
    if regionalIndicators.contains(base) {
      return scalars.count == 2 && regionalIndicators.contains(second)
    }
    // A text character with an emoji selector, or an emoji with a modifier.
    guard
      base.properties.isEmojiPresentation
        || base.properties.isEmoji
          && (second == "\u{FE0F}" || second == "\u{200D}" || second.properties.isEmojiModifier)
    else { return false }
    return scalars.dropFirst().allSatisfy { scalar in
      scalar == "\u{200D}" || scalar == "\u{FE0F}" || scalar == "\u{20E3}"
        || base == "\u{1F3F4}" && (0xE0020...0xE007F).contains(scalar.value)  // England's flag
        || scalar.value >= 0x80 && scalar.properties.isEmoji
    }
  }

  /// The two letters of a flag; nil for other text.
  static func letters(of text: String) -> String? {
    guard isCluster(text) else { return nil }
    let letters = text.unicodeScalars.compactMap(letter(of:))
    return letters.isEmpty ? nil : letters.map(\.text).joined()
  }

  private static let regionalIndicators: ClosedRange<Unicode.Scalar> = "\u{1F1E6}"..."\u{1F1FF}"

  /// The letter of a regional indicator; nil for other scalars.
  private static func letter(of scalar: Unicode.Scalar) -> ScreenCharacter? {
    guard regionalIndicators.contains(scalar) else { return nil }
    let offset = Int(scalar.value - regionalIndicators.lowerBound.value)
    return ScreenCharacter(text: ascii[Int(UInt8(ascii: "A")) + offset], columns: 1)
  }

  static func columns(of character: Character) -> Int {
    parts(of: character).reduce(0) { $0 + $1.columns }
  }

  private init(text: String, columns: Int) {
    self.text = text
    self.columns = columns
  }

  private init?(_ base: Unicode.Scalar, marks: Substring.UnicodeScalarView) {
    columns = DisplayWidth.columns(of: Character(base))
    guard columns > 0 else { return nil }
    var scalars = String.UnicodeScalarView([base])
    scalars += marks
    text = String(scalars)
  }

  /// Whether the scalar only changes the picture, as a skin tone or half of a flag does.
  private static func isPictorial(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 && scalar.properties.isEmoji
  }

  /// Whether a scalar is drawn over the previous one. Variation selectors aren't, because not all terminals apply them.
  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !(0xFE00...0xFE0F).contains(scalar.value)
    default: false
    }
  }
}

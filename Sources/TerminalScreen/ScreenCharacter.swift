internal import StyledText

/// A character for a cell of a grid, with a width that all programs agree on.
///
/// Terminals, ncurses and libc measure code points. A cluster of several that shows as one emoji is two columns wide to
/// some and six to others, and shifts the rest of the row. So only its first code point is shown, whose width is
/// certain. Clusters of words, such as Thai and Devanagari ones, are taken apart where a code point has a column of
/// its own. Combining marks stay, as many as a cell takes.
struct ScreenCharacter {
  /// The most combining marks after a character: ncurses has no room for more in a cell.
  private static let maximumMarks = 4

  /// The characters of ASCII as strings, made once.
  static let ascii = (0..<128).map { String(Unicode.Scalar(UInt8($0))) }

  let text: String
  let columns: Int

  /// The characters that show a cluster, each with at least one column.
  static func parts(of character: Character) -> [ScreenCharacter] {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else { return [] }
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

  /// The width of a character in columns.
  static func columns(of character: Character) -> Int {
    parts(of: character).reduce(0) { $0 + $1.columns }
  }

  private init?(_ base: Unicode.Scalar, marks: Substring.UnicodeScalarView) {
    columns = DisplayWidth.columns(of: Character(base))
    guard columns > 0 else { return nil }
    var scalars = String.UnicodeScalarView([base])
    scalars += marks
    text = String(scalars)
  }

  /// Whether the rest of the cluster, such as a skin tone or half of a flag, only changes the picture.
  private static func isPictorial(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 && scalar.properties.isEmoji
  }

  /// Whether a scalar is drawn over the one before it. Variation selectors aren't: only some terminals widen the
  /// character for them.
  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !(0xFE00...0xFE0F).contains(scalar.value)
    default: false
    }
  }
}

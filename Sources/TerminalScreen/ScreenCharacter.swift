internal import StyledText

/// A character as a grid of cells can hold it: all that draws grids agree on how wide it is.
///
/// A terminal, the library that drives it and libc measure code points; a cluster of several that shows
/// as one emoji is two columns to some and six to others, after which the rest of the row stands in
/// the wrong place. So of such a cluster the first code point is shown, which all know the width of.
/// The clusters that words are made of, Thai and Devanagari ones for instance, are taken apart where
/// a code point has a column of its own. Combining marks stay, as many as a cell takes.
struct ScreenCharacter {
  /// How many combining marks follow a character at most, as many as ncurses has room for in a cell.
  private static let maximumMarks = 4

  /// The characters of ASCII as texts, which needn't be made anew for each cell.
  static let ascii = (0..<128).map { String(Unicode.Scalar(UInt8($0))) }

  let text: String
  let columns: Int

  /// The characters that a cluster is shown as, none without a column.
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

  /// How many columns a character takes.
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

  /// Whether what follows in the cluster, a skin tone or another half of a flag, only changes the picture.
  private static func isPictorial(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 && scalar.properties.isEmoji
  }

  /// Whether a scalar is drawn over the one before it. Variation selectors are not: they widen a
  /// character to some terminals and to others not.
  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !(0xFE00...0xFE0F).contains(scalar.value)
    default: false
    }
  }
}

internal import StyledText

/// A character as a grid of cells can hold it: all that draws grids agree on how wide it is.
///
/// A terminal, the library that drives it and libc measure code points; a cluster of several that shows
/// as one emoji is two columns to some and six to others, after which the rest of the row stands in
/// the wrong place. So of such a cluster the first code point is shown, which all know the width of.
/// Combining marks stay, as many as a cell takes.
struct ScreenCharacter {
  /// How many combining marks follow a character at most, as many as ncurses has room for in a cell.
  private static let maximumMarks = 4

  let text: String
  let columns: Int

  init(_ character: Character) {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else {
      (text, columns) = ("", 0)
      return
    }
    if scalars.count == 1 {
      text = String(character)
    } else {
      var kept = String.UnicodeScalarView([base])
      kept += scalars.dropFirst().prefix { Self.combines($0) }.prefix(Self.maximumMarks)
      text = String(kept)
    }
    columns = DisplayWidth.columns(of: Character(Unicode.Scalar(base)))
  }

  static func columns(of text: String) -> Int {
    text.first.map { ScreenCharacter($0).columns } ?? 0
  }

  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !(0xFE00...0xFE0F).contains(scalar.value)
    default: false
    }
  }
}

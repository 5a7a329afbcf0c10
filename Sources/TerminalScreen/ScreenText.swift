/// What a cell shows on a certain terminal: code points, or a part of a frame.
///
/// The last gate before the terminal. ``TerminalText`` has taken what a terminal would obey, and
/// ``ScreenCharacter`` what grids disagree about; here goes what this terminal, or ncurses, can't show. A
/// cell always takes the columns that the picture has for it: else the rest of the row would shift.
enum ScreenText: Sendable, Hashable {
  /// Code points, none of them a control character.
  case codePoints([UInt32])

  /// A part of a frame, by its letter in the line drawing of the VT100.
  case lineDrawing(UInt8)

  /// What a terminal that speaks UTF-8 shows.
  ///
  /// - Parameters:
  ///   - text: The text of a cell.
  ///   - columns: How many columns it takes in the picture.
  ///   - width: The columns of a code point for ncurses, -1 for what can't be printed.
  init(_ text: String, columns: Int, width: (UInt32) -> Int) {
    var shown: [UInt32] = []
    for scalar in text.unicodeScalars {
      let isBase = shown.isEmpty
      // Controls are as wide as nothing is (wcwidth says -1), and go like everything that doesn't fit.
      guard
        scalar.value < 0x7F && scalar.value >= 0x20 || width(scalar.value) == (isBase ? columns : 0)
      else {
        if isBase { shown = Self.stand(in: 0xFFFD, columns: columns) }
        break
      }
      shown.append(scalar.value)
    }
    self = .codePoints(shown.isEmpty ? Self.stand(in: 0x20, columns: columns) : shown)
  }

  /// What a terminal shows that knows ASCII, and perhaps the line drawing of the VT100.
  ///
  /// - Parameters:
  ///   - text: The text of a cell.
  ///   - columns: How many columns it takes in the picture.
  init(ascii text: String, columns: Int) {
    guard let base = text.unicodeScalars.first else {
      self = .codePoints(Self.stand(in: 0x20, columns: columns))
      return
    }
    if columns == 1, let letter = Self.frames[base] {
      self = .lineDrawing(letter)
    } else if columns == 1, let likeness = Self.likenesses[base] {
      self = .codePoints([UInt32(likeness)])
    } else if base.value >= 0x20, base.value < 0x7F {
      self = .codePoints(Self.stand(in: base.value, columns: columns))
    } else {
      self = .codePoints(Self.stand(in: UInt32(UInt8(ascii: "?")), columns: columns))
    }
  }

  private static func stand(in codePoint: UInt32, columns: Int) -> [UInt32] {
    [codePoint] + Array(repeating: 0x20, count: max(0, columns - 1))
  }

  /// The letters of terminfo(5), "Line Graphics".
  private static let frames: [Unicode.Scalar: UInt8] = {
    let letters: [(String, Character)] = [
      ("─━╌┄┈", "q"), ("│┃╎┆┊", "x"), ("┌┏╭", "l"), ("┐┓╮", "k"), ("└┗╰", "m"), ("┘┛╯", "j"),
      ("├┣", "t"), ("┤┫", "u"), ("┬┳", "w"), ("┴┻", "v"), ("┼╋", "n"), ("░▒▓", "a"), ("█", "0"),
    ]
    return table(letters)
  }()

  private static let likenesses: [Unicode.Scalar: UInt8] = table([
    ("\u{A0}", " "), ("…", "."), ("‐‑‒–—−", "-"), ("‘’‚′", "'"), ("“”„″«»", "\""), ("❯›▶▸→", ">"),
    ("‹◀←", "<"), ("↑▲", "^"), ("↓▼", "v"), ("•●◦○■□·⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "*"), ("✓✔☑", "x"), ("×✗✘", "x"),
    ("▏▎▍▌▐▕", "|"), ("▔", "-"), ("▁", "_"),
  ])

  private static func table(_ rows: [(String, Character)]) -> [Unicode.Scalar: UInt8] {
    var result: [Unicode.Scalar: UInt8] = [:]
    for (characters, letter) in rows {
      for scalar in characters.unicodeScalars { result[scalar] = letter.asciiValue }
    }
    return result
  }
}

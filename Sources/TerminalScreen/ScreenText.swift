/// The content of a cell on a certain terminal: code points, or a part of a frame.
///
/// This is the last gate before the terminal. ``TerminalText`` has removed everything that a terminal would obey, and
/// ``ScreenCharacter`` everything of uncertain width; this type removes characters that this terminal or ncurses can't
/// show. A cell always keeps its width, or the rest of the row would shift.
enum ScreenText: Sendable, Hashable {
  /// Code points, none of them a control character.
  case codePoints([UInt32])

  /// A part of a frame, by its letter in the line drawing of the VT100.
  case lineDrawing(UInt8)

  /// The content on a terminal with UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text of a cell.
  ///   - columns: Its width in the picture.
  ///   - width: The width of a code point for ncurses; -1 for one that can't be printed.
  init(_ text: String, columns: Int, width: (UInt32) -> Int) {
    var shown: [UInt32] = []
    for scalar in text.unicodeScalars {
      let isBase = shown.isEmpty
      // No cell is as wide as a control (wcwidth says -1), so controls don't pass.
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

  /// The content on a terminal with ASCII and perhaps the line drawing of the VT100.
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

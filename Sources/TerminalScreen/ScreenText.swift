/// The content of a cell on a given terminal: code points, or a part of a frame.
///
/// This is the last check before the terminal. ``TerminalText`` has removed control sequences, and ``ScreenCharacter``
/// has removed characters without a certain width. This type removes characters that this terminal or ncurses can't
/// show, and keeps the cell's width.
enum ScreenText: Sendable, Hashable {
  /// Code points without control characters.
  case codePoints([UInt32])

  /// A letter of the VT100's line drawing.
  case lineDrawing(UInt8)

  /// The content on a terminal with UTF-8. `width` measures a code point as ncurses does: -1 if it isn't printable.
  init(_ text: String, columns: Int, width: (UInt32) -> Int) {
    if columns == 2, ScreenCharacter.isCluster(text) {
      self = .codePoints(Self.stand(inCluster: text, width: width))
      return
    }
    var shown: [UInt32] = []
    for scalar in text.unicodeScalars {
      let isBase = shown.isEmpty
      // wcwidth returns -1 for a control character, and no cell has that width.
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

  /// The content on a terminal with ASCII, and possibly the VT100's line drawing.
  init(ascii text: String, columns: Int) {
    if columns == 2, ScreenCharacter.isCluster(text) {
      self = .codePoints(Self.stand(inCluster: text) { $0 < 0x7F ? 1 : -1 })
      return
    }
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

  /// A substitute for a cluster: the letters of a flag, but never another flag. For other clusters, the first code
  /// point, because the others (such as skin tones) only modify it.
  private static func stand(inCluster text: String, width: (UInt32) -> Int) -> [UInt32] {
    if let letters = ScreenCharacter.letters(of: text) {
      return letters.unicodeScalars.map(\.value)
    }
    guard let base = text.unicodeScalars.first?.value, case let columns = width(base),
      columns == 1 || columns == 2
    else { return stand(in: width(0xFFFD) == 1 ? 0xFFFD : UInt32(UInt8(ascii: "?")), columns: 2) }
    return stand(in: base, columns: 3 - columns)
  }

  private static func stand(in codePoint: UInt32, columns: Int) -> [UInt32] {
    [codePoint] + Array(repeating: 0x20, count: max(0, columns - 1))
  }

  /// Line drawing characters and their letters, from terminfo(5), "Line Graphics".
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

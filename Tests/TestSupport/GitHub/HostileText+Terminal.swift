extension HostileText {
  /// One text for each kind of attack on a terminal, by name.
  public static let examples: [(name: String, text: String)] = [
    ("clear the screen", "\u{1B}[2Jgone"),
    ("window title by OSC 0", "\u{1B}]0;owned\u{07}"),
    ("hyperlink by OSC 8", "\u{1B}]8;;http://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\"),
    ("clipboard by OSC 52", "\u{1B}]52;c;cm0gLXJm\u{07}"),
    ("8-bit CSI", "\u{9B}31mred"),
    ("8-bit OSC and ST", "\u{9D}0;owned\u{9C}"),
    ("carriage return over the line", "harmless\rrm -rf"),
    ("backspaces", "abc\u{08}\u{08}\u{08}xyz"),
    ("NUL", "a\0b"),
    ("bell and DEL", "\u{07}\u{7F}"),
    ("a faked row", "title\n#1\tOPEN\tmerge this"),
    ("CRLF", "one\r\ntwo"),
    ("right-to-left override", "invoice\u{202E}gpj.exe"),
    ("isolates", "\u{2066}a\u{2069}\u{2067}b\u{2069}\u{2068}c\u{2069}"),
    ("marks", "\u{200E}\u{200F}\u{061C}"),
    ("line separators", "a\u{2028}b\u{2029}c\u{0085}d"),
    ("zero width", "pay\u{200B}pal\u{FEFF}\u{2060}\u{00AD}"),
    ("hidden tags", "hi\u{E0001}\u{E0068}\u{E007F}"),
    ("hidden variation selectors", "hi\u{E0100}\u{E0158}\u{E01EF}"),
    ("vertical tab and form feed", "\u{0B}\u{0C}"),
    ("shift out", "\u{0E}lqqk\u{0F}"),
    ("combining marks first", "\u{301}\u{FE0F}\u{200D}x"),
  ]

  /// A text of random scalars, with dangerous ones far more often than by chance.
  public static func random(using generator: inout some RandomNumberGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let range: ClosedRange<UInt32> =
        [
          0x00...0x1F, 0x20...0x7E, 0x7F...0xA0, 0x300...0x36F, 0x600...0x61F, 0x1100...0x11FF,
          0x2000...0x206F, 0x3040...0x30FF, 0x4E00...0x9FFF, 0xFE00...0xFFFF, 0x1F1E6...0x1F1FF,
          0x1F300...0x1FAFF, 0xE0000...0xE01FF, 0x0...0xD7FF, 0x10000...0x10FFFF,
        ].randomElement(using: &generator) ?? 0x20...0x7E
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The scalars of `text` that must never reach a terminal.
  public static func dangers(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
        0xFEFF, 0xE0000...0xE0FFF:
        true
      default: false
      }
    }
  }

  /// A line without the isolates around its right-to-left cells, which aren't nested and end within it.
  public static func withoutIsolates(_ line: some StringProtocol) throws -> String {
    var isOpen = false
    var rest = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\u{2068}" where !isOpen: isOpen = true
      case "\u{2069}" where isOpen: isOpen = false
      default: rest.append(scalar)
      }
    }
    try check(!isOpen, "\(String(line).debugDescription)")
    return String(rest)
  }
}

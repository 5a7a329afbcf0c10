/// Input that trips up parsers and terminals.
enum FuzzAlphabet {
  /// Bytes with a meaning in a parsed language, and bytes that aren't UTF-8.
  static let bytes: [UInt8] =
    Array("\"\\'<>[]{}(),;:=/?#%&@.-_+*~^|!$ \t\r\n\0aAzZ09xuU".utf8)
    + [
      0x07, 0x1B, 0x7F, 0x80, 0x9B, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF8, 0xFE,
      0xFF,
    ]

  /// Ranges of scalars, each equally likely: controls, ASCII, Latin, combining marks, Arabic, Hangul, format and
  /// bidirectional controls, kana, ideographs, the ends of the surrogates, variation selectors and full-width forms,
  /// regional indicators, emoji, tags, and everything.
  static let scalars: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x20...0x7E, 0x7F...0xA0, 0xA1...0x24F, 0x300...0x36F, 0x600...0x61F,
    0x1100...0x11FF, 0x2000...0x206F, 0x3040...0x30FF, 0x4E00...0x9FFF, 0xD7F0...0xD7FF,
    0xE000...0xE00F, 0xFE00...0xFE0F, 0xFEFF...0xFFFF, 0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF,
    0xE0000...0xE01FF, 0x0...0xD7FF, 0x10000...0x10FFFF,
  ]

  /// Pieces of text that have broken parsers before.
  static let pieces = [
    "", " ", "\t", "\n", "\r\n", "\r", "\0", "..", ".", "/", "//", "../", "/..", "./", "\\", "%",
    "%2e", "%2E%2e", "%2F", "%00", "%0d%0a", "%25", "%zz", "?", "#", "@", ":", "::", "[", "]",
    "[::1]", "<", ">", "<>", "\"", "\\\"", "''", ",", ";", "=", "&", "+", "*", "~", "null", "true",
    "https://", "http://", "HTTPS://", "ssh://", "//evil.example/", "@evil.example", "localhost",
    "127.0.0.1", "xn--", ".git", "[bot]", "\u{1B}[2J", "\u{1B}]0;x\u{07}", "\u{9B}31m",
    "\u{202E}", "\u{2066}", "\u{2028}", "\u{FEFF}", "\u{200D}", "\u{FE0F}", "\u{E0158}", "e\u{301}",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈", "🇩🇪", "ﬁ", "ａ", "．", "／", "İ", "ß", "\\ud800", "\\udc00", "\\u0000", "\\u12", "[[[[",
    "{\"a\":", "]]]]", "ghp_0123456789", "Bearer ", "-", "--", "_",
  ]

  /// Numbers at the limits of their types.
  static let numbers = [
    "0", "-0", "1", "-1", "00", "127", "128", "255", "256", "65535", "65536", "2147483647",
    "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e9", "1E400",
    "-1e-400",
    "0.5", "1.", ".5", "0x10", "1_000", "١٢", "NaN", "inf", "99999999999999999999999999999999",
  ]
}

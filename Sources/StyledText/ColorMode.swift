/// How many colours the terminal shows.
package enum ColorMode: Int, Sendable, Comparable {
  /// None: no escape sequence is written at all, not even for bold text.
  case none

  /// The 16 colours of the user's own theme.
  case basic

  /// The 256 colours of xterm's palette.
  case palette

  /// 24-bit colours.
  case trueColor

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What ncurses gives when it is asked for the next key.
enum TerminalInput: Sendable, Hashable {
  /// A byte, of a character or of something that ncurses doesn't know.
  case byte(UInt8)

  /// A key that terminfo, or xterm, has a sequence for.
  case key(InputEvent.Key)

  /// A key that means nothing here.
  case unknownKey

  /// The mark at the beginning of a paste.
  case pasteStart

  /// The beginning of a mouse report in xterm's SGR encoding.
  case mouse

  /// The beginning of a mouse report in the encoding of X10.
  case legacyMouse

  /// There is nothing more for the moment.
  case pause
}

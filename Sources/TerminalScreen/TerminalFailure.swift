internal import StyledText

package enum TerminalFailure: Error, Sendable, Hashable, CustomStringConvertible {
  case notATerminal

  case dumb

  case unknown(String)

  /// The terminal can't move its cursor.
  case incapable(String)

  case noDescriptor

  case alreadyOpen

  package var description: String {
    switch self {
    case .notATerminal:
      "the screen needs a terminal: standard input and output must not be redirected"
    case .dumb:
      """
      TERM is empty or 'dumb', a terminal that can't move its cursor: set it to the terminal's type, such \
      as TERM=xterm-256color
      """
    case .unknown(let term):
      """
      TERM is '\(TerminalText(term))', which this system doesn't know: set it to the terminal's type, \
      such as TERM=xterm-256color, or install ncurses-term
      """
    case .incapable(let term):
      "the screen needs a terminal that can move its cursor, but a '\(TerminalText(term))' (TERM) can't"
    case .noDescriptor:
      "there are too many open files to open the screen"
    case .alreadyOpen:
      "the screen is already open"
    }
  }
}

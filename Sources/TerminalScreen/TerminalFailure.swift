internal import StyledText

/// Why there is no screen.
package enum TerminalFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// Standard input or output is a file, a pipe or nothing.
  case notATerminal

  /// `TERM` isn't set, or says that the terminal is `dumb`.
  case dumb

  /// Terminfo doesn't know the value of `TERM`.
  case unknown(String)

  /// The terminal that `TERM` names has no cursor that can be moved.
  case incapable(String)

  /// The process has no descriptor left.
  case noDescriptor

  /// Another ``Terminal`` is open: there is one of them.
  case alreadyOpen

  /// What is wrong and what to do about it, in one line.
  package var description: String {
    switch self {
    case .notATerminal:
      "the screen needs a terminal: standard input and output must not be redirected"
    case .dumb:
      """
      the screen needs a terminal that can move its cursor, and TERM says there is none: set it to \
      what the terminal is, such as TERM=xterm-256color
      """
    case .unknown(let term):
      """
      TERM is '\(TerminalText(term))', which this system doesn't know: set it to what the terminal is, such as \
      TERM=xterm-256color, or install ncurses-term
      """
    case .incapable(let term):
      "the screen needs a terminal that can move its cursor, and a '\(TerminalText(term))' (TERM) can't"
    case .noDescriptor:
      "there are too many open files to open the screen"
    case .alreadyOpen:
      "the screen is open already"
    }
  }
}

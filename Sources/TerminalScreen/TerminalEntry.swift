internal import StyledText

/// Under which names to look for the terminal in terminfo.
struct TerminalEntry {
  /// The names, best first.
  let candidates: [String]

  /// Chooses by `TERM` and the colours to show.
  ///
  /// ncurses shows 24-bit colours only with an entry that has them: for `xterm-256color` that is
  /// `xterm-direct`, of the package ncurses-term. Where it isn't installed the palette has to do.
  ///
  /// - Throws: ``TerminalFailure/dumb`` where there is no such terminal.
  init(term: String?, color: ColorMode) throws(TerminalFailure) {
    guard let term, !term.isEmpty, term != "dumb" else { throw .dumb }
    guard color == .trueColor, !term.hasSuffix(Self.direct) else {
      candidates = [term]
      return
    }
    // `xterm-kitty`, `xterm-ghostty` and the like aren't described apart from xterm, but for kitty.
    let base = term == "xterm-kitty" ? "kitty" : Self.withoutColors(term)
    candidates = [base + Self.direct, term]
  }

  private static let direct = "-direct"

  private static func withoutColors(_ term: String) -> String {
    for suffix in ["-256color", "-88color", "-16color", "-color"] where term.hasSuffix(suffix) {
      return String(term.dropLast(suffix.count))
    }
    return term
  }
}

internal import StyledText

/// The names of the terminal in terminfo.
struct TerminalEntry {
  let candidates: [String]

  /// Chooses names by `TERM` and the wanted colours.
  ///
  /// ncurses shows 24-bit colours only with an entry that has them: for `xterm-256color` that is `xterm-direct`, from
  /// the package ncurses-term. Without it the palette remains.
  ///
  /// - Throws: ``TerminalFailure/dumb`` for no terminal or a dumb one.
  init(term: String?, color: ColorMode) throws(TerminalFailure) {
    guard let term, !term.isEmpty, term != "dumb" else { throw .dumb }
    guard color == .trueColor, !term.hasSuffix(Self.direct) else {
      candidates = [term]
      return
    }
    // Of the terminals that call themselves `xterm-…` only kitty has a description of its own.
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

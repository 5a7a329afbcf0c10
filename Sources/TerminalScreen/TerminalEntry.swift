internal import StyledText

/// The terminal's names in terminfo, the best one first.
struct TerminalEntry {
  let candidates: [String]

  /// ncurses shows 24-bit colors only with an entry that has them: for `xterm-256color`, `xterm-direct` of the package
  /// ncurses-term. Without it, the palette remains.
  init(term: String?, color: ColorMode) throws(TerminalFailure) {
    guard let term, !term.isEmpty, term != "dumb" else { throw .dumb }
    guard color == .trueColor, !term.hasSuffix(Self.direct) else {
      candidates = [term]
      return
    }
    // Of the terminals named `xterm-…`, only kitty has an entry of its own.
    let base = term == "xterm-kitty" ? "kitty" : Self.withoutColors(term)
    candidates = [base + Self.direct, term]
  }

  /// Whether the terminal may be asked. Old consoles print questions that they don't know.
  var answersQuestions: Bool {
    !["linux", "hurd", "cygwin"].contains { name in candidates.contains { $0.hasPrefix(name) } }
  }

  /// Whether the terminal may be asked for images. Multiplexers keep none, and take the question for a window's title.
  func answersImageQuestions(in environment: [String: String]) -> Bool {
    ["TMUX", "STY"].allSatisfy { environment[$0, default: ""].isEmpty }
      && !["tmux", "screen"].contains { name in candidates.contains { $0.hasPrefix(name) } }
  }

  private static let direct = "-direct"

  private static func withoutColors(_ term: String) -> String {
    for suffix in ["-256color", "-88color", "-16color", "-color"] where term.hasSuffix(suffix) {
      return String(term.dropLast(suffix.count))
    }
    return term
  }
}

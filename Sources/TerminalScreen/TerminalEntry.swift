internal import StyledText

/// The terminal's terminfo entry: the candidate names, best first.
struct TerminalEntry {
  let candidates: [String]

  /// ncurses shows 24-bit colors only with an entry that supports them. For `xterm-256color`, this is `xterm-direct` in
  /// the package ncurses-term. Without that entry, the palette is used.
  init(term: String?, color: ColorMode) throws(TerminalFailure) {
    guard let term, !term.isEmpty, term != "dumb" else { throw .dumb }
    guard color == .trueColor, !term.hasSuffix(Self.direct) else {
      candidates = [term]
      return
    }
    // Of the terminals named `xterm-…`, only kitty has its own entry.
    let base = term == "xterm-kitty" ? "kitty" : Self.withoutColors(term)
    candidates = [base + Self.direct, term]
  }

  /// Whether the terminal may be queried. Old consoles print unsupported queries as text.
  var answersQuestions: Bool {
    !["linux", "hurd", "cygwin"].contains { name in candidates.contains { $0.hasPrefix(name) } }
  }

  /// Whether the terminal may be queried for images. Multiplexers don't support images, and interpret the query as a
  /// window title.
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

internal import StyledText

/// The terminal's terminfo entry: the candidate names, best first.
struct TerminalEntry {
  let candidates: [String]

  /// The names for a terminal without its own entry, best first. Newer terminals bring their entries along, which don't
  /// reach other computers.
  let substitutes: [String]

  /// The value of `TERM`.
  let term: String

  /// ncurses shows 24-bit colors only with an entry that supports them. For `xterm-256color`, this is `xterm-direct` in
  /// the package ncurses-term. Without that entry, the palette is used.
  init(term: String?, color: ColorMode) throws(TerminalFailure) {
    guard let term, !term.isEmpty, term != "dumb" else { throw .dumb }
    self.term = term
    candidates = Self.names(of: term, color)
    substitutes = Self.relative(of: term).map { Self.names(of: $0, color) } ?? []
  }

  private static func names(of term: String, _ color: ColorMode) -> [String] {
    guard color == .trueColor, !term.hasSuffix(direct) else { return [term] }
    // Of the terminals named `xterm-…`, only kitty has its own entry.
    let base = term == "xterm-kitty" ? "kitty" : withoutColors(term)
    return [base + direct, term]
  }

  /// The entry of a similar terminal; nil for an unknown terminal. The terminals that call themselves `xterm-…`, such
  /// as Ghostty, understand what xterm does.
  private static func relative(of term: String) -> String? {
    if ["tmux", "screen"].contains(where: term.hasPrefix) { return "screen-256color" }
    let names = [
      "xterm", "alacritty", "contour", "foot", "ghostty", "iterm", "iTerm", "kitty", "konsole",
      "mintty", "ms-terminal", "rio", "vte", "wezterm",
    ]
    return names.contains(where: term.hasPrefix) ? "xterm-256color" : nil
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

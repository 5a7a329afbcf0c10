internal import StyledText

/// The value of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  /// Colours on a terminal, as the environment has it.
  case automatic = "auto"

  /// Colours everywhere, even in a pipe.
  case always

  case never
}

/// How rows are written: for a person at a terminal, or for the next program in a pipe.
struct OutputStyle: Sendable, Hashable {
  enum Layout: Sendable {
    /// An aligned table with a header, cut to the terminal's width.
    case table

    /// Tab-separated values without a header, nothing cut.
    case plain
  }

  var layout: Layout

  var color: ColorMode

  /// The width of a line in columns, at least 1.
  var width: Int

  /// Decides by standard output, the environment and the user's request.
  ///
  /// The layout is a table on a terminal, or where `GH_FORCE_TTY` asks for one, and plain everywhere else.
  ///
  /// For colours, the first of these that applies decides:
  ///
  /// 1. the option on the command line, `always` or `never`;
  /// 2. `NO_COLOR`, not empty: none (<https://no-color.org>);
  /// 3. `CLICOLOR_FORCE`, neither empty nor `0`: colours, even in a pipe
  ///    (<https://bixense.com/clicolors>);
  /// 4. `CLICOLOR=0`: none;
  /// 5. standard output isn't a terminal: none;
  /// 6. `TERM` is `dumb`, empty or unset, and the terminal is no forced one: none.
  ///
  /// There are 24-bit colours if `COLORTERM` is `truecolor` or `24bit`, or `TERM` ends in `-direct`; 256 if `TERM`
  /// contains `256color`; else 16.
  ///
  /// The width is that of a forced terminal, else `COLUMNS` if that is a positive number, else the window's, else 80.
  init(
    terminal: TerminalCapabilities,
    environment: [String: String],
    color choice: ColorChoice = .automatic
  ) {
    layout = terminal.isTerminal ? .table : .plain
    color =
      Self.wantsColor(choice, terminal, environment: environment)
      ? Self.colors(in: environment) : .none
    let variable = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    // Wider than any window, and not so wide that blanks fill the memory.
    let forced = terminal.isForced ? terminal.columns : nil
    width = min(forced ?? variable ?? terminal.columns ?? 80, 10_000)
  }

  /// Whether `TERM` names a terminal that can't move its cursor or show colours.
  static func isDumb(_ environment: [String: String]) -> Bool {
    let term = environment["TERM", default: ""]
    return term.isEmpty || term == "dumb"
  }

  private static func wantsColor(
    _ choice: ColorChoice, _ terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .automatic: break
    }
    if !environment["NO_COLOR", default: ""].isEmpty { return false }
    if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
    return environment["CLICOLOR"] != "0" && terminal.isTerminal
      && (terminal.isForced || !isDumb(environment))
  }

  private static func colors(in environment: [String: String]) -> ColorMode {
    let term = environment["TERM", default: ""]
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.hasSuffix("-direct") {
      return .trueColor
    }
    return term.contains("256color") ? .palette : .basic
  }
}

internal import StyledText

/// The value of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  /// The terminal and the environment decide.
  case automatic = "auto"

  /// Colors are used even in a pipe.
  case always

  case never
}

/// The form of rows: for a person at a terminal, or for a program in a pipe.
struct OutputStyle: Sendable, Hashable {
  enum Layout: Sendable {
    /// A table with a header, cut to the terminal's width.
    case table

    /// Tab-separated values without a header. Nothing is cut.
    case plain
  }

  var layout: Layout

  var color: ColorMode

  var width: Int

  /// Chooses by standard output, the environment and the option. `GH_FORCE_TTY` requests a table without a terminal.
  ///
  /// The first of these rules that applies determines the colors:
  ///
  /// 1. the option, `always` or `never`;
  /// 2. `NO_COLOR`, not empty: none (<https://no-color.org>);
  /// 3. `CLICOLOR_FORCE`, neither empty nor `0`: colors, even in a pipe (<https://bixense.com/clicolors>);
  /// 4. `CLICOLOR=0`: none;
  /// 5. standard output isn't a terminal: none;
  /// 6. `TERM` is `dumb`, empty or unset, and the terminal isn't forced: none.
  ///
  /// `COLORTERM` with `truecolor` or `24bit`, or `TERM` ending in `-direct`, means 24-bit colors. `256color` in `TERM`
  /// means 256 colors. Otherwise there are 16. The width is that of a forced terminal, or else a positive `COLUMNS`, or
  /// else the window's width, or else 80.
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
    // The maximum is wider than any window, but small enough that spaces don't fill the memory.
    let forced = terminal.isForced ? terminal.columns : nil
    width = min(forced ?? variable ?? terminal.columns ?? 80, 10_000)
  }

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

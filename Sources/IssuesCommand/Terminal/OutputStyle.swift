internal import StyledText

/// The value of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  /// Decided by the terminal and the environment.
  case automatic = "auto"

  /// Even in a pipe.
  case always

  case never
}

/// How rows are written: for a person at a terminal, or for a program in a pipe.
struct OutputStyle: Sendable, Hashable {
  enum Layout: Sendable {
    /// With a header, and cut to the terminal's width.
    case table

    /// Tab-separated values without a header, nothing cut.
    case plain
  }

  var layout: Layout

  var color: ColorMode

  var width: Int

  /// Decides by standard output, the environment and the option. `GH_FORCE_TTY` asks for a table without a terminal.
  ///
  /// The first of these that applies decides on colors:
  ///
  /// 1. the option, `always` or `never`;
  /// 2. `NO_COLOR`, not empty: none (<https://no-color.org>);
  /// 3. `CLICOLOR_FORCE`, neither empty nor `0`: colors, even in a pipe (<https://bixense.com/clicolors>);
  /// 4. `CLICOLOR=0`: none;
  /// 5. standard output isn't a terminal: none;
  /// 6. `TERM` is `dumb`, empty or unset, and the terminal isn't forced: none.
  ///
  /// `COLORTERM` with `truecolor` or `24bit`, or `TERM` ending in `-direct`, means 24-bit colors; `256color` in `TERM`
  /// means 256; else there are 16. The width is a forced terminal's, else a positive `COLUMNS`, else the window's, else
  /// 80.
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

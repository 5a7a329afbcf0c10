import PlatformModules
internal import StyledText

/// The terminal behind a descriptor, if there is one.
struct TerminalCapabilities: Sendable, Hashable {
  var isTerminal: Bool

  /// The width in columns; nil if there is no window, or if its size is unknown.
  var columns: Int?

  /// Whether `GH_FORCE_TTY` forces a terminal.
  var isForced = false

  init(isTerminal: Bool, columns: Int? = nil) {
    self.isTerminal = isTerminal
    self.columns = columns
  }

  init(descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    columns = isTerminal ? Self.columns(of: descriptor) : nil
  }

  /// The minimum width in `GH_FORCE_TTY`. A smaller value isn't a width: users write 1 for yes.
  private static let leastWidth = 10

  /// Applies `GH_FORCE_TTY`. As in `gh`, any value forces a terminal. A number is the width, and a percentage is a
  /// share of the window's width (<https://cli.github.com/manual/gh_help_environment>).
  func forced(by environment: [String: String], window: () -> Int?) -> TerminalCapabilities {
    let value = environment["GH_FORCE_TTY", default: ""]
    guard !value.isEmpty else { return self }
    var forced = self
    (forced.isTerminal, forced.isForced) = (true, true)
    if let number = Int(value), number >= Self.leastWidth {
      forced.columns = number
    } else {
      forced.columns = columns ?? window()
      if value.hasSuffix("%"), let percent = Int(value.dropLast()), (1...1000).contains(percent) {
        forced.columns = max(Self.leastWidth, (forced.columns ?? 80) * percent / 100)
      }
    }
    return forced
  }

  /// The width of the process's window, even if its output is redirected.
  static func columnsOfWindow() -> Int? {
    let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    return columns(of: terminal)
  }

  /// The width of a terminal. A serial line or a new pseudo-terminal reports 0, which means unknown.
  static func columns(of descriptor: CInt) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}

/// Decides whether the terminal shows hyperlinks. This can't be queried.
///
/// Some older terminals show OSC 8 as garbage (<https://github.com/Alhadis/OSC8-Adoption>). Unknown terminals get
/// footnotes.
enum Hyperlinks {
  /// Whether hyperlinks are shown. As in other programs, `FORCE_HYPERLINK=0` means no, and any other value means yes.
  /// Without it, the terminal's variables decide.
  ///
  /// tmux and screen may inherit an outer terminal's variables without passing on links. less before version 566 shows
  /// links as garbage.
  static func areShown(
    style: OutputStyle, hasPager: Bool, environment: [String: String]
  ) -> Bool {
    guard style.layout == .table, style.color > .none, !OutputStyle.isDumb(environment) else {
      return false
    }
    let variable = { (name: String) in environment[name, default: ""] }
    if let forced = environment["FORCE_HYPERLINK"], !forced.isEmpty { return forced != "0" }
    if hasPager || !variable("TMUX").isEmpty { return false }
    let term = variable("TERM")
    if ["screen", "tmux"].contains(where: term.hasPrefix) { return false }
    if ["KITTY_WINDOW_ID", "WT_SESSION"].contains(where: { !variable($0).isEmpty }) { return true }
    // Version 0.50.0 crashes on links.
    if let vte = Int(variable("VTE_VERSION")) { return vte > 5000 }
    let version = variable("TERM_PROGRAM_VERSION").split { $0 == "." || $0 == "-" }.map {
      Int($0) ?? 0
    }
    switch variable("TERM_PROGRAM") {
    case "iTerm.app": return !version.lexicographicallyPrecedes([3, 1])
    case "WezTerm": return !version.lexicographicallyPrecedes([20_200_620])
    case "vscode": return !version.lexicographicallyPrecedes([1, 72])
    case "ghostty", "zed": return true
    default: return ["xterm-kitty", "xterm-ghostty", "alacritty", "foot"].contains(term)
    }
  }
}

internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a file descriptor is connected to.
struct TerminalCapabilities: Sendable, Hashable {
  /// Whether somebody sits at the other end.
  var isTerminal: Bool

  /// The width of the window in columns; `nil` for what has no window, or doesn't tell its size.
  var columns: Int?

  /// Whether it is to be treated as a terminal because the user says so, whatever it is.
  var isForced = false

  /// Describes a terminal, or what isn't one.
  init(isTerminal: Bool, columns: Int? = nil) {
    self.isTerminal = isTerminal
    self.columns = columns
  }

  /// Asks the kernel about `descriptor`.
  init(descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    columns = isTerminal ? Self.columns(of: descriptor) : nil
  }

  /// The least number that `GH_FORCE_TTY` gives as a width. People write 1 for yes.
  private static let leastWidth = 10

  /// What standard output is to be treated as: a terminal, where `GH_FORCE_TTY` says so.
  ///
  /// Any value forces it, as with `gh`. A number is the width, a percentage a share of the window's
  /// (<https://cli.github.com/manual/gh_help_environment>).
  ///
  /// - Parameters:
  ///   - environment: Where the variable is looked up.
  ///   - window: The width of the window in which the process runs; nil where it has none.
  /// - Returns: The terminal, or what it is where the variable isn't set.
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

  /// The width of the window in which the process runs, wherever its output goes.
  static func columnsOfWindow() -> Int? {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    return columns(of: terminal)
  }

  /// The width of a terminal's window now, in columns.
  ///
  /// A serial line or a fresh pseudo-terminal says 0, which means that it doesn't know.
  static func columns(of descriptor: CInt) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Whether the terminal shows hyperlinks, which no terminal can be asked.
///
/// OSC 8 is written only to terminals that are known to have it: some older ones show the address as rubbish
/// (<https://github.com/Alhadis/OSC8-Adoption>). All others get the addresses as footnotes, which are of use
/// everywhere.
enum Hyperlinks {
  /// Decides from the environment.
  ///
  /// `FORCE_HYPERLINK` of `0` says no, and any other value yes, as other programs have it. Without it the
  /// terminal's own variables decide. Inside of tmux and screen those may be an outer terminal's, and
  /// whether links pass depends on its configuration: no. So does a pager: less before 566 shows them as
  /// rubbish.
  ///
  /// - Parameters:
  ///   - style: How standard output is written. Nothing but a terminal gets links, and none that is to
  ///     have no escape sequences.
  ///   - hasPager: Whether a pager has the screen.
  ///   - environment: Where the variables are looked up.
  /// - Returns: Whether links may be written.
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
    // 0.50.0 crashes on links.
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

internal import StyledText

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

internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// The names of the views with their keys, at the right of the search bar.
struct ViewTabs {
  let state: BrowserState
  let look: Look

  /// All tabs, or as many tabs around the open one as fit; empty without views.
  func line(within width: Int) -> StyledLine {
    guard !state.views.all.isEmpty else { return StyledLine() }
    let tab = state.list.query == .inbox ? "i" : state.tab.map { "\($0)" }
    let names =
      (state.views.hasStart ? [("0", "start")] : []) + [("i", "inbox")]
      + state.views.all.prefix(9).enumerated().map { ("\($0.offset + 1)", $0.element.name) }
    let tabs = names.map { key, name in
      let isOpen = key == tab
      return (
        isOpen: isOpen,
        line: StyledLine(runs: [
          StyledLine.Run("\(key) ", style: look[isOpen ? .key : .muted]),
          StyledLine.Run(name, within: 24, style: look[isOpen ? .title : .muted]),
          StyledLine.Run(isOpen && look.symbols.isPlain ? " current" : ""),
        ])
      )
    }
    let all = StyledLine(
      pieces: tabs.map(\.line), separator: StyledLine.Run("  "), within: 10_000)
    if all.columns <= width { return all }
    let open = tabs.first(where: \.isOpen)?.line ?? StyledLine()
    return open.columns <= width ? open : StyledLine()
  }
}

extension StartPage {
  func heading(_ look: Look) -> [StyledLine] {
    let isSignedOut = if case .missing? = account { true } else { false }
    return [
      StyledLine("Start", style: look[.title]),
      version.isEmpty ? nil : StyledLine("issues \(version)", style: look[.muted]),
      isSignedOut ? StyledLine("not signed in", style: look[.warning]) : nil,
    ].compactMap(\.self)
  }
}

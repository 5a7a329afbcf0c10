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
    let names =
      (state.views.hasStart ? [(0, "start")] : [])
      + state.views.all.prefix(9).enumerated().map { ($0.offset + 1, $0.element.name) }
    let tabs = names.map { number, name in
      let isOpen = state.tab == number
      return (
        isOpen: isOpen,
        line: StyledLine(runs: [
          StyledLine.Run("\(number) ", style: look[isOpen ? .key : .muted]),
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

extension ViewsState.Page {
  var isStart: Bool { if case .start = self { true } else { false } }

  func heading(_ look: Look, within width: Int) -> [StyledLine] {
    switch self {
    case .start(let page):
      [
        StyledLine("Start", style: look[.title]),
        page.version.isEmpty ? nil : StyledLine("issues \(page.version)", style: look[.muted]),
        page.account == .missing ? StyledLine("not signed in", style: look[.warning]) : nil,
      ].compactMap(\.self)
    case .found(let found):
      [
        StyledLine(found.view.name, within: width, style: look[.title]),
        StyledLine(
          "\(found.view.text)\(found.view.placeWords)", within: width, style: look[.muted]),
      ]
    }
  }
}

extension FoundIssues {
  /// The issue's name including its repository, such as `apple/swift#42`.
  func name(of issue: GitHub.Issue) -> String {
    "\(reference(of: issue)?.name.description ?? "")#\(issue.number)"
  }

  /// The time that the list is sorted by.
  var time: ListColumn { view.sort?.hasPrefix("created") == true ? .created : .updated }

  /// The reason that the list is empty.
  func notice(_ look: Look, _ isLoading: Bool) -> StyledLine {
    if let problem {
      let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
      return StyledLine(line, style: look[.problem])
    }
    return isLoading
      ? StyledLine("Searching…", style: look[.muted])
      : StyledLine("Nothing matches \(look.symbols.quoted(view.text))")
  }
}

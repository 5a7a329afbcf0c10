internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Says, where the list has no rows, why not.
struct ListNotice {
  let state: BrowserState
  let symbols: Symbols

  func draw(on canvas: inout Canvas, in area: BrowserLayout.Area) {
    guard let line else { return }
    let margin = area.width >= 40 ? 2 : 0
    let first = area.height >= 4 ? area.row + 1 : area.row
    let lines = line.wrapped(to: max(1, area.width - 2 * margin))
    for (row, line) in zip(first..<area.row + area.height, lines) {
      canvas.draw(line, column: area.column + margin, row: row, width: area.width - margin)
    }
  }

  private var line: StyledLine? {
    if let problem = state.problem { return StyledLine(problem.text, style: problem.style) }
    switch state.content {
    case .nothing:
      return state.isLoading
        ? StyledLine("Searching…", style: .faint)
        : StyledLine("Type a repository, such as apple/swift, or words to search for")
    case .repositories(let found):
      if state.isLoading || found.nextPage != nil {
        if found.query.isEmpty { return nil }
        return StyledLine("Searching for \(symbols.quoted(found.query))…", style: .faint)
      }
      if found.query.isEmpty {
        let name = "\(state.host == GitHubServer.github.host ? "" : "\(state.host)/")OWNER/REPO"
        return StyledLine(
          "Nothing of \(state.host) is mirrored: 'issues sync \(name)' does that, and 'issues mirror' "
            + "lists what there is of others")
      }
      return StyledLine("Nothing found for \(symbols.quoted(found.query))")
    case .issues(let sheet):
      guard let repository = sheet.repository else {
        return StyledLine("Looking up \(sheet.reference)…", style: .faint)
      }
      if state.isLoading || sheet.hasMore {
        return StyledLine("Loading the issues of \(repository.fullName)…", style: .faint)
      }
      if sheet.unreadable.count > 0 { return nil }
      if let search = sheet.search {
        return StyledLine("Nothing matches \(symbols.quoted(search.text))")
      }
      // Of which there are none, there aren't `all`.
      let kind = sheet.filter.state == .all ? "issues" : sheet.filter.kind
      return StyledLine(sheet.filter.isNarrow ? "No \(kind) match" : "There are no \(kind)")
    }
  }
}

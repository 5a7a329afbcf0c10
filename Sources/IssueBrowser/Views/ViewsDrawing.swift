internal import IssueTracker
internal import StyledText
internal import TerminalScreen

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The names of the views with their keys, at the right of the search bar.
struct ViewTabs {
  let state: BrowserState
  let look: Look

  /// All tabs, or as much of them around the open one as fits; empty without views.
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

  /// Such as `12 of 340 found`.
  var loaded: String {
    guard case .found(let found) = self, let total = found.total else { return "" }
    let shown = found.issues.count
    return shown < total
      ? "the first \(shown.grouped) of \(total.grouped)" : "all \(shown.grouped) found"
  }

  func heading(_ look: Look, within width: Int) -> [StyledLine] {
    switch self {
    case .start: [StyledLine("Start", style: look[.title])]
    case .found(let found):
      [
        StyledLine(found.view.name, within: width, style: look[.title]),
        StyledLine(
          "\(found.view.text)\(found.view.placeWords)", within: width, style: look[.muted]),
      ]
    }
  }

  func draw(
    _ visible: Range<Int>, in area: BrowserLayout.Area, width: Int, look: Look, now: Date,
    on canvas: inout Canvas
  ) {
    let rows = zip(visible, area.row...)
    switch self {
    case .start(let page):
      let drawing = StartDrawing(page: page, look: look, width: width, now: now)
      for (index, row) in rows {
        drawing.draw(index, on: &canvas, column: area.column + 1, row: row)
      }
    case .found(let found):
      let names = visible.map { found.name(of: found.issues[$0]) }
      let nameWidth = min(names.map(\.utf8.count).max() ?? 0, width * 2 / 5)
      for ((index, row), name) in zip(rows, names) {
        found.draw(
          found.issues[index], name, nameWidth, look, now, on: &canvas, column: area.column + 1,
          row: row, width: width)
      }
    }
  }
}

extension FoundIssues {
  private static let ageWidth = 4
  private static let gap = 2

  fileprivate func draw(
    _ issue: Issue, _ name: String, _ nameWidth: Int, _ look: Look, _ now: Date,
    on canvas: inout Canvas, column: Int, row: Int, width: Int
  ) {
    let showsAge = width >= 46
    let titleWidth = width - 2 - nameWidth - Self.gap - (showsAge ? Self.ageWidth + Self.gap : 0)
    canvas.draw(
      StyledLine(
        look.symbols.state(issue.state, issue.stateReason), style: look.state(of: issue)),
      column: column, row: row, width: 1)
    var place = column + 2
    canvas.drawCell(
      StyledLine(name, within: nameWidth, style: look[.muted]), column: &place,
      row: row, width: nameWidth)
    canvas.drawCell(
      StyledLine(issue.title, within: max(0, titleWidth)), column: &place, row: row,
      width: max(0, titleWidth))
    guard showsAge, let date = issue.updatedAt ?? issue.createdAt else { return }
    canvas.drawCell(
      StyledLine(RelativeTime.short(date, relativeTo: now), style: look[.muted]), column: &place,
      row: row, width: Self.ageWidth, alignment: .trailing)
  }

  fileprivate func name(of issue: Issue) -> String {
    "\(reference(of: issue)?.name.description ?? "")#\(issue.number)"
  }

  /// Why there are no rows.
  func notice(_ look: Look, _ isLoading: Bool) -> StyledLine {
    if let problem {
      let line = problem.split(separator: "\n").joined(separator: " ")
      return StyledLine(line, style: look[.problem])
    }
    return isLoading
      ? StyledLine("Searching…", style: look[.muted])
      : StyledLine("Nothing matches \(look.symbols.quoted(view.text))")
  }
}

internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the visible rows of the list, or why there are none.
struct ListDrawing {
  let state: BrowserState
  let symbols: Symbols

  func draw(on canvas: inout Canvas) {
    let area = state.layout.list
    let count = state.rowCount
    guard count > 0 else {
      ListNotice(state: state, symbols: symbols).draw(on: &canvas, in: area)
      return
    }
    let first = min(max(0, state.top), count - 1)
    let visible = first..<min(count, first + area.height)
    // Before the rows is the marker, and behind them a blank where another pane follows.
    let width = area.width - (state.layout.isWide ? 2 : 1)
    switch state.content {
    case .nothing: break
    case .repositories(let found):
      let columns = RepositoryColumns(width: width)
      for index in visible {
        let row = area.row + index - first
        columns.draw(
          found.repositories[index], on: &canvas, column: area.column + 1, row: row,
          symbols: symbols)
      }
    case .issues(let sheet):
      let columns = IssueColumns(
        width: width, numbers: visible.map { sheet.issues[$0].number })
      for index in visible {
        let row = area.row + index - first
        columns.draw(
          sheet.issues[index], on: &canvas, column: area.column + 1, row: row, now: state.now)
      }
    }
    if visible.contains(state.selection) {
      mark(row: area.row + state.selection - first, in: area, on: &canvas)
    }
  }

  /// Marks the selected row: a bar of reversed colours where the keys go to the list, else the marker alone.
  private func mark(row: Int, in area: BrowserLayout.Area, on canvas: inout Canvas) {
    let hasKeys = state.pane == .list
    canvas.draw(
      StyledLine(symbols.marker, style: hasKeys ? .focusedLine : .faint), column: area.column,
      row: row, width: 1)
    guard hasKeys else { return }
    canvas.restyle(columns: area.column..<area.column + area.width, row: row) { $0 = .selection }
  }
}

internal import IssueTracker
internal import StyledText
internal import TerminalScreen

package struct CompletionDropdown {
  private static let maximumRows = 8

  /// Without the frame.
  package let area: BrowserLayout.Area
  private let completions: BrowserState.Completions
  private let first: Int

  package init?(_ state: BrowserState) {
    guard state.pane == .search, let completions = state.completions,
      !completions.predictions.isEmpty
    else { return nil }
    let height = min(completions.predictions.count, Self.maximumRows, state.size.rows - 3)
    let room = state.size.columns - 2
    guard height > 0, room > 2 else { return nil }
    self.completions = completions
    let selection = min(completions.selection ?? 0, completions.predictions.count - 1)
    first = max(0, selection - height + 1)
    let longest =
      completions.predictions[first..<first + height].map {
        StyledLine.Run($0.text, within: room).columns
      }.max() ?? 0
    area = BrowserLayout.Area(
      column: 1, row: state.layout.searchRow + 1, width: min(room, max(longest + 2, 24)),
      height: height)
  }

  package func index(atColumn column: Int, row: Int) -> Int? {
    area.contains(column: column, row: row) ? first + row - area.row : nil
  }

  func draw(on canvas: inout Canvas, look: Look) {
    for offset in 0..<area.height {
      let (row, index) = (area.row + offset, first + offset)
      let side = StyledLine(look.symbols.vertical, style: look[.border])
      let isMarked = look.symbols.isPlain && index == completions.selection
      canvas.draw(
        isMarked ? StyledLine(look.symbols.marker) : side, column: area.column - 1, row: row,
        width: 1)
      canvas.draw(
        line(completions.predictions[index], look), column: area.column, row: row,
        width: area.width,
        fill: .plain)
      canvas.draw(side, column: area.column + area.width, row: row, width: 1)
      if index == completions.selection {
        canvas.restyle(columns: area.column..<area.column + area.width, row: row) {
          $0 = look[.selection]
        }
      }
    }
    let line = String(repeating: look.symbols.horizontal, count: area.width)
    canvas.draw(
      StyledLine(look.symbols.corners[2] + line + look.symbols.corners[3], style: look[.border]),
      column: area.column - 1, row: area.row + area.height)
  }

  private func line(_ prediction: Prediction, _ look: Look) -> StyledLine {
    let text = prediction.text
    var runs = [StyledLine.Run(" ")]
    var end = text.startIndex
    for range in prediction.ranges where range.lowerBound >= end {
      runs.append(StyledLine.Run(text[end..<range.lowerBound]))
      runs.append(StyledLine.Run(text[range], style: look[.match]))
      end = range.upperBound
    }
    runs.append(StyledLine.Run(text[end...]))
    return StyledLine(runs: runs).cut(to: area.width - 1)
  }
}

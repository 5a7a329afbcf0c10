internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Lines to choose from: completions of the search bar below it, those of a filter above it, or the orders.
package struct CompletionDropdown {
  private static let maximumRows = 8

  /// Without the frame.
  package let area: BrowserLayout.Area
  private let lines: [Prediction]
  private let selection: Int?
  private let first: Int
  /// Whether it stands above its field.
  private let isAbove: Bool

  package init?(_ state: BrowserState) {
    let layout = state.layout
    if let menu = state.orders {
      self.init(
        menu.orders.map { Prediction($0.words.prefix(1).uppercased() + $0.words.dropFirst()) },
        menu.selection, in: state, row: layout.headingRow + 1, mostRows: .max)
    } else if let field = state.filter, let completions = state.filterAid.completions,
      state.filterProblem == nil, let completion = FilterCompletion(before: field)
    {
      let column = StatusLine.filterPrompt.count + completion.range.lowerBound
      self.init(
        completions.predictions, completions.selection, in: state, column: column,
        row: layout.statusRow, isAbove: true)
    } else if state.pane == .search, state.filter == nil, let completions = state.completions {
      self.init(
        completions.predictions, completions.selection, in: state, row: layout.searchRow + 1)
    } else {
      return nil
    }
  }

  /// The row is the first one below the field, or that of the field itself.
  private init?(
    _ lines: [Prediction], _ selection: Int?, in state: BrowserState, column: Int = 1, row: Int,
    isAbove: Bool = false, mostRows: Int = maximumRows
  ) {
    guard !lines.isEmpty else { return nil }
    let height = min(lines.count, mostRows, isAbove ? row - 1 : state.size.rows - row - 2)
    let room = state.size.columns - 2
    guard height > 0, room > 2 else { return nil }
    self.lines = lines
    self.selection = selection
    self.isAbove = isAbove
    first = max(0, min(selection ?? 0, lines.count - 1) - height + 1)
    let longest =
      lines[first..<first + height].map { StyledLine.Run($0.text, within: room).columns }.max() ?? 0
    let width = min(room, max(longest + 2, 24))
    area = BrowserLayout.Area(
      column: max(1, min(column, state.size.columns - width - 1)),
      row: isAbove ? row - height : row, width: width, height: height)
  }

  package func index(atColumn column: Int, row: Int) -> Int? {
    area.contains(column: column, row: row) ? first + row - area.row : nil
  }

  func draw(on canvas: inout Canvas, look: Look) {
    for offset in 0..<area.height {
      let (row, index) = (area.row + offset, first + offset)
      let side = StyledLine(look.symbols.vertical, style: look[.border])
      let isMarked = look.symbols.isPlain && index == selection
      canvas.draw(
        isMarked ? StyledLine(look.symbols.marker) : side, column: area.column - 1, row: row,
        width: 1)
      canvas.draw(
        line(lines[index], look), column: area.column, row: row, width: area.width, fill: .plain)
      canvas.draw(side, column: area.column + area.width, row: row, width: 1)
      if index == selection {
        canvas.restyle(columns: area.column..<area.column + area.width, row: row) {
          $0 = look[.selection]
        }
      }
    }
    let line = String(repeating: look.symbols.horizontal, count: area.width)
    let corners = look.symbols.corners
    canvas.draw(
      StyledLine(
        isAbove ? corners[0] + line + corners[1] : corners[2] + line + corners[3],
        style: look[.border]),
      column: area.column - 1, row: isAbove ? area.row - 1 : area.row + area.height)
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

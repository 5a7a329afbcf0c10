internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// A dropdown to choose from: completions below the search bar, completions above a filter, or the orders.
package struct CompletionDropdown {
  private static let maximumRows = 8

  /// The area without the frame.
  package let area: BrowserLayout.Area
  private let lines: [Prediction]
  private let selection: Int?
  private let first: Int
  /// Whether the dropdown is above its field.
  private let isAbove: Bool
  /// The title in plain mode, for a list without a field above it.
  private var title: String?

  package init?(_ state: BrowserState) {
    let layout = state.layout
    if let menu = state.filter.orders {
      self.init(
        menu.orders.map { Prediction($0.words.prefix(1).uppercased() + $0.words.dropFirst()) },
        menu.selection, in: state, row: layout.headingRow + 1, mostRows: .max)
      title = "Order of the list"
    } else if let field = state.filter.field, let completions = state.filter.completions,
      state.filter.problem == nil, let completion = FilterCompletion(before: field)
    {
      let column = StatusLine.filterPrompt.count + completion.range.lowerBound
      self.init(
        completions.predictions,
        completions.selection ?? (state.filter.entersCompletion ? 0 : nil), in: state,
        column: column,
        row: layout.statusRow, isAbove: true)
      title = "Completions of the filter"
    } else if state.pane == .search, state.filter.field == nil,
      let completions = state.search.completions
    {
      self.init(
        completions.predictions, state.enteredCompletion, in: state, row: layout.searchRow + 1)
    } else {
      return nil
    }
  }

  /// Creates the dropdown, if there is room. `row` is the first row below the field, or the row of the field itself.
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
    let isPlain = state.look.symbols.isPlain
    let longest =
      lines[first..<first + height].map { StyledLine.Run($0.text, within: room).columns }.max() ?? 0
    let width = isPlain ? room : min(room, max(longest + 2, 24))
    area = BrowserLayout.Area(
      column: isPlain ? 1 : max(1, min(column, state.size.columns - width - 1)),
      row: isAbove ? row - height : row, width: width, height: height)
  }

  package func index(atColumn column: Int, row: Int) -> Int? {
    area.contains(column: column, row: row) ? first + row - area.row : nil
  }

  func draw(on canvas: inout Canvas, look: Look) {
    canvas.clearHeadings(behind: area.row...area.row + area.height, look: look)
    for offset in 0..<area.height {
      let (row, index) = (area.row + offset, first + offset)
      let side = StyledLine(look.symbols.vertical, style: look[.border])
      canvas.draw(side, column: area.column - 1, row: row, width: 1)
      canvas.draw(
        line(lines[index], isCurrent: index == selection, look), column: area.column, row: row,
        width: area.width, fill: .plain)
      canvas.draw(side, column: area.column + area.width, row: row, width: 1)
      if index == selection {
        canvas.markCurrent(
          columns: area.column..<area.column + area.width, row: row, look: look)
      }
    }
    let line = String(repeating: look.symbols.horizontal, count: area.width)
    let corners = look.symbols.corners
    canvas.draw(
      StyledLine(
        isAbove ? corners[0] + line + corners[1] : corners[2] + line + corners[3],
        style: look[.border]),
      column: area.column - 1, row: isAbove ? area.row - 1 : area.row + area.height)
    if look.symbols.isPlain, let title {
      canvas.draw(StyledLine(title), column: area.column, row: area.row - 1)
    }
  }

  private func line(
    _ prediction: Prediction, isCurrent: Bool, _ look: Look
  ) -> StyledLine {
    let text = StyledLine(
      runs: StyledLine.runs(of: prediction.text, matching: prediction.ranges, look[.match]))
    return StyledLine(
      runs: [StyledLine.Run(" ")] + look.row(text, isCurrent: isCurrent).runs
    ).cut(to: area.width - 1)
  }
}

internal import StyledText
internal import TerminalScreen

/// A framed area over the middle of the window.
struct Popup {
  /// The area without the frame and the empty columns beside it.
  var area: BrowserLayout.Area

  /// Creates a popup no larger than the window allows. It doesn't cover the status line, which shows its keys. In plain
  /// mode, it fills the window.
  init(columns: Int, rows: Int, in size: ScreenSize, isPlain: Bool) {
    let height = max(0, min(rows, size.rows - 3))
    if isPlain {
      area = BrowserLayout.Area(
        column: 2, row: 1, width: max(0, size.columns - 4), height: height)
      return
    }
    let width = max(0, min(columns, size.columns - 4))
    area = BrowserLayout.Area(
      column: (size.columns - width) / 2, row: (size.rows - 1 - height) / 2, width: width,
      height: height)
  }

  /// Draws the frame, with a note such as `1–9 of 30` in its bottom edge, and clears the area.
  func draw(title: String, note: String = "", on canvas: inout Canvas, look: Look) {
    let symbols = look.symbols
    canvas.clearHeadings(behind: area.row - 1...area.row + area.height, look: look)
    draw(
      edge: title, between: symbols.corners[0], symbols.corners[1], row: area.row - 1, &canvas, look
    )
    draw(
      edge: note, between: symbols.corners[2], symbols.corners[3], row: area.row + area.height,
      &canvas, look)
    let side = StyledLine(symbols.vertical, style: look[.activeBorder])
    for row in area.row..<area.row + area.height {
      canvas.draw(side, column: area.column - 2, row: row, width: 1)
      canvas.draw(
        StyledLine(), column: area.column - 1, row: row, width: area.width + 2, fill: look[.text])
      canvas.draw(side, column: area.column + area.width + 1, row: row, width: 1)
    }
  }

  /// Draws a field in the first row, and a message below it for an empty list. Returns the area of the list.
  func draw(
    _ field: TextField, prompt: String, nothing: String?, on canvas: inout Canvas, look: Look
  ) -> BrowserLayout.Area {
    var rest = area
    guard area.height > 0 else { return rest }
    field.draw(
      prompt: prompt, isFocused: true, in: look, on: &canvas, column: area.column,
      row: area.row, width: area.width)
    rest.row += 1
    rest.height -= 1
    if let nothing, rest.height > 0 {
      canvas.draw(
        StyledLine(nothing, style: look[.muted]), column: rest.column, row: rest.row,
        width: rest.width)
    }
    return rest
  }

  private func draw(
    edge words: String, between left: String, _ right: String, row: Int, _ canvas: inout Canvas,
    _ look: Look
  ) {
    let title = StyledLine(
      words.isEmpty ? "" : " \(words) ", within: area.width, style: look[.title])
    let rest = max(0, area.width + 1 - title.columns)
    canvas.draw(
      StyledLine(
        runs: [StyledLine.Run(left + look.symbols.horizontal, style: look[.activeBorder])]
          + title.runs
          + [
            StyledLine.Run(
              String(repeating: look.symbols.horizontal, count: rest) + right,
              style: look[.activeBorder])
          ]), column: area.column - 2, row: row)
  }
}

extension Look {
  /// A row to choose from. In plain mode, a word marks the current row.
  func row(_ line: StyledLine, isCurrent: Bool) -> StyledLine {
    guard symbols.isPlain, isCurrent else { return line }
    return StyledLine(runs: [StyledLine.Run("current, ")] + line.runs)
  }
}

extension Canvas {
  /// Clears the headings of the window that a box covers in part. The words beside it would be cut.
  mutating func clearHeadings(behind rows: ClosedRange<Int>, look: Look) {
    guard !look.symbols.isPlain else { return }
    for row in 0...BrowserLayout.lastHeadingRow where rows.contains(row) {
      draw(StyledLine(), column: 0, row: row, width: size.columns, fill: .plain)
    }
  }

  /// Draws the choices around the current one.
  mutating func drawChoices(
    _ count: Int, _ selection: Int, in area: BrowserLayout.Area, look: Look,
    _ line: (Int) -> StyledLine
  ) {
    let first = max(0, min(selection - area.height / 2, count - area.height))
    for (row, index) in zip(area.row..<area.row + area.height, first..<count) {
      let isCurrent = index == selection
      draw(
        look.row(line(index), isCurrent: isCurrent).cut(to: area.width), column: area.column,
        row: row, width: area.width)
      if isCurrent {
        markCurrent(columns: area.column..<area.column + area.width, row: row, look: look)
      }
    }
  }

  /// Marks the current row. In plain mode, the terminal's cursor moves there, because screen readers follow it.
  mutating func markCurrent(columns: Range<Int>, row: Int, look: Look) {
    select(columns: columns, row: row, look[.selection])
    guard look.symbols.isPlain else { return }
    draw(StyledLine(look.symbols.marker), column: 0, row: row, width: 1)
    cursor = (0, row)
  }
}

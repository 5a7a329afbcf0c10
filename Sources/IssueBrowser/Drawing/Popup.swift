internal import StyledText
internal import TerminalScreen

/// A framed area over the middle of the window.
struct Popup {
  /// Without the frame and the blank columns beside it.
  let area: BrowserLayout.Area

  /// At most as large as the window allows.
  init(columns: Int, rows: Int, in size: ScreenSize) {
    let width = max(0, min(columns, size.columns - 4))
    let height = max(0, min(rows, size.rows - 2))
    area = BrowserLayout.Area(
      column: (size.columns - width) / 2, row: (size.rows - height) / 2, width: width,
      height: height)
  }

  /// Draws the frame, with a note such as `1–9 of 30` in its lower edge, and clears the area.
  func draw(title: String, note: String = "", on canvas: inout Canvas, look: Look) {
    let symbols = look.symbols
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

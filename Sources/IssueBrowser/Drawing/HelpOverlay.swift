internal import StyledText
internal import TerminalScreen

/// Draws what the keys do in a box over everything.
struct HelpOverlay {
  let symbols: Symbols

  func draw(on canvas: inout Canvas) {
    let lines = lines(columns: canvas.size.columns - 4, rows: canvas.size.rows - 2)
    let width = (lines.map(\.columns).max() ?? 0) + 2
    let column = max(0, (canvas.size.columns - width - 2) / 2)
    let row = max(0, (canvas.size.rows - lines.count - 2) / 2)
    let title = " Keys "
    let line = String(repeating: symbols.horizontal, count: max(0, width - title.count - 1))
    canvas.draw(
      StyledLine(runs: [
        StyledLine.Run(symbols.corners[0] + symbols.horizontal, style: .focusedLine),
        StyledLine.Run(title, style: .heading),
        StyledLine.Run(line + symbols.corners[1], style: .focusedLine),
      ]), column: column, row: row)
    let side = StyledLine(symbols.vertical, style: .focusedLine)
    for (offset, line) in lines.enumerated() {
      let row = row + 1 + offset
      canvas.draw(side, column: column, row: row, width: 1)
      canvas.draw(StyledLine(" "), column: column + 1, row: row, width: 1)
      canvas.draw(line, column: column + 2, row: row, width: width - 1, fill: .plain)
      canvas.draw(side, column: column + width + 1, row: row, width: 1)
    }
    let bottom = String(repeating: symbols.horizontal, count: width)
    canvas.draw(
      StyledLine(symbols.corners[2] + bottom + symbols.corners[3], style: .focusedLine),
      column: column, row: row + lines.count + 1)
  }

  /// A table where it fits, else a brief text, as much of it as there is room for.
  private func lines(columns: Int, rows: Int) -> [StyledLine] {
    let table = KeyGuide.table
    if table.count <= rows, table.allSatisfy({ $0.count <= columns }) {
      return zip(table, KeyGuide.entries).map { line, entry in
        StyledLine(runs: [
          StyledLine.Run(entry.keys, style: .heading),
          StyledLine.Run(line.dropFirst(entry.keys.count)),
        ])
      }
    }
    let brief = StyledLine(
      KeyGuide.entries.compactMap(\.brief).joined(separator: " \(symbols.dot) "))
    return Array(brief.wrapped(to: max(1, columns)).prefix(max(0, rows)))
  }
}

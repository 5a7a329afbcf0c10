internal import StyledText
internal import TerminalScreen

extension Canvas {
  /// Draws one cell of a table, cut to its width, and moves on to the next, two columns further right.
  ///
  /// - Parameters:
  ///   - line: What the cell holds.
  ///   - column: The column it starts at; that of the next cell afterwards.
  ///   - row: The row.
  ///   - width: The cell's width; a cell without is left out.
  ///   - alignment: On which side of the cell it stands.
  mutating func drawCell(
    _ line: StyledLine, column: inout Int, row: Int, width: Int,
    alignment: DisplayWidth.Alignment = .leading
  ) {
    guard width > 0 else { return }
    let cut = line.cut(to: width)
    let blanks = alignment == .trailing ? width - cut.columns : 0
    draw(cut, column: column + blanks, row: row, width: width - blanks)
    column += width + 2
  }
}

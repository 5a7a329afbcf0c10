internal import StyledText
internal import TerminalScreen

extension StyledLine.Run {
  /// Neutralises the beginning of a text, enough for so many columns.
  ///
  /// A title may have any length, and is drawn at every key press.
  init(_ raw: String, within columns: Int, style: Style = .plain) {
    // No script stacks more than eight code points in a column.
    let limit = max(0, columns) * 8
    guard raw.utf8.count > limit else {
      self.init(raw, style: style)
      return
    }
    let start = raw.unicodeScalars.prefix(limit)
    self.init(String(start) + (start.endIndex < raw.endIndex ? "…" : ""), style: style)
  }
}

extension StyledLine {
  /// A text, cut with an ellipsis if it is longer than `columns`.
  init(_ raw: String, within columns: Int, style: Style = .plain) {
    self = StyledLine(runs: [Run(raw, within: columns, style: style)]).cut(to: columns)
  }

  /// As many pieces as fit into `limit` columns, with separators. The first is cut if it must be.
  init(pieces: [StyledLine], separator: Run, within limit: Int) {
    self.init()
    var used = 0
    for piece in pieces {
      let width = piece.columns
      if runs.isEmpty {
        runs = piece.cut(to: limit).runs
        used = min(width, limit)
      } else {
        guard used + separator.columns + width <= limit else { return }
        runs += [separator] + piece.runs
        used += separator.columns + width
      }
    }
  }
}

extension Canvas {
  /// Draws a cell of a table, cut to its width, and moves on to the next cell.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - column: The first column of the cell; afterwards that of the next cell, after a gap of two.
  ///   - row: The row.
  ///   - width: The width; a cell of width 0 is left out.
  ///   - alignment: The side of the cell that the text is on.
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

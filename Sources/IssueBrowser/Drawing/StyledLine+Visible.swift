internal import StyledText
internal import TerminalScreen

extension StyledLine.Run {
  /// Neutralises as much of a text as can be seen in so many columns, and a little more.
  ///
  /// A title can be as long as its server likes, and is drawn at every key press.
  init(_ raw: String, within columns: Int, style: Style = .plain) {
    // Eight code points a column: no script stacks more, and what does was made to be in the way.
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
  /// A text, or where it is longer than `columns` as much of it as fits before an ellipsis.
  init(_ raw: String, within columns: Int, style: Style = .plain) {
    self = StyledLine(runs: [Run(raw, within: columns, style: style)]).cut(to: columns)
  }

  /// Pieces with a separator between them, as many as fit into `limit` columns.
  ///
  /// The first is always there, cut where it has to be.
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

internal import StyledText
internal import TerminalScreen

extension StyledLine.Run {
  /// Creates a run from only as much text as `columns` need. A title may be long, and is drawn at every key press.
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
  /// Text whose matches have a separate style.
  static func runs(
    of text: String, matching ranges: [Range<String.Index>], _ match: Style, style: Style = .plain
  ) -> [Run] {
    var runs: [Run] = []
    var end = text.startIndex
    for range in ranges where range.lowerBound >= end {
      runs.append(Run(text[end..<range.lowerBound], style: style))
      runs.append(Run(text[range], style: match))
      end = range.upperBound
    }
    return runs + [Run(text[end...], style: style)]
  }

  init(_ raw: String, within columns: Int, style: Style = .plain) {
    self = StyledLine(runs: [Run(raw, within: columns, style: style)]).cut(to: columns)
  }

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
  /// Shows cells as selected. Cells keep their own colors unless the style has no background.
  mutating func select(columns: Range<Int>, row: Int, _ style: Style) {
    if style.background != .standard {
      tint(columns: columns, row: row, with: style.background)
    } else if style != .plain {
      restyle(columns: columns, row: row) { cell in
        let isBold = cell.isBold
        cell = style
        if isBold { cell.isBold = true }
      }
    }
  }

  /// Draws a cell of a table, unless its width is 0, and moves `column` to the next cell, after a gap.
  mutating func drawCell(
    _ line: StyledLine, column: inout Int, row: Int, width: Int,
    alignment: DisplayWidth.Alignment = .leading, gap: Int = 2
  ) {
    guard width > 0 else { return }
    let cut = line.cut(to: width)
    let blanks = alignment == .trailing ? width - cut.columns : 0
    draw(cut, column: column + blanks, row: row, width: width - blanks)
    column += width + gap
  }
}

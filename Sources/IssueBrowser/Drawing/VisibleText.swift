internal import StyledText

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

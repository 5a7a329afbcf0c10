internal import StyledText

/// Rows for the next program in a pipe: cells between tabs, no header, nothing cut.
///
/// A cell can hold neither a tab nor a line break (``TerminalText`` makes blanks of them), so every
/// line has as many tabs as its row has cells, less one.
struct TSV: Sendable {
  /// The colours to use: none, unless the user insists on them in a pipe (`--color always`, `CLICOLOR_FORCE`).
  var color = ColorMode.none

  /// The line of one row, with its newline.
  func line(_ cells: [StyledLine]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "\t" }
      line += cell.rendered(in: color)
    }
    return line + "\n"
  }

  /// The lines of a page.
  func page(_ rows: [[StyledLine]]) -> String {
    rows.reduce(into: "") { $0 += line($1) }
  }
}

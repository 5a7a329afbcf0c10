internal import StyledText
internal import TerminalScreen

/// The keys and their meanings, for the help of the screen and of the command.
package enum KeyGuide {
  /// Keys that do the same, or opposites.
  package struct Entry: Sendable, Hashable {
    package let keys: String
    package let meaning: String
    /// For a narrow window; nil to leave it out there.
    let brief: String?
  }

  package static let entries = [
    Entry(keys: "/", meaning: "go to the search bar", brief: "/ search"),
    Entry(keys: "Up Down, k j", meaning: "move one row or line", brief: "k j move"),
    Entry(keys: "PgUp PgDn", meaning: "move one page", brief: "PgUp PgDn page"),
    Entry(keys: "Home End, g G", meaning: "go to the first or last", brief: "g G ends"),
    Entry(
      keys: "Enter", meaning: "read the issue; list the repository's issues", brief: "Enter read"),
    Entry(keys: "# :", meaning: "go to an issue by its number", brief: "# number"),
    Entry(keys: "n p", meaning: "next or previous issue, while reading", brief: "n p next"),
    Entry(keys: "Tab", meaning: "next pane; complete what you type", brief: "Tab pane"),
    Entry(keys: "o", meaning: "open in the web browser", brief: "o open"),
    Entry(keys: "1-9, 0", meaning: "open a view; the start screen", brief: "1-9 views"),
    Entry(
      keys: "f", meaning: "filter: is:closed label:bug; in the mirror, words too", brief: "f filter"
    ),
    Entry(keys: "s", meaning: "change the order", brief: "s sort"),
    Entry(keys: "r", meaning: "reload", brief: "r refresh"),
    Entry(keys: "v", meaning: "show the request that failed", brief: nil),
    Entry(keys: "x X", meaning: "close with a reason; reopen", brief: "x close"),
    Entry(keys: "u", meaning: "undo the newest change before it is sent", brief: "u undo"),
    Entry(keys: "?", meaning: "show these keys", brief: "? help"),
    Entry(keys: "Esc", meaning: "back; in the first list, to the search bar", brief: nil),
    Entry(keys: "q", meaning: "back; in the first list, quit", brief: "q Esc back"),
    Entry(keys: "Ctrl-C", meaning: "quit", brief: "^C quit"),
    Entry(keys: "Ctrl-Z", meaning: "suspend; fg resumes", brief: "^Z suspend"),
    Entry(keys: "Ctrl-L", meaning: "redraw", brief: "^L draw"),
    Entry(keys: "Mouse", meaning: "wheel scrolls, click selects, double-click reads", brief: nil),
  ]

  package static var table: [String] {
    let width = entries.map(\.keys.count).max() ?? 0
    return entries.map { entry in
      entry.keys + String(repeating: " ", count: width - entry.keys.count + 2) + entry.meaning
    }
  }

  static func draw(on canvas: inout Canvas, look: Look) {
    let lines = lines(look, columns: canvas.size.columns - 4, rows: canvas.size.rows - 2)
    let width = (lines.map(\.columns).max() ?? 0) + 2
    let column = max(0, (canvas.size.columns - width - 2) / 2)
    let row = max(0, (canvas.size.rows - lines.count - 2) / 2)
    let title = " Keys "
    let line = String(repeating: look.symbols.horizontal, count: max(0, width - title.count - 1))
    canvas.draw(
      StyledLine(runs: [
        StyledLine.Run(
          look.symbols.corners[0] + look.symbols.horizontal, style: look[.activeBorder]),
        StyledLine.Run(title, style: look[.title]),
        StyledLine.Run(line + look.symbols.corners[1], style: look[.activeBorder]),
      ]), column: column, row: row)
    let side = StyledLine(look.symbols.vertical, style: look[.activeBorder])
    for (offset, line) in lines.enumerated() {
      let row = row + 1 + offset
      canvas.draw(side, column: column, row: row, width: 1)
      canvas.draw(StyledLine(" "), column: column + 1, row: row, width: 1)
      canvas.draw(line, column: column + 2, row: row, width: width - 1, fill: .plain)
      canvas.draw(side, column: column + width + 1, row: row, width: 1)
    }
    let bottom = String(repeating: look.symbols.horizontal, count: width)
    canvas.draw(
      StyledLine(
        look.symbols.corners[2] + bottom + look.symbols.corners[3], style: look[.activeBorder]),
      column: column, row: row + lines.count + 1)
  }

  /// The table, or as much of the short forms as fits.
  private static func lines(_ look: Look, columns: Int, rows: Int) -> [StyledLine] {
    let table = table
    if table.count <= rows, table.allSatisfy({ $0.count <= columns }) {
      return zip(table, entries).map { line, entry in
        StyledLine(runs: [
          StyledLine.Run(entry.keys, style: look[.key]),
          StyledLine.Run(line.dropFirst(entry.keys.count)),
        ])
      }
    }
    let brief = StyledLine(
      entries.compactMap(\.brief).joined(separator: " \(look.symbols.dot) "))
    return Array(brief.wrapped(to: max(1, columns)).prefix(max(0, rows)))
  }
}

internal import StyledText
internal import TerminalScreen

/// The help on the screen: the table of keys, which can be searched and scrolled.
package struct KeyHelp: Sendable, Hashable {
  package var field = TextField()
  package var top = 0

  /// The rows that contain all typed words.
  var rows: [KeyBinding.Row] {
    let words = field.text.lowercased().split { $0.isWhitespace }
    return KeyTable.rows.filter { row in
      let text = "\(row.keys) \(row.meaning)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  mutating func edit(_ edit: TextField.Edit) {
    field.edit(edit)
    top = 0
  }

  mutating func scroll(_ motion: BrowserCommand.Motion, in size: ScreenSize, isPlain: Bool) {
    let height = max(1, Self.popup(in: size, isPlain: isPlain).area.height - 1)
    let last = max(0, rows.count - height)
    top = max(0, min(motion.place(from: top, page: height, last: last), last))
  }

  private static let keysWidth = KeyTable.rows.map(\.keys.count).max() ?? 0
  private static let width =
    keysWidth + 2 + (KeyTable.rows.map(\.meaning.count).max() ?? 0)

  /// The popup. The first row is the search field.
  static func popup(in size: ScreenSize, isPlain: Bool) -> Popup {
    Popup(columns: width, rows: KeyTable.rows.count + 1, in: size, isPlain: isPlain)
  }

  func draw(on canvas: inout Canvas, look: Look, keys: KeyMap) {
    let popup = Self.popup(in: canvas.size, isPlain: look.symbols.isPlain)
    let (area, rows) = (popup.area, rows)
    let first = min(top, max(0, rows.count - area.height + 1))
    let visible = first..<min(rows.count, first + max(0, area.height - 1))
    let isWhole = visible.count == rows.count
    popup.draw(
      title: "Keys",
      note: isWhole ? "" : "\(first + 1)-\(visible.upperBound) of \(rows.count)", on: &canvas,
      look: look)
    let list = popup.draw(
      field, prompt: "type to search", nothing: rows.isEmpty ? "No key does that" : nil,
      on: &canvas, look: look)
    for (place, row) in zip(list.row..<list.row + list.height, rows[visible]) {
      canvas.draw(
        Self.line(row, keys, within: list.width, look), column: list.column, row: place,
        width: list.width)
    }
  }

  /// A line of the help. If the window is too narrow for the table, the short form is used.
  private static func line(
    _ row: KeyBinding.Row, _ keys: KeyMap, within width: Int, _ look: Look
  ) -> StyledLine {
    let shown = keys.shown(row.keys, in: row.pane)
    if width < Self.width, let brief = row.brief {
      return StyledLine(keys.shown(brief, in: row.pane)).cut(to: width)
    }
    let gap = width < Self.width ? 1 : max(1, keysWidth - shown.count + 2)
    return StyledLine(runs: [
      StyledLine.Run(shown, style: look[.key]),
      StyledLine.Run(String(repeating: " ", count: gap) + row.meaning),
    ]).cut(to: width)
  }
}

extension BrowserState {
  package var isHelpShown: Bool { help != nil }

  /// Whether neither the help nor the palette is open.
  var isUncovered: Bool { help == nil && palette == nil }
}

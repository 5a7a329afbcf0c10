internal import StyledText
internal import TerminalScreen

/// The list of what can be done now, which follows the letters typed. Enter does it.
package struct Palette: Sendable, Hashable {
  static let width = 64

  package var field = TextField()
  package var selection = 0

  struct Row: Sendable, Hashable {
    let action: KeyGuide.Action
    let command: BrowserCommand
    /// The matching letters of the action's name.
    var ranges: [Range<String.Index>] = []
  }

  private static let maximumRows = 12

  func draw(_ rows: [Row], on canvas: inout Canvas, look: Look) {
    // The first row is for the typed letters. It stays where it is while the others become fewer.
    var popup = Popup(
      columns: Self.width, rows: Self.maximumRows + 1, in: canvas.size,
      isPlain: look.symbols.isPlain)
    popup.area.height = min(popup.area.height, max(1, rows.count) + 1)
    popup.draw(title: "Actions", on: &canvas, look: look)
    let area = popup.draw(
      field, prompt: "what to do", nothing: rows.isEmpty ? "Nothing matches" : nil, on: &canvas,
      look: look)
    let first = max(0, selection - area.height + 1)
    for (place, index) in zip(area.row..<area.row + area.height, first..<max(first, rows.count)) {
      let row = rows[index]
      let isCurrent = index == selection
      let keys = StyledLine(row.action.keys, style: look[.key]).cut(to: area.width / 2)
      if look.symbols.isPlain {
        let key = StyledLine(runs: [StyledLine.Run("key ")] + keys.runs)
        let words = StyledLine(
          pieces: [look.row(Self.name(of: row, look), isCurrent: isCurrent), key],
          separator: StyledLine.Run(", "), within: area.width)
        canvas.draw(words, column: area.column, row: place)
      } else {
        let room = area.width - keys.columns - 1
        canvas.draw(Self.name(of: row, look).cut(to: room), column: area.column, row: place)
        canvas.draw(keys, column: area.column + area.width - keys.columns, row: place)
      }
      if isCurrent {
        canvas.markCurrent(
          columns: area.column - 1..<area.column + area.width + 1, row: place, look: look)
      }
    }
  }

  private static func name(of row: Row, _ look: Look) -> StyledLine {
    StyledLine(
      runs: StyledLine.runs(of: row.action.name, matching: row.ranges, look[.match]))
  }
}

extension BrowserState {
  /// What the palette offers, the best match first. Each action does what its key does.
  var paletteRows: [Palette.Row] {
    guard let palette else { return [] }
    var state = self
    state.palette = nil
    // The table has the usual keys.
    state.keyMap = KeyMap()
    if state.pane == .search { state.pane = state.reader == nil ? .list : .reader }
    let rows = KeyGuide.actions.compactMap { action -> (row: Palette.Row, penalty: Int)? in
      guard action.pane == nil || action.pane == state.pane,
        let command = BrowserKeys.command(for: .key(action.key), in: state),
        let match = FuzzyMatch(of: palette.field.text, in: action.name)
      else { return nil }
      let shown = KeyGuide.Action(
        key: action.key, keys: keyMap.shown(action.keys, in: action.pane), name: action.name,
        pane: action.pane)
      return (Palette.Row(action: shown, command: command, ranges: match.ranges), match.penalty)
    }
    return rows.enumerated()
      .sorted { ($0.element.penalty, $0.offset) < ($1.element.penalty, $1.offset) }
      .map(\.element.row)
  }

  mutating func editPalette(_ edit: TextField.Edit) {
    palette?.field.edit(edit)
    palette?.selection = 0
  }

  mutating func selectAction(_ step: Int) {
    let last = paletteRows.count - 1
    guard let selection = palette?.selection else { return }
    palette?.selection = max(0, min(selection + step, last))
  }
}

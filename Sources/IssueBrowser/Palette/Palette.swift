internal import StyledText
internal import TerminalScreen

/// The list of available actions, filtered by the typed letters. Enter performs the selected action.
package struct Palette: Sendable, Hashable {
  static let width = 64

  package var field = TextField()
  package var selection = 0

  struct Row: Sendable, Hashable {
    let title: String
    let keys: String
    let command: BrowserCommand
    /// The matching letters of the action's name.
    var ranges: [Range<String.Index>] = []
  }

  mutating func edit(_ edit: TextField.Edit) {
    field.edit(edit)
    selection = 0
  }

  mutating func move(by step: Int, among rows: Int) {
    selection = max(0, min(selection + step, rows - 1))
  }

  private static let maximumRows = 12

  func draw(_ rows: [Row], on canvas: inout Canvas, look: Look) {
    // The first row is the field for letters. It doesn't move when the list becomes shorter.
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
      let keys = StyledLine(row.keys, style: look[.key]).cut(to: area.width / 2)
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
      runs: StyledLine.runs(of: row.title, matching: row.ranges, look[.match]))
  }
}

extension BrowserState {
  /// The actions of the palette, best match first. Each action has the effect of its key.
  var paletteRows: [Palette.Row] {
    guard let palette else { return [] }
    var state = self
    state.palette = nil
    // The table contains the default keys.
    state.keyMap = KeyMap()
    if state.pane == .search { state.pane = state.reader == nil ? .list : .reader }
    let rows = KeyTable.bindings.compactMap { binding -> (row: Palette.Row, penalty: Int)? in
      guard let title = binding.title, let key = binding.keys.first,
        binding.scope == .everywhere || binding.scope.contains(state.pane),
        let command = BrowserKeys.command(for: .key(key), in: state), command != .openPalette,
        let match = FuzzyMatch(of: palette.field.text, in: title)
      else { return nil }
      let keys = keyMap.shown(binding.keyNames[0], in: state.pane)
      return (
        Palette.Row(title: title, keys: keys, command: command, ranges: match.ranges),
        match.penalty
      )
    }
    let own = customCommands.compactMap { command in
      FuzzyMatch(of: palette.field.text, in: command.title).map { match in
        (
          row: Palette.Row(
            title: command.title, keys: command.key.map(KeyMap.name) ?? "",
            command: .act(.run(command)), ranges: match.ranges), penalty: match.penalty
        )
      }
    }
    return (rows + own).enumerated()
      .sorted { ($0.element.penalty, $0.offset) < ($1.element.penalty, $1.offset) }
      .map(\.element.row)
  }
}

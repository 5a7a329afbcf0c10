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

  /// The first row is for the typed letters.
  static func popup(rows: Int, in size: ScreenSize) -> Popup {
    Popup(columns: width, rows: max(1, rows) + 1, in: size)
  }

  func draw(_ rows: [Row], on canvas: inout Canvas, look: Look) {
    // As high as for all actions, so that nothing moves while the user types.
    let area = Self.popup(rows: KeyGuide.actions.count, in: canvas.size)
    area.draw(title: "Actions", on: &canvas, look: look)
    draw(rows, in: area.area, on: &canvas, look)
  }

  private func draw(
    _ rows: [Row], in area: BrowserLayout.Area, on canvas: inout Canvas, _ look: Look
  ) {
    guard area.height > 0 else { return }
    field.draw(
      prompt: "what to do", isFocused: true, in: look, on: &canvas, column: area.column,
      row: area.row, width: area.width)
    if rows.isEmpty {
      canvas.draw(
        StyledLine("Nothing matches", style: look[.muted]), column: area.column,
        row: area.row + 1, width: area.width)
    }
    let height = max(1, area.height - 1)
    let first = max(0, selection - height + 1)
    for (offset, index) in (first..<min(rows.count, first + height)).enumerated()
    where offset + 1 < area.height {
      let (row, place) = (rows[index], area.row + 1 + offset)
      let keys = StyledLine(row.action.keys, style: look[.key]).cut(to: area.width / 2)
      let room = area.width - keys.columns - 1
      canvas.draw(Self.name(of: row, look).cut(to: room), column: area.column, row: place)
      canvas.draw(keys, column: area.column + area.width - keys.columns, row: place)
      if index == selection {
        canvas.restyle(columns: area.column - 1..<area.column + area.width + 1, row: place) {
          $0 = look[.selection]
        }
        if look.symbols.isPlain {
          canvas.draw(
            StyledLine(look.symbols.marker), column: area.column - 1, row: place, width: 1)
        }
      }
    }
  }

  private static func name(of row: Row, _ look: Look) -> StyledLine {
    let name = row.action.name
    var runs: [StyledLine.Run] = []
    var end = name.startIndex
    for range in row.ranges {
      runs.append(StyledLine.Run(name[end..<range.lowerBound]))
      runs.append(StyledLine.Run(name[range], style: look[.match]))
      end = range.upperBound
    }
    return StyledLine(runs: runs + [StyledLine.Run(name[end...])])
  }
}

extension BrowserState {
  /// What the palette offers, the best match first. Each action does what its key does.
  var paletteRows: [Palette.Row] {
    guard let palette else { return [] }
    var state = self
    state.palette = nil
    if state.pane == .search { state.pane = state.reader == nil ? .list : .reader }
    let rows = KeyGuide.actions.compactMap { action -> (row: Palette.Row, penalty: Int)? in
      guard action.pane == nil || action.pane == state.pane,
        let command = BrowserKeys.command(for: .key(action.key), in: state),
        let match = FuzzyMatch(of: palette.field.text, in: action.name)
      else { return nil }
      return (Palette.Row(action: action, command: command, ranges: match.ranges), match.penalty)
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

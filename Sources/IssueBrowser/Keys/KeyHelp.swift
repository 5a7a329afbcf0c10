internal import StyledText
internal import TerminalScreen

/// The help on the screen: the table of keys, which can be searched and scrolled.
package struct KeyHelp: Sendable, Hashable {
  package var field = TextField()
  package var top = 0

  /// The entries that contain each typed word.
  var entries: [KeyGuide.Entry] {
    let words = field.text.lowercased().split { $0.isWhitespace }
    return KeyGuide.entries.filter { entry in
      let text = "\(entry.keys) \(entry.meaning)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  private static let keysWidth = KeyGuide.entries.map(\.keys.count).max() ?? 0
  private static let width =
    keysWidth + 2 + (KeyGuide.entries.map(\.meaning.count).max() ?? 0)

  /// Its first row is for the text to search for.
  static func popup(in size: ScreenSize) -> Popup {
    Popup(columns: width, rows: KeyGuide.entries.count + 1, in: size)
  }

  func draw(on canvas: inout Canvas, look: Look, keys: KeyMap) {
    let popup = Self.popup(in: canvas.size)
    let (area, entries) = (popup.area, entries)
    let first = min(top, max(0, entries.count - area.height + 1))
    let visible = first..<min(entries.count, first + max(0, area.height - 1))
    let isWhole = visible.count == entries.count
    popup.draw(
      title: "Keys",
      note: isWhole ? "" : "\(first + 1)-\(visible.upperBound) of \(entries.count)", on: &canvas,
      look: look)
    guard area.height > 0 else { return }
    field.draw(
      prompt: "type to search", isFocused: true, in: look, on: &canvas, column: area.column,
      row: area.row, width: area.width)
    if entries.isEmpty {
      canvas.draw(
        StyledLine("No key does that", style: look[.muted]), column: area.column,
        row: area.row + 1, width: area.width)
    }
    for (offset, entry) in entries[visible].enumerated() where offset + 1 < area.height {
      canvas.draw(
        Self.line(entry, keys, within: area.width, look), column: area.column,
        row: area.row + 1 + offset, width: area.width)
    }
  }

  /// The short form in a window that is too narrow for the table.
  private static func line(
    _ entry: KeyGuide.Entry, _ keys: KeyMap, within width: Int, _ look: Look
  ) -> StyledLine {
    let shown = keys.shown(entry.keys, in: entry.pane)
    if width < Self.width, let brief = entry.brief {
      return StyledLine(keys.shown(brief, in: entry.pane)).cut(to: width)
    }
    let gap = width < Self.width ? 1 : max(1, keysWidth - shown.count + 2)
    return StyledLine(runs: [
      StyledLine.Run(shown, style: look[.key]),
      StyledLine.Run(String(repeating: " ", count: gap) + entry.meaning),
    ]).cut(to: width)
  }
}

extension BrowserState {
  package var isHelpShown: Bool { help != nil }

  /// Whether neither the help nor the palette has the keys.
  var isUncovered: Bool { help == nil && palette == nil }

  mutating func editHelp(_ edit: TextField.Edit) {
    help?.field.edit(edit)
    help?.top = 0
  }

  mutating func scrollHelp(_ motion: BrowserCommand.Motion) {
    guard let help else { return }
    let height = max(1, KeyHelp.popup(in: size).area.height - 1)
    let last = max(0, help.entries.count - height)
    let top =
      switch motion {
      case .up: help.top - 1
      case .down: help.top + 1
      case .halfPageUp: help.top - height / 2
      case .halfPageDown: help.top + height / 2
      case .pageUp: help.top - height
      case .pageDown: help.top + height
      case .first: 0
      case .last: last
      }
    self.help?.top = max(0, min(top, last))
  }
}

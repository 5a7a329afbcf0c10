internal import StyledText
internal import TerminalScreen

/// Draws a text that is being edited, scrolled so that its cursor can be seen.
struct FieldDrawing {
  let field: TextField
  /// What stands there while nothing is typed.
  var prompt = ""
  /// Whether the cursor is in it.
  let isFocused: Bool

  func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
    guard width > 0 else { return }
    let text = field.text
    if text.isEmpty {
      canvas.draw(
        StyledLine(prompt, within: width, style: .faint), column: column, row: row,
        width: width)
      if isFocused { canvas.cursor = (column, row) }
      return
    }
    let cursor =
      text.index(text.startIndex, offsetBy: field.cursor, limitedBy: text.endIndex)
      ?? text.endIndex
    // A quarter of the room is for what follows the cursor, one column for the cursor itself.
    let following = min(
      width / 4, Canvas.columns(of: TerminalText(text[cursor...].prefix(width / 4))))
    let (start, before) = Self.start(of: text[..<cursor], within: width - 1 - following)
    let visible = text[start...].prefix(width)
    canvas.draw(StyledLine(visible), column: column, row: row, width: width)
    if isFocused { canvas.cursor = (column + before, row) }
  }

  /// From where on the end of a text fits, and the columns that it takes.
  private static func start(
    of text: Substring, within limit: Int
  ) -> (index: String.Index, columns: Int) {
    var (start, columns) = (text.endIndex, 0)
    while start > text.startIndex {
      let previous = text.index(before: start)
      let width = Canvas.columns(of: TerminalText(text[previous..<start]))
      guard columns + width <= limit else { break }
      (start, columns) = (previous, columns + width)
    }
    return (start, columns)
  }
}

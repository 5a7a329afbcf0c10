internal import StyledText
package import TerminalScreen

/// Draws the browser as a pure function of its state. It reads only visible rows, so ten thousand issues take no longer
/// than ten. All text passes through `StyledLine`, which neutralizes it.
package enum BrowserScreen {
  package static let minimumSize = ScreenSize(columns: 20, rows: 5)

  package static func canvas(of state: BrowserState) -> Canvas {
    let look = state.look
    var canvas = Canvas(size: state.size)
    guard state.size.fits(minimumSize) else {
      canvas.draw(StyledLine("window too small"), column: 0, row: 0)
      return canvas
    }
    let isCovered = look.symbols.isPlain && hasBoxes(state, look)
    if !isCovered || state.pane == .search && state.isUncovered {
      SearchBarDrawing(state: state, look: look).draw(on: &canvas)
    }
    if !isCovered { drawPanes(of: state, look, on: &canvas) }
    StatusLine(state: state, look: look).draw(on: &canvas)
    drawBoxes(of: state, look, on: &canvas)
    canvas.color(like: look[.text])
    if look.symbols.isPlain, !isCovered, canvas.cursor == nil {
      canvas.cursor = plainCursor(of: state)
    }
    return canvas
  }

  private static func drawPanes(
    of state: BrowserState, _ look: Look, on canvas: inout Canvas
  ) {
    if state.layout.list.height > 0 {
      HeadingDrawing(state: state, look: look).draw(on: &canvas)
      ListDrawing(state: state, look: look).draw(on: &canvas)
    }
    if let reader = state.reader, let area = state.layout.reader {
      ReaderDrawing(state: state, reader: reader, area: area, look: look).draw(on: &canvas)
    }
  }

  private static func drawBoxes(
    of state: BrowserState, _ look: Look, on canvas: inout Canvas
  ) {
    CompletionDropdown(state)?.draw(on: &canvas, look: look)
    if look.symbols.isPlain { state.hints?.drawWords(on: &canvas, look: look) }
    ActingDrawing(state: state, look: look).draw(on: &canvas)
    state.help?.draw(on: &canvas, look: look, keys: state.keyMap)
    state.palette?.draw(state.paletteRows, on: &canvas, look: look)
  }

  /// Whether a box covers the panes. In plain mode, the box fills the screen, because the rows behind it would read as
  /// parts of its lines.
  private static func hasBoxes(_ state: BrowserState, _ look: Look) -> Bool {
    let empty = Canvas(size: state.size)
    var boxes = empty
    drawBoxes(of: state, look, on: &boxes)
    return boxes != empty
  }

  /// The position for screen readers and braille displays, which follow the cursor.
  private static func plainCursor(of state: BrowserState) -> (column: Int, row: Int)? {
    switch state.pane {
    case .search: return nil
    case .reader: return (0, state.layout.reader?.row ?? state.layout.list.row)
    case .list:
      let row = state.list.cursor.selection - state.list.cursor.top
      guard state.rowCount > 0, (0..<state.layout.list.height).contains(row) else { return nil }
      return (0, state.layout.list.row + row)
    }
  }
}

extension Canvas {
  /// Gives uncolored text the theme's color, if there is one.
  fileprivate mutating func color(like style: Style) {
    guard case .exact(let color) = style.foreground else { return }
    for row in 0..<size.rows {
      restyle(columns: 0..<size.columns, row: row) { cell in
        guard cell.foreground == .standard else { return }
        if case .exact(let ground) = cell.background {
          cell.foreground = .exact(color.readable(on: ground))
        } else {
          cell.foreground = style.foreground
        }
      }
    }
  }
}

extension ScreenSize {
  /// Whether a window has room for another size.
  func fits(_ other: ScreenSize) -> Bool { columns >= other.columns && rows >= other.rows }
}

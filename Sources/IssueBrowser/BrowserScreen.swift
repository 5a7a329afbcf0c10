internal import StyledText
package import TerminalScreen

/// Draws the browser as a pure function of its state. It looks at visible rows only, so ten thousand issues take no
/// longer than ten. Every text goes through `StyledLine`, which neutralises it.
package enum BrowserScreen {
  package static let minimumSize = ScreenSize(columns: 20, rows: 5)

  package static func canvas(of state: BrowserState) -> Canvas {
    let look = state.look
    var canvas = Canvas(size: state.size)
    guard state.size.columns >= minimumSize.columns, state.size.rows >= minimumSize.rows else {
      canvas.draw(StyledLine("window too small"), column: 0, row: 0)
      return canvas
    }
    SearchBarDrawing(state: state, look: look).draw(on: &canvas)
    if state.layout.list.height > 0 {
      HeadingDrawing(state: state, look: look).draw(on: &canvas)
      ListDrawing(state: state, look: look).draw(on: &canvas)
    }
    if let reader = state.reader, let area = state.layout.reader {
      ReaderDrawing(state: state, reader: reader, area: area, look: look).draw(on: &canvas)
    }
    StatusLine(state: state, look: look).draw(on: &canvas)
    CompletionDropdown(state)?.draw(on: &canvas, look: look)
    ActingDrawing(state: state, look: look).draw(on: &canvas)
    state.help?.draw(on: &canvas, look: look, keys: state.keyMap)
    state.palette?.draw(state.paletteRows, on: &canvas, look: look)
    return canvas
  }
}

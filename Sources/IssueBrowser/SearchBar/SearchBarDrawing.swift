internal import StyledText
internal import TerminalScreen

/// Draws the search bar. The spinner is at the right, and so is any host other than github.com.
struct SearchBarDrawing {
  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    let row = state.layout.searchRow
    let isFocused = state.pane == .search && state.filter.field == nil && state.isUncovered
    let prompt = StyledLine(look.symbols.prompt, style: look[isFocused ? .prompt : .muted])
    canvas.draw(prompt, column: 0, row: row)
    let begin = prompt.columns + 1
    var end = state.size.columns
    // The spinner has its own column, so that nothing moves when it appears.
    end -= 1
    if state.isBusy {
      let picture = look.symbols.spinner[abs(state.spinner % look.symbols.spinner.count)]
      canvas.draw(StyledLine(picture, style: look[.warning]), column: end, row: row)
    }
    if state.host != "github.com", state.size.columns >= 40 {
      let host = StyledLine(state.host, within: state.size.columns / 3, style: look[.muted])
      end -= host.columns + 1
      canvas.draw(host, column: end, row: row, width: host.columns)
    }
    let tabs = ViewTabs(state: state, look: look).line(within: (end - 3) / 2)
    if tabs.columns > 0 {
      end -= tabs.columns + 1
      canvas.draw(tabs, column: end, row: row, width: tabs.columns)
    }
    state.search.field.draw(
      prompt: "OWNER/REPO, or words to search for", isFocused: isFocused, in: look, on: &canvas,
      column: begin, row: row, width: end - begin - 1)
  }
}

internal import IssueOutbox
internal import IssueTracker
internal import StyledText
internal import TerminalMarkdown
internal import TerminalScreen

/// Draws the issue in the reader below its heading. If the reader is beside the list, a line separates them.
struct ReaderDrawing {
  let state: BrowserState
  let reader: ReaderState
  let area: BrowserLayout.Area
  let look: Look

  private var hasKeys: Bool { state.pane == .reader }

  func draw(on canvas: inout Canvas) {
    drawHeading(on: &canvas)
    if state.layout.isWide { drawSeparator(on: &canvas) }
    if reader.lines.isEmpty {
      canvas.draw(
        StyledLine("Loading…", style: look[.muted]), column: area.column, row: area.row,
        width: area.width)
    }
    let first = min(max(0, reader.top), reader.lines.count)
    for (row, line) in zip(area.row..<area.row + area.height, reader.lines[first...]) {
      canvas.draw(line, column: area.column, row: row, width: area.width)
      highlightMatches(in: line, number: first + row - area.row, row: row, on: &canvas)
    }
    drawImages(on: &canvas, first: first)
    drawHints(on: &canvas, first: first)
  }

  private func drawImages(on canvas: inout Canvas, first: Int) {
    canvas.images = Set(reader.images.loaded.values)
    guard !canvas.images.isEmpty else { return }
    let visible = first..<first + area.height
    for (number, image) in reader.document.images.enumerated() {
      let lines = image.lines.clamped(to: visible)
      guard !lines.isEmpty, image.column + image.columns <= area.width,
        let content = reader.images.loaded[image.source]
      else { continue }
      canvas.place(
        ImagePlacement(
          content, number: number + 1, column: area.column + image.column,
          row: area.row + lines.lowerBound - first, columns: image.columns,
          rows: lines.lowerBound - image.lines.lowerBound..<lines.upperBound
            - image.lines.lowerBound,
          height: image.lines.count))
    }
  }

  /// Draws the numbers before their links, which make room. The end of the line may be cut, but no number is.
  private func drawHints(on canvas: inout Canvas, first: Int) {
    let lines = Dictionary(grouping: state.hints?.open ?? [], by: \.line)
    for (number, hints) in lines {
      let row = area.row + number - first
      guard row >= area.row, row < area.row + area.height else { continue }
      var inserted = 0
      for (index, hint) in hints.enumerated() {
        let label = StyledLine(runs: [
          StyledLine.Run(hint.label, style: look[.selection]), StyledLine.Run(" "),
        ])
        let room = area.width - (hints.count - index) * label.columns
        canvas.insert(
          label, column: area.column + max(0, min(hint.column + inserted, room)), row: row,
          end: area.column + area.width)
        inserted += label.columns
      }
    }
  }

  private func highlightMatches(
    in line: StyledLine, number: Int, row: Int, on canvas: inout Canvas
  ) {
    guard let find = reader.find else { return }
    let matches = find.matches(inLine: number)
    for (index, match) in zip(matches.indices, matches) {
      let columns = match.columns(in: line)
      let end = min(area.column + columns.upperBound, area.column + area.width)
      let start = min(area.column + columns.lowerBound, end)
      canvas.restyle(columns: start..<end, row: row) { style in
        style = look[index == find.current ? .selection : .match]
        style.isUnderlined = true
      }
    }
  }

  private func drawHeading(on canvas: inout Canvas) {
    let row = state.layout.readerHeadingRow
    let position = StyledLine(position, style: look[.muted])
    let issue = reader.issue
    let standing = IssueStanding(of: issue)
    // At the top, the page begins with the title. Without glyphs, words show the state.
    let title = look.symbols.isPlain ? "\(standing.text), \(issue.title)" : issue.title
    let text = reader.top == 0 ? standing.text : title
    var numberStyle = look.state(of: issue)
    numberStyle.isBold = hasKeys
    let glyph =
      look.symbols.isPlain ? "" : look.symbols.state(issue.state, issue.stateReason) + " "
    let heading = StyledLine(runs: [
      StyledLine.Run("\(glyph)\(state.sheet?.name(of: issue) ?? "")", style: numberStyle),
      StyledLine.Run(" "),
      StyledLine.Run(text, within: area.width, style: look[hasKeys ? .title : .inactiveTitle]),
    ])
    let room = max(0, area.width - position.columns - 1)
    if state.layout.showsBoth, !state.layout.isWide {
      let line = String(repeating: look.symbols.horizontal, count: room)
      canvas.draw(StyledLine(line, style: look[.border]), column: area.column, row: row)
      canvas.draw(StyledLine(" "), column: area.column + min(heading.columns, room), row: row)
    }
    canvas.draw(heading.cut(to: room), column: area.column, row: row, width: room)
    canvas.draw(
      position, column: area.column + area.width - position.columns, row: row,
      width: position.columns)
  }

  /// The share of the page above the last visible line: `34%`, or `all` if the page fits.
  private var position: String {
    let count = reader.lines.count
    guard count > area.height else { return count == 0 ? "" : "all" }
    let seen = min(count, max(0, reader.top) + area.height)
    return "\(seen * 100 / count)%"
  }

  private func drawSeparator(on canvas: inout Canvas) {
    let line = StyledLine(
      hasKeys ? look.symbols.boldVertical : look.symbols.vertical,
      style: look[hasKeys ? .activeBorder : .border])
    for row in state.layout.headingRow..<state.layout.statusRow {
      canvas.draw(line, column: area.column - 2, row: row, width: 1)
    }
  }
}

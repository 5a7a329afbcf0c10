internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the line above the list: what it holds, which of it, and in which order.
struct HeadingDrawing {
  let state: BrowserState
  let symbols: Symbols

  func draw(on canvas: inout Canvas) {
    let width = state.layout.list.width
    canvas.draw(
      StyledLine(
        pieces: pieces(width), separator: StyledLine.Run(" \(symbols.dot) ", style: .faint),
        within: width),
      column: 0, row: state.layout.headingRow, width: width)
  }

  /// The pieces, the most important first.
  private func pieces(_ width: Int) -> [StyledLine] {
    switch state.content {
    case .nothing: return []
    case .repositories(let found):
      var pieces = [
        StyledLine(
          "Repositories matching \(symbols.quoted(found.query))", within: width, style: focus)
      ]
      if let total = found.totalCount { pieces.append(StyledLine("\(total.grouped) found")) }
      if found.isIncomplete {
        pieces.append(StyledLine("the search was cut short", style: .delay))
      }
      return pieces
    case .issues(let sheet):
      let name = sheet.repository?.fullName ?? "\(sheet.reference.name)"
      var pieces = [
        StyledLine(name, within: width, style: focus),
        StyledLine(sheet.filter.words(symbols)),
        StyledLine(sheet.filter.orderWords, style: .faint),
      ]
      guard let repository = sheet.repository else { return pieces }
      if let stars = repository.stargazersCount {
        pieces.append(StyledLine("\(symbols.star) \(stars.short)", style: .stars))
      }
      if let description = repository.description, !description.isEmpty {
        // What is left of the line is the description's.
        let used = pieces.reduce(0) { $0 + $1.columns + 3 }
        if width - used >= 16 {
          pieces.append(StyledLine(description, within: width - used, style: .faint))
        }
      }
      return pieces
    }
  }

  private var focus: Style {
    state.pane == .list ? .heading : .plain
  }
}

internal import IssueMirror
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the line above the list: its repository or search, filter and order.
struct HeadingDrawing {
  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    var width = state.layout.list.width
    if let title = ageTitle {
      width = 1 + state.layout.rowWidth - title.columns
      canvas.draw(title, column: width, row: state.layout.headingRow)
      width -= 2
    }
    canvas.draw(
      StyledLine(
        pieces: pieces(width),
        separator: StyledLine.Run(" \(look.symbols.dot) ", style: look[.muted]),
        within: width),
      column: 0, row: state.layout.headingRow, width: width)
  }

  /// The title above the last column of a list of issues, if the columns don't have titles.
  private var ageTitle: StyledLine? {
    guard state.rowCount > 0, state.layout.columnTitleRow == nil, !look.symbols.isPlain else {
      return nil
    }
    return state.issueColumns(of: 0..<0)?.timeTitle
  }

  private func pieces(_ width: Int) -> [StyledLine] {
    switch state.list.content {
    case .nothing: return state.startPage?.heading(look) ?? []
    case .repositories(let found):
      let matching = found.query.isEmpty ? "" : " matching \(look.symbols.quoted(found.query))"
      var pieces = [
        StyledLine(
          "\(state.isOffline ? "Mirrored repositories" : "Repositories")\(matching)",
          within: width, style: focus)
      ]
      if let total = found.totalCount { pieces.append(StyledLine("\(total.grouped) found")) }
      if found.isIncomplete {
        pieces.append(StyledLine("the search was cut short", style: look[.warning]))
      }
      return pieces
    case .inbox: return [StyledLine("Unread notifications", style: focus)]
    case .issues(let sheet):
      let name =
        sheet.repository?.fullName ?? sheet.reference.map { "\($0.name)" } ?? viewName(of: sheet)
      if let search = sheet.search { return pieces(name, search, sheet, width) }
      var pieces = [
        StyledLine(name, within: width, style: focus),
        StyledLine(sheet.filter.words(look.symbols)),
        StyledLine(ListOrder(of: sheet.query).words, style: look[.muted]),
      ]
      guard let repository = sheet.repository else { return pieces }
      if let stars = repository.stargazersCount {
        pieces.append(StyledLine("\(look.symbols.star) \(stars.short)", style: look[.stars]))
      }
      if let description = repository.description, !description.isEmpty {
        let used = pieces.reduce(0) { $0 + $1.columns + 3 }
        if width - used >= 16 {
          pieces.append(StyledLine(description, within: width - used, style: look[.muted]))
        }
      }
      return pieces
    }
  }

  /// The name of the view whose repositories are listed, also with another filter; or else the repositories.
  private func viewName(of sheet: IssueSheet) -> String {
    guard let shown = state.views.shown, shown.query.scope == sheet.scope else {
      return sheet.scope.words
    }
    return shown.name
  }

  private func pieces(
    _ name: String, _ search: ListQuery.Search, _ sheet: IssueSheet, _ width: Int
  ) -> [StyledLine] {
    // A search without a state is limited to open issues, as lists are.
    let state = QueryWord.tellsState(search.text) ? "" : "open, "
    var pieces = [
      StyledLine(name, within: width, style: focus),
      StyledLine(
        sheet.reference == nil
          ? search.text + (name == sheet.scope.words ? "" : " in \(sheet.scope.words)")
          : "\(state)matching \(look.symbols.quoted(search.text))",
        within: max(16, width - name.count - 3)),
    ]
    if let first = sheet.unmirrored.first {
      let others = sheet.unmirrored.count - 1
      pieces.insert(
        StyledLine(
          "without \(first)\(others == 0 ? "" : " and \(others) more"), not mirrored",
          style: look[.warning]), at: 1)
    }
    guard let total = sheet.total else { return pieces }
    pieces.append(StyledLine("\(total.grouped) found", style: look[.muted]))
    if sheet.mirror?.isExhaustive == false {
      pieces.append(StyledLine("the newest of many", style: look[.warning]))
    }
    if sheet.found?.isIncomplete == true {
      pieces.append(StyledLine("the search was cut short", style: look[.warning]))
    }
    return pieces
  }

  private var focus: Style {
    look[state.pane == .list ? .title : .inactiveTitle]
  }
}

internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// Draws the visible rows of the list, or the reason that the list is empty.
struct ListDrawing {
  let state: BrowserState
  let look: Look

  func draw(on canvas: inout Canvas) {
    let area = state.layout.list
    let count = state.rowCount
    guard count > 0 else {
      drawNotice(on: &canvas, in: area)
      return
    }
    let first = min(max(0, state.list.cursor.top), count - 1)
    let visible = first..<min(count, first + area.height)
    switch state.list.content {
    case _ where look.symbols.isPlain: drawWords(of: visible, on: &canvas, in: area)
    case .nothing: drawPage(visible, on: &canvas, in: area)
    case .repositories(let found):
      drawRows(found.repositories[visible], on: &canvas, in: area)
    case .issues(let sheet):
      drawRows(visible, of: sheet, on: &canvas, in: area)
    }
    if state.chosen != nil, !look.symbols.isPlain { markChosen(visible, in: area, on: &canvas) }
    if !look.symbols.isPlain {
      scrollbar(from: first, in: area).draw(
        on: &canvas, column: area.column + area.width - 1, row: area.row, look: look)
    }
    if case .start? = state.viewsPage, visible.count == count {
      drawGuide(on: &canvas, in: area, below: count + 1)
    }
    if visible.contains(state.list.cursor.selection) {
      mark(row: area.row + state.list.cursor.selection - first, in: area, on: &canvas)
    }
  }

  private func drawPage(
    _ visible: Range<Int>, on canvas: inout Canvas, in area: BrowserLayout.Area
  ) {
    let column = area.column + 1
    switch state.viewsPage {
    case nil: return
    case .start(let page):
      let drawing = StartDrawing(
        page: page, look: look, width: state.layout.rowWidth, now: state.now)
      for (row, index) in zip(area.row..., visible) {
        drawing.draw(index, on: &canvas, column: column, row: row)
      }
    case .found(let found):
      guard let columns = state.issueColumns(of: visible) else { return }
      if let row = state.layout.columnTitleRow {
        columns.drawTitles(on: &canvas, column: column, row: row)
      }
      for (row, issue) in zip(area.row..., found.issues[visible]) {
        columns.draw(
          issue, IssueColumns.Standing(), on: &canvas, column: column, row: row, now: state.now)
      }
    }
  }

  private func drawWords(
    of visible: Range<Int>, on canvas: inout Canvas, in area: BrowserLayout.Area
  ) {
    let chosen = Set(state.chosenRows(among: visible))
    for (row, index) in zip(area.row..., visible) {
      let words = PlainRow(
        width: area.width - 2, look: look,
        marks: (index == state.list.cursor.selection ? ["current"] : [])
          + (chosen.contains(index) ? ["selected"] : []))
      let line: StyledLine
      switch (state.list.content, state.viewsPage) {
      case (.nothing, .start(let page)?):
        let drawing = StartDrawing(page: page, look: look, width: words.width, now: state.now)
        line = words.line(for: drawing.words(index))
      case (.nothing, .found(let found)?):
        let issue = found.issues[index]
        line = words.line(
          for: issue, named: found.name(of: issue), nil, isUnread: false,
          columns: state.columns ?? ListColumn.usual(found.time), now: state.now)
      case (.nothing, nil): continue
      case (.repositories(let found), _): line = words.line(for: found.repositories[index])
      case (.issues(let sheet), _):
        let issue = sheet.issues[index]
        let target = IssueTarget(shownAs: issue.number)
        line = words.line(
          for: issue, named: target.name, sheet.pending?.note(on: target),
          isUnread: sheet.unread.contains(issue.number),
          columns: state.columns ?? ListColumn.usual(.time(of: sheet)), now: state.now)
      }
      canvas.draw(line, column: area.column + 2, row: row, width: words.width)
    }
  }

  /// Marks the rows that the next change applies to.
  private func markChosen(
    _ visible: Range<Int>, in area: BrowserLayout.Area, on canvas: inout Canvas
  ) {
    let marked = look[.marked]
    for index in state.chosenRows(among: visible) {
      let row = area.row + index - visible.lowerBound
      canvas.draw(
        StyledLine(look.symbols.chosen, style: look[.accent]), column: area.column, row: row,
        width: 1)
      let columns = area.column + 1..<area.column + area.width - 1
      if marked.background != .standard {
        canvas.tint(columns: columns, row: row, with: marked.background)
      }
      canvas.restyle(columns: columns, row: row) {
        $0.isBold = $0.isBold || marked.isBold
        $0.isUnderlined = $0.isUnderlined || marked.isUnderlined
        $0.isReversed = $0.isReversed || marked.isReversed
      }
    }
  }

  private func drawRows(
    _ repositories: ArraySlice<GitHub.Repository>, on canvas: inout Canvas,
    in area: BrowserLayout.Area
  ) {
    let columns = RepositoryColumns(width: state.layout.rowWidth, look: look)
    if let row = state.layout.columnTitleRow {
      columns.drawTitles(on: &canvas, column: area.column + 1, row: row)
    }
    for (row, repository) in zip(area.row..., repositories) {
      columns.draw(repository, on: &canvas, column: area.column + 1, row: row)
    }
  }

  private func drawRows(
    _ visible: Range<Int>, of sheet: IssueSheet, on canvas: inout Canvas,
    in area: BrowserLayout.Area
  ) {
    guard let columns = state.issueColumns(of: visible) else { return }
    if let row = state.layout.columnTitleRow {
      columns.drawTitles(on: &canvas, column: area.column + 1, row: row)
    }
    for (row, index) in zip(area.row..., visible) {
      let issue = sheet.issues[index]
      let standing = IssueColumns.Standing(
        pending: sheet.pending?.note(on: IssueTarget(shownAs: issue.number)),
        isUnread: sheet.unread.contains(issue.number))
      columns.draw(
        issue, standing, on: &canvas, column: area.column + 1, row: row, now: state.now)
      if standing.isUnread {
        canvas.draw(
          StyledLine(look.symbols.unread, style: look[.unread]), column: area.column, row: row,
          width: 1)
      }
    }
  }

  private func scrollbar(from first: Int, in area: BrowserLayout.Area) -> Scrollbar {
    let loaded = state.rowCount
    let (total, hasMore): (Int, Bool) =
      switch state.list.content {
      case .nothing: (0, false)
      case .repositories(let found):
        // The search doesn't return more results, regardless of the number of matches.
        found.nextPage == nil
          ? (loaded, false)
          : (min(found.totalCount ?? 0, SearchResults<GitHub.Repository>.maximumCount), true)
      case .issues(let sheet):
        if let listing = sheet.mirror, sheet.hasMore {
          (max(loaded, listing.numbers.count), false)
        } else {
          (loaded, sheet.hasMore)
        }
      }
    return Scrollbar(top: first, height: area.height, total: total, hasMore: hasMore)
  }

  /// Tints the current row, which keeps its colors. Without background colors, the row is a reversed bar while the list
  /// has the focus.
  private func mark(row: Int, in area: BrowserLayout.Area, on canvas: inout Canvas) {
    let hasKeys = state.pane == .list
    let selected = state.list.cursor.selection..<state.list.cursor.selection + 1
    let marker =
      state.chosenRows(among: selected).isEmpty || look.symbols.isPlain
      ? look.symbols.marker : look.symbols.chosen
    canvas.draw(
      StyledLine(marker, style: look[hasKeys ? .activeBorder : .muted]),
      column: area.column, row: row, width: 1)
    canvas.select(
      columns: area.column..<area.column + area.width - 1, row: row,
      look[hasKeys ? .selection : .inactiveSelection])
  }
}

extension ListDrawing {
  private func drawGuide(
    on canvas: inout Canvas, in area: BrowserLayout.Area, below rows: Int = 0
  ) {
    let margin = area.width >= 40 ? 2 : 0
    let (width, height) = (area.width - 2 * margin, area.height - rows)
    let lines = StartGuide(state: state, look: look).lines(width: width, height: height)
    for (line, row) in zip(lines, area.row + rows..<max(area.row + rows, area.row + area.height)) {
      canvas.draw(line, column: area.column + margin, row: row, width: width)
    }
  }

  private func drawNotice(on canvas: inout Canvas, in area: BrowserLayout.Area) {
    if state.list.content == .nothing, !state.list.isLoading, state.problem == nil {
      if case .found? = state.viewsPage {} else { return drawGuide(on: &canvas, in: area) }
    }
    let margin = area.width >= 40 ? 2 : 0
    let first = area.height >= 4 ? area.row + 1 : area.row
    let lines = notices.flatMap { $0.wrapped(to: max(1, area.width - 2 * margin)) }
    for (row, line) in zip(first..<area.row + area.height, lines) {
      canvas.draw(line, column: area.column + margin, row: row, width: area.width - margin)
    }
  }

  /// The lines of a notice. The advice about a problem has its own line.
  private var notices: [StyledLine] {
    guard let problem = state.problem else { return [notice].compactMap(\.self) }
    let lines = problem.text.split(whereSeparator: \.isNewline)
    return lines.enumerated().map { number, line in
      StyledLine(line, style: look[number == 0 ? problem.role : .text])
    }
  }

  private var notice: StyledLine? {
    switch state.list.content {
    case .nothing:
      if case .found(let found)? = state.viewsPage {
        return found.notice(look, state.list.isLoading)
      }
      return StyledLine("Searching…", style: look[.muted])
    case .repositories(let found):
      if state.list.isLoading || found.nextPage != nil {
        if found.query.isEmpty { return nil }
        return StyledLine("Searching for \(look.symbols.quoted(found.query))…", style: look[.muted])
      }
      if found.query.isEmpty {
        let name = "\(state.host == GitHubServer.github.host ? "" : "\(state.host)/")OWNER/REPO"
        return StyledLine(
          "Nothing from \(state.host) is mirrored: run 'issues sync \(name)'. 'issues mirror' lists the "
            + "repositories of other hosts")
      }
      return StyledLine(
        "Nothing found for \(look.symbols.quoted(found.query)): use other words, or OWNER/REPO")
    case .issues(let sheet):
      if case .missing = sheet.standing {
        return StyledLine(
          "Keep typing, or press Enter to open \(sheet.reference)", style: look[.muted])
      }
      guard let repository = sheet.repository else {
        return StyledLine("Looking up \(sheet.reference)…", style: look[.muted])
      }
      if state.list.isLoading || sheet.hasMore {
        return StyledLine("Loading the issues of \(repository.fullName)…", style: look[.muted])
      }
      if sheet.unreadable.count > 0 { return nil }
      if let search = sheet.search {
        return StyledLine("Nothing matches \(look.symbols.quoted(search.text))")
      }
      // The word "all" is omitted: "no all issues" isn't English.
      let kind = sheet.filter.state == .all ? "issues" : sheet.filter.kind
      return StyledLine(sheet.filter.isNarrow ? "No \(kind) match" : "There are no \(kind)")
    }
  }
}

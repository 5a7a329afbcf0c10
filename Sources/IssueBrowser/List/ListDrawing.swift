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
    case .inbox(let inbox): draw(inbox.notifications[visible], on: &canvas, in: area)
    case .issues(let sheet):
      drawRows(visible, of: sheet, on: &canvas, in: area)
    }
    if state.chosen != nil, !look.symbols.isPlain { markChosen(visible, in: area, on: &canvas) }
    if !look.symbols.isPlain {
      scrollbar(from: first, in: area).draw(
        on: &canvas, column: area.column + area.width - 1, row: area.row, look: look)
    }
    if state.startPage != nil, visible.count == count {
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
    switch state.startPage {
    case nil: return
    case let page?:
      let drawing = StartDrawing(
        page: page, look: look, width: state.layout.rowWidth, now: state.now)
      for (row, index) in zip(area.row..., visible) {
        drawing.draw(index, on: &canvas, column: column, row: row)
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
      switch (state.list.content, state.startPage) {
      case (.nothing, let page?):
        let drawing = StartDrawing(page: page, look: look, width: words.width, now: state.now)
        line = words.line(for: drawing.words(index))
      case (.nothing, nil): continue
      case (.repositories(let found), _): line = words.line(for: found.repositories[index])
      case (.inbox(let inbox), _):
        let drawing = InboxDrawing(width: words.width, look: look, now: state.now)
        line = words.line(for: drawing.words(inbox.notifications[index], within: words.width))
      case (.issues(let sheet), _):
        let issue = sheet.issues[index]
        line = words.line(
          for: issue, named: sheet.name(of: issue),
          sheet.pending(on: issue)?.note(on: IssueTarget(shownAs: issue.number)),
          isUnread: sheet.unread.contains(sheet.key(of: issue)),
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

  private func draw(
    _ notifications: ArraySlice<GitHub.Notification>, on canvas: inout Canvas,
    in area: BrowserLayout.Area
  ) {
    let drawing = InboxDrawing(width: state.layout.rowWidth, look: look, now: state.now)
    if let row = state.layout.columnTitleRow {
      drawing.drawTitles(on: &canvas, column: area.column + 1, row: row)
    }
    for (row, notification) in zip(area.row..., notifications) {
      drawing.draw(notification, on: &canvas, column: area.column + 1, row: row)
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
        pending: sheet.pending(on: issue)?.note(on: IssueTarget(shownAs: issue.number)),
        isUnread: sheet.unread.contains(sheet.key(of: issue)))
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
      case .inbox(let inbox): (loaded, inbox.nextPage != nil)
      case .issues(let sheet):
        if let listing = sheet.mirror, sheet.hasMore {
          (max(loaded, listing.count), false)
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
      return drawGuide(on: &canvas, in: area)
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
        "Nothing found for \(look.symbols.quoted(found.query)): "
          + (state.pane == .search ? "use other words" : "\(key("/")) changes the words")
          + ", or OWNER/REPO")
    case .inbox(let inbox):
      return inbox.isLoaded
        ? StyledLine("There are no unread notifications: \(key("r")) reloads")
        : StyledLine("Loading your notifications…", style: look[.muted])
    case .issues(let sheet):
      if case .missing = sheet.standing {
        return StyledLine(
          "Keep typing, or press Enter to open \(sheet.scope.words)", style: look[.muted])
      }
      let name = sheet.repository?.fullName
      if sheet.reference != nil, name == nil {
        return StyledLine("Looking up \(sheet.scope.words)…", style: look[.muted])
      }
      if state.list.isLoading || sheet.hasMore {
        return StyledLine(
          "Loading the issues of \(name ?? sheet.scope.words)…", style: look[.muted])
      }
      if sheet.unreadable.count > 0 { return nil }
      if let search = sheet.search {
        return StyledLine(
          "Nothing matches \(look.symbols.quoted(search.text)). \(filterAdvice)")
      }
      // The word "all" is omitted: "no all issues" isn't English.
      let kind = sheet.filter.state == .all ? "issues" : sheet.filter.kind
      return StyledLine(
        sheet.filter.isNarrow
          ? "No \(kind) match. \(filterAdvice)"
          : "There are no \(kind). \(key("n")) writes one"
            + (sheet.filter.state == .all ? "" : "; \(key("f")), then is:all, lists all"))
    }
  }

  private func key(_ key: String) -> String { state.keyMap.shown(key, in: .list) }

  /// The keys to press if nothing matches the filter.
  private var filterAdvice: String {
    if state.filter.field != nil { return "Esc restores the list" }
    let edit = "\(key("f")) changes the filter"
    return state.leadsToOtherFilter ? "Esc removes the filter, \(edit)" : edit
  }
}

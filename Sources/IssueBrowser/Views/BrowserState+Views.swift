internal import IssueTracker

extension BrowserState {
  /// The start screen; nil if a list is shown or loading.
  var startPage: StartPage? {
    list.content == .nothing && list.query == .nothing ? views.start : nil
  }

  /// The tab of the list on the screen, from 1, or 0 for the start screen; nil for any other list.
  var tab: Int? {
    if startPage != nil { return 0 }
    guard let shown = views.shown, let index = shown.index, shown.query == list.query else {
      return nil
    }
    return index + 1
  }

  /// Whether the user reached the list from the start screen, so that leaving the list leads back there.
  var leadsToViews: Bool { startPage == nil && views.isUnderStart && views.start != nil }

  /// Opens a view, or the start screen if no text was given. Returns whether it opened a view.
  mutating func beginWithViews() -> Bool {
    if let index = views.all.firstIndex(where: { $0.name == views.first }) {
      openView(index + 1)
      return true
    }
    guard views.hasStart, search.text.isEmpty else { return false }
    revisions.views += 1
    return false
  }

  mutating func showStart() {
    guard views.hasStart else { return }
    leaveList()
    views.shown = nil
    // While it loads, it is the place to return to.
    if views.start == nil { views.start = StartPage() }
    revisions.views += 1
  }

  /// Shows the start screen, with the selection on the row that led to the list.
  mutating func leaveToViews() {
    leaveList()
    list.cursor = views.cursor
    revealSelection()
    revisions.views += 1
  }

  /// Hides the list, and gives the focus to the start screen.
  private mutating func leaveList() {
    closeReader()
    list.found = nil
    search.field = TextField()
    focus(.list)
    ask(.nothing)
  }

  mutating func reloadStart() {
    if startPage != nil { revisions.views += 1 }
  }

  /// The selected repository, to open in the web browser.
  var startSelection: RepositoryReference? {
    switch startPage.flatMap({ list.cursor.selected(of: $0.rows) }) {
    case .clone(let reference)?, .recent(let reference)?, .mirror(let reference, _)?: reference
    case .outbox?, .search?, .view?, .inbox?, nil: nil
    }
  }

  // MARK: The start screen

  /// Shows the start page. The selected row stays selected.
  mutating func show(_ page: StartPage) {
    guard views.hasStart else { return }
    let shown = views.start
    // The rows that need a token come later. Without them, the selection would lose its row.
    if shown?.account != nil, page.account == nil { return }
    views.start = page
    guard startPage != nil else { return }
    if let row = shown.flatMap({ list.cursor.selected(of: $0.rows) }) {
      list.cursor.selection =
        page.rows.firstIndex { $0.leadsTo(sameAs: row) } ?? list.cursor.selection
    }
    revealSelection()
  }

  /// Opens the selected row of the start screen.
  mutating func enterRow() {
    if let row = startPage.flatMap({ list.cursor.selected(of: $0.rows) }) { enter(row) }
  }

  private mutating func enter(_ row: StartPage.Row) {
    views.isUnderStart = true
    views.cursor = list.cursor
    switch row {
    case .clone(let reference), .recent(let reference), .mirror(let reference, _):
      search.field = TextField("\(reference)")
      submitSearch()
    case .view(let number, _): openView(number)
    case .search(let view): open(view, at: nil)
    case .outbox: openOutbox()
    case .inbox: openInbox()
    }
  }

  // MARK: Views

  /// Opens the view of a tab, from 1.
  mutating func openView(_ number: Int) {
    guard views.all.indices.contains(number - 1) else { return }
    open(views.all[number - 1], at: number - 1)
  }

  private mutating func open(_ view: SavedView, at index: Int?) {
    views.isUnderStart = views.hasStart
    let scope: ListScope
    switch view.place {
    case .repositories(let list) where list.count == 1: scope = .repository(list[0])
    case .repositories(let list): scope = .repositories(list)
    case .everywhere: scope = .everywhere(host: nil)
    case .here:
      guard let here = hereReference else {
        message = "The view “\(view.name)” needs a repository: open one first"
        return
      }
      scope = .repository(here)
    }
    do throws(InvalidInput) {
      let wanted = try ListQuery.filtered(view.text, in: scope)
      closeReader()
      list.found = nil
      search.field = TextField(scope.reference?.description ?? "")
      focus(.list)
      views.shown = ViewsState.Shown(name: view.name, index: index, query: wanted)
      if wanted != list.query { ask(wanted) }
    } catch {
      message = error.message
    }
  }

  /// The repository of the list, or else the repository of the clone on the start screen.
  private var hereReference: RepositoryReference? {
    if let reference = filteredQuery?.reference { return reference }
    if case .issues(let reference, _) = ListQuery(search.text) { return reference }
    return views.start?.rows.lazy.compactMap { row in
      if case .clone(let reference) = row { reference } else { nil }
    }.first
  }
}

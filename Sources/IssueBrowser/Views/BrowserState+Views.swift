internal import IssueTracker

extension BrowserState {
  /// The page shown in place of the list; nil if a list is shown or loading.
  var viewsPage: ViewsState.Page? {
    list.content == .nothing && list.query == .nothing ? views.page : nil
  }

  /// The tab of the list on the screen, from 1, or 0 for the start screen; nil for any other list.
  var tab: Int? {
    if case .start? = viewsPage { return 0 }
    guard let shown = views.shown else { return nil }
    let isShown: Bool
    switch (shown.query, viewsPage) {
    case (nil, .found?): isShown = true
    case (let wanted?, nil): isShown = wanted == list.query
    default: isShown = false
    }
    return isShown ? shown.index + 1 : nil
  }

  /// Whether the user reached the list from the start screen or a view, so that leaving the list leads back there.
  var leadsToViews: Bool {
    switch viewsPage {
    case .start: false
    case .found: views.hasStart
    case nil: views.isUnderStart && views.page != nil
    }
  }

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
    if views.page?.isStart != true { views.page = .start(StartPage(rows: [])) }
    revisions.views += 1
  }

  /// Shows the page, with the selection on the row that led to the list.
  mutating func leaveToViews() {
    guard viewsPage == nil else { return showStart() }
    leaveList()
    list.cursor = views.cursor
    revealSelection()
    if case .start? = views.page { revisions.views += 1 }
  }

  /// Hides the list, and gives the focus to the page that replaces it.
  private mutating func leaveList() {
    closeReader()
    list.found = nil
    search.field = TextField()
    focus(.list)
    ask(.nothing)
  }

  mutating func reloadViews() {
    guard let page = viewsPage else { return }
    if case .found = page { list.isLoading = true }
    revisions.views += 1
  }

  /// The selected repository or issue, to open in the web browser.
  var viewsSelection: RepositoryReference? {
    switch viewsPage {
    case .start(let page):
      switch list.cursor.selected(of: page.rows) {
      case .clone(let reference)?, .recent(let reference)?, .mirror(let reference, _)?:
        return reference
      case .outbox?, .search?, .view?, nil: return nil
      }
    case .found(let found):
      return list.cursor.selected(of: found.issues).flatMap(found.reference)
    case nil: return nil
    }
  }

  // MARK: The start screen

  /// Shows the start page. The selected row stays selected.
  mutating func show(_ page: StartPage) {
    guard views.hasStart else { return }
    let shown: StartPage? = if case .start(let page) = views.page { page } else { nil }
    views.page = .start(page)
    guard viewsPage != nil else { return }
    if let row = shown.flatMap({ list.cursor.selected(of: $0.rows) }) {
      list.cursor.selection =
        page.rows.firstIndex { $0.leadsTo(sameAs: row) } ?? list.cursor.selection
    }
    revealSelection()
  }

  mutating func enterView() {
    switch viewsPage {
    case .start(let page):
      if let row = list.cursor.selected(of: page.rows) { enter(row) }
    case .found(let found):
      guard let issue = list.cursor.selected(of: found.issues) else { return }
      guard let reference = found.reference(of: issue) else {
        message = "The server sent no usable address for that issue."
        return
      }
      views.cursor = list.cursor
      open(
        IssueReference(
          repository: RepositoryReference(host: reference.host, name: reference.name),
          number: issue.number))
    case nil: break
    }
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
    let reference: RepositoryReference
    switch view.place {
    case .repositories(let list) where list.count == 1: reference = list[0]
    case .here:
      guard let here = hereReference else {
        message = "The view “\(view.name)” needs a repository: open one first"
        return
      }
      reference = here
    case .repositories, .everywhere:
      leaveList()
      views.shown = index.map { ViewsState.Shown(index: $0, query: nil) }
      views.page = .found(FoundIssues(view: view))
      list.isLoading = true
      revisions.views += 1
      return
    }
    do throws(InvalidInput) {
      let wanted = try ListQuery.filtered(view.text, of: reference)
      closeReader()
      list.found = nil
      search.field = TextField("\(reference)")
      focus(.list)
      views.shown = index.map { ViewsState.Shown(index: $0, query: wanted) }
      if wanted != list.query { ask(wanted) }
    } catch {
      message = error.message
    }
  }

  /// The repository of the list, or else the repository of the clone on the start screen.
  private var hereReference: RepositoryReference? {
    if let reference = filteredQuery?.reference { return reference }
    if case .issues(let reference, _) = ListQuery(search.text) { return reference }
    guard case .start(let page) = views.page else { return nil }
    return page.rows.lazy.compactMap { row in
      if case .clone(let reference) = row { reference } else { nil }
    }.first
  }

  /// Stores the results of a view, which a list may cover by now.
  mutating func show(_ answer: FoundIssues) {
    guard case .found(let shown)? = views.page, shown.view == answer.view else { return }
    views.page = .found(answer)
    guard viewsPage != nil else { return }
    list.isLoading = false
    let selected = list.cursor.selected(of: shown.issues)?.id
    list.cursor.selection = answer.issues.firstIndex { $0.id == selected } ?? 0
    revealSelection()
  }
}

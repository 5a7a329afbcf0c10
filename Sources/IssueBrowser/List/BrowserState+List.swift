internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

extension BrowserState {
  var sheet: IssueSheet? { list.sheet }

  var selectedIssue: GitHub.Issue? { list.selectedIssue }

  func holds(_ query: ListQuery) -> Bool { list.holds(query, isOffline: isOffline) }

  /// Whether the last loaded row is less than a window's height away.
  var wantsNextPage: Bool {
    guard list.nextPage != nil else { return false }
    if list.goesToEnd { return true }
    let rows = max(1, size.rows - 3)
    return max(list.cursor.selection, list.cursor.top + rows - 1) + rows >= rowCount
  }

  // MARK: Requests

  mutating func ask(_ query: ListQuery) {
    list.ask(query)
    revisions.list += 1
    filter.orders = nil
    guard query == .nothing else { return }
    list.content = .nothing
    list.cursor = RowCursor()
    closeReader()
  }

  mutating func refresh() {
    if pane == .reader, let reader {
      read(reader.issue)
    } else {
      askAgain()
    }
  }

  /// Requests the loading list again, or else the list on the screen.
  private mutating func askAgain() {
    switch (list.query, list.content) {
    case (.repositories, _), (.issues, _), (.searched, _), (.inbox, _): ask(list.query)
    case (_, .repositories(let found)): ask(.repositories(found.query))
    case (_, .issues(let sheet)): ask(sheet.query)
    case (_, .inbox): ask(.inbox)
    case (_, .nothing): reloadStart()
    }
  }

  mutating func enter() {
    switch list.content {
    case .nothing: enterRow()
    case .issues: if let issue = selectedIssue { read(issue) }
    case .inbox(let inbox):
      if let row = list.cursor.selected(of: inbox.notifications) { enter(row) }
    case .repositories(let found):
      guard let repository = list.cursor.selected(of: found.repositories) else { return }
      // The server's name must be valid, because it becomes part of a path.
      guard let name = RepositoryName(repository.fullName) else {
        message = "The server sent an invalid name for that repository."
        return
      }
      let wanted = ListQuery.issues(RepositoryReference(name: name), IssueFilter())
      list.found = ListState.FoundRepositories(
        list: kept(as: .repositories(found.query)), search: search.field)
      search.field = TextField("\(name)")
      focus(.list)
      if wanted != list.query { ask(wanted) }
    }
  }

  func kept(as query: ListQuery) -> ListState.Kept {
    ListState.Kept(
      query: query, content: list.content, cursor: list.cursor, outcomes: acting.outcomes)
  }

  /// Restores a list, and loads its missing rows.
  mutating func show(_ kept: ListState.Kept) {
    ask(kept.query)
    list.content = kept.content
    list.isOutdated = kept.outcomes != acting.outcomes
    list.cursor = kept.cursor
  }

  /// Returns to the found repositories. An unfinished search continues.
  mutating func goBack() {
    guard let found = list.found else { return }
    list.found = nil
    show(found.list)
    search.field = found.search
    revealSelection()
  }

  /// The page of the issue in the reader, the selected issue, or the selected repository.
  var selectedPage: RepositoryReference? {
    switch list.content {
    case .nothing: return startSelection
    case .repositories(let found):
      return list.cursor.selected(of: found.repositories)
        .flatMap { RepositoryName($0.fullName) }.map { RepositoryReference(name: $0) }
    case .inbox(let inbox): return list.cursor.selected(of: inbox.notifications)?.page
    case .issues(let sheet):
      let issue = pane == .reader ? reader?.issue : selectedIssue
      guard let issue, let place = sheet.repository(of: issue) else { return nil }
      return RepositoryReference(
        host: place.host, name: place.name, issueNumber: issue.number > 0 ? issue.number : nil)
    }
  }

  // MARK: Moving

  mutating func move(_ motion: BrowserCommand.Motion) {
    list.cursor.selection = motion.place(
      from: list.cursor.selection, page: max(1, layout.list.height - 1), last: rowCount - 1,
      count: count)
    if list.cursor.selection >= rowCount, let count, motion == .last, list.nextPage != nil {
      message = "Row \(count.grouped) isn't loaded yet: G loads all rows"
    }
    // Until the server has responded, the number of pages isn't known.
    if motion == .last, count == nil { list.goesToEnd = list.nextPage != nil || list.isLoading }
    revealSelection()
  }

  /// Follows the end of the list as its pages arrive.
  mutating func followEnd() {
    guard list.goesToEnd else { return }
    list.cursor.selection = rowCount - 1
    revealSelection()
    guard list.nextPage == nil else { return }
    list.goesToEnd = false
    followSelection()
  }

  mutating func scrollList(to row: Int) {
    list.cursor.scroll(to: row, among: rowCount, height: layout.list.height)
  }

  mutating func revealSelection() {
    list.cursor.reveal(among: rowCount, height: layout.list.height)
  }

  // MARK: Results

  mutating func show(_ found: RepositorySearchState) {
    let isSame =
      if case .repositories(let shown) = list.content { shown.query == found.query } else { false }
    replaceContent(.repositories(found), keepsPlace: isSame)
    followEnd()
    list.isLoading = found.standing == .online && wantsNextPage
  }

  /// Shows the first page of issues. When a list is reloaded, its selected issue stays selected.
  mutating func show(_ sheet: IssueSheet) {
    list.isOutdated = false
    let shown = self.sheet.flatMap { $0.scope == sheet.scope ? $0 : nil }
    let isSame = shown?.query == sheet.query
    // While the server's rows replace the mirror's, the list stays at the top until the user moves the cursor.
    let isAtStart = shown?.settling == .asking && list.cursor.selection == 0
    let selected = isSame && !isAtStart ? selectedIssue.map(sheet.key) : nil
    if shown == nil { leaveReader() }
    var sheet = sheet
    sheet.catchUp(with: recentAnswers, keeping: nil)
    replaceContent(.issues(sheet), keepsPlace: selected != nil)
    if let index = sheet.issues.firstIndex(where: { sheet.key(of: $0) == selected }) {
      list.cursor.selection = index
    }
    revealSelection()
    followEnd()
    // Completions would cover the list, so they are closed unless the user is choosing one.
    if search.completions?.selection == nil { search.completions = nil }
    list.isLoading = wantsNextPage
  }

  mutating func append(_ page: IssuesPage) {
    guard case .issues(var sheet) = list.content, sheet.scope == page.scope,
      sheet.nextPage == page.page
    else { return }
    sheet.append(page)
    sheet.catchUp(with: recentAnswers, keeping: selectedIssue.map(sheet.key))
    list.content = .issues(sheet)
    // The page may contain issues of other repositories, with pending changes.
    if sheet.reference == nil { acting.due.append(.follow) }
    followEnd()
    list.isLoading = wantsNextPage
  }

  /// Shows the reason that there are no results.
  mutating func fail(_ query: ListQuery, _ standing: IssueSheet.Standing) {
    list.stopLoading()
    switch list.failed(query, standing) {
    case .repositories(let failed)?: show(failed)
    case .inbox(let failed)?: show(failed)
    case .issues(let failed)?:
      if sheet?.scope != failed.scope { leaveReader() }
      replaceContent(.issues(failed), keepsPlace: failed.isLoaded)
    case .nothing?, nil: break
    }
  }

  mutating func replaceContent(_ content: ListState.Content, keepsPlace: Bool) {
    let cursor = list.cursor
    let visible = cursor.top..<cursor.top + max(1, layout.list.height)
    list.content = content
    if !keepsPlace { list.cursor = RowCursor() }
    revealSelection()
    // If the wheel has scrolled away from the selection, keep the scroll position.
    if keepsPlace, !visible.contains(cursor.selection) { scrollList(to: cursor.top) }
  }

  mutating func leaveReader() {
    guard reader != nil else { return }
    reader = nil
    revisions.reader += 1
    if pane == .reader { pane = .list }
  }

  // MARK: Messages

  /// The reason that the list isn't complete, in up to two lines; nil if there is no problem.
  var problem: (text: String, role: Theme.Role)? {
    if let request = list.request, list.showsRequest, list.standing != .online {
      return (request, .problem)
    }
    return switch list.standing {
    case .online: nil
    case .offline where sheet?.isStandIn == true: nil
    case .offline: ("Offline: \(host) can't be reached, trying again", .warning)
    case .limited(let end):
      (
        end.map { "\(limited) until \(LocalTime.hoursAndMinutes(of: $0))\(countdown(to: $0))" }
          ?? "\(limited) for a few minutes", .warning
      )
    case .missing where pane == .search: nil
    case .missing(let reason), .failed(let reason): (reason, .problem)
    }
  }

  /// The message about a limit. Searches have a separate limit.
  private var limited: String {
    switch list.query {
    case .searched, .repositories: "Searches are limited"
    case .nothing, .incomplete, .issues, .inbox: "Rate limited"
    }
  }

  /// The time until a request is repeated, as `, retrying in 9:59`; empty if it is due.
  func countdown(to end: Date) -> String {
    let left = left(until: end)
    return left.isEmpty ? "" : ", retrying in \(left)"
  }

  /// The remaining time, as `9:59`; empty if none is left.
  private func left(until end: Date) -> String {
    // The server can send any time.
    let seconds = end.timeIntervalSince(now).rounded(.up)
    guard seconds > 0, seconds < 86_400 else { return "" }
    let (minutes, rest) = Int(seconds).quotientAndRemainder(dividingBy: 60)
    return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
  }
}

internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

extension BrowserState {
  var sheet: IssueSheet? {
    if case .issues(let sheet) = content { sheet } else { nil }
  }

  var selectedIssue: GitHub.Issue? {
    guard case .issues(let sheet) = content, sheet.issues.indices.contains(selection) else {
      return nil
    }
    return sheet.issues[selection]
  }

  /// Whether the list shows the whole answer to a query, so that no request is needed.
  func holds(_ query: ListQuery) -> Bool {
    switch (query, content) {
    case (.repositories(let text), .repositories(let found)):
      found.query == text && found.totalCount != nil && found.standing == .online
    case (.issues, .issues(let sheet)), (.searched, .issues(let sheet)):
      sheet.answers(query) && sheet.isLoaded && sheet.standing == .online && !isOutdated
        && (sheet.mirror == nil || isOffline || sheet.settling == .settled)
    default: false
    }
  }

  func showsStandIn(of reference: RepositoryReference) -> Bool {
    sheet.map { $0.isStandIn && $0.reference == reference } ?? false
  }

  /// Whether the mirror's rows of a list are on the screen.
  func showsMirror(for query: ListQuery) -> Bool {
    sheet.map { $0.mirror != nil && $0.isLoaded && $0.query == query } ?? false
  }

  /// nil while the server is away or limits requests, since the running work retries. After other failures the user may
  /// ask again. The mirror always answers.
  var nextPage: NextPage? {
    switch (standing, content) {
    case (_, .issues(let sheet)) where sheet.mirror != nil: sheet.nextPage
    case (.offline, _), (.limited, _), (_, .nothing): nil
    case (_, .repositories(let found)): found.nextPage.map { .server($0) }
    case (_, .issues(let sheet)): sheet.nextPage
    }
  }

  /// Whether the last loaded row is less than a window away.
  var wantsNextPage: Bool {
    guard nextPage != nil else { return false }
    if goesToEnd { return true }
    let rows = max(1, size.rows - 3)
    return max(selection, top + rows - 1) + rows >= rowCount
  }

  // MARK: Asking

  mutating func ask(_ query: ListQuery) {
    self.query = query
    isOutdated = false
    revisions.list += 1
    addressed = nil
    orders = nil
    goesToEnd = false
    (request, showsRequest) = (nil, false)
    isLoading = query.pause != nil
    guard query == .nothing else { return }
    content = .nothing
    (selection, top) = (0, 0)
    closeReader()
  }

  mutating func refresh() {
    if pane == .reader, let reader {
      read(reader.issue)
    } else {
      askAgain()
    }
  }

  /// Asks for the list that is loading, or else the one on the screen.
  private mutating func askAgain() {
    switch (query, content) {
    case (.repositories, _), (.issues, _), (.searched, _): ask(query)
    case (_, .repositories(let found)): ask(.repositories(found.query))
    case (_, .issues(let sheet)): ask(sheet.query)
    case (_, .nothing): reloadViews()
    }
  }

  mutating func enter() {
    switch content {
    case .nothing: enterView()
    case .issues: if let issue = selectedIssue { read(issue) }
    case .repositories(let found):
      guard found.repositories.indices.contains(selection) else { return }
      // The server's name becomes part of a path.
      guard let name = RepositoryName(found.repositories[selection].fullName) else {
        message = "The server sent an invalid name for that repository."
        return
      }
      let wanted = ListQuery.issues(RepositoryReference(name: name), IssueFilter())
      self.found = FoundRepositories(
        repositories: found, search: search, selection: selection, top: top)
      search = TextField("\(name)")
      focus(.list)
      if wanted != query { ask(wanted) }
    }
  }

  /// Returns to the found repositories. An unfinished search goes on.
  mutating func goBack() {
    guard let found else { return }
    self.found = nil
    ask(.repositories(found.repositories.query))
    search = found.search
    content = .repositories(found.repositories)
    (selection, top) = (found.selection, found.top)
    revealSelection()
  }

  /// The issue being read or selected, or the selected repository.
  var selectedPage: RepositoryReference? {
    switch content {
    case .nothing: return viewsSelection
    case .repositories(let found):
      guard found.repositories.indices.contains(selection) else { return nil }
      return RepositoryName(found.repositories[selection].fullName)
        .map { RepositoryReference(name: $0) }
    case .issues(let sheet):
      let issue = pane == .reader ? reader?.issue : selectedIssue
      guard let issue, let name = sheet.repository.flatMap({ RepositoryName($0.fullName) }) else {
        return nil
      }
      return RepositoryReference(
        host: sheet.reference.host, name: name, issueNumber: issue.number > 0 ? issue.number : nil)
    }
  }

  // MARK: Moving

  mutating func move(_ motion: BrowserCommand.Motion) {
    let page = max(1, layout.list.height - 1)
    switch motion {
    case .up: selection -= 1
    case .down: selection += 1
    case .pageUp: selection -= page
    case .pageDown: selection += page
    case .halfPageUp: selection -= max(1, page / 2)
    case .halfPageDown: selection += max(1, page / 2)
    case .first: selection = 0
    case .last:
      selection = rowCount - 1
      // Until a list is settled, nobody knows whether it has more pages.
      goesToEnd = nextPage != nil || isLoading
    }
    revealSelection()
  }

  /// Keeps the rows that are there. The work that loads more is cancelled.
  mutating func stopLoading() {
    goesToEnd = false
    isLoading = false
  }

  /// Gives up what loads, and the server's answer that the mirror's rows wait for.
  mutating func giveUpLoading() {
    stopLoading()
    guard case .issues(var sheet) = content, sheet.settling == .asking else { return }
    sheet.settling = nil
    content = .issues(sheet)
  }

  /// Follows the end of the list as its pages arrive.
  private mutating func followEnd() {
    guard goesToEnd else { return }
    selection = rowCount - 1
    revealSelection()
    guard nextPage == nil else { return }
    goesToEnd = false
    followSelection()
  }

  /// Leaves the selection where it is, perhaps out of sight, until a key moves it.
  mutating func scrollList(by rows: Int) {
    top = max(0, min(top + rows, rowCount - layout.list.height))
  }

  /// Keeps the selection within the rows, and scrolls no further than needed to show it.
  mutating func revealSelection() {
    selection = max(0, min(selection, rowCount - 1))
    let height = layout.list.height
    guard height > 0 else { return }
    top = min(top, selection)
    top = max(top, selection - height + 1)
    top = max(0, min(top, rowCount - height))
  }

  // MARK: Results

  mutating func show(_ found: RepositorySearchState) {
    let isSame =
      if case .repositories(let shown) = content { shown.query == found.query } else { false }
    replaceContent(.repositories(found), keepsPlace: isSame)
    followEnd()
    isLoading = found.standing == .online && wantsNextPage
  }

  /// Shows the first page of issues. When a list is loaded again, its selected issue stays selected.
  mutating func show(_ sheet: IssueSheet) {
    isOutdated = false
    let shown = self.sheet.flatMap { $0.reference == sheet.reference ? $0 : nil }
    let isSame = shown?.query == sheet.query
    // A list that settles stays at its beginning until the user has left that.
    let isAtStart = shown?.settling == .asking && selection == 0
    let selected = isSame && !isAtStart ? selectedIssue?.number : nil
    if shown == nil { leaveReader() }
    var sheet = sheet
    sheet.catchUp(with: recentAnswers, keeping: nil)
    replaceContent(.issues(sheet), keepsPlace: selected != nil)
    if let index = sheet.issues.firstIndex(where: { $0.number == selected }) {
      selection = index
    }
    revealSelection()
    followEnd()
    closeIdleCompletions()
    isLoading = wantsNextPage
  }

  mutating func append(_ page: IssuesPage) {
    guard case .issues(var sheet) = content, sheet.reference == page.reference,
      sheet.nextPage == page.page
    else { return }
    sheet.append(page)
    sheet.catchUp(with: recentAnswers, keeping: selectedIssue?.number)
    content = .issues(sheet)
    followEnd()
    isLoading = wantsNextPage
  }

  /// Shows why there is no answer, beside the loaded rows of the same list.
  mutating func fail(_ query: ListQuery, _ standing: IssueSheet.Standing) {
    stopLoading()
    switch query {
    case .nothing, .incomplete: break
    case .repositories(let text):
      // The search notes failures of requests itself. Here, no request could be made.
      guard case .failed(let reason) = standing else { return }
      var failed = RepositorySearchState(query: text)
      if case .repositories(let found) = content, found.query == text { failed = found }
      failed.apply(.failed(reason: reason))
      show(failed)
    case .issues(let reference, let filter):
      fail(query, IssueSheet(reference: reference, filter: filter), standing)
    case .searched(let reference, let search):
      fail(query, IssueSheet(reference: reference, search: search), standing)
    }
  }

  /// The mirror gives no better answer to a list that it shows until the server has one.
  mutating func keep(_ query: ListQuery, _ standing: IssueSheet.Standing) {
    guard case .issues(var sheet) = content, sheet.query == query else { return }
    sheet.standing = standing
    sheet.settling = standing == .online ? .settled : nil
    content = .issues(sheet)
    isLoading = wantsNextPage
  }

  private mutating func fail(
    _ query: ListQuery, _ failed: IssueSheet, _ standing: IssueSheet.Standing
  ) {
    var failed = failed
    if let sheet, sheet.reference == failed.reference {
      if sheet.query == query {
        failed = sheet
      } else {
        failed.repository = sheet.repository
      }
    } else {
      leaveReader()
    }
    failed.standing = standing
    replaceContent(.issues(failed), keepsPlace: failed.isLoaded)
  }

  private mutating func replaceContent(_ content: Content, keepsPlace: Bool) {
    let visible = top..<top + max(1, layout.list.height)
    let scrolled = keepsPlace && !visible.contains(selection) ? top : nil
    self.content = content
    if !keepsPlace { (selection, top) = (0, 0) }
    revealSelection()
    // Where the wheel has scrolled to.
    if let scrolled { top = max(0, min(scrolled, rowCount - layout.list.height)) }
  }

  mutating func leaveReader() {
    guard reader != nil else { return }
    reader = nil
    revisions.reader += 1
    if pane == .reader { pane = .list }
  }

  /// Removes completions that would cover the list, unless the user has selected one.
  private mutating func closeIdleCompletions() {
    if completions?.selection == nil { completions = nil }
  }
}

extension RepositorySearchState {
  var standing: IssueSheet.Standing {
    if connection == .offline { return .offline }
    if let limitExceededUntil { return .limited(until: limitExceededUntil) }
    return failure.map { .failed($0) } ?? .online
  }
}

extension BrowserState {
  var standing: IssueSheet.Standing {
    switch content {
    case .nothing: .online
    case .issues(let sheet): sheet.standing
    case .repositories(let found): found.standing
    }
  }

  /// Why the list isn't complete, in up to two lines; nil if nothing is wrong.
  var problem: (text: String, role: Theme.Role)? {
    if let request, showsRequest, standing != .online { return (request, .problem) }
    return switch standing {
    case .online: nil
    case .offline where sheet?.isStandIn == true: nil
    case .offline: ("Offline: \(host) can't be reached, trying again", .warning)
    case .limited(let end):
      (
        end.map { "\(limited) until \(LocalTime.hoursAndMinutes(of: $0))\(left(until: $0))" }
          ?? "\(limited) for a few minutes", .warning
      )
    case .missing where pane == .search: nil
    case .missing(let reason), .failed(let reason): (reason, .problem)
    }
  }

  /// Searches have a limit of their own.
  private var limited: String {
    switch query {
    case .searched, .repositories: "Searches are limited"
    case .nothing, .incomplete, .issues: "Rate limited"
    }
  }

  /// The time that is left, as `, 9:59 left`; empty if none is.
  private func left(until end: Date) -> String {
    // A server may name any time.
    let seconds = end.timeIntervalSince(now).rounded(.up)
    guard seconds > 0, seconds < 86_400 else { return "" }
    let (minutes, rest) = Int(seconds).quotientAndRemainder(dividingBy: 60)
    return ", \(minutes):\(rest < 10 ? "0" : "")\(rest) left"
  }
}

internal import IssueTracker
internal import StyledText
internal import TerminalScreen

extension BrowserState {
  /// The issues that the list holds; nil where it holds something else.
  var sheet: IssueSheet? {
    if case .issues(let sheet) = content { sheet } else { nil }
  }

  /// The selected issue.
  var selectedIssue: Issue? {
    guard case .issues(let sheet) = content, sheet.issues.indices.contains(selection) else {
      return nil
    }
    return sheet.issues[selection]
  }

  /// Whether the list holds what is asked for, with nothing that went wrong: then it isn't asked for again.
  func holds(_ query: ListQuery) -> Bool {
    switch (query, content) {
    case (.repositories(let text), .repositories(let found)):
      found.query == text && found.totalCount != nil && found.standing == .online
    case (.issues(let reference, let filter), .issues(let sheet)):
      sheet.reference == reference && sheet.filter == filter && sheet.isLoaded
        && sheet.standing == .online && sheet.search == nil && (sheet.mirror == nil || isOffline)
    case (.mirrored(let reference, let filter, let search), .issues(let sheet)):
      sheet.reference == reference && sheet.filter == filter && sheet.search == search
        && sheet.isLoaded && sheet.standing == .online && sheet.mirror != nil
    default: false
    }
  }

  /// Whether the list shows the mirror's issues of a repository, because the server can't be reached.
  func showsStandIn(of reference: RepositoryReference) -> Bool {
    sheet.map { $0.isStandIn && $0.reference == reference } ?? false
  }

  /// Whether that is just what the server would be asked for.
  func showsStandIn(of reference: RepositoryReference, _ filter: IssueFilter) -> Bool {
    showsStandIn(of: reference) && sheet?.filter == filter && sheet?.search == nil
  }

  /// The page to be loaded next, where nothing forbids to ask for it: after a failure it may be asked for
  /// again; what the server can't be reached for, or limits, is asked for again by itself. The mirror is there
  /// in any case.
  var nextPage: NextPage? {
    switch (standing, content) {
    case (_, .issues(let sheet)) where sheet.mirror != nil: sheet.nextPage
    case (.offline, _), (.limited, _), (_, .nothing): nil
    case (_, .repositories(let found)): found.nextPage.map { .server($0) }
    case (_, .issues(let sheet)): sheet.nextPage
    }
  }

  /// Whether the end of what is loaded is so near that the next page should be on its way: less than a
  /// window away.
  var wantsNextPage: Bool {
    guard nextPage != nil else { return false }
    let rows = max(1, size.rows - 3)
    return max(selection, top + rows - 1) + rows >= rowCount
  }

  // MARK: Asking

  /// Asks for what the list is to hold; what runs for it is superseded.
  mutating func ask(_ query: ListQuery) {
    self.query = query
    revisions.list += 1
    opensAddressed = false
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

  /// Asks anew for what is on its way, else for what is there.
  private mutating func askAgain() {
    switch (query, content) {
    case (.repositories, _), (.issues, _), (.mirrored, _): ask(query)
    case (_, .repositories(let found)): ask(.repositories(found.query))
    case (_, .issues(let sheet)): ask(.issues(sheet.reference, sheet.filter))
    case (_, .nothing): break
    }
  }

  /// The repository whose issues are asked for or there, and which of them.
  var repositoryQuery: (reference: RepositoryReference, filter: IssueFilter)? {
    switch query {
    case .issues(let reference, let filter), .mirrored(let reference, let filter, _):
      (reference, filter)
    default: sheet.map { ($0.reference, $0.filter) }
    }
  }

  mutating func enter() {
    switch content {
    case .nothing: break
    case .issues: if let issue = selectedIssue { read(issue) }
    case .repositories(let found):
      guard found.repositories.indices.contains(selection) else { return }
      // The server spells it: no name that is none becomes a path.
      guard let name = RepositoryName(found.repositories[selection].fullName) else {
        message = "The server's name of that repository is none."
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

  /// Shows again what was found. What was being loaded for it goes on.
  mutating func goBack() {
    guard let found else { return }
    self.found = nil
    ask(.repositories(found.repositories.query))
    search = found.search
    content = .repositories(found.repositories)
    (selection, top) = (found.selection, found.top)
    // The window may have another size by now.
    revealSelection()
  }

  /// What is read or selected, as an address: the issue, or the repository.
  var selectedPage: RepositoryReference? {
    switch content {
    case .nothing: return nil
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
        host: sheet.reference.host, name: name, issueNumber: issue.number)
    }
  }

  // MARK: Moving

  /// Moves the selection, and shows it.
  mutating func move(_ motion: BrowserCommand.Motion) {
    let page = max(1, layout.list.height - 1)
    switch motion {
    case .up: selection -= 1
    case .down: selection += 1
    case .pageUp: selection -= page
    case .pageDown: selection += page
    case .first: selection = 0
    case .last: selection = rowCount - 1
    }
    revealSelection()
  }

  /// Scrolls the list; the selection stays in the window.
  mutating func scrollList(by rows: Int) {
    let height = layout.list.height
    guard height > 0 else { return }
    top = max(0, min(top + rows, rowCount - height))
    selection = max(top, min(selection, top + height - 1, rowCount - 1))
  }

  /// Keeps the selection among the rows, and scrolls no further than needed for it to be seen.
  mutating func revealSelection() {
    selection = max(0, min(selection, rowCount - 1))
    let height = layout.list.height
    guard height > 0 else { return }
    top = min(top, selection)
    top = max(top, selection - height + 1)
    top = max(0, min(top, rowCount - height))
  }

  // MARK: What arrived

  /// Shows what a search has found so far.
  mutating func show(_ found: RepositorySearchState) {
    let isSame =
      if case .repositories(let shown) = content { shown.query == found.query } else { false }
    replaceContent(.repositories(found), keepsPlace: isSame)
    isLoading = found.standing == .online && wantsNextPage
  }

  /// Shows the first page of a repository's issues. Where it is the same list that is shown already, the
  /// issue that was selected stays selected.
  mutating func show(_ sheet: IssueSheet) {
    let shown = self.sheet.flatMap { $0.reference == sheet.reference ? $0 : nil }
    let isSame = shown?.filter == sheet.filter && shown?.search == sheet.search
    let selected = isSame ? selectedIssue?.number : nil
    if shown == nil { leaveReader() }
    replaceContent(.issues(sheet), keepsPlace: selected != nil)
    if let index = sheet.issues.firstIndex(where: { $0.number == selected }) {
      selection = index
    }
    revealSelection()
    closeIdleCompletions()
    isLoading = wantsNextPage
  }

  /// Adds a page to the issues, unless they are others by now.
  mutating func append(_ page: IssuesPage) {
    guard case .issues(var sheet) = content, sheet.reference == page.reference,
      sheet.nextPage == page.page
    else { return }
    sheet.append(page)
    content = .issues(sheet)
    isLoading = wantsNextPage
  }

  /// Says why there is no answer: beside what was loaded where that is of the same list.
  mutating func fail(_ query: ListQuery, _ standing: IssueSheet.Standing) {
    isLoading = false
    switch query {
    case .nothing, .incomplete: break
    case .repositories(let text):
      // What comes of a request is in the search itself: left is that none could be made.
      guard case .failed(let reason) = standing else { return }
      var failed = RepositorySearchState(query: text)
      if case .repositories(let found) = content, found.query == text { failed = found }
      failed.apply(.failed(reason: reason))
      show(failed)
    case .issues(let reference, let filter):
      fail(reference, filter, nil, standing)
    case .mirrored(let reference, let filter, let search):
      fail(reference, filter, search, standing)
    }
  }

  private mutating func fail(
    _ reference: RepositoryReference, _ filter: IssueFilter, _ search: ListQuery.Search?,
    _ standing: IssueSheet.Standing
  ) {
    var failed = IssueSheet(reference: reference, filter: filter)
    failed.search = search
    if let sheet, sheet.reference == reference {
      if sheet.filter == filter, sheet.search == search {
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
    self.content = content
    if !keepsPlace { (selection, top) = (0, 0) }
    revealSelection()
  }

  /// What was read belongs to a list that is gone.
  private mutating func leaveReader() {
    guard reader != nil else { return }
    reader = nil
    revisions.reader += 1
    if pane == .reader { pane = .list }
  }

  /// The list shows what was typed: what drops down over it is in the way, unless it is being used.
  private mutating func closeIdleCompletions() {
    if completions?.selection == nil { completions = nil }
  }
}

extension RepositorySearchState {
  /// What became of the last request.
  var standing: IssueSheet.Standing {
    if connection == .offline { return .offline }
    if let limitExceededUntil { return .limited(until: limitExceededUntil) }
    return failure.map { .failed($0) } ?? .online
  }
}

extension BrowserState {
  /// What became of the last request for what the list holds.
  var standing: IssueSheet.Standing {
    switch content {
    case .nothing: .online
    case .issues(let sheet): sheet.standing
    case .repositories(let found): found.standing
    }
  }

  /// Why the list doesn't go on, for a person; nil where all is well.
  var problem: (text: String, style: Style)? {
    switch standing {
    case .online: nil
    // What it says instead is that the mirror stands in.
    case .offline where sheet?.isStandIn == true: nil
    case .offline: ("Offline: \(host) can't be reached, trying again", .delay)
    case .limited(let end):
      (
        end.map { "Rate limited until \(LocalTime.hoursAndMinutes(of: $0))" }
          ?? "Rate limited for a few minutes", .delay
      )
    case .failed(let reason): (reason, .problem)
    }
  }
}

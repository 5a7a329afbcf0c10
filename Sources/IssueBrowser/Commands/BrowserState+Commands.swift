internal import IssueTracker
internal import TerminalScreen

/// What commands change at once. What has to be loaded for them is the reactor's.
extension BrowserState {
  /// Does what is wanted, as far as that can be done at once.
  mutating func perform(_ command: BrowserCommand) {
    switch command {
    case .resize(let size): resize(to: size)
    case .quit: isFinished = true
    case .suspend: suspensions += 1
    case .repaint: repaints += 1
    case .showHelp: isHelpShown = true
    case .hideHelp: isHelpShown = false
    case .focus(let pane): focus(pane)
    case .openPage: break
    case .refresh: refresh()
    case .editSearch(let edit): editSearch(edit)
    case .clearSearch: replaceSearch(TextField())
    case .submitSearch: submitSearch()
    case .selectCompletion(let selection): completions?.selection = selection
    case .takeCompletion(let index, let isFinal): takeCompletion(index, isFinal: isFinal)
    case .closeCompletions: closeCompletions()
    case .move(let motion):
      move(motion)
      followSelection()
    case .scrollList(let rows):
      scrollList(by: rows)
      followSelection()
    case .select(let row):
      focus(.list)
      selection = row
      revealSelection()
      followSelection()
    case .enter: enter()
    case .goBack: goBack()
    case .sort: sort()
    case .openFilter: openFilter()
    case .editFilter(let edit):
      filter?.edit(edit)
      filterProblem = nil
      followFilter()
    case .completeFilter:
      if let filter, let sheet {
        self.filter = FilterCompletion.completed(filter, from: sheet.issues)
        followFilter()
      }
    case .applyFilter: applyFilter()
    case .closeFilter: closeFilter()
    case .moveReader(let motion): moveReader(motion)
    case .scrollReader(let lines): scrollReader(to: (reader?.top ?? 0) + lines)
    case .readOther(let step): readOther(step)
    case .closeReader: closeReader()
    }
  }

  /// The pane that Tab leads to, or Shift-Tab with -1. What isn't to be seen is left out.
  func pane(after step: Int) -> Pane {
    let panes: [Pane] =
      reader == nil
      ? [.search, .list] : layout.isWide ? [.search, .list, .reader] : [.search, .reader]
    let index = panes.firstIndex(of: pane) ?? 0
    return panes[(index + step + panes.count) % panes.count]
  }

  // MARK: The window

  private mutating func resize(to size: ScreenSize) {
    self.size = size
    // A list that is covered can't have the keys.
    if reader != nil, !layout.isWide, pane == .list { pane = .reader }
    revealSelection()
    scrollReader(to: reader?.top ?? 0)
  }

  private mutating func focus(_ pane: Pane) {
    if pane != .search { closeCompletions() }
    // Over the list there is room for one of them.
    if pane != .reader, reader != nil, !layout.isWide { closeReader() }
    self.pane = pane
  }

  // MARK: What the list is to hold

  private mutating func editSearch(_ edit: TextField.Edit) {
    var edited = search
    edited.edit(edit)
    replaceSearch(edited)
  }

  /// Takes in another text, and asks for what it means if that is something else than before.
  private mutating func replaceSearch(_ field: TextField) {
    let isSame = field.text == search.text
    search = field
    guard !isSame else { return }
    found = nil
    revisions.completions += 1
    let fitting = RepositoryRanking(for: field.text).predictions(
      of: completions?.predictions.map { RepositoryCandidate(name: $0.text, source: .search) } ?? []
    )
    completions = nil
    if !field.text.isEmpty { offer(fitting) }
    let typed = typedQuery
    if typed != query || typed == .nothing { ask(typed) }
  }

  /// What was typed asks for. The repository that is shown keeps its filter and its order.
  private var typedQuery: ListQuery {
    let typed = ListQuery(search.text)
    // What is mirrored can be shown as a whole.
    if typed == .nothing, isOffline { return .repositories("") }
    guard case .issues(let reference, _) = typed else { return typed }
    switch query {
    case .issues(reference, _), .mirrored(reference, _, _): return query
    default: break
    }
    if let sheet, sheet.reference == reference { return .issues(reference, sheet.filter) }
    return typed
  }

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

  mutating func submitSearch() {
    let typed = typedQuery
    switch typed {
    case .nothing: return
    case .incomplete:
      do throws(InvalidInput) {
        _ = try RepositoryReference(parsing: search.text)
      } catch {
        message = error.message
      }
    case .repositories(""):
      if !holds(typed) { ask(typed) }
    case .repositories, .issues, .mirrored:
      if typed.issueNumber != nil {
        ask(typed)
        closeReader()
        opensAddressed = true
      } else if !holds(typed) {
        ask(typed)
      }
      focus(.list)
    }
  }

  private mutating func refresh() {
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

  private mutating func enter() {
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
  private mutating func goBack() {
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

  // MARK: Completions

  /// Lets names drop down; what is typed already is no news.
  mutating func offer(_ predictions: [Prediction]) {
    let typed = search.text.lowercased()
    let news = predictions.filter { $0.text.lowercased() != typed }
    guard pane == .search, !news.isEmpty else {
      completions = nil
      return
    }
    let selected = completions.flatMap { shown in
      shown.selection.map { shown.predictions[$0].text }
    }
    completions = Completions(
      predictions: Array(news.prefix(Self.maximumCompletions)),
      selection: news.prefix(Self.maximumCompletions).firstIndex { $0.text == selected })
  }

  private static var maximumCompletions: Int { 10 }

  private mutating func takeCompletion(_ index: Int, isFinal: Bool) {
    guard let names = completions?.predictions, names.indices.contains(index) else { return }
    replaceSearch(TextField(names[index].text))
    closeCompletions()
    if isFinal { submitSearch() }
  }

  /// Takes away what drops down, and what is on its way to drop down.
  private mutating func closeCompletions() {
    completions = nil
    revisions.completions += 1
  }
}

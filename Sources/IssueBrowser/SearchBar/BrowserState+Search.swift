internal import IssueTracker
internal import TerminalScreen

extension BrowserState {
  mutating func editSearch(_ edit: TextField.Edit) {
    var edited = search.field
    edited.edit(edit)
    replaceSearch(edited)
  }

  /// Replaces the text, and loads the corresponding list.
  mutating func replaceSearch(_ field: TextField) {
    let isSame = field.text == search.text
    search.field = field
    guard !isSame else { return }
    // A number or a command has no effect until it is entered.
    if ListQuery.isCommand(field.text) { return closeCompletions() }
    views.isUnderStart = false
    revisions.completions += 1
    list.found = nil
    let shown = search.completions?.predictions ?? []
    let fitting = RepositoryRanking(for: field.text).predictions(
      of: shown.map { RepositoryCandidate(name: $0.text, source: .search) })
    search.completions = nil
    if !field.text.isEmpty { offer(fitting) }
    let typed = typedQuery
    if typed != list.query || typed == .nothing { ask(typed) }
  }

  /// The query for the text. The current repository keeps its filter and order.
  private var typedQuery: ListQuery {
    let typed = ListQuery(search.text)
    // Offline, the list shows all mirrored repositories at first.
    if typed == .nothing, isOffline { return .repositories("") }
    guard case .issues(let reference, _) = typed else { return typed }
    switch list.query {
    case .issues, .searched:
      if list.query.reference?.isSamePlace(as: reference) == true { return list.query }
    default: break
    }
    if let sheet, sheet.reference?.isSamePlace(as: reference) == true {
      return sheet.query
    }
    return typed
  }

  mutating func submitSearch() {
    if ListQuery.isCommand(search.text) { return submitCommand() }
    let typed = typedQuery
    switch typed {
    case .nothing: if list.content == .nothing { enterRow() } else { focus(.list) }
    case .incomplete:
      do throws(InvalidInput) {
        _ = try RepositoryReference(parsing: search.text)
      } catch {
        message = error.message
      }
    case .repositories(""):
      if !holds(typed) { ask(typed) }
    case .repositories, .issues, .searched, .inbox:
      if let issue = ListQuery.issue(search.text) { return open(issue.number, in: typed) }
      if !holds(typed) {
        ask(typed)
      }
      focus(.list)
    }
  }

  /// Drops the typed text. The place from before is shown again, if there is one.
  mutating func leaveSearch() {
    guard let left = history.departure else {
      if !ListQuery.isCommand(search.text) { replaceSearch(TextField()) }
      return focus(.list)
    }
    guard place?.identity == left.identity else {
      restore(left)
      return revealSelection()
    }
    search.field = left.search
    focus(left.pane == .search ? .list : left.pane)
  }

  // MARK: Numbers and commands

  /// Begins a number or a command in the search bar. Leaving the search bar restores the previous text.
  mutating func beginCommand(_ mark: Character) {
    focus(.search)
    closeCompletions()
    search.field = TextField(String(mark))
  }

  /// The motion of a key after a number such as `:10`, and the state without the number; nil for any other key.
  func counted(by key: InputEvent.Key) -> (motion: BrowserCommand, state: BrowserState)? {
    guard search.text.first == ":", let count = Int(search.text.dropFirst()) else { return nil }
    var state = self
    state.leaveSearch()
    state.count = min(max(1, count), Self.maximumCount)
    guard let usual = keyMap.usual(key, in: state.pane),
      let command = KeyTable.command(for: usual, in: state)
    else { return nil }
    return switch command {
    case .move, .moveReader, .readOther, .goToComment, .goToMatch: (command, state)
    default: nil
    }
  }

  /// Shows an issue that was named outside of the search bar.
  mutating func open(_ issue: IssueReference) {
    if issue.repository != nil { list.found = nil }
    search.field = TextField("\(issue)")
    submitSearch()
  }

  private mutating func submitCommand() {
    if [":q", ":q!"].contains(search.text) { return quit() }
    guard ListQuery.isNumber(search.text) else {
      message = "Type :q to quit, or :12 to open the issue #12"
      return
    }
    guard let issue = ListQuery.issue(search.text) else { return focus(.list) }
    let selected = selectedIssue.flatMap { sheet?.repository(of: $0) }
    guard let reference = sheet?.reference ?? selected else {
      message = "A number needs its repository, such as apple/swift#42"
      return
    }
    search.field = TextField("\(reference)#\(issue.number)")
    open(issue.number, in: typedQuery)
  }

  /// Opens an issue of a list. An issue that isn't among the loaded rows is loaded after the list.
  private mutating func open(_ number: Int, in query: ListQuery) {
    closeReader()
    focus(.list)
    if holds(query), let sheet,
      let index = sheet.issues.firstIndex(where: { $0.number == number })
    {
      list.cursor.selection = index
      read(sheet.issues[index])
    } else {
      ask(query)
      list.addressed = number
    }
  }

  // MARK: Completions

  mutating func offer(_ predictions: [Prediction]) {
    search.offer(pane == .search ? predictions : [])
  }

  mutating func takeCompletion(_ index: Int, isFinal: Bool) {
    guard let names = search.completions?.predictions, names.indices.contains(index) else { return }
    replaceSearch(TextField(names[index].text))
    closeCompletions()
    if isFinal { submitSearch() }
  }

  /// The completion that Enter accepts: the selected one, or the first one if the typed text leads nowhere. A whole
  /// name leads to its repository, unless the server says that there is none.
  var enteredCompletion: Int? {
    guard let names = search.completions, !names.predictions.isEmpty else { return nil }
    if let selection = names.selection { return selection }
    if list.query == .incomplete { return 0 }
    guard let sheet, sheet.query == list.query, case .missing = sheet.standing else { return nil }
    return 0
  }

  /// Closes the completions, and supersedes completions that are still loading.
  mutating func closeCompletions() {
    search.completions = nil
    revisions.completions += 1
  }
}

extension RepositoryReference {
  /// Whether both name the same repository, regardless of any issue numbers.
  fileprivate func isSamePlace(as other: RepositoryReference) -> Bool {
    host == other.host && name == other.name
  }
}

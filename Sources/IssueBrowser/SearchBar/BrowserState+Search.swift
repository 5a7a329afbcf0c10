internal import IssueTracker

extension BrowserState {
  mutating func editSearch(_ edit: TextField.Edit) {
    var edited = search
    edited.edit(edit)
    replaceSearch(edited)
  }

  /// Replaces the text, and loads the list that it now means.
  mutating func replaceSearch(_ field: TextField) {
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

  /// The query that the text means. A shown repository keeps its filter and order.
  private var typedQuery: ListQuery {
    let typed = ListQuery(search.text)
    // Offline, the list begins with all mirrored repositories.
    if typed == .nothing, isOffline { return .repositories("") }
    guard case .issues(let reference, _) = typed else { return typed }
    switch query {
    case .issues(reference, _), .mirrored(reference, _, _): return query
    default: break
    }
    if let sheet, sheet.reference == reference { return .issues(reference, sheet.filter) }
    return typed
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

  // MARK: Completions

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

  mutating func takeCompletion(_ index: Int, isFinal: Bool) {
    guard let names = completions?.predictions, names.indices.contains(index) else { return }
    replaceSearch(TextField(names[index].text))
    closeCompletions()
    if isFinal { submitSearch() }
  }

  /// Supersedes completions that are loading, too.
  mutating func closeCompletions() {
    completions = nil
    revisions.completions += 1
  }
}

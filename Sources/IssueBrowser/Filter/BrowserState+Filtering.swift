internal import IssueTracker

extension BrowserState {
  mutating func sort() {
    guard let (reference, filter) = repositoryQuery else { return }
    if case .mirrored(_, _, .some) = query {
      message = "To order a search, add a word such as sort:updated"
      return
    }
    ask(.issues(reference, filter.withNextOrder))
  }

  mutating func openFilter() {
    guard let (_, filter) = repositoryQuery else { return }
    var text = filter.query
    if case .mirrored(_, _, let search?) = query { text = search.text }
    // The blank lets the user type the next word at once.
    self.filter = TextField(text.isEmpty || text.hasSuffix(" ") ? text : text + " ")
    filterProblem = nil
    unfiltered = nil
  }

  /// Filters a list of the mirror at each letter; a server isn't asked that often. Unreadable text changes nothing.
  mutating func followFilter() {
    guard let text = filter?.text, sheet?.mirror != nil, let (reference, _) = repositoryQuery,
      let (filter, search) = try? typedFilter(text)
    else { return }
    let wanted = ListQuery.mirrored(reference, filter, search)
    if wanted == query || search == nil && query == .issues(reference, filter) { return }
    if unfiltered == nil {
      unfiltered = UnfilteredList(
        query: query, content: content, selection: selection, top: top)
    }
    ask(wanted)
  }

  mutating func applyFilter() {
    guard let text = filter?.text, let (reference, old) = repositoryQuery else { return }
    if let issue = ListQuery.issue(text) {
      closeFilter()
      return open(issue)
    }
    do throws(InvalidInput) {
      guard sheet?.mirror != nil else {
        let wanted = try IssueFilter(query: text)
        endFilter()
        if wanted != old { ask(.issues(reference, wanted)) }
        return
      }
      let (wanted, search) = try typedFilter(text)
      endFilter()
      // A filter that isn't a search can go to the server too.
      let query =
        search == nil
        ? ListQuery.issues(reference, wanted) : .mirrored(reference, wanted, search)
      if query != self.query { ask(query) }
    } catch {
      filterProblem = error.message
    }
  }

  mutating func closeFilter() {
    if let unfiltered {
      ask(unfiltered.query)
      content = unfiltered.content
      (selection, top) = (unfiltered.selection, unfiltered.top)
      revealSelection()
    }
    endFilter()
  }

  private mutating func endFilter() {
    filter = nil
    filterProblem = nil
    unfiltered = nil
  }

  /// Reads a filter for the mirror: as a server's filter if it is one, or else as a search.
  private func typedFilter(
    _ text: String
  ) throws(InvalidInput) -> (filter: IssueFilter, search: ListQuery.Search?) {
    if let filter = try? IssueFilter(query: text) { return (filter, nil) }
    return (repositoryQuery?.filter ?? IssueFilter(), try ListQuery.Search(text))
  }
}

extension IssueFilter {
  /// Newest, oldest, recently updated, least recently updated, most commented, least commented, and again.
  var withNextOrder: IssueFilter {
    var next = self
    next.direction = direction == .descending ? .ascending : .descending
    if direction == .ascending {
      next.sort =
        switch sort {
        case .created: .updated
        case .updated: .comments
        case .comments: .created
        }
    }
    return next
  }
}

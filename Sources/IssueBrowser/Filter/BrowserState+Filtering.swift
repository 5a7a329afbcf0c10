internal import IssueTracker

/// Which issues the list holds, and in which order.
extension BrowserState {
  mutating func sort() {
    guard let (reference, filter) = repositoryQuery else { return }
    if case .mirrored(_, _, .some) = query {
      message = "A search has its order in its words, such as sort:updated"
      return
    }
    ask(.issues(reference, filter.withNextOrder))
  }

  mutating func openFilter() {
    guard let (_, filter) = repositoryQuery else { return }
    var text = filter.query
    if case .mirrored(_, _, let search?) = query { text = search.text }
    // The next word can be typed at once.
    self.filter = TextField(text.isEmpty || text.hasSuffix(" ") ? text : text + " ")
    filterProblem = nil
    unfiltered = nil
  }

  /// Lists what is typed, where the rows are the mirror's: no server is asked for every letter. What can't be
  /// read, because it isn't typed to its end, changes nothing.
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
    do throws(InvalidInput) {
      guard sheet?.mirror != nil else {
        let wanted = try IssueFilter(query: text)
        endFilter()
        if wanted != old { ask(.issues(reference, wanted)) }
        return
      }
      let (wanted, search) = try typedFilter(text)
      endFilter()
      // What a filter says, the server can be asked for too.
      let query =
        search == nil
        ? ListQuery.issues(reference, wanted) : .mirrored(reference, wanted, search)
      if query != self.query { ask(query) }
    } catch {
      filterProblem = error.message
    }
  }

  /// Gives the list back as it was before the filter was typed.
  mutating func closeFilter() {
    if let unfiltered {
      ask(unfiltered.query)
      content = unfiltered.content
      (selection, top) = (unfiltered.selection, unfiltered.top)
      // The window may have another size by now.
      revealSelection()
    }
    endFilter()
  }

  private mutating func endFilter() {
    filter = nil
    filterProblem = nil
    unfiltered = nil
  }

  /// What a filter asks the mirror for: what it asks a server for, where a server understands it, else a search.
  ///
  /// - Returns: The filter that is in force when nothing is searched for, and what is searched for.
  /// - Throws: What is wrong with it.
  private func typedFilter(
    _ text: String
  ) throws(InvalidInput) -> (filter: IssueFilter, search: ListQuery.Search?) {
    if let filter = try? IssueFilter(query: text) { return (filter, nil) }
    return (repositoryQuery?.filter ?? IssueFilter(), try ListQuery.Search(text))
  }
}

extension IssueFilter {
  /// The same issues in the next order: newest, oldest, recently updated, least recently updated, most
  /// commented, least commented, and again.
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

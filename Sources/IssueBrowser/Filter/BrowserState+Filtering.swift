internal import IssueTracker

/// What helps to type a filter.
package struct FilterAid: Sendable, Hashable {
  /// Of each repository whose labels and milestones were asked for.
  var known: [RepositoryReference: FilterNames] = [:]
  /// Of the list that is filtered.
  var names = FilterNames()
  package var completions: BrowserState.Completions?

  package init() {}
}

extension BrowserState {
  /// The query whose filter can be changed.
  var filteredQuery: ListQuery? { query.reference == nil ? sheet?.query : query }

  mutating func openFilter() {
    guard let list = filteredQuery, let reference = list.reference, let text = list.filterText
    else { return }
    // The blank lets the user type the next word at once.
    filter = TextField(text.isEmpty || text.hasSuffix(" ") ? text : text + " ")
    filterProblem = nil
    unfiltered = nil
    filterAid.completions = nil
    // Some of a long list's rows: more would delay the key.
    filterAid.names = FilterNames(of: Array(sheet?.issues.prefix(500) ?? []))
    if let known = filterAid.known[reference] { filterAid.names.add(known) }
    // Names that didn't arrive are asked for again.
    if filterAid.known[reference] == FilterNames() { filterAid.known[reference] = nil }
  }

  mutating func editFilter(_ edit: TextField.Edit) {
    filter?.edit(edit)
    filterProblem = nil
    followFilter()
  }

  /// Lists what the finished words of the filter mean. Text that can't be read changes nothing.
  private mutating func followFilter() {
    offerFilterCompletions()
    guard let field = filter, let reference = filteredQuery?.reference,
      let wanted = typedQuery(field, of: reference), wanted != query
    else { return }
    if unfiltered == nil {
      unfiltered = UnfilteredList(
        query: filteredQuery ?? query, content: content, selection: selection, top: top,
        outcomes: acting.outcomes)
    }
    ask(wanted)
  }

  /// The list that a filter being typed means so far; nil if it can't be read. Its word at the cursor counts once it
  /// is finished.
  private func typedQuery(_ field: TextField, of reference: RepositoryReference) -> ListQuery? {
    func read(_ text: String) -> ListQuery? {
      guard let query = try? ListQuery.filtered(text, of: reference) else { return nil }
      if isOffline, case .searched(_, let search) = query,
        (try? search.inMirror(login: nil)) == nil
      {
        return nil
      }
      return query
    }
    let completion = FilterCompletion(before: field)
    if completion?.isHalfTyped(filterAid.names) != true, let query = read(field.text) {
      return query
    }
    guard let start = completion?.range.lowerBound else { return nil }
    var text = field.text
    let word = FilterWord.words(of: text).first {
      text.distance(from: text.startIndex, to: $0.range.lowerBound) == start
    }
    if let word { text.removeSubrange(word.range) }
    return read(text)
  }

  mutating func applyFilter() {
    guard let text = filter?.text, let reference = filteredQuery?.reference else { return }
    if let issue = ListQuery.issue(text) {
      closeFilter()
      return open(issue)
    }
    do throws(InvalidInput) {
      let wanted = try ListQuery.filtered(text, of: reference)
      if isOffline, case .searched(_, let search) = wanted {
        guard !search.needsLogin else {
          filterProblem = "Nobody knows offline who @me is: write the login"
          return
        }
        _ = try search.inMirror(login: nil)
      }
      endFilter()
      // What is asked for after a pause is asked for now.
      if wanted != query || isPausing { ask(wanted) }
    } catch {
      filterAid.completions = nil
      filterProblem = error.message.prefix(1).uppercased() + error.message.dropFirst()
    }
  }

  mutating func closeFilter() {
    if let unfiltered {
      ask(unfiltered.query)
      content = unfiltered.content
      isOutdated = unfiltered.outcomes != acting.outcomes
      (selection, top) = (unfiltered.selection, unfiltered.top)
      revealSelection()
      catchUp()
    }
    endFilter()
  }

  private mutating func endFilter() {
    filter = nil
    filterProblem = nil
    unfiltered = nil
    filterAid.completions = nil
  }

  // MARK: Completions

  private mutating func offerFilterCompletions() {
    filterAid.completions = nil
    guard let field = filter, let completion = FilterCompletion(before: field) else { return }
    if completion.needsNames, let reference = filteredQuery?.reference,
      filterAid.known[reference] == nil
    {
      // Until they arrive, so that they are asked for once.
      filterAid.known[reference] = FilterNames()
      revisions.names += 1
    }
    let predictions = completion.predictions(filterAid.names)
    guard !predictions.isEmpty else { return }
    filterAid.completions = Completions(predictions: predictions)
  }

  mutating func take(_ names: FilterNames, of reference: RepositoryReference) {
    filterAid.known[reference] = names
    guard filter != nil, filteredQuery?.reference == reference else { return }
    filterAid.names.add(names)
    offerFilterCompletions()
  }

  /// Takes the selected completion, or else the first.
  mutating func completeFilter(_ index: Int? = nil) {
    guard var field = filter, let completion = FilterCompletion(before: field),
      let completions = filterAid.completions
    else { return }
    let index = index ?? completions.selection ?? 0
    guard completions.predictions.indices.contains(index) else { return }
    field.replace(completion.range, with: completions.predictions[index].text)
    filter = field
    filterProblem = nil
    followFilter()
  }

  // MARK: The order

  mutating func openOrders() {
    guard let list = filteredQuery else { return }
    orders = OrderMenu(for: list)
  }

  mutating func moveOrder(by step: Int) {
    guard let menu = orders else { return }
    let count = menu.orders.count
    orders?.selection = (menu.selection + step + count) % count
  }

  mutating func takeOrder(_ index: Int? = nil) {
    guard let menu = orders, let list = filteredQuery, let reference = list.reference,
      let text = list.filterText
    else { return }
    orders = nil
    let index = index ?? menu.selection
    guard menu.orders.indices.contains(index) else { return }
    let order = menu.orders[index]
    guard order != ListOrder(of: list),
      let wanted = try? ListQuery.filtered(order.applied(to: text), of: reference)
    else { return }
    ask(wanted)
  }
}

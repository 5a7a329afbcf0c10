internal import IssueTracker

extension BrowserState {
  /// The query whose filter the user can change.
  var filteredQuery: ListQuery? { list.query.scope == nil ? sheet?.query : list.query }

  mutating func openFilter() {
    guard let query = filteredQuery, let scope = query.scope, let text = query.filterText
    else { return }
    // Only some rows of a long list are read. Reading all of them would delay the key.
    filter.open(text, in: scope, Array(sheet?.issues.prefix(500) ?? []))
  }

  mutating func editFilter(_ edit: TextField.Edit) {
    filter.field?.edit(edit)
    filter.problem = nil
    followFilter()
  }

  mutating func completeFilter(_ index: Int?) {
    if filter.complete(index) { followFilter() }
  }

  /// Loads the list for the finished words of the filter. If the text can't be parsed, the list stays the same.
  private mutating func followFilter() {
    let scope = filteredQuery?.scope
    if filter.offerCompletions(in: scope) { revisions.names += 1 }
    guard let scope, let wanted = filter.typedQuery(in: scope, isOffline: isOffline),
      wanted != list.query
    else { return }
    if filter.unfiltered == nil { filter.unfiltered = kept(as: filteredQuery ?? list.query) }
    ask(wanted)
  }

  mutating func applyFilter() {
    if filter.entersCompletion { _ = filter.complete(nil) }
    guard let text = filter.field?.text, let scope = filteredQuery?.scope else { return }
    if let issue = ListQuery.issue(text) {
      closeFilter()
      return open(issue)
    }
    do throws(InvalidInput) {
      let wanted = try ListQuery.filtered(text, in: scope)
      if isOffline, case .searched(_, let search) = wanted {
        guard !search.needsLogin else {
          filter.problem = "@me can't be resolved offline: write the login"
          return
        }
        _ = try search.inMirror(login: nil)
      }
      filter.close()
      // Enter ends the pause before a request.
      if wanted != list.query || list.isPausing { ask(wanted) }
    } catch {
      filter.completions = nil
      filter.problem = error.message.capitalizedFirst
    }
  }

  mutating func closeFilter() {
    if let unfiltered = filter.unfiltered {
      show(unfiltered)
      revealSelection()
      catchUp()
    }
    filter.close()
  }

  /// Whether the list is filtered and the user came from the repository's list with another filter. The history keeps
  /// that list.
  var leadsToOtherFilter: Bool {
    let isFiltered =
      switch list.query {
      case .issues(_, let filter): filter.isNarrow || filter.state != .open
      case .searched: true
      case .nothing, .incomplete, .repositories, .inbox: false
      }
    return isFiltered
      && history.back.last { $0.list.query != list.query }
        .map { $0.list.query.scope == list.query.scope } == true
  }

  mutating func dropFilter() {
    let here = place
    history.forget { $0.list.query == list.query }
    guard let other = history.travel(-1, from: here) else { return }
    restore(other)
    revealSelection()
  }

  // MARK: The order

  mutating func openOrders() {
    filter.orders = filteredQuery.map { OrderMenu(for: $0) }
  }

  mutating func takeOrder(_ index: Int?) {
    guard let menu = filter.orders, let list = filteredQuery, let scope = list.scope,
      let text = list.filterText
    else { return }
    filter.orders = nil
    let index = index ?? menu.selection
    guard menu.orders.indices.contains(index) else { return }
    let order = menu.orders[index]
    guard order != ListOrder(of: list),
      let wanted = try? ListQuery.filtered(order.applied(to: text), in: scope)
    else { return }
    ask(wanted)
  }
}

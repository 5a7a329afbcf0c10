internal import IssueTracker

/// The lists and issues that the user has visited, like the history of a web browser.
package struct BrowsingHistory: Sendable, Hashable {
  static let maximumPlaces = 50

  /// A list, and possibly one of its issues, as the user left it.
  package struct Place: Sendable, Hashable {
    /// Identifies a list or an issue regardless of its scroll position.
    struct Identity: Sendable, Hashable {
      var query: ListQuery
      var issue: IssueKey?
    }

    var list: ListState.Kept
    /// The start screen in place of the list.
    var start: StartPage?
    var shown: ViewsState.Shown?
    var isUnderStart: Bool
    var issue: IssueKey?
    var search: TextField
    var found: ListState.FoundRepositories?
    var reader: ReaderState?
    var pane: BrowserState.Pane

    var identity: Identity { Identity(query: list.query, issue: issue) }
  }

  private(set) var back: [Place] = []
  private(set) var forward: [Place] = []
  /// The place from which the user began to type a name or a filter. Lists shown during typing aren't places.
  var departure: Place?

  mutating func leave(_ place: Place) {
    back = (back + [place]).suffix(Self.maximumPlaces)
    forward = []
  }

  /// Drops the latest places as long as they satisfy a condition.
  mutating func forget(while condition: (Place) -> Bool) {
    while let last = back.last, condition(last) { back.removeLast() }
  }

  /// Records that the user closed a place and is back at the previous one.
  mutating func returnFrom(_ place: Place, to identity: Place.Identity) {
    guard back.last?.identity == identity else { return leave(place) }
    back.removeLast()
    forward.append(place)
  }

  /// Returns the place before or after the current one. The current place is kept on the other side.
  mutating func travel(_ step: Int, from place: Place?) -> Place? {
    guard let target = step < 0 ? back.popLast() : forward.popLast() else { return nil }
    if let place {
      if step < 0 { forward.append(place) } else { back.append(place) }
    }
    return target
  }
}

extension BrowserState {
  /// The current place; nil while neither a list nor the start screen is shown.
  var place: BrowsingHistory.Place? {
    guard list.query.pause != nil || startPage != nil else { return nil }
    let read = isPreviewing && pane != .reader ? nil : reader?.issue
    return BrowsingHistory.Place(
      list: kept(as: list.query), start: startPage, shown: views.shown,
      isUnderStart: views.isUnderStart,
      issue: read.flatMap { sheet?.key(of: $0) } ?? list.addressed.map { IssueKey(number: $0) },
      search: search.field, found: list.found, reader: reader, pane: pane)
  }

  /// Whether neither the search bar nor a filter is being edited.
  var isAtRest: Bool { pane != .search && filter.field == nil }

  /// Keeps the place that a command has left. Moving within a list doesn't leave a place.
  mutating func remember(
    _ place: BrowsingHistory.Place?, wasAtRest: Bool, after command: BrowserCommand
  ) {
    guard isAtRest else {
      // The start screen appears while the search bar has the focus.
      if wasAtRest || history.departure == nil && place?.start != nil { history.departure = place }
      return
    }
    let left = wasAtRest ? place : history.departure
    history.departure = nil
    guard let left, let here = self.place?.identity, here != left.identity else { return }
    switch command {
    case .move, .moveCounted, .select, .readOther, .takeOrder, .travel, .dropFilter: break
    case .closeReader, .goBack, .leaveToViews: history.returnFrom(left, to: here)
    default: history.leave(left)
    }
  }

  /// Goes back (-1) or forward (1) to a place, and restores it.
  mutating func travel(_ step: Int) {
    guard let place = history.travel(step, from: place) else {
      message = step < 0 ? "There is nothing to go back to" : "There is nothing to go forward to"
      return
    }
    restore(place)
  }

  mutating func restore(_ place: BrowsingHistory.Place) {
    show(place.list)
    (views.shown, views.isUnderStart) = (place.shown, place.isUnderStart)
    if let start = place.start {
      views.start = start
      reloadStart()
    }
    (search.field, list.found) = (place.search, place.found)
    search.field.deselect()
    reader = place.reader
    // The comments are loaded again from the first page.
    if reader?.isLoading == true { reader?.comments = [] }
    revisions.reader += 1
    let canHaveList = layout.isWide || isPreviewing
    pane = reader == nil || canHaveList && place.pane == .list ? .list : .reader
    list.cursor.selection = max(0, min(list.cursor.selection, rowCount - 1))
    scrollList(to: list.cursor.top)
    catchUp()
    closeCompletions()
  }
}

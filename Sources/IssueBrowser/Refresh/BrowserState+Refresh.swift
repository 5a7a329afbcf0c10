internal import IssueOutbox
internal import IssueTracker

extension BrowserState {
  /// The list to refresh in the background: a complete list from the server, unless new rows would disturb the user.
  var refreshedList: (reference: RepositoryReference, filter: IssueFilter, name: RepositoryName)? {
    guard isAtRest, !isBusy, !list.goesToEnd, list.addressed == nil, help == nil, palette == nil,
      hints == nil,
      !isFinding, acting.dialog == nil,
      !acting.batches.contains(where: { $0.phase != .kept }),
      case .issues(let reference, let filter) = list.query, let sheet,
      sheet.reference == reference, sheet.filter == filter, sheet.search == nil,
      sheet.mirror == nil, sheet.isLoaded, sheet.standing == .online,
      let name = sheet.repository.flatMap({ RepositoryName($0.fullName) })
    else { return nil }
    return (reference, filter, name)
  }

  /// Applies a newer first page. The selection and the rows around it keep their positions on the screen.
  mutating func refresh(with page: IssuesPage, of filter: IssueFilter) {
    guard let wanted = refreshedList, page.scope == .repository(wanted.reference),
      wanted.filter == filter,
      case .issues(var sheet) = list.content
    else { return }
    let selected = selectedIssue?.number
    let (selection, top) = (list.cursor.selection, list.cursor.top)
    let isVisible = (top..<top + layout.list.height).contains(selection)
    let anchor = isVisible ? selection : top
    let number = sheet.issues.indices.contains(anchor) ? sheet.issues[anchor].number : nil
    guard
      sheet.refresh(
        page.issues, passing: page.pullRequests, isLast: page.next == nil, keeping: selected)
    else { return }
    sheet.catchUp(with: recentAnswers, keeping: selected.map { IssueKey(number: $0) })
    list.content = .issues(sheet)
    let place = sheet.issues.firstIndex { $0.number == selected } ?? selection
    list.cursor.selection = max(0, min(place, rowCount - 1))
    let shift = sheet.issues.firstIndex { $0.number == number }.map { $0 - anchor } ?? 0
    scrollList(to: top + shift)
  }

  /// Marks an issue as read.
  mutating func visit(_ issue: GitHub.Issue) {
    guard case .issues(var sheet) = list.content, sheet.unread.remove(sheet.key(of: issue)) != nil
    else { return }
    list.content = .issues(sheet)
  }
}

extension IssueSheet {
  /// Replaces the rows of the first page with newer ones, and adds new rows. Rows that belong before the last row of
  /// the page but aren't in it have left the list. The selected row stays until the next refresh.
  ///
  /// Issues that are new or have changed become unread.
  ///
  /// - Returns: Whether the list has changed.
  mutating func refresh(
    _ page: [GitHub.Issue], passing pullRequests: [Int] = [], isLast: Bool, keeping selected: Int?
  ) -> Bool {
    let fresh = page.map { issue in
      guard let pending = pending(on: issue),
        !pending.entries(on: .number(issue.number)).isEmpty
      else { return issue }
      originals[key(of: issue)] = issue
      return pending.applied(to: issue)
    }
    let unsent = issues.prefix { $0.number < 0 }
    let shown = issues[unsent.endIndex...]
    let isSame = fresh.elementsEqual(shown.prefix(fresh.count))
    if isSame, !isLast || shown.count == fresh.count { return false }
    let arrived = Set(fresh.map(\.number))
    var before: [Int: GitHub.Issue] = [:]
    var rows = fresh
    var rest: [GitHub.Issue] = []
    var previous: Int?
    for issue in shown {
      if arrived.contains(issue.number) {
        before[issue.number] = issue
        previous = issue.number
        continue
      }
      let hasLeft = isLast || fresh.last.map { filter.puts(issue, before: $0) } == true
      if !hasLeft {
        rest.append(issue)
      } else if issue.number == selected {
        let place = rows.firstIndex { $0.number == previous }
        rows.insert(issue, at: place.map { $0 + 1 } ?? 0)
      }
    }
    let news = fresh.filter { issue in
      before[issue.number].map { $0.updatedAt != issue.updatedAt } ?? true
    }
    replaceRows(Array(unsent) + rows + rest, passing: pullRequests)
    unread.formUnion(news.map(key))
    return true
  }
}

extension IssueFilter {
  /// Whether an issue certainly precedes another in the server's order.
  func puts(_ issue: GitHub.Issue, before other: GitHub.Issue) -> Bool {
    func isBefore<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool {
      guard let one, let other else { return false }
      return direction == .descending ? one > other : one < other
    }
    return switch sort {
    case .created: isBefore(issue.createdAt, other.createdAt)
    case .updated: isBefore(issue.updatedAt, other.updatedAt)
    case .comments: isBefore(issue.commentsCount, other.commentsCount)
    }
  }
}

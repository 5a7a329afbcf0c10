internal import IssueTracker
internal import StyledText

/// The rows of a list that the next change applies to.
package struct IssueSelection: Sendable, Hashable {
  /// The query of the list; rows of another list aren't selected.
  let query: ListQuery
  var keys: Set<IssueKey> = []
  /// The issue at the start of a range that ends at the cursor.
  var rangeStart: IssueKey?
  /// Whether rows are selected as they load.
  var takesAll = false
}

extension IssueSelection {
  /// Keeps a created issue selected under the number that the server has assigned.
  mutating func follow(_ sent: SentChange) {
    func current(_ key: IssueKey) -> IssueKey {
      IssueKey(repository: key.repository, number: sent.number(of: key.number) ?? key.number)
    }
    keys = Set(keys.map(current))
    rangeStart = rangeStart.map(current)
  }
}

extension BrowserState {
  /// The selection in the shown list.
  var chosen: IssueSelection? {
    acting.selection.flatMap { $0.query == list.selectableQuery ? $0 : nil }
  }

  /// The rows of the range. If its first row has left the list, only the row at the cursor remains.
  private var chosenRange: ClosedRange<Int>? {
    guard let key = chosen?.rangeStart else { return nil }
    let cursor = list.cursor.selection
    let start = (0..<rowCount).first { list.key(ofRow: $0) == key } ?? cursor
    return min(start, cursor)...max(start, cursor)
  }

  /// The visible rows that the next change applies to.
  func chosenRows(among rows: Range<Int>) -> [Int] {
    guard let chosen else { return [] }
    let range = chosenRange
    return rows.clamped(to: 0..<rowCount).filter { row in
      chosen.takesAll || list.key(ofRow: row).map(chosen.keys.contains) == true
        || range?.contains(row) == true
    }
  }

  var chosenCount: Int? {
    guard let chosen else { return nil }
    if chosen.takesAll { return rowCount }
    guard let range = chosenRange else { return chosen.keys.count }
    guard !chosen.keys.isEmpty else { return range.count }
    return chosen.keys.count
      + range.count { row in list.key(ofRow: row).map { !chosen.keys.contains($0) } ?? false }
  }

  /// The selected issues, in the list's order.
  var chosenIssues: [GitHub.Issue] {
    guard let sheet else { return [] }
    return chosenRows(among: sheet.issues.indices).map { sheet.issues[$0] }
  }

  private var chosenKeys: Set<IssueKey> {
    Set(chosenRows(among: 0..<rowCount).compactMap(list.key(ofRow:)))
  }

  mutating func select(_ command: ActingCommand) {
    guard let query = list.selectableQuery, let key = list.key(ofRow: list.cursor.selection) else {
      return
    }
    var selected = chosen ?? IssueSelection(query: query)
    switch command {
    case .toggleRow where selected.rangeStart != nil:
      selected.keys = chosenKeys
      selected.rangeStart = nil
    case .toggleRow:
      if selected.takesAll {
        selected.keys = chosenKeys
        selected.takesAll = false
      }
      if selected.keys.remove(key) == nil { selected.keys.insert(key) }
      acting.selection = selected.keys.isEmpty ? nil : selected
      move(.down)
      followSelection()
      return
    case .range:
      if selected.rangeStart == nil {
        selected.rangeStart = key
      } else {
        selected.keys = chosenKeys
        selected.rangeStart = nil
      }
    case .selectAll:
      let isRepeated = !selected.keys.isEmpty && selected.keys.count == rowCount
      selected.rangeStart = nil
      selected.keys = Set((0..<rowCount).compactMap(list.key(ofRow:)))
      if isRepeated, list.hasMoreRows {
        selected.takesAll = true
        move(.last)
      } else if list.hasMoreRows {
        message = "\(rowCount.grouped) selected, the loaded ones; * again selects all"
      }
    default: return
    }
    acting.selection = selected
  }
}

extension ListState {
  /// The query of a list whose rows can be selected: issues, or notifications.
  var selectableQuery: ListQuery? {
    if case .inbox = content { return .inbox }
    return sheet?.query
  }

  /// The key of a row that can be selected. The ID of a thread of notifications counts as its number.
  func key(ofRow row: Int) -> IssueKey? {
    switch content {
    case .issues(let sheet):
      sheet.issues.indices.contains(row) ? sheet.key(of: sheet.issues[row]) : nil
    case .inbox(let inbox):
      inbox.notifications.indices.contains(row)
        ? Int(inbox.notifications[row].id).map { IssueKey(number: $0) } : nil
    case .nothing, .repositories: nil
    }
  }

  fileprivate var hasMoreRows: Bool {
    if case .inbox(let inbox) = content { return inbox.nextPage != nil }
    return sheet?.hasMore == true
  }
}

extension ActingState {
  static let selectionHints: [(key: String, meaning: String)] = [
    ("x", "close"), ("L", "labels"), ("a", "assign"), ("m", "milestone"), ("Esc", "end"),
  ]

  static let inboxHints: [(key: String, meaning: String)] = [
    ("d", "done"), ("I", "mark read"), ("M", "mute"), ("U", "unsubscribe"),
  ]
}

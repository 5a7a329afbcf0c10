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
    acting.selection.flatMap { $0.query == sheet?.query ? $0 : nil }
  }

  /// The rows of the range. If its first issue has left the list, only the row at the cursor remains.
  private var chosenRange: ClosedRange<Int>? {
    guard let key = chosen?.rangeStart, let sheet else { return nil }
    let cursor = list.cursor.selection
    let start = sheet.issues.firstIndex { sheet.key(of: $0) == key } ?? cursor
    return min(start, cursor)...max(start, cursor)
  }

  /// The visible rows that the next change applies to.
  func chosenRows(among rows: Range<Int>) -> [Int] {
    guard let chosen, let sheet else { return [] }
    let range = chosenRange
    return rows.clamped(to: sheet.issues.indices).filter { row in
      chosen.takesAll || chosen.keys.contains(sheet.key(of: sheet.issues[row]))
        || range?.contains(row) == true
    }
  }

  var chosenCount: Int? {
    guard let chosen, let sheet else { return nil }
    if chosen.takesAll { return sheet.issues.count }
    guard let range = chosenRange else { return chosen.keys.count }
    guard !chosen.keys.isEmpty else { return range.count }
    return chosen.keys.count
      + range.count { row in
        sheet.issues.indices.contains(row)
          && !chosen.keys.contains(sheet.key(of: sheet.issues[row]))
      }
  }

  /// The selected issues, in the list's order.
  var chosenIssues: [GitHub.Issue] {
    guard let sheet else { return [] }
    return chosenRows(among: sheet.issues.indices).map { sheet.issues[$0] }
  }

  mutating func select(_ command: ActingCommand) {
    guard let sheet, let issue = selectedIssue else { return }
    var selected = chosen ?? IssueSelection(query: sheet.query)
    let key = sheet.key(of: issue)
    switch command {
    case .toggleRow where selected.rangeStart != nil:
      selected.keys = Set(chosenIssues.map(sheet.key))
      selected.rangeStart = nil
    case .toggleRow:
      if selected.takesAll {
        selected.keys = Set(chosenIssues.map(sheet.key))
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
        selected.keys = Set(chosenIssues.map(sheet.key))
        selected.rangeStart = nil
      }
    case .selectAll:
      let isRepeated = !selected.keys.isEmpty && selected.keys.count == sheet.issues.count
      selected.rangeStart = nil
      selected.keys = Set(sheet.issues.map(sheet.key))
      if isRepeated, sheet.hasMore {
        selected.takesAll = true
        move(.last)
      } else if sheet.hasMore {
        message = "\(sheet.issues.count.grouped) selected, the loaded ones; * again selects all"
      }
    default: return
    }
    acting.selection = selected
  }
}

extension ActingState {
  static let selectionHints: [(key: String, meaning: String)] = [
    ("x", "close"), ("L", "labels"), ("a", "assign"), ("m", "milestone"), ("Esc", "end"),
  ]
}

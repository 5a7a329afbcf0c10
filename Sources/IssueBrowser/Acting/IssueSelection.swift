internal import IssueTracker
internal import StyledText

/// The rows of a list that the next change applies to.
package struct IssueSelection: Sendable, Hashable {
  /// The query of the list; rows of another list aren't selected.
  let query: ListQuery
  var numbers: Set<Int> = []
  /// The issue at the start of a range that ends at the cursor.
  var rangeStart: Int?
  /// Whether rows are selected as they load.
  var takesAll = false
}

extension IssueSelection {
  /// Keeps a created issue selected under the number that the server has assigned.
  mutating func follow(_ sent: SentChange) {
    numbers = Set(numbers.map { sent.number(of: $0) ?? $0 })
    rangeStart = rangeStart.map { sent.number(of: $0) ?? $0 }
  }
}

extension BrowserState {
  /// The selection in the shown list.
  var chosen: IssueSelection? {
    acting.selection.flatMap { $0.query == sheet?.query ? $0 : nil }
  }

  /// The rows of the range. If its first issue has left the list, only the row at the cursor remains.
  private var chosenRange: ClosedRange<Int>? {
    guard let number = chosen?.rangeStart, let sheet else { return nil }
    let cursor = list.cursor.selection
    let start = sheet.issues.firstIndex { $0.number == number } ?? cursor
    return min(start, cursor)...max(start, cursor)
  }

  /// The visible rows that the next change applies to.
  func chosenRows(among rows: Range<Int>) -> [Int] {
    guard let chosen, let sheet else { return [] }
    let range = chosenRange
    return rows.clamped(to: sheet.issues.indices).filter { row in
      chosen.takesAll || chosen.numbers.contains(sheet.issues[row].number)
        || range?.contains(row) == true
    }
  }

  var chosenCount: Int? {
    guard let chosen, let sheet else { return nil }
    if chosen.takesAll { return sheet.issues.count }
    guard let range = chosenRange else { return chosen.numbers.count }
    guard !chosen.numbers.isEmpty else { return range.count }
    return chosen.numbers.count
      + range.count { row in
        sheet.issues.indices.contains(row) && !chosen.numbers.contains(sheet.issues[row].number)
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
    switch command {
    case .toggleRow where selected.rangeStart != nil:
      selected.numbers = Set(chosenIssues.map(\.number))
      selected.rangeStart = nil
    case .toggleRow:
      if selected.takesAll {
        selected.numbers = Set(chosenIssues.map(\.number))
        selected.takesAll = false
      }
      if selected.numbers.remove(issue.number) == nil { selected.numbers.insert(issue.number) }
      acting.selection = selected.numbers.isEmpty ? nil : selected
      move(.down)
      followSelection()
      return
    case .range:
      if selected.rangeStart == nil {
        selected.rangeStart = issue.number
      } else {
        selected.numbers = Set(chosenIssues.map(\.number))
        selected.rangeStart = nil
      }
    case .selectAll:
      let isRepeated = !selected.numbers.isEmpty && selected.numbers.count == sheet.issues.count
      selected.rangeStart = nil
      selected.numbers = Set(sheet.issues.map(\.number))
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

internal import IssueTracker
internal import StyledText

/// The rows of a list that the next change is about.
package struct IssueSelection: Sendable, Hashable {
  /// As in the list; the rows of another list aren't selected.
  let reference: RepositoryReference
  var numbers: Set<Int> = []
  /// The row where a range begins that goes on to the cursor.
  var rangeStart: Int?
  /// Whether each row that loads is selected, too.
  var takesAll = false
}

extension BrowserState {
  /// The selection in the list on the screen.
  var chosen: IssueSelection? {
    acting.selection.flatMap { $0.reference == sheet?.reference ? $0 : nil }
  }

  private var chosenRange: ClosedRange<Int>? {
    chosen?.rangeStart.map { min($0, selection)...max($0, selection) }
  }

  func isChosen(row: Int) -> Bool {
    guard let chosen, let sheet, sheet.issues.indices.contains(row) else { return false }
    return chosen.takesAll || chosen.numbers.contains(sheet.issues[row].number)
      || chosenRange?.contains(row) == true
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
  var chosenIssues: [Issue] {
    guard chosen != nil, let sheet else { return [] }
    return sheet.issues.indices.lazy.filter { isChosen(row: $0) }.map { sheet.issues[$0] }
  }

  mutating func select(_ command: ActingCommand) {
    guard let sheet, let issue = selectedIssue else { return }
    var selected = chosen ?? IssueSelection(reference: sheet.reference)
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
        selected.rangeStart = selection
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
        message = "\(sheet.issues.count.grouped) selected, the loaded ones; * again takes all"
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

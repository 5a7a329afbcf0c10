package import IssueTracker

/// A column that a list of issues may have behind the number and the title, at the prompt and on the screen.
package enum ListColumn: String, Sendable, Hashable, CaseIterable {
  case labels
  case assignees
  case author
  case milestone
  case type
  /// Such as `2/5`: how many of the sub-issues are done.
  case subIssues = "sub-issues"
  /// Such as `Priority=High, Effort=3`.
  case fields
  case comments
  case created
  case updated
}

extension GitHub.Issue {
  /// Such as `Priority=High, Effort=3`.
  package var fieldsText: String {
    fieldValues.compactMap(\.assignment).joined(separator: ", ")
  }
}

extension GitHub.SubIssuesSummary {
  /// Such as `2/5`; nil without sub-issues.
  package var progress: String? { total > 0 ? "\(completed)/\(total)" : nil }
}

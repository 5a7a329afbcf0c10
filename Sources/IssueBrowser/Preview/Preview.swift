internal import IssueTracker

/// The preview: the selected issue, beside or below the list, and comments on adjacent issues.
package struct Preview: Sendable, Hashable {
  /// Comments that were loaded before their issue was selected.
  private struct Ahead: Sendable, Hashable {
    let issue: GitHub.Issue
    let comments: [IssueComment]
  }

  private static let maximumAhead = 8

  package var isOn = false
  private var scope: ListScope?
  /// The comments loaded ahead, most recent last.
  private var ahead: [Ahead] = []

  /// The comments on an issue in its listed version; nil if they weren't loaded ahead.
  func comments(on issue: GitHub.Issue, in scope: ListScope) -> [IssueComment]? {
    guard scope == self.scope else { return nil }
    return ahead.last { $0.issue.id == issue.id && $0.issue.updatedAt == issue.updatedAt }?
      .comments
  }

  mutating func keep(
    _ comments: [IssueComment], on issue: GitHub.Issue, in scope: ListScope
  ) {
    if scope != self.scope { (self.scope, ahead) = (scope, []) }
    ahead = (ahead + [Ahead(issue: issue, comments: comments)]).suffix(Self.maximumAhead)
  }
}

extension BrowserState {
  /// Whether the preview is on and has room, so that the reader is a preview and the list keeps the focus.
  var isPreviewing: Bool { preview.isOn && BrowserLayout.hasRoomForPreview(size) }

  /// Whether a reader is open that isn't a preview.
  var isReadingAlone: Bool { reader != nil && !isPreviewing }

  mutating func togglePreview() {
    preview.isOn.toggle()
    if preview.isOn, !isPreviewing {
      preview.isOn = false
      message = "The window is too small for a preview"
    } else if !preview.isOn, pane != .reader {
      closeReader()
    }
  }

  /// Shows the selected issue if the preview shows a different one.
  mutating func followPreview() {
    guard isPreviewing, pane != .reader else { return }
    guard let issue = selectedIssue else { return leaveReader() }
    if !reads(issue) { show(issue) }
  }

  /// The issues around the selected one whose comments aren't loaded yet, the following ones first. Only issues with at
  /// most one page of comments are included, so that each needs one request.
  var issuesAhead: [GitHub.Issue] {
    guard let sheet, sheet.mirror == nil else { return [] }
    let selection = list.cursor.selection
    return [selection + 1, selection + 2, selection - 1].compactMap { index in
      guard sheet.issues.indices.contains(index) else { return nil }
      let issue = sheet.issues[index]
      guard issue.number > 0, (1...100).contains(issue.commentsCount),
        preview.comments(on: issue, in: sheet.scope) == nil
      else { return nil }
      return issue
    }
  }
}

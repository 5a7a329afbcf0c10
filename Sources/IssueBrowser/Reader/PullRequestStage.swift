package import IssueTracker
package import StyledText

/// How far a pull request has come. It has no reason for being closed: it was merged, or it was not.
package enum PullRequestStage: String, Sendable, Hashable {
  /// Work on it goes on.
  case draft
  /// It is ready to be reviewed.
  case open
  /// It was merged.
  case merged
  /// It was closed, and not merged.
  case closed

  /// The stage of a pull request; nil for an issue proper.
  package init?(of issue: Issue) {
    guard let pullRequest = issue.pullRequest else { return nil }
    self =
      if issue.state == .open {
        issue.isDraft == true ? .draft : .open
      } else {
        pullRequest.mergedAt == nil ? .closed : .merged
      }
  }

  /// The words for it.
  package var text: String {
    switch self {
    case .draft: "Draft pull request"
    case .open: "Open pull request"
    case .merged: "Merged pull request"
    case .closed: "Closed pull request"
    }
  }

  /// Its style.
  package var style: Style {
    switch self {
    case .draft: .notPlanned
    case .open: .open
    case .merged: .completed
    case .closed: Style(foreground: .red)
    }
  }
}

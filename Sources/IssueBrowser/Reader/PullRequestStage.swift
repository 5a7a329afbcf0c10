package import IssueTracker
package import StyledText

/// The stage of a pull request. Unlike an issue, it has no reason for closing; it is either merged or not.
package enum PullRequestStage: String, Sendable, Hashable {
  case draft
  case open
  case merged
  case closed

  /// Creates the stage of a pull request; nil for an issue.
  package init?(of issue: GitHub.Issue) {
    guard let pullRequest = issue.pullRequest else { return nil }
    self =
      if issue.state == .open {
        issue.isDraft == true ? .draft : .open
      } else {
        pullRequest.mergedAt == nil ? .closed : .merged
      }
  }

  package var text: String {
    switch self {
    case .draft: "Draft pull request"
    case .open: "Open pull request"
    case .merged: "Merged pull request"
    case .closed: "Closed pull request"
    }
  }

  package var style: Style {
    switch self {
    case .draft: .notPlanned
    case .open: .open
    case .merged: .completed
    case .closed: Style(foreground: .red)
    }
  }
}

package import IssueTracker
package import StyledText

/// What became of an issue or a pull request so far, as GitHub's pages say it.
package struct IssueStanding: Sendable, Hashable {
  /// The words, such as `Closed as not planned`.
  package let text: String

  /// Their style.
  package let style: Style

  /// Describes an issue or a pull request.
  package init(of issue: Issue) {
    if issue.state == .open {
      (text, style) = ("Open", .open)
    } else if let pullRequest = issue.pullRequest {
      // A pull request has no reason: it was merged, or it was not.
      let isMerged = pullRequest.mergedAt != nil
      (text, style) = isMerged ? ("Merged", .completed) : ("Closed", Style(foreground: .red))
    } else {
      text =
        switch issue.stateReason {
        case .completed: "Closed as completed"
        case .notPlanned: "Closed as not planned"
        case .duplicate: "Closed as duplicate"
        default: "Closed"
        }
      style = .state(issue.state, issue.stateReason)
    }
  }
}

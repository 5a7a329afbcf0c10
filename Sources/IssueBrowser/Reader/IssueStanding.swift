package import IssueTracker
package import StyledText

/// The state of an issue or a pull request, in the terms of GitHub's pages.
package struct IssueStanding: Sendable, Hashable {
  package let text: String

  package let style: Style

  package init(of issue: GitHub.Issue) {
    if let stage = PullRequestStage(of: issue) {
      (text, style) = (stage.text, stage.style)
    } else if issue.state == .open {
      (text, style) = ("Open", .open)
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

extension Style {
  package static func state(_ state: IssueState, _ reason: StateReason?) -> Style {
    switch (state, reason) {
    case (.open, _): .open
    case (_, .notPlanned), (_, .duplicate): .notPlanned
    default: .completed
    }
  }
}

package import IssueTracker
package import StyledText

/// The state of an issue or a pull request in the words of GitHub's pages.
package struct IssueStanding: Sendable, Hashable {
  /// The words, such as `Closed as not planned`.
  package let text: String

  /// The style of the words.
  package let style: Style

  /// Describes an issue or a pull request.
  package init(of issue: Issue) {
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
  /// The style of an issue's number and of its state.
  package static func state(_ state: IssueState, _ reason: StateReason?) -> Style {
    switch (state, reason) {
    case (.open, _): .open
    case (_, .notPlanned), (_, .duplicate): .notPlanned
    default: .completed
    }
  }
}

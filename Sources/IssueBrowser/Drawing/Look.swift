package import IssueTracker
package import StyledText

/// The characters and styles that all of the screen is drawn with.
package struct Look: Sendable, Hashable {
  package var symbols: Symbols
  package var theme: Theme
  /// If not, struck text has tildes.
  package var strikesThrough: Bool

  package init(
    symbols: Symbols = .unicode, theme: Theme = .ansi, strikesThrough: Bool = false
  ) {
    self.symbols = symbols
    self.theme = theme
    self.strikesThrough = strikesThrough
  }

  package subscript(role: Theme.Role) -> Style { theme[role] }

  package func state(_ state: IssueState, _ reason: StateReason?) -> Style {
    switch (state, reason) {
    case (.open, _): self[.open]
    case (_, .notPlanned), (_, .duplicate): self[.notPlanned]
    default: self[.completed]
    }
  }

  /// A pull request isn't closed for a reason, but merged or not.
  package func state(of issue: Issue) -> Style {
    switch PullRequestStage(of: issue) {
    case nil: state(issue.state, issue.stateReason)
    case .draft: self[.notPlanned]
    case .open: self[.open]
    case .merged: self[.completed]
    case .closed: self[.problem]
    }
  }

  /// A label's name, in its colour as far as the terminal has it.
  package func label(_ label: Label, within columns: Int) -> StyledLine.Run {
    StyledLine.Run(label.name, within: columns, style: .label(label.color))
  }
}

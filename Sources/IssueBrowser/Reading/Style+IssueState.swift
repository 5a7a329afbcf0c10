package import IssueTracker
package import StyledText

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

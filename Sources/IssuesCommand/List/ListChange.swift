internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A change to an issue in a followed list.
enum ListChange: String, Sendable {
  /// The issue was in the list from the start.
  case listed
  case new
  case changed
  case closed
  case reopened

  /// The field of JSON objects.
  static let field = "change"

  var style: Style {
    switch self {
    case .listed: .faint
    case .new, .reopened: .open
    case .changed: .match
    case .closed: .completed
    }
  }

  /// The cell of the change. On a terminal, it includes the time of the report, and it is empty for a row of the list
  /// itself.
  func cell(at time: Date?) -> StyledLine {
    guard let time else { return StyledLine(rawValue, style: style) }
    guard self != .listed else { return StyledLine("") }
    return StyledLine(runs: [
      StyledLine.Run("\(LocalTime.hoursAndMinutes(of: time)) ", style: .faint),
      StyledLine.Run(rawValue, style: style),
    ])
  }

  func addition() throws -> JSONObject.Addition {
    JSONObject.Addition(name: Self.field, value: try GitHubJSON.encoder().encode(rawValue))
  }
}

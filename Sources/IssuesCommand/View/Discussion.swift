/// The part of the discussion to show below an issue.
enum Discussion: Sendable {
  case none
  case comments
  /// Comments, and the events between them.
  case timeline

  /// The JSON field that contains the part.
  var field: String? {
    switch self {
    case .none: nil
    case .comments: IssuePrinter.commentsField
    case .timeline: IssuePrinter.timelineField
    }
  }
}

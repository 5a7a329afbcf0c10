/// The part of the discussion to show below an issue.
enum Discussion: Sendable {
  case none
  case comments
  /// Comments, and the events between them.
  case timeline

  /// The field of JSON that has it.
  var field: String? {
    switch self {
    case .none: nil
    case .comments: IssuePrinter.commentsField
    case .timeline: IssuePrinter.timelineField
    }
  }
}

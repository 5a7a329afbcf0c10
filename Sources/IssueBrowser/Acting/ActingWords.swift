internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// Describes changes for the screen.
enum ActingWords {
  /// The subject of a change: `#12`, or `12 issues`.
  static func subject(_ issues: [ListedIssue]) -> String {
    issues.count == 1 ? issues[0].name : "\(issues.count.grouped) issues"
  }

  /// A change in words: `close #12 as not planned`, `close 12 issues`.
  static func task(_ change: Change, _ issues: [ListedIssue]) -> String {
    task(change, subject(issues))
  }

  static func task(_ entry: OutboxEntry) -> String {
    if let thread = entry.change.thread {
      return task(entry.change, "\(entry.repository)\(thread.issue.map { "#\($0)" } ?? "")")
    }
    return task(entry.change, entry.target?.name ?? "")
  }

  static func task(_ change: Change, _ subject: String) -> String {
    switch change {
    case .close(_, _, let original?): "close \(subject) as a duplicate of #\(original)"
    case .close(_, .completed, nil): "close \(subject) as completed"
    case .close(_, .notPlanned, nil): "close \(subject) as not planned"
    case .close: "close \(subject)"
    case .reopen: "reopen \(subject)"
    case .comment: "comment on \(subject)"
    case .createIssue(let issue, _): "create “\(issue.title)”"
    case .react(_, let kind): "react to \(subject) with \(kind.rawValue)"
    case .edit: "change \(subject): \(change.words.joined(separator: ", "))"
    case .notification(_, .read): "mark \(subject) as read"
    case .notification(_, .done): "mark \(subject) as done"
    case .notification(_, .mute): "mute \(subject)"
    case .notification(_, .unsubscribe): "unsubscribe from \(subject)"
    default: "\(change.words.joined(separator: ", ")) \(subject)"
    }
  }
}

internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// A change that the server has, with the readable part of the response.
package struct SentChange: Sendable, Hashable {
  let entry: OutboxEntry
  var issue: GitHub.Issue?
  var comment: IssueComment?
  /// The time at which the screen received the response, by the screen's clock.
  var noted: Date?

  /// Creates a sent change; nil for an unsent entry.
  init?(_ entry: OutboxEntry) {
    guard entry.state == .sent else { return nil }
    self.entry = entry
    guard let json = entry.answer?.json else { return }
    switch entry.change {
    case .comment, .editComment: comment = try? GitHubJSON.decode(IssueComment.self, from: json)
    default: issue = try? GitHubJSON.decode(GitHub.Issue.self, from: json)
    }
  }

  /// The number of the issue that has left its repository.
  var goneIssue: Int? {
    switch entry.change {
    case .transfer(.number(let number), _, _), .delete(.number(let number)): number
    default: nil
    }
  }

  /// The issue that has left its repository, in a list.
  func goneKey(in sheet: IssueSheet) -> IssueKey? {
    goneIssue.flatMap { sheet.key(of: $0, in: entry.repository) }
  }

  /// The number of the issue that has changed in its repository.
  var changedIssue: Int? {
    switch entry.change {
    // The response to a transfer names an issue in another repository.
    case .transfer, .delete: nil
    default: issue?.number ?? entry.answer?.number
    }
  }

  var isCreation: Bool { if case .createIssue = entry.change { true } else { false } }

  /// The current number of a shown issue: `new-4` becomes the server's number.
  func number(of shown: Int) -> Int? {
    isCreation && shown == -Int(entry.id) ? entry.answer?.number : nil
  }

  /// Whether a page that arrives now may predate the response. GitHub's lists may lag by some seconds, and the screen's
  /// clock by up to a minute.
  func isRecent(at now: Date) -> Bool { noted.map { now.timeIntervalSince($0) < 120 } ?? false }
}

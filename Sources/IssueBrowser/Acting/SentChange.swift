internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// A change that the server has, and its answer as far as it can be read.
package struct SentChange: Sendable, Hashable {
  let entry: OutboxEntry
  var issue: GitHub.Issue?
  var comment: IssueComment?
  /// When the screen got it, by the screen's time.
  var noted: Date?

  /// nil for a change that isn't sent.
  init?(_ entry: OutboxEntry) {
    guard entry.state == .sent else { return nil }
    self.entry = entry
    guard let json = entry.answer?.json else { return }
    switch entry.change {
    case .comment, .editComment: comment = try? GitHubJSON.decode(IssueComment.self, from: json)
    default: issue = try? GitHubJSON.decode(GitHub.Issue.self, from: json)
    }
  }

  /// The issue that is no longer in its repository.
  var goneIssue: Int? {
    switch entry.change {
    case .transfer(.number(let number), _, _), .delete(.number(let number)): number
    default: nil
    }
  }

  /// The issue that has changed in its repository.
  var changedIssue: Int? {
    switch entry.change {
    // The answer names an issue of another repository.
    case .transfer, .delete: nil
    default: issue?.number ?? entry.answer?.number
    }
  }

  var isCreation: Bool { if case .createIssue = entry.change { true } else { false } }

  /// The number that a shown issue has now: one that was `new-4` has one of the server's.
  func number(of shown: Int) -> Int? {
    isCreation && shown == -Int(entry.id) ? entry.answer?.number : nil
  }

  /// Whether a page that arrives now may have been made before the answer: GitHub's lists may be some seconds behind,
  /// and the screen's time is up to a minute behind.
  func isRecent(at now: Date) -> Bool { noted.map { now.timeIntervalSince($0) < 120 } ?? false }
}

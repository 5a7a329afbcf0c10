package import IssueOutbox
internal import IssueTracker

/// Changes that the user makes, from the question that comes first to the server's answer.
package struct ActingState: Sendable, Hashable {
  /// What has the keys before the list and the reader.
  package enum Dialog: Sendable, Hashable {
    case picker(Picker)
  }

  /// Changes that are made, sent and undone together.
  package struct Batch: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
      /// It isn't on the disk yet.
      case adding
      /// It is on the disk, and can be undone.
      case waiting
      /// It is on the disk until the server can be reached, or somebody sends it.
      case kept
      case sending
    }

    let id: Int
    let repository: RepositoryReference
    let changes: [Change]
    /// Such as `close #12 as completed`.
    let task: String
    var entries: [OutboxEntry.ID] = []
    var phase = Phase.adding
    /// How many the server has answered.
    var answered = 0
    var isUndone = false
  }

  /// What went wrong, in two lines, until Esc or the next change.
  package struct Notice: Sendable, Hashable {
    var lines: [String]
  }

  package var dialog: Dialog?
  package var notice: Notice?
  /// The oldest first, until the server has answered.
  package var batches: [Batch] = []
  private var lastBatch = 0
  /// Counts questions. The answers to earlier ones are dropped.
  var revision = 0
  /// Counts changes of what the reader shows.
  var shown = 0
  /// Work to begin after the present event.
  var due: [ActingWork] = []
  /// Whether the screen closes once every change is on the disk.
  var closes = false

  mutating func begin(
    _ changes: [Change], to repository: RepositoryReference, _ task: String
  ) -> Batch {
    lastBatch += 1
    let batch = Batch(id: lastBatch, repository: repository, changes: changes, task: task)
    batches.append(batch)
    return batch
  }

  subscript(batch id: Int) -> Batch? {
    get { batches.first { $0.id == id } }
    set {
      guard let index = batches.firstIndex(where: { $0.id == id }) else { return }
      if let newValue { batches[index] = newValue } else { batches.remove(at: index) }
    }
  }
}

/// Work for ``ActingLoading``.
package enum ActingWork: Sendable, Hashable {
  /// Finds out whether changes could be sent, while the user answers a question.
  case check(RepositoryReference, revision: Int)
  /// Keeps the changes of a batch, waits while they can be undone, and sends them.
  case submit(batch: Int)
  case undo(ActingState.Batch)
}

package enum ActingResult: Sendable {
  /// Changes can't be made; the question with this revision is closed.
  case refused(String, revision: Int)
  case added([OutboxEntry.ID], batch: Int)
  case notAdded(String, batch: Int)
  case phase(ActingState.Batch.Phase, batch: Int)
  /// What waits now, and what the server has answered since.
  case pending(PendingChanges?, of: RepositoryReference, SentChange?)
  case settled(OutboxEntry, batch: Int)
  /// Why a batch waits in the outbox.
  case kept(String, batch: Int)
  case ended(batch: Int)
  case undone(ActingState.Batch, failure: String?)
}

/// A change that the server has, and its answer as far as it can be read.
package struct SentChange: Sendable, Hashable {
  let entry: OutboxEntry
  var issue: Issue?
  var comment: IssueComment?

  /// nil for a change that isn't sent.
  init?(_ entry: OutboxEntry) {
    guard entry.state == .sent else { return nil }
    self.entry = entry
    guard let json = entry.answer?.json else { return }
    switch entry.change {
    case .comment, .editComment: comment = try? GitHubJSON.decode(IssueComment.self, from: json)
    default: issue = try? GitHubJSON.decode(Issue.self, from: json)
    }
  }
}

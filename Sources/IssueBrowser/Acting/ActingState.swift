package import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// Changes that the user makes, from the question that comes first to the server's answer.
package struct ActingState: Sendable, Hashable {
  /// What has the keys before the list and the reader.
  package enum Dialog: Sendable, Hashable {
    case picker(Picker)
    case preview(Preview)
    case outbox(OutboxPage)
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
      /// It is being dropped.
      case undoing
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

  /// Changes of several issues, which the user sees before they are made.
  package struct Preview: Sendable, Hashable {
    let changes: [Change]
    /// An issue for each change.
    let issues: [GitHub.Issue]
    let repository: RepositoryReference
    /// Such as `close 12 issues as completed`.
    let task: String
    /// How many of the selected issues need no change.
    var spared = 0
    /// What Enter opens the editor for, in place of ``changes``.
    var composition: Composition?
  }

  package var dialog: Dialog?
  package var notice: Notice?
  /// The oldest first, until the server has answered.
  package var batches: [Batch] = []
  private var lastBatch = 0
  /// Counts questions. The answers to earlier ones are dropped.
  var revision = 0
  /// What the server has answered to changes of this screen, the oldest first.
  private(set) var answers: [SentChange] = []
  private static let maximumAnswers = 100
  /// Counts changes of what the reader shows.
  var shown = 0
  /// The rows that the next change is about; nil for the row of the cursor.
  package var selection: IssueSelection?
  /// What the pickers have loaded before, so that they open at once.
  var names = NamesOfRepository()
  /// Work to begin after the present event.
  var due: [ActingWork] = []
  /// Counts what has become of changes. A list kept from before is loaded again.
  var outcomes = 0
  /// How many changes of the outbox are being sent again or dropped.
  var decisions = 0
  /// Whether the user's editor opens or is open: it has all keys.
  var isComposing = false
  /// Whether the screen closes once the disk has all that the user has done.
  var closes = false

  /// Whether the disk doesn't have all that the user has done.
  var isKeeping: Bool {
    decisions > 0 || batches.contains { $0.phase == .adding || $0.phase == .undoing }
  }

  /// The newest change that isn't undone.
  var newest: Batch? { batches.last { $0.phase != .undoing } }

  /// Takes entries out of the batches that wait, since they were dropped or are sent by another batch.
  mutating func forget(_ ids: [OutboxEntry.ID]) {
    for index in batches.indices where [.waiting, .kept].contains(batches[index].phase) {
      batches[index].entries.removeAll { ids.contains($0) }
    }
    batches.removeAll { [.waiting, .kept].contains($0.phase) && $0.entries.isEmpty }
  }

  mutating func begin(
    _ changes: [Change], to repository: RepositoryReference, _ task: String
  ) -> Batch {
    lastBatch += 1
    let batch = Batch(id: lastBatch, repository: repository, changes: changes, task: task)
    batches.append(batch)
    return batch
  }

  /// Whether anything was changed on this screen.
  var hasActed: Bool { lastBatch > 0 }

  mutating func note(_ answer: SentChange, at now: Date) {
    var answer = answer
    answer.noted = now
    answers = (answers + [answer]).suffix(Self.maximumAnswers)
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
  /// Keeps the changes of a batch.
  case submit(batch: Int)
  /// Sends a batch, after a while in which it can be undone, or at once.
  case deliver(batch: Int, atOnce: Bool)
  case undo(ActingState.Batch)
  /// Finds out what waits now.
  case follow
  case compose(Composition, RepositoryReference)
  /// Reads the outbox, for its page.
  case readOutbox
  case decide(OutboxDecision, OutboxEntry)
  /// Loads what a picker offers.
  case names(Picker.Purpose, RepositoryReference, revision: Int)
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
  /// Changes that are on the disk; nil if nothing was written.
  case composed([OutboxEntry]?)
  /// Nothing was kept, for a reason in up to two lines.
  case notComposed(String)
  case failed(String)
  case outbox([OutboxEntry])
  /// What became of a decision about a change of the outbox: the change if it can be sent now, and those that were
  /// dropped.
  case decided(released: OutboxEntry?, dropped: [OutboxEntry.ID], failure: String?)
  case names(NamesOfRepository, revision: Int)
  case namesMissing(String, revision: Int)
}

/// What can be chosen in a repository.
package struct NamesOfRepository: Sendable, Hashable {
  var repository: RepositoryReference?
  var labels: [GitHub.Label]?
  var milestones: [GitHub.Milestone]?
  var people: AssignablePeople?

  mutating func merge(_ other: NamesOfRepository) {
    if repository != other.repository { self = NamesOfRepository(repository: other.repository) }
    labels = other.labels ?? labels
    milestones = other.milestones ?? milestones
    people = other.people ?? people
  }
}

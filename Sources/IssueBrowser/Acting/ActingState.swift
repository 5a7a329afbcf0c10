package import IssueOutbox
internal import IssueTracker
package import PlatformModules

/// Changes that the user makes, from the first question to the server's response.
package struct ActingState: Sendable, Hashable {
  /// The question that receives keys before the list and the reader do.
  package enum Dialog: Sendable, Hashable {
    case picker(Picker)
    case preview(Preview)
    case outbox(OutboxPage)
  }

  /// Changes that are saved, sent and undone together.
  package struct Batch: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
      /// The changes aren't saved yet.
      case adding
      /// The changes are saved, and can be undone.
      case waiting
      /// The changes are saved until the server can be reached, or until the user sends them.
      case kept
      case sending
      /// The changes are being dropped.
      case undoing
    }

    let id: Int
    let changes: [RepositoryChange]
    /// The task in words, such as `close #12 as completed`.
    let task: String
    var entries: [OutboxEntry.ID] = []
    var phase = Phase.adding
    /// The number of changes that the server has responded to.
    var answered = 0
    var isUndone = false
    /// The end of a limit, after which the changes are sent.
    var waitsUntil: Date?
    /// The file that is being uploaded.
    var upload: Upload?
  }

  /// The progress of a large upload.
  package struct Upload: Sendable, Hashable {
    /// Smaller files are uploaded before anybody could read a message.
    private static let minimumBytes = 1 << 20

    let name: String
    let percent: Int

    /// Creates the progress; nil for a small file.
    init?(_ attachment: Attachment, completedBytes: Int) {
      guard attachment.size >= Self.minimumBytes else { return nil }
      name = attachment.name
      percent = min(100, completedBytes * 100 / attachment.size)
    }
  }

  /// An error message in two lines, shown until Esc or the next change.
  package struct Notice: Sendable, Hashable {
    var lines: [String]
    /// The batch that the message says is kept. The message is shown only as long as that is true.
    var keptBatch: Int?
  }

  /// Changes to several issues. The user reviews them before they are made.
  package struct Preview: Sendable, Hashable {
    let changes: [RepositoryChange]
    /// The issues, one for each change.
    let issues: [ListedIssue]
    /// The task in words, such as `close 12 issues as completed`.
    let task: String
    /// The number of selected issues that need no change.
    var spared = 0
    /// The task for which Enter opens the editor, instead of making ``changes``.
    var composition: Composition?
  }

  package var dialog: Dialog?
  private var lastNotice: Notice?
  package var notice: Notice? {
    get {
      guard let id = lastNotice?.keptBatch else { return lastNotice }
      return self[batch: id]?.phase == .kept ? lastNotice : nil
    }
    set { lastNotice = newValue }
  }
  /// The batches, oldest first. A batch is removed when the server has responded.
  package var batches: [Batch] = []
  private var lastBatch = 0
  /// The number of questions so far. The answers to earlier ones are dropped.
  var revision = 0
  /// The server's responses to changes from this screen, oldest first.
  private(set) var answers: [SentChange] = []
  private static let maximumAnswers = 100
  /// The number of changes to the reader's content.
  var shown = 0
  /// The rows that the next change applies to; nil for the row at the cursor.
  package var selection: IssueSelection?
  /// The names that pickers have loaded, so that the pickers open at once.
  var names: [RepositoryReference: NamesOfRepository] = [:]
  /// Work to begin after the current event.
  var due: [ActingWork] = []
  /// The number of results of changes. A list from before the last result is reloaded when it is shown again.
  var outcomes = 0
  /// The pending changes in the outbox, of all repositories.
  var unsent = UnsentChanges()
  /// The number of outbox changes that are being resent or dropped.
  var decisions = 0
  /// Whether the user's editor is opening or open. It receives all keys.
  var isComposing = false
  /// The user's own command that is running instead of the editor.
  var running: String?
  /// Whether the screen closes once all of the user's changes are saved.
  var closes = false

  /// Whether some of the user's changes aren't saved yet.
  var isKeeping: Bool {
    decisions > 0 || batches.contains { $0.phase == .adding || $0.phase == .undoing }
  }

  /// The newest change that isn't being undone.
  var newest: Batch? { batches.last { $0.phase != .undoing } }

  /// Removes entries from the waiting batches, because the entries were dropped or another batch sends them.
  mutating func forget(_ ids: [OutboxEntry.ID]) {
    for index in batches.indices where [.waiting, .kept].contains(batches[index].phase) {
      batches[index].entries.removeAll { ids.contains($0) }
    }
    batches.removeAll { [.waiting, .kept].contains($0.phase) && $0.entries.isEmpty }
  }

  mutating func begin(_ changes: [RepositoryChange], _ task: String) -> Batch {
    lastBatch += 1
    let batch = Batch(id: lastBatch, changes: changes, task: task)
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
  /// Checks whether changes could be sent, while the user answers a question.
  case check([RepositoryReference], revision: Int)
  /// Saves the changes of a batch.
  case submit(batch: Int)
  /// Sends a batch, either at once or when it can no longer be undone.
  case deliver(batch: Int, atOnce: Bool)
  case undo(ActingState.Batch)
  /// Loads the pending changes.
  case follow
  case compose(Composition)
  /// Runs one of the user's own commands for a page.
  case run(CustomCommand, RepositoryReference?)
  /// Reads the outbox for its page.
  case readOutbox
  case decide(OutboxDecision, OutboxEntry)
  /// Loads the items of a picker.
  case names(Picker.Purpose, [RepositoryReference], revision: Int)
}

package enum ActingResult: Sendable {
  /// Changes can't be made. The question with this revision is closed.
  case refused(String, revision: Int)
  /// A server doesn't keep reasons for closing.
  case lacksReasons(revision: Int)
  case added([OutboxEntry.ID], batch: Int)
  case notAdded(String, batch: Int)
  case phase(ActingState.Batch.Phase, batch: Int)
  /// The pending changes by ``IssueKey/repository``, and the newest response from the server.
  case pending([String?: PendingChanges], of: ListScope, SentChange?)
  case settled(OutboxEntry, batch: Int)
  /// The server limits changes until this time.
  case limited(until: Date, batch: Int)
  case uploading(ActingState.Upload?, batch: Int)
  /// The reason that a batch is kept in the outbox, and the time when it is sent.
  case kept(String, until: Date?, batch: Int)
  case unsent(UnsentChanges)
  case ended(batch: Int)
  case undone(ActingState.Batch, failure: String?)
  /// Saved changes; nil if nothing was written.
  case composed([OutboxEntry]?)
  /// The outcome of the user's own command.
  case ran(String)
  /// The reason that nothing was saved or run, in up to two lines.
  case notComposed(String)
  case failed(String)
  case outbox([OutboxEntry])
  /// The result of a decision about a change in the outbox: the change if it can be sent now, and the dropped changes.
  case decided(released: OutboxEntry?, dropped: [OutboxEntry.ID], failure: String?)
  case names([RepositoryReference: NamesOfRepository], revision: Int)
  case namesMissing(String, revision: Int)
}

/// The number of pending changes, and of those that need the user's attention.
package struct UnsentChanges: Sendable, Hashable {
  package var all: Int
  package var needingPerson: Int

  package init(all: Int = 0, needingPerson: Int = 0) {
    (self.all, self.needingPerson) = (all, needingPerson)
  }
}

/// The names of a repository that pickers offer.
package struct NamesOfRepository: Sendable, Hashable {
  var labels: [GitHub.Label]?
  var milestones: [GitHub.Milestone]?
  var people: AssignablePeople?

  mutating func merge(_ other: NamesOfRepository) {
    labels = other.labels ?? labels
    milestones = other.milestones ?? milestones
    people = other.people ?? people
  }
}

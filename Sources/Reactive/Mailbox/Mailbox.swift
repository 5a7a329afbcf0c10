internal import ConcurrencyPrimitives

/// One queue drained by one task, and the effects whose messages it takes.
///
/// The drain handles one message at a time, in the order of arrival. That alone makes every step serial and
/// reentrant: a message sent from inside a step waits for its turn.
final class Mailbox<Message: Sendable>: Sendable {
  /// Handles a message. Its sender may wait for the duty.
  typealias Step = (_ message: Message, _ duty: Duty?, _ effects: inout Effects<Message>) -> Void

  private struct Letter: Sendable {
    /// Nil says that the effect returned.
    let message: Message?
    let lease: EffectLease?
    let duty: Duty?
  }

  private let queue = Watched(Queue<Letter>())

  /// Puts a message at the end of the queue and returns at once; from anywhere, also from inside a step.
  func post(_ message: Message, from lease: EffectLease? = nil) {
    queue.put(Letter(message: message, lease: lease, duty: nil))
  }

  /// Posts a message that somebody waits for.
  ///
  /// - Parameters:
  ///   - message: is handled when it has its turn.
  ///   - parent: is not finished before the message is.
  ///   - lease: The lease of the effect that sends it.
  /// - Returns: how far it has come. It is finished when nobody works on it any more: it was handled,
  ///   or it was dropped because its effect is no longer running or the mailbox has finished.
  func send(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) -> Progress {
    // A separate function, so that only the letter holds the duty after it returns.
    let duty = Duty(of: parent)
    queue.put(Letter(message: message, lease: lease, duty: duty))
    return duty.progress
  }

  /// Sends, and returns once the message was handled or dropped.
  ///
  /// It is dropped also when the calling task is cancelled before the message had its turn.
  func perform(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) async {
    guard !Task.isCancelled else { return }
    let progress = send(message, for: parent, from: lease)
    // The message was dropped at once, because the mailbox has finished. An effect that keeps sending must not
    // take the thread from the drain, which has to cancel it.
    if progress.current == .finished { await Task.yield() }
    await progress.wait(for: .applied)
    if Task.isCancelled { progress.reach(.finished) }
  }

  /// Hands messages to `step` one at a time in order of arrival, until ``finish()`` or the
  /// cancellation of the calling task; then every effect is cancelled and the table is empty.
  func drain(isolation: isolated (any Actor)? = #isolation, _ step: Step) async {
    var effects = Effects(of: self)
    while await handleNext(&effects, step) {}
  }

  /// Waits for a message and hands it to `step`.
  ///
  /// This is one turn of ``drain(isolation:_:)``, for callers that drain at their own pace and keep the effects
  /// meanwhile.
  ///
  /// - Returns: false when the mailbox has finished; the effects are cancelled then.
  func handleNext(
    isolation: isolated (any Actor)? = #isolation, _ effects: inout Effects<Message>, _ step: Step
  ) async -> Bool {
    await withTaskCancellationHandler {
      while let letter = await queue.next(isolation: isolation) {
        guard let message = letter.message else {
          if let lease = letter.lease { effects.remove(lease) }
          continue
        }
        let isWithdrawn = letter.duty?.progress.current == .finished
        guard !isWithdrawn, letter.lease.map(effects.isRunning) ?? true else { continue }
        step(message, letter.duty, &effects)
        return true
      }
      // Cancelled, the task may leave here before its handler is run, and then it isn't run at all.
      finish()
      effects.cancelAll()
      return false
    } onCancel: {
      finish()
    }
  }

  /// Drops present and later messages, and resumes all waiters.
  func finish() {
    queue.close()
  }

  /// An effect returned: nothing will come from it any more.
  func effectEnded(_ lease: EffectLease) {
    queue.put(Letter(message: nil, lease: lease, duty: nil))
  }
}

/// How far a piece of work has come.
enum Stage: Comparable, Sendable {
  case begun
  case applied
  case finished
}

/// The progress of a piece of work, for its waiters. Its workers hold a ``Duty``.
typealias Progress = Watched<Stage>

extension Progress {
  /// Resumes waiters for this stage or an earlier one.
  func reach(_ stage: Stage) {
    update { $0 = max($0, stage) }
  }

  /// Returns when the stage is reached, or when the calling task is cancelled.
  func wait(for stage: Stage) async {
    await wait { $0 >= stage }
  }
}

/// Held by everything that still works on something. When the last holder releases it, the work is finished.
///
/// So no waiter waits forever: anything that is dropped on the way (a message in a mailbox, an element in a
/// transform, a whole reactor) finishes everything that depended on it.
final class Duty: Sendable {
  let progress = Progress(.begun)
  private let parent: Duty?

  /// - Parameter parent: is not finished before this one is.
  init(of parent: Duty? = nil) {
    self.parent = parent
  }

  deinit {
    progress.reach(.finished)
  }
}

/// A queue in order of arrival, which can be closed.
struct Queue<Element: Sendable>: Sendable {
  private var arrived: [Element] = []
  /// Earlier elements in reverse: the next one is last.
  private var due: [Element] = []
  private(set) var isClosed = false

  fileprivate var isEmpty: Bool { arrived.isEmpty && due.isEmpty }

  fileprivate mutating func append(_ element: Element) {
    if !isClosed { arrived.append(element) }
  }

  fileprivate mutating func popFirst() -> Element? {
    if due.isEmpty {
      swap(&due, &arrived)
      due.reverse()
    }
    return due.popLast()
  }

  /// - Returns: The elements, to be released outside the lock.
  fileprivate mutating func close() -> Queue {
    defer {
      self = Queue()
      isClosed = true
    }
    return self
  }
}

/// A queue that one task reads and any may write to.
///
/// It isn't an `AsyncStream`, because a finished one keeps its elements until somebody reads them, and their
/// senders would wait until then.
extension Watched {
  /// Puts an element at the end. A closed queue refuses it.
  func put<Element>(_ element: Element) where State == Queue<Element> {
    update { $0.append(element) }
  }

  /// Waits for the next element; nil when the queue is closed, or the calling task is cancelled.
  func next<Element>(isolation: isolated (any Actor)?) async -> Element?
  where State == Queue<Element> {
    await take(isolation: isolation, when: { $0.isClosed || !$0.isEmpty }, { $0.popFirst() }) ?? nil
  }

  /// Drops present and later elements, and resumes the reader.
  func close<Element>() where State == Queue<Element> {
    _ = update { $0.close() }
  }
}

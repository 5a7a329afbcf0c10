internal import ConcurrencyPrimitives

/// A queue drained by one task, and the effects that send to it.
///
/// The drain handles one message at a time, in order of arrival. This alone makes steps serial and reentrant:
/// a message sent inside a step waits for its turn.
final class Mailbox<Message: Sendable>: Sendable {
  typealias Step = (_ message: Message, _ duty: Duty?, _ effects: inout Effects<Message>) -> Void

  private final class Envelope: Sendable {
    let message: Message

    init(_ message: Message) {
      self.message = message
    }
  }

  private let queue = Watched(Queue<Letter>())

  /// Adds a message and returns at once; callable from anywhere, even inside a step.
  func post(_ message: Message, from lease: EffectLease? = nil) {
    queue.put(Letter(envelope: Envelope(message), lease: lease, duty: nil))
  }

  /// Posts a message whose sender waits. `parent` doesn't finish before the message, which finishes when it
  /// was handled or dropped.
  func send(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) -> Progress {
    // A separate function, so that only the letter holds the duty after it returns.
    let duty = Duty(of: parent)
    queue.put(Letter(envelope: Envelope(message), lease: lease, duty: duty))
    return duty.progress
  }

  /// Sends, and returns once the message is handled, or dropped because the calling task was cancelled first.
  func perform(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) async {
    guard !Task.isCancelled else { return }
    let progress = send(message, for: parent, from: lease)
    // The mailbox has finished. An effect that keeps sending must leave the thread to the drain, which
    // cancels it.
    if progress.current == .finished { await Task.yield() }
    await progress.wait(for: .applied)
    if Task.isCancelled { progress.reach(.finished) }
  }

  /// Hands messages to `step` one at a time, until ``finish()`` or cancellation; then cancels every effect.
  func drain(isolation: isolated (any Actor)? = #isolation, _ step: Step) async {
    var effects = Effects(of: self)
    while await handleNext(&effects, step) {}
  }

  /// One turn of ``drain(isolation:_:)``, for callers that drain at their own pace.
  ///
  /// - Returns: false when the mailbox has finished and the effects are cancelled.
  func handleNext(
    isolation: isolated (any Actor)? = #isolation, _ effects: inout Effects<Message>, _ step: Step
  ) async -> Bool {
    await withTaskCancellationHandler {
      while let letter = await queue.next(isolation: isolation) {
        guard let envelope = letter.envelope else {
          if let lease = letter.lease { effects.remove(lease) }
          continue
        }
        let isWithdrawn = letter.duty?.progress.current == .finished
        guard !isWithdrawn, letter.lease.map(effects.isRunning) ?? true else { continue }
        // Only this mailbox puts letters into its queue.
        unsafe step(unsafeDowncast(envelope, to: Envelope.self).message, letter.duty, &effects)
        return true
      }
      // A cancelled task may leave before its handler runs, and then the handler doesn't run.
      finish()
      effects.cancelAll()
      return false
    } onCancel: {
      finish()
    }
  }

  func finish() {
    queue.close()
  }

  func effectEnded(_ lease: EffectLease) {
    queue.put(Letter(envelope: nil, lease: lease, duty: nil))
  }
}

/// A letter to any mailbox.
///
/// It doesn't know the type of its message, so that all waiting and waking is compiled for this one type. The code of a
/// library isn't specialized for the types of its users: if the queue were generic, nearly half of a step's time would
/// go into looking up types.
private struct Letter: Sendable {
  /// Nil when the effect has returned.
  let envelope: (any AnyObject & Sendable)?
  let lease: EffectLease?
  let duty: Duty?
}

enum Stage: Comparable, Sendable {
  case begun
  case applied
  case finished
}

typealias Progress = Watched<Stage>

extension Progress {
  func reach(_ stage: Stage) {
    update { $0 = max($0, stage) }
  }

  func wait(for stage: Stage) async {
    await wait { $0 >= stage }
  }
}

/// Held by everything that still depends on an action; the last release finishes the action.
///
/// So no waiter waits forever: an object that is dropped on the way finishes everything that depended on it.
final class Duty: Sendable {
  let progress = Progress(.begun)
  private let parent: Duty?

  /// - Parameter parent: doesn't finish before this one.
  init(of parent: Duty? = nil) {
    self.parent = parent
  }

  deinit {
    progress.reach(.finished)
  }
}

struct Queue<Element: Sendable>: Sendable {
  private var arrived: [Element] = []
  /// Earlier elements, the next one last.
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

  /// - Returns: the elements, to be released outside the lock.
  fileprivate mutating func close() -> Queue {
    defer {
      self = Queue()
      isClosed = true
    }
    return self
  }
}

/// A queue with one reader. Not an `AsyncStream`: a finished one keeps unread elements, and their senders
/// would wait.
extension Watched {
  func put<Element>(_ element: Element) where State == Queue<Element> {
    update { $0.append(element) }
  }

  func next<Element>(isolation: isolated (any Actor)?) async -> Element?
  where State == Queue<Element> {
    await take(isolation: isolation, when: { $0.isClosed || !$0.isEmpty }, { $0.popFirst() }) ?? nil
  }

  func close<Element>() where State == Queue<Element> {
    _ = update { $0.close() }
  }
}

internal import ConcurrencyPrimitives

/// A queue that is drained by one task, and the effects that send messages to it.
///
/// The drain handles one message at a time, in order of arrival. This makes steps serial, and allows a step to send
/// messages, which wait for their turn.
final class Mailbox<Message: Sendable>: Sendable {
  typealias Step = (_ message: Message, _ duty: Duty?, _ effects: inout Effects<Message>) -> Void

  private final class Envelope: Sendable {
    let message: Message

    init(_ message: Message) {
      self.message = message
    }
  }

  private let queue = Watched(Queue<Letter>())

  /// Adds a message and returns immediately. It can be called from anywhere, even within a step.
  func post(_ message: Message, from lease: EffectLease? = nil) {
    queue.put(Letter(envelope: Envelope(message), lease: lease, duty: nil))
  }

  /// Posts a message whose sender waits. The message finishes when it is handled or dropped, and `parent` doesn't
  /// finish before it.
  func send(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) -> Progress {
    // This is a separate function, so that only the letter retains the duty after it returns.
    let duty = Duty(of: parent)
    queue.put(Letter(envelope: Envelope(message), lease: lease, duty: duty))
    return duty.progress
  }

  /// Sends a message, and returns when it is handled, or dropped because the calling task was canceled first.
  func perform(
    _ message: Message, for parent: Duty? = nil, from lease: EffectLease? = nil
  ) async {
    guard !Task.isCancelled else { return }
    let progress = send(message, for: parent, from: lease)
    // The mailbox has finished. An effect that keeps sending must yield the thread to the drain, which cancels it.
    if progress.current == .finished { await Task.yield() }
    await progress.wait(for: .applied)
    if Task.isCancelled { progress.reach(.finished) }
  }

  /// Passes messages to `step` one at a time, until ``finish()`` or cancellation. Then it cancels every effect.
  func drain(isolation: isolated (any Actor)? = #isolation, _ step: Step) async {
    var effects = Effects(of: self)
    while await handleNext(&effects, step) {}
  }

  /// A single turn of ``drain(isolation:_:)``, for callers that drain at their own pace.
  ///
  /// - Returns: false if the mailbox has finished and the effects are canceled.
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
        // Only this mailbox adds letters to its queue.
        unsafe step(unsafeDowncast(envelope, to: Envelope.self).message, letter.duty, &effects)
        return true
      }
      // A canceled task may return before its handler runs, in which case the handler doesn't run.
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
/// It erases the type of its message, so that all waiting and waking is compiled for this single type. The code of a
/// library isn't specialized for the types of its users: with a generic queue, almost half of the time of a step would
/// be spent on looking up types.
private struct Letter: Sendable {
  /// Nil if the effect has returned.
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

/// Retained by everything that still depends on an action; the last release finishes the action.
///
/// So waiting always ends: an object that is dropped along the way finishes everything that depends on it.
final class Duty: Sendable {
  let progress = Progress(.begun)
  private let parent: Duty?

  /// - Parameter parent: a duty that doesn't finish before this one.
  init(of parent: Duty? = nil) {
    self.parent = parent
  }

  deinit {
    progress.reach(.finished)
  }
}

struct Queue<Element: Sendable>: Sendable {
  private var arrived: [Element] = []
  /// Earlier elements in reverse order, the next one last.
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

  /// - Returns: the elements, which must be released outside the lock.
  fileprivate mutating func close() -> Queue {
    defer {
      self = Queue()
      isClosed = true
    }
    return self
  }
}

/// A queue with one reader. It isn't an `AsyncStream`, because a finished stream keeps unread elements, whose senders
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

internal import Locking

/// One queue drained by one task, and the effects whose messages it takes.
///
/// Whoever drains it handles one message at a time, in the order of arrival. That alone makes every
/// step serial and safe to re-enter: what is sent from inside a step waits for its turn.
///
/// The queue is not an `AsyncStream`, because one that has finished keeps what it holds until
/// somebody reads it, and who waits for such a message would wait for as long.
final class Mailbox<Message: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>
  private typealias Ticket = UInt64

  private enum Letter: Sendable {
    /// The ticket is that of the call that waits for the message.
    case message(Message, EffectLease?, Ticket?)
    /// An effect returned.
    case ended(EffectLease)
  }

  private enum Turn: Sendable {
    case handle(Letter, isWithdrawn: Bool)
    case wait
    case finished
  }

  private struct State: Sendable {
    /// In order of arrival.
    private var arrived: [Letter] = []
    /// What arrived earlier, turned round: the next one is the last.
    private var due: [Letter] = []
    private var lastTicket: Ticket = 0
    var isFinished = false
    var reader: Continuation?
    /// The calls of `perform` that wait. One that is missing doesn't want its message handled.
    var senders: [Ticket: Continuation] = [:]

    mutating func makeTicket() -> Ticket {
      lastTicket += 1
      return lastTicket
    }

    /// - Returns: whom to resume: the reader, or the sender of what is refused.
    mutating func put(
      _ letter: Letter, ticket: Ticket = 0, sender: Continuation? = nil
    ) -> Continuation? {
      // The flag is set before a task's handler runs. Read here it can't be missed: either the sender
      // is refused, or the handler finds it in the table.
      guard !isFinished, sender == nil || !Task.isCancelled else { return sender }
      arrived.append(letter)
      senders[ticket] = sender
      defer { reader = nil }
      return reader
    }

    mutating func turn() -> Turn {
      if due.isEmpty {
        swap(&due, &arrived)
        due.reverse()
      }
      guard let letter = due.popLast() else { return isFinished ? .finished : .wait }
      guard case .message(_, _, let ticket?) = letter else {
        return .handle(letter, isWithdrawn: false)
      }
      return .handle(letter, isWithdrawn: senders[ticket] == nil)
    }

    /// - Returns: the reader, if it is to be resumed at once.
    mutating func readerWaits(_ newReader: Continuation) -> Continuation? {
      guard !isFinished, arrived.isEmpty, due.isEmpty else { return newReader }
      precondition(reader == nil, "two tasks drain one mailbox")
      reader = newReader
      return nil
    }

    /// - Returns: all that was there, to be let go of outside the lock.
    mutating func finish() -> State {
      defer {
        self = State()
        isFinished = true
      }
      return self
    }
  }

  private let state = Locked(State())

  /// Puts a message at the end of the queue and returns at once; from anywhere, also from inside a step.
  func post(_ message: Message, from lease: EffectLease? = nil) {
    put(.message(message, lease, nil))
  }

  /// Posts, and returns once the message was handled or dropped.
  ///
  /// It is dropped when its effect is no longer running, when the mailbox has finished, and when
  /// the calling task is cancelled before the message had its turn.
  func perform(_ message: Message, from lease: EffectLease? = nil) async {
    let ticket = state.withLock { $0.makeTicket() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sender in
        state.withLock {
          $0.put(.message(message, lease, ticket), ticket: ticket, sender: sender)
        }?.resume()
      }
    } onCancel: {
      release(ticket)
    }
  }

  /// Hands messages to `step` one at a time in order of arrival, until ``finish()`` or the
  /// cancellation of the calling task; then every effect is cancelled and the table is empty.
  func drain(
    isolation: isolated (any Actor)? = #isolation,
    _ step: (Message, inout Effects<Message>) -> Void
  ) async {
    var effects = Effects(of: self)
    while await handleNext(&effects, step) {}
  }

  /// Waits for a message and hands it to `step`.
  ///
  /// This is one turn of ``drain(isolation:_:)``, for who wants to drain at a pace of its own and
  /// keeps the effects meanwhile.
  ///
  /// - Returns: false when the mailbox has finished; the effects are cancelled then.
  func handleNext(
    isolation: isolated (any Actor)? = #isolation,
    _ effects: inout Effects<Message>,
    _ step: (Message, inout Effects<Message>) -> Void
  ) async -> Bool {
    await withTaskCancellationHandler {
      while true {
        switch state.withLock({ $0.turn() }) {
        case .handle(.message(let message, let lease, let ticket), let isWithdrawn):
          defer { if let ticket { release(ticket) } }
          guard !isWithdrawn, lease.map(effects.isRunning) ?? true else { continue }
          step(message, &effects)
          return true
        case .handle(.ended(let lease), _):
          effects.remove(lease)
        case .wait:
          await withCheckedContinuation(isolation: isolation) { reader in
            state.withLock { $0.readerWaits(reader) }?.resume()
          }
        case .finished:
          effects.cancelAll()
          return false
        }
      }
    } onCancel: {
      finish()
    }
  }

  /// Drops what is queued and whatever comes, and lets everybody go who waits.
  func finish() {
    let left = state.withLock { $0.finish() }
    left.reader?.resume()
    for sender in left.senders.values {
      sender.resume()
    }
  }

  /// An effect returned: nothing will come from it any more.
  func effectEnded(_ lease: EffectLease) {
    put(.ended(lease))
  }

  private func put(_ letter: Letter) {
    state.withLock { $0.put(letter) }?.resume()
  }

  private func release(_ ticket: Ticket) {
    state.withLock { $0.senders.removeValue(forKey: ticket) }?.resume()
  }
}

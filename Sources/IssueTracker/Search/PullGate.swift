internal import ConcurrencyPrimitives

/// Lets a search continue when the next page is wanted. Signals that arrive while nothing waits are dropped.
///
/// It reads the signals in a separate task, which ends with it.
final class PullGate: Sendable {
  /// A wait for the next page. Signals count from its creation on.
  struct Pull: Sendable {
    fileprivate let arrival: AsyncStream<Void>

    /// Waits until the next page is wanted.
    ///
    /// - Returns: Whether it is; false if no signal can come any more, or if the task was cancelled.
    func arrives() async -> Bool {
      for await _ in arrival { return true }
      return false
    }
  }

  private struct Waiting: Sendable {
    let id: Int
    let arrival: AsyncStream<Void>.Continuation
    /// Whether a pull counts at the moment.
    let counts: @Sendable () -> Bool
  }

  private struct State: Sendable {
    var waiting: Waiting?
    var lastWaiting = 0
    var isFinished = false
    var reading: Task<Void, Never>?
  }

  private let state: Locked<State>
  private let read: @Sendable () async -> Void

  /// Creates a gate. Nothing is read until it is opened.
  init<Pulls: AsyncSequence & Sendable>(_ pulls: Pulls)
  where Pulls.Element == Void, Pulls.Failure == Never {
    let state = Locked(State())
    self.state = state
    read = {
      for await _ in pulls {
        guard let waiting = state.withLock({ $0.waiting }), waiting.counts() else { continue }
        // Another wait, for which the signal may not count, may have replaced it meanwhile.
        state.withLock { state in
          state.waiting?.id == waiting.id ? state.waiting.take() : nil
        }?.arrival.yield()
      }
      state.withLock { state in
        state.isFinished = true
        return state.waiting.take()
      }?.arrival.finish()
    }
  }

  deinit {
    state.withLock { $0.reading }?.cancel()
  }

  /// Starts reading, once.
  func open() {
    state.withLock { state in
      if state.reading == nil { state.reading = Task(operation: read) }
    }
  }

  /// Creates a wait, which replaces the one before.
  ///
  /// A superseded query must not replace the wait of the newer one. Its task was cancelled before the newer
  /// one's began, so a check under the lock can't miss that.
  ///
  /// - Parameter counts: Tells when a pull arrives whether it counts.
  /// - Returns: The wait.
  func makePull(counts: @escaping @Sendable () -> Bool) -> Pull {
    let (stream, arrival) = AsyncStream.makeStream(of: Void.self)
    let unneeded = state.withLock { state in
      state.lastWaiting += 1
      let waiting = Waiting(id: state.lastWaiting, arrival: arrival, counts: counts)
      if state.isFinished || Task.isCancelled { return Optional(waiting) }
      defer { state.waiting = waiting }
      return state.waiting
    }
    unneeded?.arrival.finish()
    return Pull(arrival: stream)
  }
}

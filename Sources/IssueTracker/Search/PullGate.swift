internal import ConcurrencyPrimitives

/// Lets a search continue when the next page is requested. Signals are dropped if nothing is waiting for them.
final class PullGate: Sendable {
  struct Pull: Sendable {
    fileprivate let arrival: AsyncStream<Void>

    /// Waits for a request for the next page. Returns false if no more signals can arrive, or if the task was canceled.
    func arrives() async -> Bool {
      for await _ in arrival { return true }
      return false
    }
  }

  private struct Waiting: Sendable {
    let id: Int
    let arrival: AsyncStream<Void>.Continuation
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

  init<Pulls: AsyncSequence & Sendable>(_ pulls: Pulls)
  where Pulls.Element == Void, Pulls.Failure == Never {
    let state = Locked(State())
    self.state = state
    read = {
      for await _ in pulls {
        guard let waiting = state.withLock({ $0.waiting }), waiting.counts() else { continue }
        // The wait may have been replaced by another one, to which the signal may not apply.
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

  func open() {
    state.withLock { state in
      if state.reading == nil { state.reading = Task(operation: read) }
    }
  }

  /// Creates a wait, which replaces the previous one.
  ///
  /// A superseded query must not replace the wait of the newer one. Its task was canceled before the newer query began,
  /// so the check under the lock is reliable.
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

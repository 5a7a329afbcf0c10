internal import Locking

/// Lets a search go on when the next page is wanted, and forgets what comes while nothing waits.
///
/// It reads the pulls in a task of its own, which ends with it.
final class PullGate: Sendable {
  /// One wait for the next page. It counts from when it was made.
  struct Pull: Sendable {
    fileprivate let arrival: AsyncStream<Void>

    /// Waits until the next page is wanted.
    ///
    /// - Returns: Whether it is; false when it can't be any more, or the task was cancelled.
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

  /// Creates a gate; nothing is read before it is opened.
  init<Pulls: AsyncSequence & Sendable>(_ pulls: Pulls)
  where Pulls.Element == Void, Pulls.Failure == Never {
    let state = Locked(State())
    self.state = state
    read = {
      for await _ in pulls {
        guard let waiting = state.withLock({ $0.waiting }), waiting.counts() else { continue }
        // Another may have taken its place meanwhile, for which the pull may not count.
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

  /// Begins to read, if nothing was read yet.
  func open() {
    state.withLock { state in
      if state.reading == nil { state.reading = Task(operation: read) }
    }
  }

  /// Takes the place of the wait that was made before, if any.
  ///
  /// A query that was superseded must not take the place of the newer one's wait. Its task was cancelled
  /// before the newer one's began: looked at under the lock, that can't be missed.
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

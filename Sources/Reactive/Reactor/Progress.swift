internal import Locking

/// How far a piece of work has come, for whoever waits for it.
///
/// The side that waits holds this object, the side that works a ``Duty``.
final class Progress: Sendable {
  enum Stage: Int, Sendable {
    case begun
    case applied
    case finished
  }

  private struct Waiter: Sendable {
    let stage: Stage
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var stage: Stage
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state: Locked<State>

  init(_ stage: Stage = .begun) {
    state = Locked(State(stage: stage))
  }

  /// Lets everybody go who waits for this stage or an earlier one.
  func reach(_ stage: Stage) {
    let ready = state.withLock { state -> [Waiter] in
      guard stage.rawValue > state.stage.rawValue else { return [] }
      state.stage = stage
      let ready = state.waiters.filter { $0.value.stage.rawValue <= stage.rawValue }
      for waiter in ready.keys { state.waiters[waiter] = nil }
      return Array(ready.values)
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns when the stage is reached, or when the calling task is cancelled.
  func wait(for stage: Stage) async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at under the lock, a cancellation can't be missed: either it is seen here, or its
        // handler finds the waiter.
        let goesOn = state.withLock { state in
          if Task.isCancelled || state.stage.rawValue >= stage.rawValue { return true }
          state.waiters[id] = Waiter(stage: stage, continuation: continuation)
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}

/// Is held by all that still works on something; when the last holder lets go, the work is finished.
///
/// So nobody waits in vain: whatever is dropped on the way (a message in a mailbox, an element in a
/// transform, a whole reactor) finishes what depended on it.
final class Duty: Sendable {
  let progress = Progress()
  private let parent: Duty?

  /// - Parameter parent: is not finished before this one is.
  init(of parent: Duty? = nil) {
    self.parent = parent
  }

  deinit {
    progress.reach(.finished)
  }
}

internal import Locking

/// An answer that is awaited at most once and given at most once that counts: by who works for it, or
/// by who gives it up.
final class OneAnswer<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
    case taken
  }

  private let state = Locked(State.pending)

  /// Gives the answer; nothing happens if there is one.
  func give(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .pending:
        state = .given(value)
        return nil
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken:
        return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the answer, or for the task's cancellation.
  func value(ifCancelled cancelled: Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          switch state {
          case .given(let value):
            state = .taken
            return value
          case .pending, .awaited, .taken:
            state = .awaited(continuation)
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      give(cancelled)
    }
  }
}

internal import Locking

/// A value behind a lock whose changes can be awaited.
///
/// Tests wait for what they mean (`await log.value { $0.count == 3 ? $0 : nil }`) instead of
/// sleeping and looking again. Continuations are resumed after the lock is released.
///
/// A `Current` keeps every value for each of its watchers; this keeps none, and looks at conditions only.
package final class Watched<State: Sendable>: Sendable {
  /// Looks at the state; when that is what the waiter wants, gives what resumes it.
  private typealias Probe = @Sendable (State) -> Resume?
  private typealias Resume = @Sendable () -> Void

  private struct Waiter: Sendable {
    let probe: Probe
    let cancel: Resume
  }

  private struct Content: Sendable {
    var state: State
    var waiters: [UInt64: Waiter] = [:]
    var lastIdentifier: UInt64 = 0
  }

  private let content: Locked<Content>

  /// Creates a watched value.
  package init(_ initialState: State) {
    content = Locked(Content(state: initialState))
  }

  /// The value at this moment.
  package var current: State { read { $0 } }

  /// Looks at the value with the lock held.
  package func read<Result>(_ body: (State) -> Result) -> Result {
    content.withLock { body($0.state) }
  }

  /// Changes the value with the lock held, then resumes those whose condition has come true.
  @discardableResult
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = content.withLock { content in
      let result = body(&content.state)
      var ready: [Resume] = []
      for (identifier, waiter) in content.waiters {
        if let resume = waiter.probe(content.state) {
          ready.append(resume)
          content.waiters[identifier] = nil
        }
      }
      return (result, ready)
    }
    for resume in ready { resume() }
    return result
  }

  /// Waits until a condition holds.
  ///
  /// - Parameter probe: Gives a value when the condition holds, else nil. Runs with the lock held,
  ///   so it must not touch this object.
  /// - Returns: What `probe` gave.
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  package func value<Value: Sendable>(
    _ probe: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    let identifier = content.withLock { content in
      content.lastIdentifier += 1
      return content.lastIdentifier
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(identifier, probe, continuation)?()
      }
    } onCancel: {
      content.withLock { $0.waiters.removeValue(forKey: identifier) }?.cancel()
    }
  }

  /// Registers a waiter, or gives what resumes it at once.
  ///
  /// A task's cancelled flag is set before its handlers run. Read with the lock held it can't be
  /// missed: either it is seen here, or the handler finds the waiter registered.
  private func register<Value: Sendable>(
    _ identifier: UInt64,
    _ probe: @escaping @Sendable (State) -> Value?,
    _ continuation: CheckedContinuation<Value, any Error>
  ) -> Resume? {
    content.withLock { content -> Resume? in
      if Task.isCancelled {
        return { continuation.resume(throwing: CancellationError()) }
      }
      if let value = probe(content.state) {
        return { continuation.resume(returning: value) }
      }
      content.waiters[identifier] = Waiter(
        probe: { state in
          guard let value = probe(state) else { return nil }
          return { continuation.resume(returning: value) }
        },
        cancel: { continuation.resume(throwing: CancellationError()) }
      )
      return nil
    }
  }
}

/// A value behind a lock whose changes can be awaited.
///
/// A waiter names a condition (`await log.wait { $0.count == 3 }`), which is checked at each change. Cancelling
/// its task resumes it. Nothing is resumed, and nothing of a caller's is released, while the lock is held.
///
/// Conditions run with the lock held, so they must be quick and mustn't use this object. Each change checks all
/// of them: if there are very many waiters, give each its own object.
package final class Watched<State: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let identifier: UInt64
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Content: Sendable {
    var state: State
    var waiters: [Waiter] = []
    var lastIdentifier: UInt64 = 0

    /// Takes out those whose condition has come true.
    mutating func takeReady() -> [Waiter] {
      let state = state
      var ready: [Waiter] = []
      waiters.removeAll { waiter in
        let isReady = waiter.condition(state)
        if isReady { ready.append(waiter) }
        return isReady
      }
      return ready
    }

    mutating func take(_ identifier: UInt64) -> Waiter? {
      waiters.firstIndex { $0.identifier == identifier }.map { waiters.remove(at: $0) }
    }
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
  ///
  /// - Parameter body: gives back what it takes out of the value, so that the last reference to it
  ///   doesn't go away under the lock.
  /// - Returns: what `body` returned.
  @discardableResult
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = content.withLock { content in
      (body(&content.state), content.takeReady())
    }
    for waiter in ready { waiter.continuation.resume() }
    return result
  }

  /// Waits until a condition holds, or the calling task is cancelled.
  ///
  /// It may have ceased to hold when the caller runs again.
  package func wait(
    isolation: isolated (any Actor)? = #isolation,
    until condition: @escaping @Sendable (State) -> Bool
  ) async {
    let identifier = content.withLock { content in
      content.lastIdentifier += 1
      return content.lastIdentifier
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let waits = content.withLock { content in
          // A task's cancelled flag is set before its handlers run. Read here it can't be missed: either
          // it is seen, or the handler finds the waiter.
          guard !Task.isCancelled, !condition(content.state) else { return false }
          content.waiters.append(
            Waiter(identifier: identifier, condition: condition, continuation: continuation))
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      content.withLock { $0.take(identifier) }?.continuation.resume()
    }
  }

  /// Takes something out of the value as soon as a condition holds.
  ///
  /// The caller takes it when it runs again. If it is gone by then, the caller waits again. Taking wakes no
  /// other waiter, so the cost doesn't depend on their number.
  ///
  /// - Parameters:
  ///   - isolation: where the caller runs.
  ///   - condition: whether there is something to take.
  ///   - body: takes it, and changes nothing that somebody else waits for.
  /// - Returns: what `body` returned, or nil when the calling task is cancelled.
  package func take<Result>(
    isolation: isolated (any Actor)? = #isolation,
    when condition: @escaping @Sendable (State) -> Bool,
    _ body: (inout State) -> Result
  ) async -> Result? {
    while !Task.isCancelled {
      let result = content.withLock { condition($0.state) ? body(&$0.state) : nil }
      if let result { return result }
      await wait(isolation: isolation, until: condition)
    }
    return nil
  }

  /// Waits for a value that a condition gives.
  ///
  /// - Parameter probe: gives a value when the condition holds, else nil.
  /// - Returns: what `probe` gave, even if it wouldn't any more when the caller runs again.
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  package func value<Value: Sendable>(
    _ probe: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    let found = Locked<Value?>(nil)
    await wait { state in
      let value = probe(state)
      return found.withLock { found in
        found = value
        return value != nil
      }
    }
    guard let value = found.withLock({ $0 }) else { throw CancellationError() }
    return value
  }
}

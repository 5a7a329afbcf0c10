/// A value behind a lock whose changes can be awaited. Nothing is resumed or released under the lock.
///
/// Each change checks all conditions under the lock, so they must be quick and mustn't use this object.
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

  package init(_ initialState: State) {
    content = Locked(Content(state: initialState))
  }

  package var current: State { read { $0 } }

  package func read<Result>(_ body: (State) -> Result) -> Result {
    content.withLock { body($0.state) }
  }

  /// Changes the value under the lock, then resumes the waiters whose condition holds now.
  ///
  /// `body` should return what it takes out of the value, so that nothing is released under the lock.
  @discardableResult
  package func update<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = content.withLock { content in
      (body(&content.state), content.takeReady())
    }
    for waiter in ready { waiter.continuation.resume() }
    return result
  }

  /// The condition may have ceased to hold when the caller runs again.
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
          // A task's cancelled flag is set before its handlers run: either it is seen here, or the handler
          // finds the waiter.
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

  /// Takes something out of the value when a condition holds; nil when the calling task is cancelled.
  ///
  /// The caller takes it when it runs again, and waits again if it is gone by then. Taking wakes no other
  /// waiter, so `body` mustn't change what others wait for.
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

  /// Waits for a value that `probe` returns under the lock, even if it wouldn't any more when the caller runs
  /// again.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled.
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

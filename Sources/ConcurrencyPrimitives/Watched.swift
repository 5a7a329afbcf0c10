/// A value behind a lock, with changes that can be awaited. Nothing is resumed or released under the lock. Copies share
/// the value.
///
/// Each change checks all conditions under the lock, so they must be quick and mustn't use this object.
public struct Watched<State: Sendable>: Sendable {
  // @safe: see the comment on its continuation.
  @safe @usableFromInline
  struct Waiter: Sendable {
    @usableFromInline let identifier: UInt64
    @usableFromInline let condition: @Sendable (State) -> Bool
    // An unchecked continuation, because a checked one allocates another object. Each continuation is resumed only
    // once, because this type removes it at the same time.
    @usableFromInline let continuation: UnsafeContinuation<Void, Never>

    @inlinable
    init(
      identifier: UInt64, condition: @escaping @Sendable (State) -> Bool,
      continuation: UnsafeContinuation<Void, Never>
    ) {
      self.identifier = identifier
      self.condition = condition
      unsafe self.continuation = continuation
    }
  }

  @usableFromInline
  struct Content: Sendable {
    @usableFromInline var state: State
    @usableFromInline var waiters: [Waiter] = []
    @usableFromInline var lastIdentifier: UInt64 = 0

    @inlinable
    init(state: State) {
      self.state = state
    }

    @inlinable
    mutating func takeReady() -> [Waiter] {
      var ready: [Waiter] = []
      var kept = 0
      for index in waiters.indices {
        if waiters[index].condition(state) {
          ready.append(waiters[index])
        } else {
          waiters.swapAt(kept, index)
          kept += 1
        }
      }
      waiters.removeLast(ready.count)
      return ready
    }

    @inlinable
    mutating func take(_ identifier: UInt64) -> Waiter? {
      waiters.firstIndex { $0.identifier == identifier }.map { waiters.remove(at: $0) }
    }
  }

  @usableFromInline
  let content: Locked<Content>

  /// Creates a value without waiters.
  @inlinable
  public init(_ initialState: State) {
    content = Locked(Content(state: initialState))
  }

  /// A copy of the value.
  @inlinable
  public var current: State { read { $0 } }

  /// Reads the value under the lock.
  @inlinable
  public func read<Result>(_ body: (State) -> Result) -> Result {
    content.withLock { body($0.state) }
  }

  /// Changes the value under the lock, then resumes the waiters whose condition holds now.
  ///
  /// `body` should return the values that it removes, to avoid releasing them under the lock.
  @discardableResult
  @inlinable
  public func update<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = content.withLock { content in
      (body(&content.state), content.takeReady())
    }
    for waiter in ready { unsafe waiter.continuation.resume() }
    return result
  }

  /// Waits until a condition holds or the calling task is canceled. The condition may no longer hold when the caller
  /// resumes.
  @inlinable
  public func wait(
    isolation: isolated (any Actor)? = #isolation,
    until condition: @escaping @Sendable (State) -> Bool
  ) async {
    let identifier = content.withLock { content in
      content.lastIdentifier += 1
      return content.lastIdentifier
    }
    await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation(isolation: isolation) { continuation in
        // Checked only here, under the lock that adds the waiter. After an earlier check, the condition could briefly
        // hold without being noticed.
        let waits = content.withLock { content in
          // A task's canceled flag is set before its handlers run. So either this check sees the flag, or the handler
          // finds the waiter.
          guard !Task.isCancelled, !condition(content.state) else { return false }
          unsafe content.waiters.append(
            Waiter(identifier: identifier, condition: condition, continuation: continuation))
          return true
        }
        if !waits { unsafe continuation.resume() }
      }
    } onCancel: {
      unsafe content.withLock { $0.take(identifier) }?.continuation.resume()
    }
  }

  /// Takes a part of the value when a condition holds; nil when the calling task is canceled.
  ///
  /// The caller takes the part when it resumes, and waits again if the part is gone by then. Taking doesn't wake other
  /// waiters, so `body` mustn't affect their conditions.
  @inlinable
  public func take<Result>(
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

  /// Waits for a value that `probe` returns under the lock, even if `probe` would no longer return one when the caller
  /// resumes.
  ///
  /// - Throws: `CancellationError` when the calling task is canceled.
  public func value<Value: Sendable>(
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

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A value behind a lock whose changes can be awaited.
///
/// Tests wait for what they mean (`await log.value { $0.count == 3 ? $0 : nil }`) instead of
/// sleeping and looking again. Continuations are resumed after the lock is released.
///
/// The lock is a `pthread_mutex_t` of its own: ThreadSanitizer on Linux doesn't understand
/// `Synchronization.Mutex` and reports races that aren't there.
///
/// Unchecked, because the state and the waiters are touched with the mutex held only.
public final class Watched<State: Sendable>: @unchecked Sendable {
  /// Looks at the state; when that is what the waiter wants, gives what resumes it.
  private typealias Probe = (State) -> (() -> Void)?

  private struct Waiter {
    let probe: Probe
    let cancel: () -> Void
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State
  private var waiters: [UInt64: Waiter] = [:]
  private var lastIdentifier: UInt64 = 0

  /// Creates a watched value.
  public init(_ initialState: State) {
    state = initialState
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// The value at this moment.
  public var current: State { read { $0 } }

  /// Looks at the value with the lock held.
  public func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(state)
  }

  /// Changes the value with the lock held, then resumes those whose condition has come true.
  @discardableResult
  public func update<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    let result: Result
    do {
      result = try body(&state)
    } catch {
      pthread_mutex_unlock(mutex)
      throw error
    }
    var ready: [() -> Void] = []
    for (identifier, waiter) in waiters {
      if let resume = waiter.probe(state) {
        ready.append(resume)
        waiters[identifier] = nil
      }
    }
    pthread_mutex_unlock(mutex)
    for resume in ready { resume() }
    return result
  }

  /// Waits until a condition holds.
  ///
  /// - Parameter probe: Gives a value when the condition holds, else nil. Runs with the lock held,
  ///   so it must not touch this object.
  /// - Returns: What `probe` gave.
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  public func value<Value: Sendable>(
    _ probe: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    let identifier = makeIdentifier()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        register(identifier, probe, continuation)?()
      }
    } onCancel: {
      remove(identifier)?.cancel()
    }
  }

  private func makeIdentifier() -> UInt64 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    lastIdentifier += 1
    return lastIdentifier
  }

  /// Registers a waiter, or gives what resumes it at once.
  ///
  /// A task's cancelled flag is set before its handlers run. Read with the lock held it can't be
  /// missed: either it is seen here, or the handler finds the waiter registered.
  private func register<Value: Sendable>(
    _ identifier: UInt64,
    _ probe: @escaping @Sendable (State) -> Value?,
    _ continuation: CheckedContinuation<Value, any Error>
  ) -> (() -> Void)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if Task.isCancelled {
      return { continuation.resume(throwing: CancellationError()) }
    }
    if let value = probe(state) {
      return { continuation.resume(returning: value) }
    }
    waiters[identifier] = Waiter(
      probe: { state in probe(state).map { value in { continuation.resume(returning: value) } } },
      cancel: { continuation.resume(throwing: CancellationError()) }
    )
    return nil
  }

  private func remove(_ identifier: UInt64) -> Waiter? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return waiters.removeValue(forKey: identifier)
  }
}

/// A task that waits for a value, to be resumed once. ``ExchangeStateMachine`` sees to that, and debug builds check it.
///
/// A release build doesn't, because the layout of `CheckedContinuation` isn't part of its interface: the program looks
/// it up at each access to whatever contains one. That took 5 % of the processor time of a small request.
// @safe: whoever gets one resumes it once.
@safe
struct Waiter<Value: Sendable>: Sendable {
  #if DEBUG
    private let continuation: CheckedContinuation<Value, Never>
  #else
    private let continuation: UnsafeContinuation<Value, Never>
  #endif

  /// Suspends the calling task until the waiter that the closure receives is resumed.
  @inline(__always)
  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ body: (Waiter) -> Void
  ) async -> Value {
    #if DEBUG
      await withCheckedContinuation { body(Waiter(continuation: $0)) }
    #else
      await unsafe withUnsafeContinuation { unsafe body(Waiter(continuation: $0)) }
    #endif
  }

  func resume(returning value: Value) {
    #if DEBUG
      continuation.resume(returning: value)
    #else
      unsafe continuation.resume(returning: value)
    #endif
  }
}

extension Waiter<Void> {
  func resume() { resume(returning: ()) }
}

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Guards a value with a `pthread_mutex_t`.
///
/// `Synchronization.Mutex` waits on a futex that ThreadSanitizer doesn't see on Linux, so it would report every
/// guarded access as a race.
///
/// The lock isn't recursive. Nothing that can run other code belongs under it: no resuming, yielding, finishing
/// or cancelling, and no release of a caller's value, whose `deinit` may do any of these. Let the closure
/// return such work, and do it afterwards.
// @unchecked Sendable: `value` is read and written only while `mutex` is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: Value) {
    self.value = value
    // On the heap because a mutex must not move, and passing a stored property inout may copy it.
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init failed with \(status)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Gives exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

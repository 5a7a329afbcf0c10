#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Guards a value with a `pthread_mutex_t`. ThreadSanitizer doesn't see the futex of `Synchronization.Mutex`
/// on Linux, and would report every guarded access as a race.
///
/// The lock isn't recursive, and nothing under it may run other code: no resuming, yielding, finishing or
/// cancelling, and no release of a caller's value. Let the closure return such work, and do it afterwards.
// @unchecked Sendable: `value` is read and written only while `mutex` is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: Value) {
    self.value = value
    // On the heap: a mutex must not move, and passing a stored property inout may copy it.
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

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

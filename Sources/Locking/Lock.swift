#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A value behind a mutex.
///
/// `Synchronization.Mutex` would do, but on Linux it sits on a futex that ThreadSanitizer doesn't know,
/// and every use of it is reported as a race; a pthread mutex is understood.
///
/// Never yield, finish, resume or cancel inside ``withLock(_:)``: all of these can call back into
/// code that takes the same lock.
package final class Lock<Value: Sendable>: Sendable {
  // The mutex and the value live at a fixed address and are only touched between lock and unlock.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // As above.
  private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

  /// Puts a value behind a mutex.
  package init(_ initialValue: Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Gives exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}

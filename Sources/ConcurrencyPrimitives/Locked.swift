public import PlatformModules

/// Guards a value with a `pthread_mutex_t`. ThreadSanitizer doesn't see the futex of `Synchronization.Mutex`
/// on Linux, and would report every guarded access as a race. Copies share the value.
///
/// The lock isn't recursive, and its closure mustn't run other code: it must not resume, yield, finish or cancel
/// anything, or release a caller's value. Let the closure return such work, and do it afterward.
///
/// This type and ``Watched`` are public, although the module isn't a product, because the compiler inlines and
/// specializes public code in other modules, but not `package` code. Without that, a feedback loop spent a third of its
/// time looking up the types of generic code.
///
/// Safe to share: the value is read and written only while the mutex is held.
@safe public struct Locked<Value: Sendable>: @unchecked Sendable {
  /// A single object holds both: the value is the header, and the mutex, which mustn't move, is the only element.
  @unsafe @usableFromInline
  final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
      _ = unsafe withUnsafeMutablePointerToElements { unsafe pthread_mutex_destroy($0) }
    }
  }

  @usableFromInline
  let storage: ManagedBuffer<Value, pthread_mutex_t>

  /// Creates an unlocked lock around a value.
  @inlinable
  public init(_ value: Value) {
    unsafe storage = Storage.create(minimumCapacity: 1) { buffer in
      unsafe buffer.withUnsafeMutablePointerToElements { mutex in
        unsafe mutex.initialize(to: pthread_mutex_t())
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed")
      }
      return value
    }
  }

  /// Runs a closure with the value while the lock is held.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe storage.withUnsafeMutablePointers { value, mutex throws(Failure) in
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try unsafe body(&value.pointee)
    }
  }
}

internal import FlyingSocks

#if canImport(Darwin)
  typealias LoopbackEventQueue = kQueue
#else
  typealias LoopbackEventQueue = ePoll
#endif

/// The one socket pool of the process: a thread that sleeps in the system's event queue.
///
/// One for all servers, because FlyingSocks leaks the event descriptor of a pool that ends, and a
/// test run starts hundreds of servers.
actor LoopbackPool {
  static let shared = LoopbackPool()

  private var starting: Task<SocketPool<LoopbackEventQueue>, any Error>?

  /// The pool, running.
  ///
  /// It lives as long as the process, so nobody cancels its task.
  func pool() async throws -> SocketPool<LoopbackEventQueue> {
    // Kept as a task, so that a second caller doesn't get a pool that isn't prepared yet.
    let starting =
      self.starting
      ?? Task {
        #if canImport(Darwin)
          let pool = SocketPool.kQueue(maxEvents: 256)
        #else
          let pool = SocketPool.ePoll(maxEvents: 256)
        #endif
        try await pool.prepare()
        Task { try await pool.run() }
        return pool
      }
    self.starting = starting
    return try await starting.value
  }
}

extension SocketPool {
  /// Waits until the pool has finished what it is doing.
  ///
  /// The pool resumes a waiter first and forgets its descriptor next. A waiter that closes the
  /// descriptor between the two leaves it in the pool's books, and the next connection that gets
  /// the same number is never polled. So: have a turn on the pool, then close.
  func settle() {}
}

internal import FlyingSocks

#if canImport(Darwin)
  typealias LoopbackEventQueue = kQueue
#else
  typealias LoopbackEventQueue = ePoll
#endif

/// The process's only socket pool: a thread that sleeps in the system's event queue.
///
/// All servers share it, because FlyingSocks leaks the event descriptor of a pool that ends, and a test run starts
/// hundreds of servers.
actor LoopbackPool {
  static let shared = LoopbackPool()

  private var starting: Task<SocketPool<LoopbackEventQueue>, any Error>?

  /// The running pool. It lives as long as the process, so nothing cancels its task.
  func pool() async throws -> SocketPool<LoopbackEventQueue> {
    // A task, so that a second caller doesn't get a pool that isn't ready.
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
  /// Waits until the pool has finished its turn.
  ///
  /// The pool resumes a waiter first, and then forgets its descriptor. If the waiter closes the descriptor in between,
  /// the pool keeps it, and never polls the next connection with the same number. So take a turn on the pool before
  /// closing.
  func settle() {}
}

internal import FlyingSocks
internal import PlatformModules

/// Waits for sockets no longer than a time. FlyingSocks itself waits for a client forever.
struct PatientPool: AsyncSocketPool {
  #if canImport(Darwin)
    private let pool = SocketPool.kQueue()
  #else
    private let pool = SocketPool.ePoll()
  #endif
  /// The longest wait; nil for no limit.
  var patience: Duration?

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    guard let patience else { return try await pool.suspendSocket(socket, untilReadyFor: events) }
    let isReady: Void? = try await within(patience) {
      try await pool.suspendSocket(socket, untilReadyFor: events)
    }
    if isReady == nil { throw SocketError.disconnected }
  }

  /// Waits until the pool has finished its turn.
  ///
  /// It resumes a waiter before it forgets the waiter's descriptor. If the waiter closes that in between, the pool
  /// never polls the next connection with the same number.
  func settle() async { await pool.settle() }
}

extension SocketPool {
  fileprivate func settle() {}
}

/// Runs work, which is canceled after a time. Returns nil if so.
func within<Result: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask(operation: work)
    group.addTask {
      try await ContinuousClock().sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}

internal import ConcurrencyPrimitives
internal import FlyingSocks
internal import PlatformModules

/// Ends connections that are silent or take too long. FlyingFox itself waits for a client forever.
struct BoundedSocketPool: AsyncSocketPool {
  /// The longest wait for a client's next bytes.
  static let patience = Duration.seconds(5)
  /// The longest life of a connection, for clients that send a byte now and then.
  static let longestLife = Duration.seconds(60)

  private let pool: any AsyncSocketPool
  private let clock = ContinuousClock()
  /// The times when connections first waited, by the client's address.
  private let beginnings = Locked<[Socket.Address: ContinuousClock.Instant]>([:])

  init(_ pool: any AsyncSocketPool) {
    self.pool = pool
  }

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // The listening socket has no peer, and waits as long as it takes.
    guard let peer = try? socket.remotePeer() else {
      return try await pool.suspendSocket(socket, untilReadyFor: events)
    }
    let rest = min(rest(of: peer), Self.patience)
    let isReady = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await pool.suspendSocket(socket, untilReadyFor: events)
        return true
      }
      group.addTask {
        try await clock.sleep(for: rest)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
    if !isReady { throw SocketError.disconnected }
  }

  private func rest(of peer: Socket.Address) -> Duration {
    let now = clock.now
    return beginnings.withLock { beginnings in
      // Ended connections aren't reported, and their port is used again much later.
      if beginnings.count > 1000 {
        beginnings = beginnings.filter { $0.value.duration(to: now) < Self.longestLife * 2 }
      }
      let age = beginnings[peer].map { $0.duration(to: now) } ?? .zero
      if age == .zero || age > Self.longestLife * 2 { beginnings[peer] = now }
      return age > Self.longestLife * 2 ? Self.longestLife : Self.longestLife - age
    }
  }
}

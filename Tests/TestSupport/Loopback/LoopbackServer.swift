internal import FlyingSocks
internal import PlatformModules

/// An HTTP/1.1 server on 127.0.0.1, whose answers a test scripts down to the bytes.
///
/// It keeps connections alive, takes origin-form and absolute-form targets, so that it can stand in for an HTTP proxy,
/// and notices a client that leaves while its answer is held.
///
/// ```swift
/// try await withLoopbackServer { _ in
///   .json("[]")
/// } perform: { server in
///   // … ask server.url for something …
///   let request = try await server.log.waitForRequest()
///   #expect(request.headers["Accept"] == "application/vnd.github+json")
/// }
/// ```
///
/// Pipelined requests are answered in order. A client that closes its sending side counts as gone.
public final class LoopbackServer: Sendable {
  /// Answers a request. It is cancelled if the client leaves, and must then end.
  public typealias Handler = @Sendable (LoopbackRequest) async -> LoopbackResponse

  /// The port that the server listens on.
  public let port: UInt16
  /// The received requests and their outcomes.
  public let log: RequestLog
  private let accepting: Task<Void, Never>

  private init(port: UInt16, log: RequestLog, accepting: Task<Void, Never>) {
    self.port = port
    self.log = log
    self.accepting = accepting
  }

  deinit {
    accepting.cancel()
  }

  /// `http://127.0.0.1:PORT`, without a slash at the end.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: The port to listen on; 0 lets the system choose.
  ///   - clock: Measures the pauses of answers.
  ///   - keepsLog: Whether ``log`` keeps the requests. For benchmarks, it can only count them.
  ///   - handler: Answers the requests.
  /// - Returns: The server, listening.
  /// - Throws: An error if it can't listen on the port.
  public static func start(
    port: UInt16 = 0,
    clock: any Clock<Duration> = ContinuousClock(),
    keepsLog: Bool = true,
    handler: @escaping Handler
  ) async throws -> LoopbackServer {
    let pool = try await LoopbackPool.shared.pool()
    let socket = try Socket(domain: AF_INET)
    let listener: AsyncSocket
    let address: Socket.Address
    do {
      closeOnExec(socket)
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
      try socket.listen(maxPendingConnection: 1024)
      listener = try AsyncSocket(socket: socket, pool: pool)
      address = try socket.sockname()
    } catch {
      try? socket.close()
      throw error
    }
    guard case .ip4(_, let actualPort) = address else { throw SocketError.unsupportedAddress }
    let log = RequestLog(keepsEntries: keepsLog)
    let accepting = Task {
      await accept(on: listener, pool: pool, log: log, clock: clock, handler: handler)
    }
    return LoopbackServer(port: actualPort, log: log, accepting: accepting)
  }

  /// Closes the listening socket and every connection, and waits until that is done.
  public func stop() async {
    log.stopping()
    accepting.cancel()
    await accepting.value
  }

  private static func accept(
    on listener: AsyncSocket, pool: SocketPool<LoopbackEventQueue>, log: RequestLog,
    clock: any Clock<Duration>, handler: @escaping Handler
  ) async {
    let highestDescriptor = highestDescriptor()
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        do {
          let socket = try await listener.accept()
          prepare(socket.socket)
          let isCrowded = socket.socket.file.rawValue >= highestDescriptor
          let connection = LoopbackConnection(
            id: log.connectionOpened(), socket: socket, pool: pool, log: log, clock: clock,
            handler: handler, answersOnce: isCrowded
          )
          group.addTask { await connection.serve() }
          if isCrowded {
            try await log.openConnections(atMost: max(log.openConnections - 1, 0))
          }
        } catch is CancellationError {
          break
        } catch {
          // A client that left before it was accepted, or no free descriptor (EMFILE). The listening socket is still
          // good, and the next connection that ends frees a descriptor.
          if case SocketError.failed(_, EMFILE, _) = error {
            try? await log.openConnections(atMost: max(log.openConnections - 1, 0))
          }
          await Task.yield()
        }
      }
      // Closed before waiting for the connections, so that no client connects meanwhile.
      await pool.settle()
      try? listener.close()
      group.cancelAll()
    }
  }

  /// From this descriptor on, the server takes one connection at a time, for one answer each.
  ///
  /// Some descriptors must stay free: on Linux libdispatch sometimes opens `/proc/self/task/…/stat` to look at its
  /// threads, and traps if it can't.
  private static func highestDescriptor() -> Int32 {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return .max }
    return Int32(clamping: limit.rlim_cur) - 16
  }

  private static func prepare(_ socket: Socket) {
    closeOnExec(socket)
    try? socket.setValue(1, for: Int32SocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
  }

  /// A command that a test starts must not inherit a connection, which would then stay open.
  private static func closeOnExec(_ socket: Socket) {
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
  }
}

/// Starts a loopback server, runs `body` with it, and stops it, however `body` ends.
///
/// - Parameters:
///   - clock: Measures the pauses of answers.
///   - isolation: The caller's, in which `body` runs.
///   - handler: Answers the requests.
///   - body: Uses the server.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or of starting the server.
public func withLoopbackServer<Result: Sendable>(
  clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation,
  answering handler: @escaping LoopbackServer.Handler,
  perform body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  let server = try await LoopbackServer.start(clock: clock, handler: handler)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

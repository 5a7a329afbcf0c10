import FlyingSocks
import Foundation

#if canImport(Darwin)
  import Darwin
  private typealias EventQueue = kQueue
#elseif canImport(Musl)
  import Musl
  private typealias EventQueue = ePoll
#else
  import Glibc
  private typealias EventQueue = ePoll
#endif

/// A server on 127.0.0.1 that answers when the test says so, and tells when a client closes its connection.
///
/// ```swift
/// let request = try await server.next()
/// #expect(request.target == "/rate_limit")
/// try await request.answer("{}")
/// ```
final actor ScriptedServer {
  /// The port, which stays the same when the server goes offline and back.
  private(set) var port: UInt16 = 0
  /// The paths and queries of the requests so far, in the order of their arrival.
  private(set) var targets: [String] = []

  private let pool: SocketPool<EventQueue>
  private let (arrivals, arrival) = AsyncStream.makeStream(of: ScriptedRequest.self)
  private var accepting: Task<Void, Never>?

  /// Starts a server.
  init() async throws {
    pool = try await Pool.shared.running()
    try goOnline()
  }

  deinit {
    accepting?.cancel()
  }

  /// `http://127.0.0.1:PORT`
  var url: String { "http://127.0.0.1:\(port)" }

  /// Waits for the next request.
  func next() async throws -> ScriptedRequest {
    for await request in arrivals { return request }
    throw CancellationError()
  }

  /// Listens, on the same port as before if there was one.
  func goOnline() throws {
    let socket = try Socket(domain: AF_INET)
    try socket.setValue(true, for: .localAddressReuse)
    try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
    try socket.listen()
    guard case .ip4(_, let port) = try socket.sockname() else {
      throw SocketError.unsupportedAddress
    }
    self.port = port
    let listener = try AsyncSocket(socket: socket, pool: pool)
    accepting = Task { [pool, weak self] in
      await withDiscardingTaskGroup { group in
        while let socket = try? await listener.accept() {
          group.addTask { await self?.serve(socket) }
        }
        await pool.settle()
        try? listener.close()
        group.cancelAll()
      }
    }
  }

  /// Closes the listening socket and every connection, and waits until that is done.
  func goOffline() async {
    accepting?.cancel()
    await accepting?.value
  }

  private func arrived(_ request: ScriptedRequest) {
    targets.append(request.target)
    arrival.yield(request)
  }

  /// Reads requests without a body until one side closes the connection.
  nonisolated private func serve(_ socket: AsyncSocket) async {
    let (closings, closing) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    var received = ""
    do {
      while true {
        received += String(decoding: try await socket.read(atMost: 4096), as: UTF8.self)
        while let end = received.range(of: "\r\n\r\n") {
          let target = received.split(separator: " ", maxSplits: 2)[1]
          await arrived(ScriptedRequest(target: String(target), socket: socket, closings: closings))
          received.removeSubrange(..<end.upperBound)
        }
      }
    } catch SocketError.disconnected {
      closing.yield(.now)
    } catch {
      // The server goes offline.
    }
    closing.finish()
    await pool.settle()
    try? socket.close()
  }
}

/// A request that waits for its answer.
struct ScriptedRequest: Sendable {
  /// The path and the query.
  let target: String
  fileprivate let socket: AsyncSocket
  fileprivate let closings: AsyncStream<ContinuousClock.Instant>

  /// Answers, and keeps the connection.
  func answer(_ body: String, status: Int = 200, headers: [String: String] = [:]) async throws {
    var head = "HTTP/1.1 \(status) Said\r\nContent-Type: application/json\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(body.utf8.count)\r\n\r\n"
    try await socket.write(Data((head + body).utf8))
  }

  /// Refuses, because of a limit that ends at a time.
  func refuse(until end: Date) async throws {
    try await answer(
      #"{"message": "API rate limit exceeded"}"#, status: 403,
      headers: [
        "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "\(Int(end.timeIntervalSince1970))",
        "x-ratelimit-resource": "search",
      ])
  }

  /// Waits until the client closes the connection.
  ///
  /// - Returns: When the server saw it.
  /// - Throws: `CancellationError` if the server closed it.
  func dropped() async throws -> ContinuousClock.Instant {
    for await instant in closings { return instant }
    throw CancellationError()
  }
}

/// The pool of all servers: FlyingSocks leaks the event queue of a pool that ends.
private actor Pool {
  static let shared = Pool()

  private var starting: Task<SocketPool<EventQueue>, any Error>?

  func running() async throws -> SocketPool<EventQueue> {
    let starting =
      self.starting
      ?? Task {
        #if canImport(Darwin)
          let pool = SocketPool.kQueue(maxEvents: 64)
        #else
          let pool = SocketPool.ePoll(maxEvents: 64)
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
  /// Takes a turn on the pool. Without one, the pool may still know a descriptor that is closed, and would never poll
  /// the next connection with its number.
  fileprivate func settle() {}
}

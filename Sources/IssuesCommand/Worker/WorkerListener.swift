internal import FlyingSocks
internal import HTTPTypes
internal import PlatformModules
internal import StyledText

/// The HTTP server of a worker (`--listen`). It has no TLS: that is for a proxy in front of it.
struct WorkerListener: Sendable {
  /// The longest wait for a client's next bytes.
  static let patience = Duration.seconds(5)
  /// The longest life of a connection, for clients that send a byte now and then.
  private static let longestLife = Duration.seconds(60)
  /// More clients wait until a connection ends.
  private static let mostConnections = 256
  /// The time before the next try, after the system had no descriptor for another connection.
  private static let pause = Duration.seconds(1)

  /// The address, with the port that the system has chosen in place of 0.
  let address: ListenAddress
  private let task: Task<Void, Never>

  /// Begins to listen. It ends with ``stop()``.
  static func start(at address: ListenAddress, _ endpoints: WorkerEndpoints)
    async throws(CommandFailure) -> WorkerListener
  {
    do {
      let pool = PatientPool()
      try await pool.prepare()
      let socket = try address.listeningSocket()
      let listener = try AsyncSocket(socket: socket, pool: pool)
      let port = try port(of: socket.sockname()) ?? address.port
      let task = Task {
        await withDiscardingTaskGroup { group in
          group.addTask { try? await pool.run() }
          await accept(on: listener, pool, endpoints)
          group.cancelAll()
        }
        try? listener.close()
      }
      return WorkerListener(address: address.with(port: port), task: task)
    } catch {
      let reason = if case SocketError.failed(_, let code, _) = error { code } else { CInt(0) }
      let words =
        unsafe reason == 0 ? "\(error)" : TerminalText(String(cString: strerror(reason))).string
      throw CommandFailure(
        .failed,
        "can't listen on \(address): \(words)"
          + (reason == EADDRINUSE ? "\nUse another port; 0 is any free one." : ""))
    }
  }

  func stop() { task.cancel() }

  private static func accept(
    on listener: AsyncSocket, _ pool: PatientPool, _ endpoints: WorkerEndpoints
  ) async {
    var patient = pool
    patient.patience = patience
    await withTaskGroup(of: Void.self) { [patient] group in
      var count = 0
      while !Task.isCancelled {
        if count == mostConnections {
          await group.next()
          count -= 1
        }
        do {
          let socket = try await listener.accept().socket
          count += 1
          group.addTask {
            _ = try? await within(longestLife) { try await serve(socket, patient, endpoints) }
            // Then the pool has forgotten the descriptor, which the next connection gets.
            await pool.settle()
            try? socket.close()
          }
        } catch {
          try? await Task.sleep(for: pause)
        }
      }
      group.cancelAll()
    }
  }

  private static func serve(
    _ socket: Socket, _ pool: PatientPool, _ endpoints: WorkerEndpoints
  ) async throws {
    var connection = RequestConnection(try AsyncSocket(socket: socket, pool: pool))
    do {
      let request = try await connection.request()
      let response = try await endpoints.respond(to: request, &connection)
      try await connection.end(response, to: request.method)
    } catch let refusal as RequestConnection.Response {
      try await connection.end(refusal)
    }
  }

  private static func port(of address: Socket.Address) -> UInt16? {
    switch address {
    case .ip4(_, let port), .ip6(_, let port): port
    case .unix: nil
    }
  }
}

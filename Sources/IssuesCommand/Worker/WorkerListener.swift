internal import ConcurrencyPrimitives
internal import FlyingFox
internal import FlyingSocks
internal import PlatformModules
internal import StyledText

/// The HTTP server of a worker (`--listen`).
struct WorkerListener: Sendable {
  /// The time for a request and its response, more than any takes.
  private static let patience = 60.0
  /// The time before the server begins again, after the system had no descriptor for another connection.
  private static let pause = Duration.seconds(1)

  /// The address, with the port that the system has chosen in place of 0.
  let address: ListenAddress
  private let task: Task<Void, Never>

  /// Begins to listen. It ends with ``stop()``.
  static func start(at address: ListenAddress, _ endpoints: WorkerEndpoints)
    async throws(CommandFailure) -> WorkerListener
  {
    do {
      let server = try server(at: address, endpoints)
      let first = Task { try await server.run() }
      let listening = Task { try await server.waitUntilListening(timeout: patience) }
      // If the port is taken, the server ends before it listens.
      let ended = Task {
        let result = await first.result
        listening.cancel()
        return result
      }
      do {
        try await listening.value
      } catch {
        first.cancel()
        try await ended.value.get()
        throw error
      }
      let bound =
        await server.listeningAddress.flatMap(port(of:)).map(address.with(port:)) ?? address
      let task = Task {
        await withTaskCancellationHandler {
          _ = await first.result
        } onCancel: {
          first.cancel()
        }
        while !Task.isCancelled {
          try? await Task.sleep(for: pause)
          try? await Self.server(at: bound, endpoints).run()
        }
      }
      return WorkerListener(address: bound, task: task)
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

  private static func server(
    at address: ListenAddress, _ endpoints: WorkerEndpoints
  ) throws -> HTTPServer {
    func configuration(_ address: some SocketAddress) -> HTTPServer.Configuration {
      // Longer bodies aren't kept for a second reading.
      HTTPServer.Configuration(
        address: address, timeout: patience, sharedRequestReplaySize: 0,
        pool: BoundedSocketPool(HTTPServer.defaultPool()), logger: silent())
    }
    return HTTPServer(config: configuration(try address.socketAddress), handler: endpoints)
  }

  /// The package's logger that does nothing, whose initializer isn't public.
  private static func silent(_ logger: some Logging = .disabled) -> any Logging { logger }

  private static func port(of address: Socket.Address) -> UInt16? {
    switch address {
    case .ip4(_, let port), .ip6(_, let port): port
    case .unix: nil
    }
  }
}

internal import ConcurrencyPrimitives

/// A connection that works on its own thread, because waiting for the server in libpq would block a thread of the
/// cooperative pool.
actor PostgresConnection {
  private let queue: BlockingQueue
  private let session: PostgresSession
  private let cancellation: PostgresCancellation?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  static func open(
    _ address: PostgresAddress, schema: String, patience: PostgresPatience = PostgresPatience()
  ) async throws -> PostgresConnection {
    try Task.checkCancellation()
    return try await Opener(address, schema, patience).open()
  }

  fileprivate init(_ queue: BlockingQueue, _ session: sending PostgresSession) {
    self.queue = queue
    cancellation = session.cancellation
    self.session = session
  }

  /// Whether another transaction may use the connection.
  var isUsable: Bool { cancellation?.wasUsed != true && session.isUsable }

  /// Runs a closure that may wait for the server. Canceling the calling task cancels the statement on the server.
  func run<Value: Sendable>(
    _ body: @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    // The work is over, so there is nothing left to cancel.
    defer { if cancellation?.wasUsed == true { cancellation?.end() } }
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      do {
        return try body(session)
      } catch let failure as PostgresFailure
        where Task.isCancelled && (failure.sqlState == "57014" || failure.sqlState == nil)
      {
        // The server has canceled the statement, or doesn't respond to the cancellation.
        throw CancellationError()
      }
    } onCancel: {
      cancellation?.send()
    }
  }

  /// Connects on the connection's own thread.
  private actor Opener {
    private let queue = BlockingQueue(label: "PostgreSQL")
    private let address: PostgresAddress
    private let schema: String
    private let patience: PostgresPatience

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe queue.asUnownedSerialExecutor()
    }

    init(_ address: PostgresAddress, _ schema: String, _ patience: PostgresPatience) {
      self.address = address
      self.schema = schema
      self.patience = patience
    }

    func open() throws -> PostgresConnection {
      PostgresConnection(queue, try PostgresSession(address, schema: schema, patience: patience))
    }
  }
}

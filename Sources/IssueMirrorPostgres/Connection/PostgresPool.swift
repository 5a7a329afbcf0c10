internal import ConcurrencyPrimitives

/// Reusable connections to one database.
final class PostgresPool: Sendable {
  private struct State: Sendable {
    var idle: [PostgresConnection] = []
    var count = 0
  }

  let address: PostgresAddress
  let schema: String
  /// The most connections. Each connection is a process on the server.
  private let most: Int
  private let patience: PostgresPatience
  private let state = Watched(State())

  init(_ address: PostgresAddress, schema: String, most: Int, patience: PostgresPatience) {
    self.address = address
    self.schema = schema
    self.most = most
    self.patience = patience
  }

  /// Waits for a free connection. A connection that failed or was canceled isn't reused.
  func withConnection<Value: Sendable>(
    _ body: (PostgresConnection) async throws -> Value
  ) async throws -> Value {
    let most = most
    let taken = await state.take {
      !$0.idle.isEmpty || $0.count < most
    } _: { state in
      let connection = state.idle.popLast()
      if connection == nil { state.count += 1 }
      return connection
    }
    guard let taken else { throw CancellationError() }
    var connection: PostgresConnection?
    do {
      let used = if let taken { taken } else { try await open() }
      connection = used
      let value = try await body(used)
      await giveBack(used)
      return value
    } catch {
      await giveBack(connection)
      throw error
    }
  }

  /// Opens a connection outside the pool.
  func open() async throws -> PostgresConnection {
    try await PostgresConnection.open(address, schema: schema, patience: patience)
  }

  private func giveBack(_ connection: PostgresConnection?) async {
    let isUsable = await connection?.isUsable ?? false
    state.update { state in
      if isUsable, let connection { state.idle.append(connection) } else { state.count -= 1 }
    }
  }
}

internal import CPostgres

/// A connection that must be used by one thread at a time. Each call waits for the server.
// @safe: it owns the connection.
@safe
final class PostgresSession {
  private let connection: OpaquePointer
  private var prepared: [String: String] = [:]

  /// The most prepared statements. Further ones are mostly searches, which are rarely repeated.
  private static let mostPrepared = 100

  init(_ address: PostgresAddress, schema: String) throws {
    unsafe connection = try address.connect()
    guard unsafe cpostgres_server_version(connection) >= 140_000 else {
      throw PostgresFailure("the server is older than PostgreSQL 14")
    }
    guard unsafe Self.setting("server_encoding", connection) == "UTF8" else {
      throw PostgresFailure("the encoding of the database isn't UTF8")
    }
    // The plan of a search depends on its words. A lock is held for a page at most.
    try run(
      """
      SET plan_cache_mode = force_custom_plan; SET jit = off; SET lock_timeout = '60s';
      SET search_path = \(Self.quoted(schema)); SET TimeZone = 'UTC'
      """)
  }

  deinit {
    unsafe cpostgres_finish(connection)
  }

  /// Whether another transaction may begin.
  var isUsable: Bool {
    unsafe cpostgres_status(connection) == Int32(CPOSTGRES_OK)
      && cpostgres_transaction_status(connection) == Int32(CPOSTGRES_TRANSACTION_IDLE)
  }

  func makeCancellation() -> PostgresCancellation? {
    unsafe cpostgres_get_cancel(connection).map { unsafe PostgresCancellation(taking: $0) }
  }

  /// Runs statements without values.
  func run(_ sql: String) throws {
    _ = unsafe try rows(of: cpostgres_exec(connection, sql))
  }

  /// Throws in a canceled task before it starts a statement: the server may have received the cancellation earlier,
  /// between two statements.
  @discardableResult
  func rows(_ sql: PostgresSQL, isPrepared: Bool = true) throws -> PostgresRows {
    try Task.checkCancellation()
    let (text, parameters) = sql.rendered
    guard isPrepared, let name = try preparedName(text, parameters) else {
      return unsafe try withValues(of: parameters) { values, lengths in
        let types = parameters.map(\.type)
        return unsafe try rows(
          of: cpostgres_exec_parameters(
            connection, text, Int32(parameters.count), types, values, lengths))
      }
    }
    return unsafe try withValues(of: parameters) { values, lengths in
      unsafe try rows(
        of: cpostgres_exec_prepared(connection, name, Int32(parameters.count), values, lengths))
    }
  }

  func first(_ sql: PostgresSQL, isPrepared: Bool = true) throws -> PostgresRow? {
    try rows(sql, isPrepared: isPrepared).first
  }

  /// Returns the first column of all rows.
  func column<Value: PostgresDecodable>(
    _ sql: PostgresSQL, isPrepared: Bool = true
  ) throws -> [Value] {
    try rows(sql, isPrepared: isPrepared).map { try $0.value(0) }
  }

  enum Access: String {
    /// All statements see the same snapshot.
    case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// Each statement sees the commits of others, so a transaction that waited for a lock sees the changes of the
    /// transaction that held it. The server ends the transaction if its client hangs, because others would wait for its
    /// locks. The timeout is short because the statements follow each other immediately.
    case writing =
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL idle_in_transaction_session_timeout = '10s'"
  }

  func transaction<Value>(
    _ access: Access, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    try run(access.rawValue)
    let value: Value
    do {
      value = try body(self)
    } catch {
      // If this fails, the connection isn't reused.
      try? run("ROLLBACK")
      throw error
    }
    do {
      try run("COMMIT")
    } catch var failure as PostgresFailure {
      // The transaction may have been committed, so it must not be retried as after a lost connection.
      failure.isLost = false
      throw failure
    }
    return value
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.unicodeScalars.map { $0 == "\"" ? "\"\"" : "\($0)" }.joined())\""
  }

  private func preparedName(_ text: String, _ parameters: [PostgresParameter]) throws -> String? {
    if let name = prepared[text] { return name }
    guard prepared.count < Self.mostPrepared else { return nil }
    let name = "issues_\(prepared.count)"
    _ = unsafe try rows(
      of: cpostgres_prepare(
        connection, name, text, Int32(parameters.count), parameters.map(\.type)))
    prepared[text] = name
    return name
  }

  private func withValues<Value>(
    of parameters: [PostgresParameter],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) throws -> Value
  ) throws -> Value {
    guard parameters.count <= 128 else {
      throw PostgresFailure("a statement has more than 128 values")
    }
    // All values share one allocation, with stable addresses.
    var storage: [UInt8] = []
    storage.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
    var starts: [Int?] = []
    var lengths: [Int32] = []
    for parameter in parameters {
      starts.append(parameter.bytes == nil ? nil : storage.count)
      lengths.append(Int32(parameter.bytes?.count ?? 0))
      storage.append(contentsOf: parameter.bytes ?? [])
    }
    // An empty value needs an address as well.
    storage.append(0)
    return try unsafe storage.withUnsafeBytes { bytes in
      var values: [UnsafePointer<CChar>?] = unsafe []
      for start in starts {
        unsafe values.append(
          start.flatMap { start in
            unsafe bytes.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) }
          })
      }
      return try unsafe body(values, lengths)
    }
  }

  private func rows(of result: OpaquePointer?) throws -> PostgresRows {
    guard let result = unsafe result else { throw failure(sqlState: nil, message: nil) }
    switch unsafe cpostgres_result_status(result) {
    case Int32(CPOSTGRES_COMMAND_OK), Int32(CPOSTGRES_TUPLES_OK):
      return unsafe PostgresRows(taking: result)
    default:
      defer { unsafe cpostgres_clear(result) }
      // The primary message doesn't contain values from rows; they are in the detail.
      throw failure(
        sqlState: unsafe Self.text(
          cpostgres_result_field(result, Int32(CPOSTGRES_SQLSTATE))),
        message: unsafe Self.text(
          cpostgres_result_field(result, Int32(CPOSTGRES_MESSAGE))))
    }
  }

  private func failure(sqlState: String?, message: String?) -> PostgresFailure {
    let isLost = unsafe cpostgres_status(connection) != Int32(CPOSTGRES_OK)
    let reason =
      unsafe message ?? Self.text(cpostgres_error_message(connection)) ?? "it gives no reason"
    return PostgresFailure(PostgresAddress.oneLine(reason), sqlState: sqlState, isLost: isLost)
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? {
    unsafe text.map { unsafe String(cString: $0) }
  }

  private static func setting(_ name: String, _ connection: OpaquePointer) -> String? {
    unsafe text(cpostgres_setting(connection, name))
  }
}

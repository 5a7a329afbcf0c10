internal import CPostgres

/// A connection that must be used by one thread at a time. Each call waits for the server.
// @safe: it owns the connection.
@safe
final class PostgresSession {
  private let connection: OpaquePointer
  private let address: PostgresAddress
  private let schema: String
  private let patience: PostgresPatience
  let cancellation: PostgresCancellation?

  init(_ address: PostgresAddress, schema: String, patience: PostgresPatience) throws {
    unsafe connection = try address.connect()
    (self.address, self.schema, self.patience) = (address, schema, patience)
    cancellation = unsafe cpostgres_get_cancel(connection).map {
      unsafe PostgresCancellation(taking: $0)
    }
    guard unsafe cpostgres_server_version(connection) >= 140_000 else {
      throw PostgresFailure("the server is older than PostgreSQL 14")
    }
    guard unsafe Self.setting("server_encoding", connection) == "UTF8" else {
      throw PostgresFailure(
        "the encoding of the database isn't UTF8: create it with ENCODING 'UTF8' TEMPLATE template0"
      )
    }
  }

  deinit {
    unsafe cpostgres_finish(connection)
  }

  /// Whether another transaction may begin. This is false if the response to a statement is missing.
  var isUsable: Bool {
    unsafe cpostgres_status(connection) == Int32(CPOSTGRES_OK)
      && cpostgres_transaction_status(connection) == Int32(CPOSTGRES_TRANSACTION_IDLE)
  }

  /// Runs statements without values.
  func run(_ sql: String) throws { _ = try texts(sql) }

  /// Returns the rows of the last of several statements. All their columns must be texts.
  private func texts(_ sql: String) throws -> PostgresRows {
    guard unsafe cpostgres_send(connection, sql) == 1 else { throw failure() }
    return try rows()
  }

  /// Throws in a canceled task before it starts a statement: the server may have received the cancellation earlier,
  /// between two statements.
  @discardableResult
  func rows(_ sql: PostgresSQL) throws -> PostgresRows {
    try Task.checkCancellation()
    let (text, parameters) = sql.rendered
    try unsafe withValues(of: parameters) { values, lengths in
      guard
        unsafe cpostgres_send_parameters(
          connection, text, Int32(parameters.count), parameters.map(\.type), values, lengths) == 1
      else { throw failure() }
    }
    return try rows()
  }

  func first(_ sql: PostgresSQL) throws -> PostgresRow? { try rows(sql).first }

  /// Returns the first column of all rows.
  func column<Value: PostgresDecodable>(_ sql: PostgresSQL) throws -> [Value] {
    try rows(sql).map { try $0.value(0) }
  }

  enum Access {
    /// All statements see the same snapshot.
    case reading
    /// Each statement sees the commits of others, so a transaction that waited for a lock sees the changes of the
    /// transaction that held it. It throws if a later version of the program has migrated the tables, and the tables
    /// aren't migrated while it runs.
    case writing
    /// Creates or migrates the tables, one process at a time. Writers wait until it ends.
    case migrating
  }

  func transaction<Value>(
    _ access: Access, _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    let value: Value
    do {
      try begin(access)
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

  /// Begins a transaction in one message. It makes all settings for the transaction alone, because with a pooler the
  /// next transaction may run on another connection to the server.
  func begin(_ access: Access) throws {
    // A lock of another writer is held for a page at most.
    let settings = """
      SET LOCAL search_path = \(Self.quoted(schema)); SET LOCAL jit = off; SET LOCAL TimeZone = 'UTC'; \
      SET LOCAL lock_timeout = '60s'
      """
    // The server ends a transaction if its client hangs, because others would wait for its locks. The timeout is short
    // because the statements follow each other immediately.
    let write = """
      BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(settings); \
      SET LOCAL idle_in_transaction_session_timeout = '10s'
      """
    // A lock of the transaction, because a pooler would lose a lock of the session.
    let key = "hashtextextended(\(Self.literal("issues " + schema)), 0)"
    switch access {
    case .reading: try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings)")
    case .writing:
      // The version is read by a statement of its own, which sees a migration that the lock waited for.
      let version = try texts(
        "\(write); SELECT pg_advisory_xact_lock_shared(\(key)); SELECT version::text FROM mirror"
      ).first.map { try $0.value(0) as String }
      guard let version = version.flatMap({ Int($0) }) else { return }
      try PostgresSchema.checkVersion(version)
    case .migrating:
      try run(
        """
        \(write); SET LOCAL statement_timeout = 0; \
        SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(key)); \
        SET LOCAL lock_timeout = '60s'
        """)
    }
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.unicodeScalars.map { $0 == "\"" ? "\"\"" : "\($0)" }.joined())\""
  }

  private static func literal(_ text: String) -> String {
    "'\(text.unicodeScalars.map { $0 == "'" ? "''" : "\($0)" }.joined())'"
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

  /// The rows of the last statement that was sent. Throws the first failure.
  private func rows() throws -> PostgresRows {
    var rows: PostgresRows?
    var problem: PostgresFailure?
    while let result = try unsafe nextResult() {
      switch unsafe cpostgres_result_status(result) {
      case Int32(CPOSTGRES_COMMAND_OK), Int32(CPOSTGRES_TUPLES_OK):
        rows = unsafe PostgresRows(taking: result)
      default:
        defer { unsafe cpostgres_clear(result) }
        // The primary message doesn't contain values from rows; they are in the detail.
        problem =
          problem
          ?? failure(
            sqlState: unsafe Self.text(
              cpostgres_result_field(result, Int32(CPOSTGRES_SQLSTATE))),
            message: unsafe Self.text(
              cpostgres_result_field(result, Int32(CPOSTGRES_MESSAGE))))
      }
    }
    if let problem { throw problem }
    guard let rows else { throw failure() }
    return rows
  }

  /// Waits as long as the server lives.
  private func nextResult() throws -> OpaquePointer? {
    var silence = Duration.zero
    let step = min(patience.silence, .seconds(1))
    while true {
      switch unsafe cpostgres_wait(connection, Int32(step.milliseconds)) {
      case Int32(CPOSTGRES_READY): return unsafe cpostgres_next_result(connection)
      case Int32(CPOSTGRES_SILENT):
        silence += step
        if cancellation?.wasUsed == true, silence >= PostgresPatience.canceled {
          throw PostgresFailure.silent
        }
        guard silence >= patience.silence else { continue }
        guard isServerAlive else { throw PostgresFailure.silent }
        silence = .zero
      default: throw failure()
      }
    }
  }

  /// Whether the server responds on another connection. It may be busy with a long statement on this one.
  private var isServerAlive: Bool {
    // The probe has no probe of its own.
    guard let limit = patience.probe else { return false }
    do {
      let probe = try PostgresSession(
        address.waiting(limit), schema: schema,
        patience: PostgresPatience(silence: limit, probe: nil))
      try probe.run("SELECT")
      return true
    } catch {
      // A refusal, for example of too many connections, is a response as well.
      return "\(error)".contains("FATAL:")
    }
  }

  private func failure(sqlState: String? = nil, message: String? = nil) -> PostgresFailure {
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

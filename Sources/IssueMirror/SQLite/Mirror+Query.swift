internal import CSQLite
internal import GRDB
internal import GRDBSQLite

extension Mirror {
  /// Runs a read-only SQL query. The views `issues` and `comments` are made for such queries.
  ///
  /// ```swift
  /// let answer = try await mirror.query("SELECT state, count(*) FROM issues GROUP BY state")
  /// for row in answer.rows { print(row) }
  /// ```
  ///
  /// Canceling the task ends the query.
  ///
  /// - Parameters:
  ///   - sql: A single read-only statement.
  ///   - timeLimit: The longest time that the query may take.
  /// - Returns: The result of the query.
  /// - Throws: ``MirrorFailure``; ``MirrorFailure/Code/queryRefused`` for any other statement,
  ///   ``MirrorFailure/Code/queryTooCostly`` if it takes too long or its result exceeds ``QueryAnswer/largestSize``
  ///   bytes.
  public func query(
    _ sql: String, timeLimit: Duration = .seconds(60)
  ) async throws(MirrorFailure) -> QueryAnswer {
    do {
      var configuration = database.configuration
      configuration.readonly = true
      let queue = try DatabaseQueue(path: database.path, configuration: configuration)
      return try await queue.unsafeRead { db in
        guard let connection = unsafe db.sqliteConnection else {
          throw DatabaseError(resultCode: .SQLITE_MISUSE)
        }
        // When an index is first used, FTS5 reads its own tables, which a query isn't allowed to do.
        for table in SearchIndex.tables {
          _ = try Row.fetchOne(db, sql: "SELECT 1 FROM \(table) LIMIT 0")
        }
        // The views can be trusted: the schema was compared when the mirror was opened.
        unsafe csqlite_trust_schema(UnsafeMutableRawPointer(connection), 1)
        return try unsafe ReadOnlyStatement.answer(to: sql, connection, until: .now + timeLimit)
      }
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }
}

private enum ReadOnlyStatement {
  private final class Deadline {
    let instant: ContinuousClock.Instant
    private(set) var isOver = false

    init(_ instant: ContinuousClock.Instant) { self.instant = instant }

    func check() -> CInt {
      isOver = ContinuousClock.now >= instant
      return isOver ? 1 : 0
    }
  }

  /// The number of SQLite's steps between checks of the deadline. Within these steps, a function may create several
  /// values of the largest size, each in a tenth of a second.
  private static let stepsBetweenLooks: CInt = 100
  /// The limit of a value's size in bytes, larger than any issue.
  private static let longestValue: CInt = 16 << 20

  /// Afterwards, the connection can't be used for other work.
  static func answer(
    to sql: String, _ connection: OpaquePointer, until instant: ContinuousClock.Instant
  ) throws -> QueryAnswer {
    let deadline = Deadline(instant)
    unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longestValue)
    unsafe sqlite3_set_authorizer(connection, authorize, nil)
    unsafe sqlite3_progress_handler(
      connection, stepsBetweenLooks,
      { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().check()
      }, unsafe Unmanaged.passUnretained(deadline).toOpaque())
    defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
    return try withExtendedLifetime(deadline) {
      let statement = try unsafe prepare(sql, connection)
      defer { unsafe sqlite3_finalize(statement) }
      var answer = unsafe QueryAnswer(
        columns: (0..<sqlite3_column_count(statement)).map { index in
          unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0) } ?? ""
        })
      var size = 0
      while true {
        let code = unsafe sqlite3_step(statement)
        switch code & 0xFF {
        case SQLITE_ROW:
          let row = unsafe (0..<sqlite3_column_count(statement)).map {
            unsafe value(statement, $0, &size)
          }
          guard size <= QueryAnswer.largestSize else {
            throw MirrorFailure(
              .queryTooCostly,
              "The query's result has more than \(QueryAnswer.largestSize >> 20) MB: use LIMIT.")
          }
          answer.rows.append(row)
        case SQLITE_DONE: return answer
        case SQLITE_INTERRUPT where deadline.isOver:
          throw MirrorFailure(.queryTooCostly, "The query took too long.")
        default: throw unsafe failure(code, connection)
        }
      }
    }
  }

  private static func prepare(_ sql: String, _ connection: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    var rest = ""
    let code = unsafe sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      let code = unsafe sqlite3_prepare_v2(connection, text, -1, &statement, &tail)
      rest = unsafe tail.map { unsafe String(cString: $0) } ?? ""
      return code
    }
    guard code == SQLITE_OK else { throw unsafe failure(code, connection) }
    guard let statement = unsafe statement else { throw refusal("it is empty") }
    var isAlone = unsafe sqlite3_stmt_readonly(statement) != 0
    if isAlone, !rest.isEmpty {
      var second: OpaquePointer?
      let code = unsafe sqlite3_prepare_v2(connection, rest, -1, &second, nil)
      isAlone = unsafe code == SQLITE_OK && second == nil
      unsafe sqlite3_finalize(second)
    }
    guard isAlone else {
      unsafe sqlite3_finalize(statement)
      throw refusal("it must be a single read-only statement")
    }
    return unsafe statement
  }

  private static func value(
    _ statement: OpaquePointer, _ index: CInt, _ size: inout Int
  ) -> QueryAnswer.Value {
    size += 16
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(statement, index))
    case SQLITE_NULL: return .null
    default:
      // The server's JSON is text that is stored as bytes.
      let start = unsafe sqlite3_column_blob(statement, index)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(statement, index)))
      size += bytes.count
      return unsafe .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func failure(_ code: CInt, _ connection: OpaquePointer) -> any Error {
    let message = unsafe String(cString: sqlite3_errmsg(connection))
    switch code & 0xFF {
    case SQLITE_AUTH: return refusal("it may only read the mirror")
    case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_RANGE: return refusal(message)
    case SQLITE_TOOBIG:
      return MirrorFailure(.queryTooCostly, "The query can't be answered: \(message).")
    default:
      return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }

  private static func refusal(_ reason: String) -> MirrorFailure {
    MirrorFailure(.queryRefused, "The query can't be answered: \(reason).")
  }

  /// Allows only reading: <https://www.sqlite.org/c3ref/c_alter_table.html>.
  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> CInt = { _, action, first, second, _, _ in
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
      case SQLITE_FUNCTION:
        return unsafe second.map { unsafe String(cString: $0).lowercased() } == "load_extension"
          ? SQLITE_DENY : SQLITE_OK
      case SQLITE_PRAGMA:
        let allowed = [
          "data_version", "table_info", "table_xinfo", "table_list", "index_list", "index_info",
        ]
        return unsafe first.map { unsafe allowed.contains(String(cString: $0).lowercased()) }
          == true
          ? SQLITE_OK : SQLITE_DENY
      default: return SQLITE_DENY
      }
    }
}

/// The result of a query: see ``Mirror/query(_:timeLimit:)``.
///
/// Its text may come from anyone. Escape it before you show it on a terminal or a page.
public struct QueryAnswer: Hashable, Sendable {
  /// A value of a row.
  public enum Value: Hashable, Sendable {
    /// NULL.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text, or a BLOB: the mirror stores the server's JSON as BLOBs.
    case text(String)
  }

  /// The largest size of a result, in bytes.
  public static let largestSize = 256 << 20

  /// The names of the columns.
  public var columns: [String]
  /// The rows, each with a value for every column.
  public var rows: [[Value]] = []
}

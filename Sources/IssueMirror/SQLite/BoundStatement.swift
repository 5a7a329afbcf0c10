internal import GRDB
internal import GRDBSQLite
internal import PlatformModules

/// For statements executed very often: boxing arguments and making a `Row` takes a tenth of the time to store an
/// entry. This binds them one by one (<https://www.sqlite.org/c3ref/bind_blob.html>), and reads columns in place.
// @safe: GRDB's statement keeps SQLite's, and belongs to the connection, which outlives it.
@safe
struct BoundStatement {
  private let statement: Statement
  private let db: OpaquePointer?

  init(_ db: Database, sql: String) throws {
    self.init(try db.cachedStatement(sql: sql), of: db)
  }

  init(_ statement: Statement, of db: Database) {
    self.statement = statement
    unsafe self.db = db.sqliteConnection
  }

  func execute<each Value: Bindable>(_ values: repeat each Value) throws {
    let pointer = unsafe statement.sqliteStatement
    defer { unsafe sqlite3_reset(pointer) }
    guard try unsafe step(pointer, repeat each values) == SQLITE_DONE else { throw failure() }
  }

  func forEachRow<each Value: Bindable>(
    of values: repeat each Value, body: (StatementColumns) throws -> Void
  ) throws {
    let pointer = unsafe statement.sqliteStatement
    defer { unsafe sqlite3_reset(pointer) }
    var code = try unsafe step(pointer, repeat each values)
    while code == SQLITE_ROW {
      try unsafe body(StatementColumns(statement: pointer))
      code = unsafe sqlite3_step(pointer)
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  private func step<each Value: Bindable>(
    _ pointer: OpaquePointer, _ values: repeat each Value
  ) throws -> CInt {
    // GRDB resets a statement only before its next execution; until then nothing can be bound.
    unsafe sqlite3_reset(pointer)
    var (index, code): (CInt, CInt) = (0, SQLITE_OK)
    for value in repeat each values {
      index += 1
      if code == SQLITE_OK { code = unsafe value.bind(to: pointer, at: index) }
    }
    guard code == SQLITE_OK else { throw failure() }
    return unsafe sqlite3_step(pointer)
  }

  /// A reset would forget the error.
  private func failure() -> DatabaseError {
    unsafe DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db)),
      message: String(cString: sqlite3_errmsg(db)), sql: statement.sql)
  }
}

protocol Bindable {
  /// Parameters count from 1.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt
}

private let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe sqlite3_bind_int(statement, index, self ? 1 : 0)
  }
}

extension String: Bindable {
  /// SQL functions end a text at a NUL, and so does this.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe withCString { unsafe sqlite3_bind_text(statement, index, $0, -1, transient) }
  }
}

extension Data: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        return unsafe sqlite3_bind_zeroblob(statement, index, 0)
      }
      return unsafe sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
    }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    unsafe self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }
}

// @safe: ``BoundStatement`` lends it for a row, and SQLite checks the indices.
@safe
struct StatementColumns {
  let statement: OpaquePointer

  func integer(_ index: CInt) throws -> Int64 {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw Self.damage }
    return unsafe sqlite3_column_int64(statement, index)
  }

  func doubleIfAny(_ index: CInt) throws -> Double? {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_FLOAT: unsafe sqlite3_column_double(statement, index)
    case SQLITE_NULL: nil
    default: throw Self.damage
    }
  }

  func textIfAny(_ index: CInt) throws -> String? {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_TEXT:
      unsafe sqlite3_column_text(statement, index).map { unsafe String(cString: $0) }
    case SQLITE_NULL: nil
    default: throw Self.damage
    }
  }

  func text(_ index: CInt) throws -> String {
    guard let text = try textIfAny(index) else { throw Self.damage }
    return text
  }

  /// The bytes of a text, until the next step or use of the column; none if it has another type.
  func textBytes(_ index: CInt) -> UnsafeBufferPointer<UInt8> {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_TEXT,
      let text = unsafe sqlite3_column_text(statement, index)
    else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeBufferPointer(
      start: text, count: Int(sqlite3_column_bytes(statement, index)))
  }

  func bytes(_ index: CInt) throws -> Data {
    guard unsafe sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw Self.damage }
    let count = unsafe Int(sqlite3_column_bytes(statement, index))
    return unsafe sqlite3_column_blob(statement, index).map { unsafe Data(bytes: $0, count: count) }
      ?? Data()
  }

  private static var damage: MirrorFailure {
    MirrorFailure(.damaged, "The mirror is damaged: a column has a value of the wrong type.")
  }
}

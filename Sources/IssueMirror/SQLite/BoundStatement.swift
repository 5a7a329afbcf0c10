internal import GRDB
internal import GRDBSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A statement that is executed very often, such as for every entry of a page.
///
/// `Statement.execute(arguments:)` boxes each argument, which is a tenth of the time to store an entry, and making a
/// `Row` takes longer than reading it. This binds arguments one by one
/// (<https://www.sqlite.org/c3ref/bind_blob.html>), and reads columns in place.
struct BoundStatement {
  private let statement: Statement
  private let db: OpaquePointer?

  /// Prepares it, or finds it prepared.
  init(_ db: Database, sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    self.db = db.sqliteConnection
  }

  /// Executes it, where it has no results.
  func execute<each Value: Bindable>(_ values: repeat each Value) throws {
    let pointer = statement.sqliteStatement
    defer { sqlite3_reset(pointer) }
    guard try step(pointer, repeat each values) == SQLITE_DONE else { throw failure() }
  }

  /// Gives each row that it has for its arguments.
  func forEachRow<each Value: Bindable>(
    of values: repeat each Value, body: (StatementColumns) throws -> Void
  ) throws {
    let pointer = statement.sqliteStatement
    defer { sqlite3_reset(pointer) }
    var code = try step(pointer, repeat each values)
    while code == SQLITE_ROW {
      try body(StatementColumns(statement: pointer))
      code = sqlite3_step(pointer)
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  /// Binds arguments, and takes the first step.
  private func step<each Value: Bindable>(
    _ pointer: OpaquePointer, _ values: repeat each Value
  ) throws -> CInt {
    // GRDB, which may have executed it before, resets a statement only when it executes it again, and nothing can be
    // bound until then.
    sqlite3_reset(pointer)
    var (index, code): (CInt, CInt) = (0, SQLITE_OK)
    for value in repeat each values {
      index += 1
      if code == SQLITE_OK { code = value.bind(to: pointer, at: index) }
    }
    guard code == SQLITE_OK else { throw failure() }
    return sqlite3_step(pointer)
  }

  /// Why the last step failed. A reset would forget it.
  private func failure() -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db)),
      message: String(cString: sqlite3_errmsg(db)), sql: statement.sql)
  }
}

/// An argument of a statement.
protocol Bindable {
  /// Binds it to a parameter; the first one is 1.
  ///
  /// - Returns: SQLite's result code.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt
}

/// Makes SQLite copy the bytes.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    sqlite3_bind_int(statement, index, self ? 1 : 0)
  }
}

extension String: Bindable {
  /// To SQL's functions a text ends at a NUL, and so it does here.
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    withCString { sqlite3_bind_text(statement, index, $0, -1, transient) }
  }
}

extension Data: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
    }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
    self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
  }
}

/// The columns of a row, while a ``BoundStatement`` gives it.
struct StatementColumns {
  let statement: OpaquePointer

  /// An integer.
  func integer(_ index: CInt) throws -> Int64 {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw Self.damage }
    return sqlite3_column_int64(statement, index)
  }

  /// A text; nil where there is none.
  func textIfAny(_ index: CInt) throws -> String? {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_TEXT: sqlite3_column_text(statement, index).map { String(cString: $0) }
    case SQLITE_NULL: nil
    default: throw Self.damage
    }
  }

  /// A text.
  func text(_ index: CInt) throws -> String {
    guard let text = try textIfAny(index) else { throw Self.damage }
    return text
  }

  /// Bytes.
  func bytes(_ index: CInt) throws -> Data {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw Self.damage }
    let count = Int(sqlite3_column_bytes(statement, index))
    return sqlite3_column_blob(statement, index).map { Data(bytes: $0, count: count) } ?? Data()
  }

  private static var damage: MirrorFailure {
    MirrorFailure(.damaged, "The mirror is damaged: a column has a value of another type.")
  }
}

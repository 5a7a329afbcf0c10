internal import CSQLite
package import GRDB
internal import GRDBSQLite

extension Database {
  /// The maximum length of a value, in bytes. Responses of servers are shorter.
  private static let longestValue = 128 << 20

  /// Configures the connection for a file that an attacker may have created.
  package func defend() throws {
    guard let connection = unsafe sqliteConnection else { return }
    let code = unsafe csqlite_defend(UnsafeMutableRawPointer(connection))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(Self.longestValue))
    unsafe sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
  }
}

extension Row {
  /// The value of a column. In a forged file it may have another type, and a subscript would crash the process.
  package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  /// A number, a count or a time that is safe for arithmetic. Row IDs and tickets are `Int64` values.
  package func value(_ column: String) throws -> Int? {
    try Self.bounded(decode(Int?.self, forColumn: column))
  }

  package func value(_ column: String) throws -> Int {
    try Self.bounded(decode(Int.self, forColumn: column))
  }

  package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }

  package func value(_ index: Int) throws -> Int? {
    try Self.bounded(decode(Int?.self, atIndex: index))
  }

  package func value(_ index: Int) throws -> Int {
    try Self.bounded(decode(Int.self, atIndex: index))
  }

  /// Throws for larger numbers, because their sums and differences could crash the process.
  private static func bounded<Value>(_ value: Value) throws -> Value {
    if let number = value as? Int, number.magnitude > 1 << 53 {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row has an impossible number")
    }
    return value
  }
}

internal import CSQLite
package import GRDB
internal import GRDBSQLite

extension Database {
  /// How many bytes a value may have: an answer of a server has fewer.
  private static let longestValue = 128 << 20

  /// Takes the file for what somebody may have made to be read by others.
  package func defend() throws {
    guard let connection = sqliteConnection else { return }
    let code = csqlite_defend(UnsafeMutableRawPointer(connection))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(Self.longestValue))
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
  }
}

extension Row {
  /// The value of a column.
  ///
  /// A subscript would end the process where the value has another type, as in a damaged or forged file.
  package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  /// The value of the column at an index, in the same way.
  package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}

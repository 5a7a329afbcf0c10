internal import GRDB

extension Row {
  /// The value of a column.
  ///
  /// A subscript ends the process where the value is of another type, which in a damaged file, or in one that
  /// somebody has made for that, may be anywhere.
  ///
  /// - Throws: `RowDecodingError`, which is ``MirrorFailure/Code/damaged``.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  /// The value of the column at an index, in the same way.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}

internal import GRDBSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The columns of a row, while a ``BoundStatement`` gives it.
struct StatementColumns {
  let statement: OpaquePointer

  /// An integer.
  ///
  /// - Throws: ``MirrorFailure`` where the value is no integer, as in a damaged file.
  func integer(_ index: CInt) throws -> Int64 {
    guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw Self.damage }
    return sqlite3_column_int64(statement, index)
  }

  /// A text; nil where there is none.
  ///
  /// - Throws: ``MirrorFailure`` where the value is no text, as in a damaged file.
  func textIfAny(_ index: CInt) throws -> String? {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_TEXT: sqlite3_column_text(statement, index).map { String(cString: $0) }
    case SQLITE_NULL: nil
    default: throw Self.damage
    }
  }

  /// A text.
  ///
  /// - Throws: ``MirrorFailure`` where there is none, as in a damaged file.
  func text(_ index: CInt) throws -> String {
    guard let text = try textIfAny(index) else { throw Self.damage }
    return text
  }

  /// Bytes.
  ///
  /// - Throws: ``MirrorFailure`` where the value isn't bytes, as in a damaged file.
  func bytes(_ index: CInt) throws -> Data {
    guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw Self.damage }
    let count = Int(sqlite3_column_bytes(statement, index))
    return sqlite3_column_blob(statement, index).map { Data(bytes: $0, count: count) } ?? Data()
  }

  private static var damage: MirrorFailure {
    MirrorFailure(.damaged, "The mirror is damaged: a column has a value of another type.")
  }
}

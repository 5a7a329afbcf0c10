internal import GRDB

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension MirrorFailure {
  /// Translates an error that was thrown while the mirror at a path was read or written.
  init(any error: any Error, at path: String) {
    switch error {
    case let failure as MirrorFailure: self = failure
    case let error as DatabaseError: self.init(error, at: path)
    case is RowDecodingError:
      self.init(
        .damaged,
        """
        The mirror \(path) is damaged: there is something in a row that no mirror has there. Remove the file; the \
        next sync makes it anew.
        """)
    case is CancellationError: self.init(.cancelled, "The work on the mirror was cancelled.")
    default: self.init(.database, "The mirror \(path) can't be used: \(error)")
    }
  }

  private init(_ error: DatabaseError, at path: String) {
    // SQLite's messages contain no values: those are arguments.
    let reason = error.message.map { "\($0) (\(error.extendedResultCode.rawValue))" } ?? "\(error)"
    switch error.resultCode {
    case .SQLITE_IOERR where Self.isFull(path), .SQLITE_FULL:
      self.init(
        .full,
        "There is no space left for the mirror \(path). Its contents are intact: free some space, and run this again."
      )
    case .SQLITE_CORRUPT:
      self.init(
        .damaged,
        "The mirror \(path) is damaged: \(reason). Remove the file; the next sync recreates it.")
    case .SQLITE_NOTADB:
      self.init(.damaged, "\(path) is no mirror: it isn't a database.")
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self.init(
        .cannotOpen, "The mirror \(path) was moved or removed while it was used. Run this again.")
    case .SQLITE_READONLY, .SQLITE_PERM:
      self.init(
        .readOnly, "The mirror \(path) can't be written to: \(reason). It can still be read.")
    case .SQLITE_CANTOPEN:
      self.init(.cannotOpen, "The mirror \(path) can't be opened: \(reason).")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, "The mirror \(path) is locked by another process. Run this again later.")
    case .SQLITE_INTERRUPT:
      self.init(.cancelled, "The work on the mirror was cancelled.")
    case .SQLITE_CONSTRAINT
    where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY:
      self.init(
        .notMirrored, "The repository was removed from the mirror meanwhile. Run this again.")
    default:
      self.init(.database, "The mirror \(path) can't be used: \(reason).")
    }
  }

  /// Whether the disk is full. SQLite has a code for that, but doesn't use it when it extends its shared memory or
  /// truncates a file.
  private static func isFull(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && status.f_bavail == 0
  }
}

extension Row {
  /// The value of a column. A subscript would end the process if it has another type, as in a damaged or forged file.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ column: String
  ) throws -> Value {
    try decode(Value.self, forColumn: column)
  }

  /// The value of the column at an index.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}

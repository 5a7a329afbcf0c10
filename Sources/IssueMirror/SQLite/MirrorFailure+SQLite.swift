internal import GRDB
internal import PrivateDatabase

extension MirrorFailure {
  init(any error: any Error, at path: String) {
    switch error {
    case let failure as MirrorFailure: self = failure
    case let failure as PrivateFileFailure:
      self.init(.cannotOpen, "The mirror \(path) can't be opened: \(failure.reason).")
    case let error as DatabaseError: self.init(error, at: path)
    case is RowDecodingError:
      self.init(
        .damaged,
        """
        The mirror \(path) is damaged: a row has an impossible value. Remove the file; the next sync recreates it.
        """)
    case is CancellationError: self.init(.cancelled, "The work on the mirror was cancelled.")
    default: self.init(.database, "The mirror \(path) can't be used: \(error)")
    }
  }

  private init(_ error: DatabaseError, at path: String) {
    // SQLite's messages don't contain values, because values are passed as arguments.
    let reason = error.message.map { "\($0) (\(error.extendedResultCode.rawValue))" } ?? "\(error)"
    switch error.resultCode {
    case .SQLITE_IOERR where PrivateFile(path: path).isOnFullDisk, .SQLITE_FULL:
      self.init(
        .full,
        "There is no space left for the mirror \(path). Its contents are intact: free some space, and run this again."
      )
    case .SQLITE_CORRUPT:
      self.init(
        .damaged,
        "The mirror \(path) is damaged: \(reason). Remove the file; the next sync recreates it.")
    case .SQLITE_NOTADB:
      self.init(.damaged, "\(path) isn't a mirror: it isn't a database.")
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self.init(
        .cannotOpen, "The mirror \(path) was moved or removed while it was in use. Run this again.")
    case .SQLITE_READONLY, .SQLITE_PERM:
      self.init(
        .readOnly, "The mirror \(path) can't be written to: \(reason). It can still be read.")
    case .SQLITE_CANTOPEN:
      self.init(.cannotOpen, "The mirror \(path) can't be opened: \(reason).")
    case .SQLITE_BUSY where PrivateFile(path: path).isWithoutLocks:
      self.init(
        .cannotOpen,
        "The mirror \(path) can't be opened: its file system has no locks. Use a folder on a local disk."
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, "The mirror \(path) is locked by another process. Run this again later.")
    case .SQLITE_INTERRUPT:
      self.init(.cancelled, "The work on the mirror was cancelled.")
    case .SQLITE_CONSTRAINT
    where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY:
      self.init(
        .notMirrored, "The repository has since been removed from the mirror. Run this again.")
    default:
      self.init(.database, "The mirror \(path) can't be used: \(reason).")
    }
  }
}

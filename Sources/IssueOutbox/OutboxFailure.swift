internal import GRDB
internal import GitHubAPI
internal import PrivateDatabase

/// An error of the outbox: a file that can't be read or written, or an impossible operation.
public struct OutboxFailure: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: Hashable, Sendable {
    /// The file or its folder can't be opened or written to.
    case cannotOpen
    /// The file isn't an outbox, or is damaged. It was renamed, and the message contains the new name.
    case damaged
    /// The file was written by a later version of this package.
    case laterVersion
    /// The disk is full, and nothing was added.
    case full
    /// Another process has locked the file for too long.
    case busy
    /// Another process has been sending for longer than ``OutboxSending/maximumWait``. All entries stay queued.
    case otherProcess
    /// The outbox doesn't have an entry with this id.
    case noSuchEntry
    /// A file can't be attached.
    case unusableFile
    /// The operation isn't possible in the entry's state.
    case wrongState
    /// Another database error.
    case database
  }

  /// The kind of failure.
  public var code: Code
  /// The problem and a remedy, in one or two lines.
  public var message: String

  /// Creates a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

extension OutboxFailure {
  init(any error: any Error, at path: String) {
    switch error {
    case let failure as OutboxFailure: self = failure
    case let failure as PrivateFileFailure:
      self.init(.cannotOpen, "The outbox \(path) can't be opened: \(failure.reason).")
    case let error as DatabaseError: self.init(error, at: path)
    case is RowDecodingError, is DecodingError, is InvalidInput:
      self.init(.damaged, "a change can't be read")
    case is CancellationError:
      self.init(.database, "The work on the outbox was cancelled.")
    default: self.init(.database, "The outbox \(path) can't be used: \(error)")
    }
  }

  private init(_ error: DatabaseError, at path: String) {
    // SQLite's message doesn't contain values.
    let reason = error.message.map { "\($0) (\(error.extendedResultCode.rawValue))" } ?? "\(error)"
    switch error.resultCode {
    case .SQLITE_IOERR where PrivateFile(path: path).isOnFullDisk, .SQLITE_FULL:
      self.init(
        .full,
        "There is no space left for the outbox \(path): nothing was added to it, and nothing was sent."
      )
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self.init(.damaged, reason)
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self.init(
        .cannotOpen, "The outbox \(path) was moved or removed while it was in use. Run this again.")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      self.init(.cannotOpen, "The outbox \(path) can't be written to: \(reason).")
    case .SQLITE_BUSY where PrivateFile(path: path).isWithoutLocks:
      self.init(
        .cannotOpen,
        "The outbox \(path) can't be opened: its file system has no locks. Use a folder on a local disk."
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, "The outbox \(path) is locked by another process. Run this again later.")
    default:
      self.init(.database, "The outbox \(path) can't be used: \(reason).")
    }
  }
}

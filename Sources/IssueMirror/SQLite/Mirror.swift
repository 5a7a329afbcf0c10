package import GRDB
internal import GRDBSQLite
internal import HTTPTargets
internal import PrivateDatabase

/// The issues of repositories, kept on this machine in an SQLite database.
///
/// ```swift
/// let mirror = try Mirror(path: "\(folder)/mirror.db")
/// if let swift = try await mirror.repository(named: name, on: .github) {
///   for issue in try await mirror.issues(of: swift, limit: 30) { print(issue.number, issue.title) }
/// }
/// ```
///
/// Several processes may use one file at once: readers wait for nobody, and writers for each other's
/// transactions of a page each (<https://www.sqlite.org/wal.html>).
///
/// Where the file can't be written to, what it has can be read, and what would write fails with
/// ``MirrorFailure/Code/readOnly``. SQLite needs the files beside it (`-wal` and `-shm`) for that, or a folder
/// where it can make them: they stay when the mirror is closed.
public final class Mirror: Sendable {
  /// The file.
  public let path: String
  package let database: DatabasePool
  /// Rows that the writing connection doesn't have to look up.
  let rowCache = RowCache()

  /// The version of SQLite, such as `3.46.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Opens a mirror, or makes an empty one.
  ///
  /// This waits for the disk, and while another process makes the file.
  ///
  /// Opened for writing, it begins an empty log, which takes some room on the disk and waits for other writers. Opened
  /// for reading, it does neither, and never changes the file.
  ///
  /// - Parameters:
  ///   - path: The file; where it is to be written to, its folder is made if that is missing, and the one that
  ///     it is to be in.
  ///   - isReadOnly: Whether it is there and is only read: then what would write fails with
  ///     ``MirrorFailure/Code/readOnly``.
  /// - Throws: ``MirrorFailure``.
  public init(path: String, isReadOnly: Bool = false) throws(MirrorFailure) {
    self.path = path
    do {
      database = try Self.open(path, isReadOnly: isReadOnly)
    } catch {
      // A file that can't be written to is read; an empty one has to be made first.
      guard error.code == .readOnly || error.code == .full else { throw error }
      do throws(MirrorFailure) {
        database = try Self.open(path, isReadOnly: !isReadOnly)
      } catch let other {
        throw error.code == .full ? error : other
      }
    }
  }

  /// The file of a user, as the
  /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) says:
  /// `$XDG_DATA_HOME/issues/mirror.db` if that is an absolute path, else `~/.local/share/issues/mirror.db`.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: The file; nil when neither variable names a folder.
  public static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/mirror.db" }
  }

  /// How many bytes the mirror takes on the disk.
  public func size() -> Int { PrivateFile(path: path).size }

  private static func open(_ path: String, isReadOnly: Bool) throws(MirrorFailure) -> DatabasePool {
    do {
      try PrivateFile(path: path).prepare(isReadOnly: isReadOnly)
      var configuration = Configuration()
      configuration.label = "IssueMirror"
      configuration.readonly = isReadOnly
      configuration.busyMode = .callback(BusyWait.waits)
      // Each takes some memory; a reader that waits for one waits some milliseconds.
      configuration.maximumReaderCount = 3
      configuration.prepareDatabase { try MirrorSchema.prepare($0, path: path) }
      let database = try connect(path, configuration)
      guard isReadOnly else {
        try MirrorSchema.migrate(database)
        // Not with a connection that only reads: closed last, it would leave the log as it is.
        try database.writeWithoutTransaction { try MirrorSchema.compare($0, path: path) }
        return database
      }
      guard try database.read(MirrorSchema.isCurrent) else {
        try database.close()
        try migrate(path)
        return try open(path, isReadOnly: true)
      }
      try database.read { try MirrorSchema.compare($0, path: path) }
      return database
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Connects to the file, also where nobody can write, as in an archive.
  private static func connect(
    _ path: String, _ configuration: Configuration
  ) throws -> DatabasePool {
    do {
      return try DatabasePool(path: path, configuration: configuration)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      guard configuration.readonly, let address = PrivateFile(path: path).immutableAddress else {
        throw error
      }
      return try DatabasePool(path: address, configuration: configuration)
    }
  }

  /// Brings an older version's file up to this one's, to be read then.
  private static func migrate(_ path: String) throws(MirrorFailure) {
    do throws(MirrorFailure) {
      let database = try open(path, isReadOnly: false)
      try? database.close()
    } catch {
      guard error.code == .readOnly else { throw error }
      throw MirrorFailure(
        .readOnly,
        """
        The mirror \(path) was written by an earlier version of this program, and has to be brought up to date \
        once, for which it can't be written to.
        """)
    }
  }

  /// Reads, in a snapshot of the database.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    do {
      return try await database.read(body)
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Writes, in a transaction.
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    do {
      return try await database.write(body)
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }
}

extension Mirror: IssueStore {}

package import GRDB
internal import GRDBSQLite
internal import HTTPTargets
internal import PrivateDatabase

/// A local copy of repositories' issues, in an SQLite database.
///
/// ```swift
/// let mirror = try Mirror(path: "\(folder)/mirror.db")
/// if let swift = try await mirror.repository(named: name, on: .github) {
///   for issue in try await mirror.issues(of: swift, limit: 30) { print(issue.number, issue.title) }
/// }
/// ```
///
/// Several processes may use a file at the same time. Readers don't wait. Writers wait only for each other's
/// transactions, each of which writes one page (<https://www.sqlite.org/wal.html>).
///
/// A read-only file can be read; writing to it fails with ``MirrorFailure/Code/readOnly``. To read it, SQLite needs the
/// files beside it (`-wal` and `-shm`), which remain after the mirror is closed, or a folder where it can create them.
public final class Mirror: Sendable {
  /// The file.
  public let path: String
  package let database: DatabasePool
  let rowCache = RowCache()

  package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

  /// Opens a mirror, or creates an empty one. It may wait for the disk, or for another process that is creating the
  /// file.
  ///
  /// Opening for writing starts an empty log, which takes some space and waits for other writers. Opening for reading
  /// never changes the file.
  ///
  /// - Parameters:
  ///   - path: The file. For writing, its folder and the parent folder are created if missing.
  ///   - isReadOnly: Whether to open an existing file only for reading. Writing then fails with
  ///     ``MirrorFailure/Code/readOnly``.
  /// - Throws: ``MirrorFailure``.
  public init(path: String, isReadOnly: Bool = false) throws(MirrorFailure) {
    self.path = path
    do {
      database = try Self.open(path, isReadOnly: isReadOnly)
    } catch {
      // If the file can't be written to, it is opened for reading. An empty file must be initialized first.
      guard error.code == .readOnly || error.code == .full else { throw error }
      do throws(MirrorFailure) {
        database = try Self.open(path, isReadOnly: !isReadOnly)
      } catch let other {
        throw error.code == .full ? error : other
      }
    }
  }

  /// Opens an existing mirror and never writes to it, not even to migrate it from an earlier version.
  ///
  /// - Parameter path: The file.
  /// - Throws: ``MirrorFailure``.
  package init(neverWriting path: String) throws(MirrorFailure) {
    self.path = path
    database = try Self.open(path, isReadOnly: true, updates: false)
  }

  /// The identity of a file, which distinguishes it from another file with the same name.
  package struct FileIdentity: Equatable, Sendable {
    private let identity: PrivateFile.Identity

    fileprivate init(_ identity: PrivateFile.Identity) { self.identity = identity }
  }

  /// Nil if the file doesn't exist.
  package static func fileIdentity(at path: String) -> FileIdentity? {
    PrivateFile(path: path).identity.map(FileIdentity.init)
  }

  /// The user's mirror file according to the [XDG Base Directory
  /// Specification](https://specifications.freedesktop.org/basedir/latest/): `$XDG_DATA_HOME/issues/mirror.db` if that
  /// is an absolute path, otherwise `~/.local/share/issues/mirror.db`.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: The path; nil if neither variable contains a folder.
  public static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/mirror.db" }
  }

  /// The size of the mirror on disk in bytes.
  public func size() -> Int { PrivateFile(path: path).size }

  private static func open(
    _ path: String, isReadOnly: Bool, updates: Bool = true
  ) throws(MirrorFailure) -> DatabasePool {
    do {
      try PrivateFile(path: path).prepare(isReadOnly: isReadOnly)
      var configuration = Configuration()
      configuration.label = "IssueMirror"
      configuration.readonly = isReadOnly
      configuration.busyMode = .callback(BusyWait.waits)
      // The limit saves memory, and waiting for a reader takes only milliseconds.
      configuration.maximumReaderCount = 3
      configuration.prepareDatabase { try MirrorSchema.prepare($0, path: path) }
      let database = try connect(path, configuration)
      guard isReadOnly else {
        try MirrorSchema.migrate(database)
        // This is a write, because a read-only connection that closes last would not remove the log.
        try database.writeWithoutTransaction { try MirrorSchema.compare($0, path: path) }
        return database
      }
      guard try database.read(MirrorSchema.isCurrent) else {
        try database.close()
        guard updates else {
          throw MirrorFailure(
            .readOnly,
            """
            The mirror \(path) was written by an earlier version of this program. The next 'issues mirror' or sync \
            updates it.
            """)
        }
        try migrate(path)
        return try open(path, isReadOnly: true)
      }
      try database.read { try MirrorSchema.compare($0, path: path) }
      return database
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Connects even if no process can write to the file, as in an archive.
  private static func connect(
    _ path: String, _ configuration: Configuration
  ) throws -> DatabasePool {
    do {
      return try DatabasePool(path: path, configuration: configuration)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      guard configuration.readonly, let address = PrivateFile(path: path).immutableAddress else {
        throw error
      }
      return try DatabasePool(path: address, configuration: configuration)
    }
  }

  private static func migrate(_ path: String) throws(MirrorFailure) {
    do throws(MirrorFailure) {
      let database = try open(path, isReadOnly: false)
      try? database.close()
    } catch {
      guard error.code == .readOnly else { throw error }
      throw MirrorFailure(
        .readOnly,
        """
        The mirror \(path) was written by an earlier version of this program. It needs an update, but it can't be \
        written to.
        """)
    }
  }

  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    do {
      return try await database.read(body)
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

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

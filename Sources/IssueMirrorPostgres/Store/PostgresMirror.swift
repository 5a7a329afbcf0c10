internal import ConcurrencyPrimitives
public import IssueMirror
public import PlatformModules

/// A team's copy of repositories' issues, in a PostgreSQL database.
///
/// ```swift
/// let mirror = try await PostgresMirror(connecting: "postgres://issues@db.example.com/issues")
/// if let swift = try await mirror.repository(named: name, on: .github) {
///   for issue in try await mirror.issues(of: swift, limit: 30) { print(issue.number, issue.title) }
/// }
/// ```
///
/// It works like a ``/IssueMirror/Mirror``, which is a file for a single user. Any number of processes and machines may
/// use it at the same time. Readers never wait. Writers wait only for other writers of the same repository, one page at
/// a time.
public final class PostgresMirror: Sendable {
  let pool: PostgresPool
  private let migrator = Locked<String?>(nil)

  /// The owner of the tables, if they are of an earlier version and the owner hasn't migrated them yet.
  package var awaitedOwner: String? { migrator.withLock { $0 } }

  /// The most connections. Each connection is a process on the server.
  private static let mostConnections = 8
  /// The most attempts at a transaction that conflicts with others.
  private static let mostTries = 10

  /// Connects to a database. Creates missing tables, and migrates those of an earlier version if the role owns them. If
  /// several processes do so concurrently, one of them does the work while the others wait. Another role uses tables of
  /// the previous version as they are.
  ///
  /// Transactions don't rely on the state of a session, so the database may be behind a pooler that assigns a connection
  /// to each transaction. If the server doesn't respond for ten seconds, its connection is given up.
  ///
  /// libpq handles the connection string, services, password files, environment variables such as `PGHOST`, and TLS
  /// options. A server on another machine must present a certificate for its name (`sslmode=verify-full`) unless
  /// `sslmode` specifies otherwise. Keep the password in a password file, because other users can see the arguments of
  /// a process.
  ///
  /// - Parameters:
  ///   - text: The [connection string](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING),
  ///     such as `postgres://issues@db.example.com/issues` or `service=issues`.
  ///   - schema: The schema of the tables. Several mirrors in one database need different schemas.
  ///   - isReadOnly: Whether to use the tables as they are, which is necessary for a role with read access.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  public convenience init(
    connecting text: String, schema: String = "issues", isReadOnly: Bool = false
  ) async throws(MirrorFailure) {
    try await self.init(
      connecting: text, schema: schema, isReadOnly: isReadOnly, patience: PostgresPatience())
  }

  convenience init(
    connecting text: String, schema: String, isReadOnly: Bool = false, patience: PostgresPatience
  ) async throws(MirrorFailure) {
    try self.init(schema, in: text, patience)
    guard try await isPrepared(isReadOnly: isReadOnly) else {
      throw MirrorFailure(
        any: MirrorFailure(
          .cannotOpen, "There is no mirror in the schema \(schema). The first sync creates one."),
        in: place)
    }
  }

  /// Opens an existing mirror only for reading; nil if no sync has created the tables yet.
  package static func existing(
    connecting text: String, schema: String = "issues"
  ) async throws(MirrorFailure) -> PostgresMirror? {
    let mirror = try PostgresMirror(schema, in: text, PostgresPatience())
    return try await mirror.isPrepared(isReadOnly: true) ? mirror : nil
  }

  private init(
    _ schema: String, in text: String, _ patience: PostgresPatience
  ) throws(MirrorFailure) {
    do {
      pool = PostgresPool(
        try PostgresAddress(text), schema: schema, most: Self.mostConnections, patience: patience)
    } catch {
      throw MirrorFailure(any: error, in: "the database")
    }
  }

  /// Prepares the tables if necessary. Returns whether they exist.
  private func isPrepared(isReadOnly: Bool) async throws(MirrorFailure) -> Bool {
    let schema = pool.schema
    do {
      return try await pool.withConnection { connection in
        try await connection.run { db in
          switch try db.transaction(.reading, { try Self.use(of: schema, isReadOnly, $0) }) {
          case .asTheyAre(let owner):
            self.migrator.withLock { $0 = owner }
            return true
          case .nothing: return false
          case .migration:
            try PostgresSchema.migrate(db, schema: schema)
            return true
          }
        }
      }
    } catch {
      throw MirrorFailure(any: error, in: place)
    }
  }

  private enum Use {
    /// An earlier version's tables await the migration by this owner.
    case asTheyAre(awaiting: String?)
    case migration
    case nothing
  }

  /// Decides how to use the tables. Only their owner migrates them.
  private static func use(
    of schema: String, _ isReadOnly: Bool, _ db: PostgresSession
  ) throws -> Use {
    guard case .version(let found, let readableFrom) = try PostgresSchema.state(db) else {
      try PostgresSchema.checkRights(db, schema: schema)
      return isReadOnly ? .nothing : .migration
    }
    // A reader also accepts tables of a later version that says so.
    let isReadable = found > PostgresSchema.version && readableFrom <= PostgresSchema.version
    if !(isReadOnly && isReadable) { try PostgresSchema.checkVersion(found) }
    guard found < PostgresSchema.version else { return .asTheyAre(awaiting: nil) }
    let owner = try PostgresSchema.owner(db)
    if owner.isThisRole, !isReadOnly { return .migration }
    guard found < PostgresSchema.compatibleFrom else { return .asTheyAre(awaiting: owner.name) }
    throw MirrorFailure(
      .readOnly,
      """
      The mirror was written by an earlier version of this program. Only the owner of its tables, \
      \(owner.name), can update them, with one sync by this version.
      """)
  }

  /// The address of the database, without a password.
  package var place: String { pool.address.place }

  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    try await transaction(.reading, body)
  }

  /// The closure may run several times.
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    try await transaction(.writing, body)
  }

  /// Locks a repository, so that its other writers wait. Throws if the repository was removed.
  func writing<Value: Sendable>(
    to repository: MirroredRepository,
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    try await writing { db in
      let row = try db.first(
        "SELECT true FROM repository WHERE key = \(repository.id) FOR NO KEY UPDATE")
      guard row != nil else { throw MirrorFailure.removed(repository) }
      return try body(db)
    }
  }

  private func transaction<Value: Sendable>(
    _ access: PostgresSession.Access,
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    var tries = 1
    while true {
      do {
        return try await pool.withConnection { connection in
          try await connection.run { db in try db.transaction(access, body) }
        }
      } catch let failure as PostgresFailure
        where tries < Self.mostTries && (failure.isConflict || failure.isLost)
      {
        // An idle connection may have been closed without notice, for example because the server was restarted.
        tries += 1
      } catch {
        throw MirrorFailure(any: error, in: place)
      }
    }
  }
}

extension PostgresMirror: IssueStore {}

extension RepositorySync {
  /// Creates a sync. It doesn't send a request before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror to write to.
  ///   - provider: The provider that sends the requests.
  ///   - server: The provider's server.
  ///   - name: The repository's present or former name.
  ///   - options: The options of the sync.
  ///   - now: The local time, from which the mirror's age is computed. It may be wrong or set back.
  public init(
    mirror: PostgresMirror, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      store: mirror, provider: provider, server: server, name: name, options: options, now: now)
  }
}

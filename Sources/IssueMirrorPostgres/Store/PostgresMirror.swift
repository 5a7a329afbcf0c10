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
/// It keeps and answers the same as a ``/IssueMirror/Mirror``, a file of one person. Any number of processes and
/// machines may use it at once: readers never wait, and writers only for those of the same repository, a page at a time.
public final class PostgresMirror: Sendable {
  let pool: PostgresPool

  /// The most connections, each of which is a process of the server.
  private static let mostConnections = 8
  /// How often a transaction is tried that others get into the way of.
  private static let mostTries = 10

  /// Connects to a database. Creates the tables that are missing, and updates those of an earlier version; of several
  /// that do so at once, one does, and the others wait.
  ///
  /// libpq reads the connection string, and with it services, pass files, variables such as `PGHOST`, and the options of
  /// TLS. Off this machine, the server has to show a certificate for its name (`sslmode=verify-full`) unless `sslmode`
  /// says otherwise. Keep the password in a pass file: others can read the arguments of a program.
  ///
  /// - Parameters:
  ///   - text: The [connection string](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING),
  ///     such as `postgres://issues@db.example.com/issues` or `service=issues`.
  ///   - schema: The schema of the tables. Several mirrors of one database have one each.
  ///   - isReadOnly: Whether to use the tables as they are. A role that may only read needs that.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  public convenience init(
    connecting text: String, schema: String = "issues", isReadOnly: Bool = false
  ) async throws(MirrorFailure) {
    try self.init(schema, in: text)
    guard try await isPrepared(isReadOnly: isReadOnly) else {
      throw MirrorFailure(
        any: MirrorFailure(
          .cannotOpen, "There is no mirror in the schema \(schema). The first sync makes one."),
        in: place)
    }
  }

  /// For reading only; nil if no sync has made the tables yet.
  package static func existing(
    connecting text: String, schema: String = "issues"
  ) async throws(MirrorFailure) -> PostgresMirror? {
    let mirror = try PostgresMirror(schema, in: text)
    return try await mirror.isPrepared(isReadOnly: true) ? mirror : nil
  }

  private init(_ schema: String, in text: String) throws(MirrorFailure) {
    do {
      pool = PostgresPool(
        try PostgresAddress(text), schema: schema, most: Self.mostConnections)
    } catch {
      throw MirrorFailure(any: error, in: "the database")
    }
  }

  /// Whether the tables are there, in the end.
  private func isPrepared(isReadOnly: Bool) async throws(MirrorFailure) -> Bool {
    let schema = pool.schema
    do {
      return try await pool.withConnection { connection in
        try await connection.run { db in
          switch try PostgresSchema.state(db) {
          case .version(PostgresSchema.version): return true
          case .version(let found):
            try PostgresSchema.checkVersion(found)
            guard !isReadOnly else {
              throw MirrorFailure(
                .readOnly,
                """
                The mirror was written by an earlier version of this program. The next sync updates it.
                """)
            }
          case .missing:
            try PostgresSchema.checkRights(db, schema: schema)
            guard !isReadOnly else { return false }
          }
          try PostgresSchema.migrate(db, schema: schema)
          return true
        }
      }
    } catch {
      throw MirrorFailure(any: error, in: place)
    }
  }

  /// Where it is, without a password.
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

  /// Locks a repository, so that its other writers wait. Throws if it was removed.
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
        // A connection that was idle may have ended unnoticed, as with a server that was restarted.
        tries += 1
      } catch {
        throw MirrorFailure(any: error, in: place)
      }
    }
  }
}

extension PostgresMirror: IssueStore {}

extension RepositorySync {
  /// Creates a sync. It sends no request before it runs.
  ///
  /// - Parameters:
  ///   - mirror: The mirror to write to.
  ///   - provider: The provider that sends the requests.
  ///   - server: The provider's server.
  ///   - name: The repository's present or former name.
  ///   - options: What to fetch, and how.
  ///   - now: The local time, from which the mirror's age is counted. It may be wrong or set back.
  public init(
    mirror: PostgresMirror, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(
      store: mirror, provider: provider, server: server, name: name, options: options, now: now)
  }
}

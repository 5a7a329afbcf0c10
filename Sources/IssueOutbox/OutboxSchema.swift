internal import GRDB
internal import PrivateDatabase

/// The tables of the journal. Times are in seconds since 1970, by this machine's clock. SQLite's `user_version` is
/// written in one transaction with the tables.
enum OutboxSchema {
  /// “ISOB” in ASCII: <https://www.sqlite.org/pragma.html#pragma_application_id>.
  static let applicationID = 0x4953_4F42
  static let version = versions.count

  /// - `entry`: `number` is the issue that an entry affects or has created, or a thread of notifications as a negative
  ///   number. `pending` is the entry that creates that issue; for a creation, it is the entry itself. `requires` is a
  ///   comma-separated list of ids. `began` is the start of the last attempt. `looks` indicates whether the server was
  ///   searched twice since then. `item` is the created item: the number of an issue, or the id of a comment. Long values
  ///   are in the last columns, so that the order of all entries can be read without them.
  /// - `setting`: `key` is the key for the digests of tokens, and `server-time` is the newest time reported by a
  ///   server.
  /// - `lease`: the process that is sending.
  /// - `written`: the times of writes, for the pace.
  /// - `pause`: the end of a server's pause, and the number of pauses for which the server didn't send a time.
  /// - `bulk`: the entries of a bulk, which is identified by its first entry.
  /// - `attachment`: the files that texts refer to. `url` is set when the file is uploaded.
  /// - `attached`: the entries whose texts refer to a file, or have done so.
  /// - `proposal`: the programs that proposed entries.
  private static let firstTables = """
    CREATE TABLE entry(
      id INTEGER PRIMARY KEY AUTOINCREMENT, server TEXT NOT NULL, repository TEXT NOT NULL,
      number INTEGER, pending INTEGER, fingerprint TEXT, login TEXT,
      state TEXT NOT NULL, requires TEXT NOT NULL DEFAULT '', dropped REAL, created REAL NOT NULL,
      changed REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, began REAL,
      looks INTEGER NOT NULL DEFAULT 0, item INTEGER, delivered INTEGER NOT NULL DEFAULT 0,
      reason TEXT, change TEXT NOT NULL, answer TEXT, conflict TEXT, json BLOB);
    CREATE INDEX entry_by_state ON entry(state);
    CREATE TABLE setting(name TEXT PRIMARY KEY, value BLOB NOT NULL);
    CREATE TABLE lease(
      id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, until REAL NOT NULL,
      locked INTEGER NOT NULL);
    CREATE TABLE login(
      server TEXT NOT NULL, fingerprint TEXT NOT NULL, login TEXT NOT NULL,
      PRIMARY KEY(server, fingerprint));
    CREATE TABLE written(server TEXT NOT NULL, account TEXT NOT NULL, time REAL NOT NULL);
    CREATE INDEX written_by_account ON written(server, account, time);
    CREATE TABLE pause(
      server TEXT NOT NULL, account TEXT NOT NULL, until REAL NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(server, account));
    """

  /// The tables that each version has added.
  private static let versions = [
    firstTables,
    "CREATE TABLE bulk(member INTEGER PRIMARY KEY, leader INTEGER NOT NULL);",
    """
    CREATE TABLE attachment(
      id TEXT PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL,
      created REAL NOT NULL, url TEXT);
    CREATE TABLE attached(
      entry INTEGER NOT NULL, attachment TEXT NOT NULL, PRIMARY KEY(entry, attachment));
    """,
    "CREATE TABLE proposal(proposed INTEGER PRIMARY KEY, proposer TEXT NOT NULL);",
  ]

  private static func tables(ofVersion version: Int) -> String {
    versions.prefix(version).joined(separator: "\n")
  }

  static func prepare(_ db: Database) throws {
    try db.defend()
    // With GRDB's `NORMAL`, a power outage loses the last commits.
    try db.execute(sql: "PRAGMA synchronous = FULL")
  }

  static func check(_ db: Database, path: String) throws {
    // The first check doesn't take a lock, because other processes would wait for it.
    if try version(of: db) == 0 {
      try db.inTransaction(.immediate) {
        if try version(of: db) == 0 { try make(db, path: path) }
        return .commit
      }
    }
    try upgrade(db)
    let found = try version(of: db)
    guard try identity(of: db) == applicationID else {
      throw OutboxFailure(.cannotOpen, "\(path) isn't an outbox: it is another program's database.")
    }
    guard found <= version else {
      throw OutboxFailure(
        .laterVersion,
        """
        The outbox \(path) was written by a later version of this program, and is left as it is. Send or drop its \
        changes with that version; then remove the file, and this version can begin anew.
        """)
    }
    guard found == version, try objects(db) == statements(tables(ofVersion: version)) else {
      throw OutboxFailure(.damaged, "its tables aren't as they were made")
    }
  }

  private static func upgrade(_ db: Database) throws {
    /// The version of an intact older file; nil for any other.
    func older() throws -> Int? {
      let found = try version(of: db)
      guard (1..<version).contains(found), try identity(of: db) == applicationID,
        try objects(db) == statements(tables(ofVersion: found))
      else { return nil }
      return found
    }
    guard try older() != nil else { return }
    try db.inTransaction(.immediate) {
      if let found = try older() {
        let added = versions.dropFirst(found).joined(separator: "\n")
        try db.execute(sql: "\(added)\nPRAGMA user_version = \(version)")
      }
      return .commit
    }
  }

  private static func make(_ db: Database, path: String) throws {
    guard try identity(of: db) == 0, try objects(db).isEmpty else {
      throw OutboxFailure(.cannotOpen, "\(path) isn't an outbox: it is another program's database.")
    }
    try db.execute(sql: tables(ofVersion: version))
    try db.execute(sql: "INSERT INTO setting VALUES ('key', randomblob(32))")
    try db.execute(
      sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  private static func statements(_ tables: String) -> Set<String> {
    Set(
      tables.split(separator: ";").map { String($0.drop(while: \.isWhitespace)) }
        .filter { !$0.isEmpty })
  }

  /// The SQL statements of the file's schema.
  private static func objects(_ db: Database) throws -> Set<String> {
    // GRDB creates and drops a table of its own, and SQLite's own tables don't have statements.
    try String.fetchSet(
      db,
      sql: """
        SELECT CAST(sql AS TEXT) FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'grdb_issue_102'
        """)
  }

  private static func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  private static func identity(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
  }
}

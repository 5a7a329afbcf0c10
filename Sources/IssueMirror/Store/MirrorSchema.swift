internal import GRDB
internal import GRDBSQLite

/// The tables of the mirror.
///
/// Times are seconds since 1970; booleans are 0 and 1. `json` is what the server sent, byte for byte: the
/// other columns are what is filtered, sorted and counted by. `seen_at` is when this version of a row was first
/// stored, by this machine's clock.
///
/// The version is SQLite's `user_version`: it is read with the first page of the file, and changes in one
/// transaction with the tables, so that two processes that make the file at once don't both do it.
enum MirrorSchema {
  /// What tells the file from other databases: “ISUE” (<https://www.sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID = 0x4953_5545
  /// The version that this package writes.
  static var version: Int { migrations.count }

  /// How many bytes a page of the file has.
  private static let pageSize = 16_384
  /// The steps from each version to the one after it.
  private static let migrations: [@Sendable (Database) throws -> Void] = [createTables]

  /// Prepares a connection.
  ///
  /// - Throws: ``MirrorFailure`` when the file isn't a mirror, or a later version's.
  static func prepare(_ db: Database, path: String) throws {
    let isReadOnly = db.configuration.readonly
    // Of one moment: another process may be making the tables.
    var (version, applicationID, isEmpty) = (0, 0, false)
    try db.inTransaction(.deferred) {
      version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      applicationID = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      isEmpty = try Self.isEmpty(db)
      return .commit
    }
    if applicationID != Self.applicationID {
      guard applicationID == 0 && version == 0 && isEmpty else {
        throw MirrorFailure(
          .damaged, "\(path) is no mirror: it is a database of another program.")
      }
      guard !isReadOnly else {
        throw MirrorFailure(.readOnly, "The mirror \(path) is empty, and can't be written to.")
      }
      // Both have to be said before there is a table. An issue takes some 4 KB, so that a smaller page would have
      // room for one, or for a part. Room that becomes free is given back step by step.
      try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    }
    // A version is written together with the tables.
    guard version >= 0, version > 0 || isEmpty else {
      throw MirrorFailure(
        .damaged,
        """
        The mirror \(path) is damaged: its version is \(version). Remove the file; the next sync makes it \
        anew.
        """)
    }
    guard version <= Self.version else {
      throw MirrorFailure(
        .laterVersion,
        """
        The mirror \(path) was written by a later version of this program. Use that, or remove the file: \
        the next sync makes it anew.
        """)
    }
    // The log and its index stay: without them nobody could read in a folder that can't be written to.
    var persists: CInt = 1
    sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persists)
    // The log is written back at 32 MB: pages that one transaction after the other changes, such as those of
    // indexes, are written back once then. After a long reader it may be longer, and is cut again.
    try db.execute(
      sql: """
        PRAGMA wal_autocheckpoint = \((32 << 20) / pageSize);
        PRAGMA journal_size_limit = \(64 << 20);
        PRAGMA cache_size = \(isReadOnly ? -4_096 : -8_192);
        """)
    try SearchIndex.register(db)
  }

  /// Brings the tables up to this version.
  static func migrate(_ db: Database) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA user_version") != version else { return }
    try db.inTransaction(.immediate) {
      // Another process may have been faster.
      let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      for step in migrations.dropFirst(found) { try step(db) }
      try db.execute(
        sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      return .commit
    }
  }

  /// What is missing in a file, or isn't as the steps above make it: tables, indexes, views and triggers.
  ///
  /// - Returns: A sentence each, for a person.
  static func problems(_ db: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { try SearchIndex.register($0) }
    let made = try DatabaseQueue(configuration: configuration).writeWithoutTransaction { model in
      try migrate(model)
      return try objects(model)
    }
    let found = Dictionary(
      try objects(db).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return made.filter { found[$0.name] != $0 }.map { object in
      "The \(object.type) \(object.name) \(found[object.name] == nil ? "is missing" : "isn't as it was made")."
    }
  }

  private struct Object: Equatable {
    let type: String
    let name: String
    let sql: String
  }

  private static func objects(_ db: Database) throws -> [Object] {
    // Of a damaged file these may be anything.
    let columns = ["type", "name", "sql"].map { "CAST(ifnull(\($0), '') AS TEXT)" }
    return try Row.fetchAll(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema ORDER BY 1 DESC, 2"
    ).map { Object(type: $0[0], name: $0[1], sql: $0[2]) }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    // GRDB makes and drops a table to begin the log: see `Database.setUpWALMode`.
    try Bool.fetchOne(
      db, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name <> 'grdb_issue_102')")
      ?? true
  }

  @Sendable private static func createTables(_ db: Database) throws {
    try db.execute(sql: tables)
    try SearchIndex.create(db)
  }

  private static let tables = """
    -- Keys are never used again: a sync that goes on while its repository is removed finds nothing.
    CREATE TABLE repository (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      host TEXT NOT NULL,
      id INTEGER NOT NULL,
      full_name TEXT NOT NULL COLLATE NOCASE,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      synced_to INTEGER,
      comments_synced_to INTEGER,
      checked_at INTEGER,
      comments_checked_at INTEGER,
      verified_at INTEGER,
      entity_tag TEXT,
      comments_entity_tag TEXT,
      open_count INTEGER,
      accepted_difference INTEGER,
      UNIQUE (host, id));

    -- Names under which repositories were asked for that have others now.
    CREATE TABLE former_name (
      host TEXT NOT NULL,
      name TEXT NOT NULL COLLATE NOCASE,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      PRIMARY KEY (host, name)) WITHOUT ROWID;

    -- Keys are never used again: a sync whose sweep another one has ended or replaced finds nothing.
    CREATE TABLE sweep (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      timeline TEXT NOT NULL,
      began_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, timeline));

    CREATE TABLE sweep_seen (
      sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,
      number INTEGER NOT NULL,
      PRIMARY KEY (sweep, number)) WITHOUT ROWID;

    CREATE TABLE item (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      id INTEGER NOT NULL,
      is_pull_request INTEGER NOT NULL,
      state TEXT NOT NULL,
      title TEXT NOT NULL,
      author TEXT COLLATE NOCASE,
      milestone TEXT COLLATE NOCASE,
      milestone_number INTEGER,
      comments INTEGER NOT NULL,
      created_at INTEGER,
      updated_at INTEGER NOT NULL,
      closed_at INTEGER,
      seen_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, number));
    -- Lists and counts read nothing else until they know what to show. Beside the texts, rows are far apart.
    CREATE INDEX item_summary ON item (
      repository, state, created_at, number, is_pull_request, updated_at, closed_at, comments, author,
      milestone, milestone_number);

    CREATE TABLE label (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      id INTEGER,
      name TEXT NOT NULL COLLATE NOCASE,
      color TEXT,
      description TEXT,
      seen_at INTEGER NOT NULL,
      UNIQUE (repository, name));

    -- These two don't say what they refer to: looking that up would be a tenth of what it takes to write an item.
    CREATE TABLE item_label (
      item INTEGER NOT NULL,
      label INTEGER NOT NULL,
      PRIMARY KEY (item, label)) WITHOUT ROWID;
    CREATE INDEX item_label_by_label ON item_label (label);

    CREATE TABLE user (
      key INTEGER PRIMARY KEY,
      host TEXT NOT NULL,
      id INTEGER,
      login TEXT NOT NULL COLLATE NOCASE,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      UNIQUE (host, login));

    CREATE TABLE item_assignee (
      item INTEGER NOT NULL,
      user INTEGER NOT NULL,
      PRIMARY KEY (item, user)) WITHOUT ROWID;
    CREATE INDEX item_assignee_by_user ON item_assignee (user);

    CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN
      DELETE FROM item_label WHERE item = old.key;
      DELETE FROM item_assignee WHERE item = old.key;
    END;

    CREATE TABLE milestone (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      title TEXT NOT NULL COLLATE NOCASE,
      state TEXT,
      json BLOB NOT NULL,
      seen_at INTEGER NOT NULL,
      UNIQUE (repository, number));

    CREATE TABLE comment (
      key INTEGER PRIMARY KEY,
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      author TEXT COLLATE NOCASE,
      created_at INTEGER,
      updated_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      UNIQUE (repository, id));
    CREATE INDEX comment_by_number ON comment (repository, number);

    CREATE TABLE tombstone (
      repository INTEGER NOT NULL REFERENCES repository ON DELETE CASCADE,
      number INTEGER NOT NULL,
      title TEXT NOT NULL,
      fate TEXT NOT NULL CHECK (fate IN ('deleted', 'transferred')),
      moved_to TEXT,
      found_at INTEGER NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (repository, number));
    """
}

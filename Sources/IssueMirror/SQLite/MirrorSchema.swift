internal import CSQLite
internal import GRDB
internal import GRDBSQLite

/// The tables of the mirror.
///
/// Times are seconds since 1970; booleans are 0 and 1. `json` is what the server sent, byte for byte, with the labels
/// and the milestone of an item as it lists them now: the other columns are what is filtered, sorted, counted and listed
/// by. `stored` is the ticket under which this version of an item was stored, `asked` the one under which it was
/// requested; `seen_at` and `found_at` are by this machine's clock, and decide nothing.
///
/// The version is SQLite's `user_version`: it is read with the first page of the file, and changes in one
/// transaction with the tables, so that two processes that make the file at once don't both do it.
enum MirrorSchema {
  /// What tells the file from other databases: “ISUE” (<https://www.sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID = 0x4953_5545
  /// The version that this package writes.
  static var version: Int { steps.count }

  /// How many bytes a page of the file has.
  private static let pageSize = 16_384
  /// The steps from each version to the one after it. A step that was released stays as it is.
  private static let steps: [@Sendable (Database) throws -> Void] = [
    createTables, addFilteredColumns, addSyncState, addTickets,
  ]

  /// The steps as GRDB takes them.
  private static let migrator = {
    var migrator = DatabaseMigrator()
    for (index, step) in steps.enumerated() {
      migrator.registerMigration("\(index + 1)", foreignKeyChecks: .immediate) { db in
        // Version 1 was made without a list of its steps, and another process may have been faster.
        guard try version(of: db) <= index else { return }
        try step(db)
        try db.execute(
          sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1)")
      }
    }
    return migrator
  }()

  /// Prepares a connection.
  static func prepare(_ db: Database, path: String) throws {
    let isReadOnly = db.configuration.readonly
    try defend(db)
    // Of one moment: another process may be making the tables.
    var (version, applicationID, isEmpty) = (0, 0, false)
    try db.inTransaction(.deferred) {
      version = try Self.version(of: db)
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

  /// How many bytes a value may have: an answer of a server has fewer.
  private static let longestValue = 128 << 20

  /// Takes the file for what somebody may have made to be read by others.
  static func defend(_ db: Database) throws {
    guard let connection = db.sqliteConnection else { return }
    let code = csqlite_defend(UnsafeMutableRawPointer(connection))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, CInt(longestValue))
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
  }

  /// Compares a file with what the steps make, quickly where it is the same.
  static func compare(_ db: Database, path: String) throws {
    guard try digest(of: objects(db)) != digest, let problem = try problems(db).first else {
      return
    }
    throw MirrorFailure(
      .damaged,
      "The mirror \(path) is damaged: \(problem) Remove the file; the next sync makes it anew.")
  }

  /// What ``digest(of:)`` gives for a file that the steps have made.
  static let digest: UInt64 = 1_520_582_602_676_990_407

  /// A number for what a file consists of (FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>).
  static func digest(of objects: [Object]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      digest = (digest ^ 0xFF) &* 0x100_0000_01B3
    }
    for object in objects {
      add(object.type)
      add(object.name)
      // The tables that SQLite makes by itself are spelled as its version does.
      if !object.name.contains("_text_"), !object.name.hasPrefix("sqlite_") { add(object.sql) }
    }
    return digest
  }

  /// Brings the tables and the index of a file up to this version.
  static func migrate(_ writer: some DatabaseWriter) throws {
    guard try !writer.writeWithoutTransaction(isCurrent) else { return }
    var tries = 0
    while true {
      do {
        try migrator.migrate(writer)
        break
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && tries < 9 {
        // Another process has noted the same step meanwhile.
        tries += 1
      }
    }
    try writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        if try !SearchIndex.isCurrent(db) { try SearchIndex.rebuild(db) }
        return .commit
      }
    }
  }

  /// Whether a file's tables and index are as this version makes them.
  static func isCurrent(_ db: Database) throws -> Bool {
    try version(of: db) == version && SearchIndex.isCurrent(db)
  }

  private static func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// What is missing in a file, or isn't as the steps above make it: tables, indexes, views and triggers.
  ///
  /// - Returns: A sentence each, for a person.
  static func problems(_ db: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { try SearchIndex.register($0) }
    let model = try DatabaseQueue(configuration: configuration)
    try migrate(model)
    let made = try model.read(objects)
    let found = Dictionary(
      try objects(db).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(made.map(\.name))
    // Others may have added tables, but nothing that is carried out when one is written to.
    let foreign = found.values.filter { $0.type == "trigger" && !names.contains($0.name) }
    return made.filter { found[$0.name] != $0 }.map { object in
      "The \(object.type) \(object.name) \(found[object.name] == nil ? "is missing" : "isn't as it was made")."
    } + foreign.map(\.name).sorted().map { "The trigger \($0) is none of the mirror's." }
  }

  struct Object: Equatable {
    let type: String
    let name: String
    let sql: String
  }

  static func objects(_ db: Database) throws -> [Object] {
    // Of a damaged file these may be anything.
    let columns = ["type", "name", "sql"].map { "CAST(ifnull(\($0), '') AS TEXT)" }
    return try Row.fetchAll(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema ORDER BY 1 DESC, 2"
    ).map { Object(type: $0[0], name: $0[1], sql: $0[2]) }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    // GRDB makes and drops a table to begin the log, and makes its own before the first step: see
    // `Database.setUpWALMode` and `DatabaseMigrator.runMigrations`.
    try Bool.fetchOne(
      db,
      sql: """
        SELECT NOT EXISTS (
          SELECT 1 FROM sqlite_schema
          WHERE tbl_name NOT IN ('grdb_issue_102', 'grdb_migrations', 'sqlite_sequence'))
        """) ?? true
  }
}

internal import GRDB
internal import GRDBSQLite
internal import PrivateDatabase

/// The tables of the mirror.
///
/// Times are seconds since 1970; booleans are 0 and 1. `json` is what the server sent, byte for byte, with an item's
/// labels and milestone as they are listed now. The other columns are for filtering, sorting, counting and listing.
/// `stored` is the ticket of the transaction that stored this version of an item, and `asked` that of its request.
/// `seen_at` and `found_at` are by this machine's clock, and decide nothing.
///
/// The version is SQLite's `user_version`. It is read with the first page of the file, and changes in one transaction
/// with the tables, so that only one of several processes creates them.
enum MirrorSchema {
  /// Identifies the file: “ISUE” (<https://www.sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID = 0x4953_5545
  static var version: Int { steps.count }

  /// In bytes.
  private static let pageSize = 16_384
  /// Each step leads from one version to the next. A released step stays as it is.
  private static let steps: [@Sendable (Database) throws -> Void] = [
    createTables, addFilteredColumns, addSyncState, addTickets,
  ]

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

  static func prepare(_ db: Database, path: String) throws {
    let isReadOnly = db.configuration.readonly
    try db.defend()
    // In one transaction, because another process may be creating the tables.
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
          .damaged, "\(path) is not a mirror: it is another program's database.")
      }
      guard !isReadOnly else {
        throw MirrorFailure(.readOnly, "The mirror \(path) is empty, and can't be written to.")
      }
      // Both must be set before the first table. An issue takes some 4 KB, so smaller pages would hold only one, or a
      // part. Free space is returned in steps.
      try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    }
    // The version is written together with the tables.
    guard version >= 0, version > 0 || isEmpty else {
      throw MirrorFailure(
        .damaged,
        """
        The mirror \(path) is damaged: its version is \(version). Remove the file; the next sync recreates \
        it.
        """)
    }
    guard version <= Self.version else {
      throw MirrorFailure(
        .laterVersion,
        """
        The mirror \(path) was written by a later version of this program. Use that, or remove the file: \
        the next sync recreates it.
        """)
    }
    // The log and its index stay. Without them, nobody could read in a folder that can't be written to.
    var persists: CInt = 1
    sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persists)
    // The log is written back at 32 MB, so that pages which every transaction changes, such as those of indexes, are
    // written only once. After a long reader it may be longer, and is cut later.
    try db.execute(
      sql: """
        PRAGMA wal_autocheckpoint = \((32 << 20) / pageSize);
        PRAGMA journal_size_limit = \(64 << 20);
        PRAGMA cache_size = \(isReadOnly ? -4_096 : -8_192);
        """)
    try SearchIndex.register(db)
  }

  /// Compares a file with what the steps create. This is fast if they match.
  static func compare(_ db: Database, path: String) throws {
    guard try digest(of: objects(db)) != digest, let problem = try problems(db).first else {
      return
    }
    throw MirrorFailure(
      .damaged,
      "The mirror \(path) is damaged: \(problem) Remove the file; the next sync recreates it.")
  }

  /// The ``digest(of:)`` of a file that the steps created.
  static let digest: UInt64 = 1_520_582_602_676_990_407

  /// A hash of a schema (FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>).
  static func digest(of objects: [Object]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      digest = (digest ^ 0xFF) &* 0x100_0000_01B3
    }
    for object in objects {
      add(object.type)
      add(object.name)
      // SQLite's version decides how it spells its own tables.
      if !object.name.contains("_text_"), !object.name.hasPrefix("sqlite_") { add(object.sql) }
    }
    return digest
  }

  /// Updates the tables and the index of a file.
  static func migrate(_ writer: some DatabaseWriter) throws {
    guard try !writer.writeWithoutTransaction(isCurrent) else { return }
    var tries = 0
    while true {
      do {
        try migrator.migrate(writer)
        break
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && tries < 9 {
        // Another process has done the same step meanwhile.
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

  static func isCurrent(_ db: Database) throws -> Bool {
    try version(of: db) == version && SearchIndex.isCurrent(db)
  }

  private static func version(of db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// The tables, indexes, views and triggers of a file that are missing or differ from what the steps create: a
  /// sentence for each.
  static func problems(_ db: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { try SearchIndex.register($0) }
    let model = try DatabaseQueue(configuration: configuration)
    try migrate(model)
    let made = try model.read(objects)
    let found = Dictionary(
      try objects(db).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(made.map(\.name))
    // Others may have added tables, but no triggers.
    let foreign = found.values.filter { $0.type == "trigger" && !names.contains($0.name) }
    return made.filter { found[$0.name] != $0 }.map { object in
      "The \(object.type) \(object.name) \(found[object.name] == nil ? "is missing" : "was changed")."
    } + foreign.map(\.name).sorted().map { "The trigger \($0) doesn't belong to the mirror." }
  }

  struct Object: Equatable {
    let type: String
    let name: String
    let sql: String
  }

  static func objects(_ db: Database) throws -> [Object] {
    // In a damaged file these may be anything.
    let columns = ["type", "name", "sql"].map { "CAST(ifnull(\($0), '') AS TEXT)" }
    return try Row.fetchAll(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema ORDER BY 1 DESC, 2"
    ).map { Object(type: $0[0], name: $0[1], sql: $0[2]) }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    // GRDB creates and drops a table to begin the log, and creates its own before the first step: see
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

internal import GRDB
internal import GRDBSQLite
internal import PrivateDatabase

/// The tables of the mirror. Times are in seconds since 1970.
///
/// `json` is the server's JSON, byte for byte, except for an item's labels and milestone, which are kept as listed now.
/// `stored` is the ticket of the transaction that stored an item, `asked` the ticket of its request. `seen_at` and
/// `found_at` are local times, and don't affect decisions. The version is SQLite's `user_version`; it changes in one
/// transaction with the tables.
enum MirrorSchema {
  /// “ISUE” in ASCII (<https://www.sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID = 0x4953_5545
  static var version: Int { steps.count }

  /// The size of a page, in bytes.
  private static let pageSize = 16_384
  /// The steps from each version to the next. A released step never changes.
  private static let steps: [@Sendable (Database) throws -> Void] = [
    createTables, addFilteredColumns, addSyncState, addTickets, addTimelines, addWholeTexts,
  ]

  private static let migrator = {
    var migrator = DatabaseMigrator()
    for (index, step) in steps.enumerated() {
      migrator.registerMigration("\(index + 1)", foreignKeyChecks: .immediate) { db in
        // Version 1 didn't record its steps, and another process may have migrated the file first.
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
      // Both must be set before the first table is created. An issue takes about 4 KB, so smaller pages would hold only
      // one. Incremental vacuum returns free space in steps.
      try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL")
    }
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
    // The log and its index remain, because without them the mirror couldn't be read in an unwritable folder.
    var persists: CInt = 1
    unsafe sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persists)
    // The limit of up to 32 MB lets pages that every transaction changes be written once. A long read makes the log
    // longer.
    try db.execute(
      sql: """
        PRAGMA wal_autocheckpoint = \((32 << 20) / pageSize);
        PRAGMA journal_size_limit = \(64 << 20);
        PRAGMA cache_size = \(isReadOnly ? -4_096 : -8_192);
        """)
    try SearchIndex.register(db)
  }

  static func compare(_ db: Database, path: String) throws {
    guard try digest(of: objects(db)) != digest, let problem = try problems(db).first else {
      return
    }
    throw MirrorFailure(
      .damaged,
      "The mirror \(path) is damaged: \(problem) Remove the file; the next sync recreates it.")
  }

  /// The digest of a newly created file.
  static let digest: UInt64 = 9_434_528_895_484_293_979

  /// FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>.
  static func digest(of objects: [Object]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      digest = (digest ^ 0xFF) &* 0x100_0000_01B3
    }
    for object in objects {
      add(object.type)
      add(object.name)
      // The SQL of SQLite's own tables depends on SQLite's version.
      if !object.name.contains("_text_"), !object.name.hasPrefix("sqlite_") { add(object.sql) }
    }
    return digest
  }

  static func migrate(_ writer: some DatabaseWriter) throws {
    guard try !writer.writeWithoutTransaction(isCurrent) else { return }
    var tries = 0
    while true {
      do {
        try migrator.migrate(writer)
        break
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT && tries < 9 {
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

  /// A sentence about each table, index, view or trigger that is missing or differs from those of a new file.
  static func problems(_ db: Database) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { try SearchIndex.register($0) }
    let model = try DatabaseQueue(configuration: configuration)
    try migrate(model)
    let made = try model.read(objects)
    let found = Dictionary(
      try objects(db).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(made.map(\.name))
    // Other programs may have added tables, but not triggers.
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
    // A damaged file may contain values of any type.
    let columns = ["type", "name", "sql"].map { "CAST(ifnull(\($0), '') AS TEXT)" }
    return try Row.fetchAll(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema ORDER BY 1 DESC, 2"
    ).map { Object(type: $0[0], name: $0[1], sql: $0[2]) }
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    // GRDB first creates tables of its own (`Database.setUpWALMode`, `DatabaseMigrator.runMigrations`).
    try Bool.fetchOne(
      db,
      sql: """
        SELECT NOT EXISTS (
          SELECT 1 FROM sqlite_schema
          WHERE tbl_name NOT IN ('grdb_issue_102', 'grdb_migrations', 'sqlite_sequence'))
        """) ?? true
  }
}

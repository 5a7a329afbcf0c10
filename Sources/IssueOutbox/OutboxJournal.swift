internal import GRDB
internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules
internal import PrivateDatabase

final class OutboxJournal: Sendable {
  static let daysKept = 30.0

  let path: String
  let now: @Sendable () -> Date
  private let database: DatabaseQueue
  private let file: PrivateFile.Identity?
  private let key: String

  init(path: String, now: @escaping @Sendable () -> Date) throws(OutboxFailure) {
    self.path = path
    // This rounds to the precision of the file.
    self.now = { Date(timeIntervalSince1970: now().timeIntervalSince1970) }
    do throws(OutboxFailure) {
      (database, key) = try Self.open(path)
      file = PrivateFile(path: path).identity
    } catch {
      guard error.code == .damaged else { throw error }
      throw DamagedOutbox(path: path, problem: error.message, date: now())
        .setAside(PrivateFile(path: path).identity)
    }
  }

  private static func open(_ path: String) throws(OutboxFailure) -> (DatabaseQueue, key: String) {
    do {
      try PrivateFile(path: path).prepare(isReadOnly: false)
      var configuration = Configuration()
      configuration.label = "IssueOutbox"
      // WAL mode waits for the disk once per transaction, but a rollback journal waits three times.
      configuration.journalMode = .wal
      configuration.busyMode = .callback(BusyWait.waits)
      let database = try DatabaseQueue(path: path, configuration: configuration)
      let key = try database.inDatabase { db in
        try OutboxSchema.prepare(db)
        try OutboxSchema.check(db, path: path)
        return try String.fetchOne(db, sql: "SELECT hex(value) FROM setting WHERE name = 'key'")
      }
      guard let key else { throw OutboxFailure(.damaged, "a setting is missing") }
      return (database, key)
    } catch {
      throw OutboxFailure(any: error, at: path)
    }
  }

  func fingerprint(of token: AccessToken) -> String { Fingerprint([key, token.secret]).text }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(OutboxFailure) -> Value {
    do {
      return try await Task { try await database.read(body) }.value
    } catch {
      throw failure(error)
    }
  }

  /// The lock that a process holds while it sends; nil if another process holds it.
  func folderLock() -> OpenFile? {
    guard let folder = try? OpenFile.folder(PrivateFile(path: path).folder), folder.lock() else {
      return nil
    }
    return folder
  }

  /// Writes in a transaction, which is on the disk when this returns.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(OutboxFailure) -> Value {
    do {
      // The inner task isn't canceled with the outer one, because the result must be recorded in any case.
      return try await Task { try await database.write(body) }.value
    } catch {
      throw failure(error)
    }
  }

  func fill(_ body: (Database) throws -> Void) throws { try database.write(body) }

  private func failure(_ error: any Error) -> OutboxFailure {
    let failure = OutboxFailure(any: error, at: path)
    guard failure.code == .damaged else { return failure }
    try? database.close()
    return DamagedOutbox(path: path, problem: failure.message, date: now()).setAside(file)
  }
}

// MARK: Entries

extension OutboxJournal {
  /// The rows, the oldest first.
  static func rows(
    _ db: Database, where condition: String, _ arguments: StatementArguments = []
  ) throws -> [OutboxRow] {
    // Only a few different conditions are used, and the statement takes longer to compile than to run.
    let statement = try db.cachedStatement(
      sql: """
        SELECT * FROM entry LEFT JOIN bulk ON member = id LEFT JOIN proposal ON proposed = id
        WHERE \(condition) ORDER BY id
        """)
    var reader = OutboxRowReader()
    return try Row.fetchAll(statement, arguments: arguments).map { try reader.row($0) }
  }

  static func row(_ db: Database, _ id: OutboxEntry.ID) throws -> OutboxRow {
    guard let row = try rows(db, where: "id = ?", [id]).first else {
      throw OutboxFailure(.noSuchEntry, "There is no change \(id) in the outbox.")
    }
    return row
  }

  static func order(_ db: Database) throws -> OutboxOrder {
    OutboxOrder(try outlines(db, where: "TRUE"))
  }

  /// The part of the order that is relevant for an entry.
  static func order(_ db: Database, around row: OutboxRow) throws -> OutboxOrder {
    var found: [OutboxEntry.ID: OutboxOrder.Entry] = [:]
    var rest = [row.id] + row.requires
    let pending = row.change.pending ?? (row.change.makesIssue ? row.id : nil)
    var condition = "number = \(row.orderNumber ?? 0) OR pending = \(pending ?? 0)"
    var tried: Set<OutboxEntry.ID> = []
    while !rest.isEmpty {
      tried.formUnion(rest)
      let ids = rest.map(String.init).joined(separator: ", ")
      for entry in try outlines(db, where: "\(condition) OR id IN (\(ids))") {
        found[entry.id] = entry
      }
      condition = "FALSE"
      rest = Set(found.values.flatMap(\.requires)).subtracting(found.keys).subtracting(tried)
        .sorted()
    }
    return OutboxOrder(found.values.sorted { $0.id < $1.id })
  }

  private static func outlines(
    _ db: Database, where condition: String
  ) throws -> [OutboxOrder.Entry] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, server, repository, number, pending, state, requires, dropped,
          CASE WHEN state = 'queued' AND reason IS NOT NULL THEN began END, leader
        FROM entry LEFT JOIN bulk ON member = id
        WHERE state <> 'sent' AND (\(condition)) ORDER BY id
        """)
    var entries: [OutboxOrder.Entry] = []
    while let row = try rows.next() {
      guard let state = OutboxState(rawValue: try row.value(5)) else {
        throw OutboxFailure(.damaged, "a change can't be read")
      }
      let dropped: Double? = try row.value(7)
      var entry = OutboxOrder.Entry(
        id: try row.value(0), state: state, requires: OutboxRowReader.ids(try row.value(6)),
        isDropped: dropped != nil, failed: try row.value(8), bulk: try row.value(9))
      if let number: Int = try row.value(3) {
        let repository: String = try row.value(2)
        entry.issue = .number(try row.value(1), repository.lowercased(), number)
      } else if let pending: OutboxEntry.ID = try row.value(4) {
        entry.issue = .pending(pending)
      }
      entries.append(entry)
    }
    return entries
  }

  static func update(_ db: Database, _ row: OutboxRow) throws {
    try db.cachedStatement(
      sql: """
        UPDATE entry SET repository = :repository, fingerprint = :fingerprint, login = :login,
          number = :number, pending = :pending, change = :change,
          state = :state, reason = :reason, changed = :changed, attempts = :attempts,
          requires = :requires, began = :began, looks = :looks, item = :item, answer = :answer,
          json = :json, conflict = :conflict, dropped = :dropped
        WHERE id = :id
        """
    ).execute(arguments: try row.arguments())
  }

  /// Writes an entry. A new entry has the id 0, and receives its id from the table.
  @discardableResult
  static func insert(_ db: Database, _ row: OutboxRow) throws -> OutboxEntry.ID {
    try db.cachedStatement(
      sql: """
        INSERT INTO entry(id, server, repository, change, state, created, changed)
        VALUES (?, ?, ?, '', ?, ?, ?)
        """
    ).execute(arguments: [
      row.id == 0 ? nil : row.id, row.server.apiURL, row.repository.description, row.state.rawValue,
      row.created.timeIntervalSince1970, row.changed.timeIntervalSince1970,
    ])
    return db.lastInsertedRowID
  }

  func add(
    _ intentions: [Intention], asBulk: Bool
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = now()
    return try await write { db in
      var rows: [OutboxRow] = []
      for intention in intentions {
        var row = OutboxRow(
          id: 0, server: intention.server, repository: intention.repository,
          change: intention.change, account: intention.account, state: .queued, created: date,
          changed: date)
        if let creation = rows.last(where: { $0.change.makesIssue }) {
          row.change = row.change.following(creation.id)
        }
        row.id = try Self.insert(db, row)
        if asBulk {
          row.bulk = rows.first?.id ?? row.id
          try db.execute(sql: "INSERT INTO bulk VALUES (?, ?)", arguments: [row.id, row.bulk])
        }
        try Self.connect(db, &row, after: intention.followsPrevious ? rows.last?.id : nil)
        try Self.update(db, row)
        rows.append(row)
      }
      try Self.purge(db, at: date)
      if rows.count == 1 { return try rows.map { $0.entry(in: try Self.order(db, around: $0)) } }
      let order = try Self.order(db)
      return rows.map { $0.entry(in: order) }
    }
  }

  /// Adds a proposal. A repeated one isn't added again.
  func propose(
    _ intention: Intention, by proposer: String
  ) async throws(OutboxFailure) -> OutboxEntry {
    let date = now()
    return try await write { db in
      let waiting = try Self.rows(db, where: "state = 'proposed' AND dropped IS NULL")
      func isSame(_ row: OutboxRow) -> Bool {
        row.server == intention.server && row.repository == intention.repository
          && row.change == intention.change
      }
      if let row = waiting.first(where: isSame) {
        return row.entry(in: try Self.order(db, around: row))
      }
      guard waiting.count < Outbox.mostProposals else {
        throw OutboxFailure(
          .wrongState,
          "\(waiting.count) proposals are waiting, which is the limit: a person approves or drops some first."
        )
      }
      var row = OutboxRow(
        id: 0, server: intention.server, repository: intention.repository,
        change: intention.change, state: .proposed, created: date, changed: date,
        proposer: proposer)
      row.id = try Self.insert(db, row)
      try db.execute(sql: "INSERT INTO proposal VALUES (?, ?)", arguments: [row.id, proposer])
      try Self.connect(db, &row)
      try Self.update(db, row)
      return row.entry(in: try Self.order(db, around: row))
    }
  }

  /// Finds the dependencies of an entry, and resolves mentions of sent creations.
  static func connect(
    _ db: Database, _ row: inout OutboxRow, after previous: OutboxEntry.ID? = nil
  ) throws {
    var required: Set<OutboxEntry.ID> = previous.map { [$0] } ?? []
    var numbers: [OutboxEntry.ID: Int] = [:]
    let target = row.change.pending
    let mentioned = row.change.texts.reduce(into: Set()) {
      $0.formUnion(PendingMentions.ids(in: $1))
    }
    for id in mentioned.union([target].compactMap(\.self)).sorted() {
      let creation = try rows(db, where: "id = ? AND id < ?", [id, row.id]).first
      guard let creation, case .createIssue = creation.change, creation.server == row.server,
        creation.repository.description.lowercased() == row.repository.description.lowercased()
      else {
        guard id == target else { continue }
        throw OutboxFailure(
          .noSuchEntry, "There is no new-\(id) for \(row.repository) in the outbox.")
      }
      if let number = creation.answer?.number {
        numbers[id] = number
      } else {
        required.insert(id)
      }
    }
    row.change = row.change.resolving(numbers)
    row.requires = required.sorted()
    try connectAttachments(db, row)
  }

  /// Removes entries that were sent or dropped 30 days ago, unless other entries depend on them. This machine's clock
  /// may be ahead, so 30 days must also have passed by the newest time reported by a server.
  static func purge(_ db: Database, at date: Date) throws {
    guard let told = try serverTime(db) else { return }
    let oldest = min(date, told).timeIntervalSince1970 - daysKept * 86_400
    let old = try OutboxEntry.ID.fetchAll(
      db, sql: "SELECT id FROM entry WHERE state = 'sent' AND changed < ? OR dropped < ?",
      arguments: [oldest, oldest])
    guard !old.isEmpty else { return }
    let needed = try rows(db, where: "state <> 'sent' AND requires <> ''").flatMap(\.requires)
    for id in Set(old).subtracting(needed) {
      try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM bulk WHERE member = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM attached WHERE entry = ?", arguments: [id])
      try db.execute(sql: "DELETE FROM proposal WHERE proposed = ?", arguments: [id])
    }
  }

  func change(
    _ id: OutboxEntry.ID, _ body: @escaping @Sendable (Database, inout OutboxRow) throws -> Void
  ) async throws(OutboxFailure) -> OutboxEntry {
    let date = now()
    let lock = folderLock()
    let isLocked = lock != nil
    defer { withExtendedLifetime(lock) {} }
    return try await write { db in
      let row = try Self.change(db, [id], at: date, isLocked: isLocked, body)[0]
      return row.entry(in: try Self.order(db, around: row))
    }
  }

  func changeAll(
    _ ids: @escaping @Sendable (Database) throws -> [OutboxEntry.ID],
    _ body: @escaping @Sendable (Database, inout OutboxRow) throws -> Void
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = now()
    let lock = folderLock()
    let isLocked = lock != nil
    defer { withExtendedLifetime(lock) {} }
    return try await write { db in
      let rows = try Self.change(db, try ids(db), at: date, isLocked: isLocked, body)
      let order = try Self.order(db)
      return rows.map { $0.entry(in: order) }
    }
  }

  private static func change(
    _ db: Database, _ ids: [OutboxEntry.ID], at date: Date, isLocked: Bool,
    _ body: (Database, inout OutboxRow) throws -> Void
  ) throws -> [OutboxRow] {
    if try Lease.isFree(db, at: date, isLocked: isLocked) { try recover(db, at: date) }
    return try ids.map { id in
      var row = try row(db, id)
      try body(db, &row)
      row.changed = date
      try update(db, row)
      return row
    }
  }

  /// The entries, including dropped ones, that depend directly or indirectly on the given entries, the oldest first.
  static func dependents(_ db: Database, of ids: Set<OutboxEntry.ID>) throws -> [OutboxRow] {
    var needed = ids
    // An entry depends only on older entries.
    return try rows(db, where: "state <> 'sent' AND requires <> ''").filter { row in
      guard !needed.isDisjoint(with: row.requires) else { return false }
      needed.insert(row.id)
      return !ids.contains(row.id)
    }
  }

  func entry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry? {
    try await entries(where: "id = ?", [id]).first
  }

  func entries(
    where condition: String, _ arguments: StatementArguments = []
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = now()
    return try await read { db in
      let rows = try Self.rows(db, where: condition, arguments)
      guard !rows.isEmpty else { return [] }
      let order = try Self.order(db)
      let keys = Set(rows.filter { $0.state == .queued }.map { PaceKey($0.server, $0.account) })
      var limits: [PaceKey: String] = [:]
      for key in keys { limits[key] = try Self.limit(db, key, at: date) }
      return rows.map { $0.entry(in: order, limit: limits[PaceKey($0.server, $0.account)]) }
    }
  }
}

internal import GRDB
internal import GitHubAPI
internal import HTTPTargets
internal import PrivateDatabase

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file of an outbox: each transaction is on the disk when it returns.
final class OutboxJournal: Sendable {
  /// For how many days what is over is kept.
  static let daysKept = 30.0

  let path: String
  let now: @Sendable () -> Date
  private let database: DatabaseQueue
  private let file: PrivateFile.Identity?
  /// The key of the digests of tokens.
  private let key: String

  /// Opens a journal, or makes an empty one. A damaged one is set aside.
  init(path: String, now: @escaping @Sendable () -> Date) throws(OutboxFailure) {
    self.path = path
    // As exactly as the file has it.
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
      // One wait for the disk in each transaction, where a rollback journal takes three.
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

  /// A keyed digest of a token.
  func fingerprint(of token: AccessToken) -> String { Fingerprint([key, token.secret]).text }

  /// Reads, in a snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(OutboxFailure) -> Value {
    do {
      return try await Task { try await database.read(body) }.value
    } catch {
      throw failure(error)
    }
  }

  /// Writes, in a transaction that is on the disk when this returns.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(OutboxFailure) -> Value {
    do {
      // Not cancelled with its task: what has happened is noted in any case.
      return try await Task { try await database.write(body) }.value
    } catch {
      throw failure(error)
    }
  }

  /// Writes while nobody else has the file.
  func fill(_ body: (Database) throws -> Void) throws { try database.write(body) }

  /// Translates what was thrown, and sets a file aside that turns out to be damaged.
  private func failure(_ error: any Error) -> OutboxFailure {
    let failure = OutboxFailure(any: error, at: path)
    guard failure.code == .damaged else { return failure }
    try? database.close()
    return DamagedOutbox(path: path, problem: failure.message, date: now()).setAside(file)
  }
}

// MARK: Entries

extension OutboxJournal {
  /// The entries for which a condition holds, the oldest first.
  static func rows(
    _ db: Database, where condition: String, _ arguments: StatementArguments = []
  ) throws -> [OutboxRow] {
    try Row.fetchAll(
      db, sql: "SELECT * FROM entry WHERE \(condition) ORDER BY id", arguments: arguments
    ).map(OutboxRow.init)
  }

  /// - Throws: ``OutboxFailure/Code/noSuchEntry``.
  static func row(_ db: Database, _ id: OutboxEntry.ID) throws -> OutboxRow {
    guard let row = try rows(db, where: "id = ?", [id]).first else {
      throw OutboxFailure(.noSuchEntry, "There is no entry \(id) in the outbox.")
    }
    return row
  }

  /// The order of what isn't sent.
  static func order(_ db: Database) throws -> OutboxOrder {
    let entries = try Row.fetchAll(
      db,
      sql: """
        SELECT id, server, repository, number, pending, state, requires, dropped FROM entry
        WHERE state <> 'sent' ORDER BY id
        """
    ).map { row in
      let id: OutboxEntry.ID = try row.value("id")
      guard let state = OutboxState(rawValue: try row.value("state")) else {
        throw OutboxFailure(.damaged, "an entry can't be read")
      }
      let dropped: Double? = try row.value("dropped")
      var entry = OutboxOrder.Entry(
        id: id, state: state,
        requires: (try row.value("requires") as String).split(separator: ",")
          .compactMap { OutboxEntry.ID($0) },
        isDropped: dropped != nil)
      if let number: Int = try row.value("number") {
        let repository: String = try row.value("repository")
        entry.issue = .number(try row.value("server"), repository.lowercased(), number)
      } else if let pending: OutboxEntry.ID = try row.value("pending") {
        entry.issue = .pending(pending)
      }
      return entry
    }
    return OutboxOrder(entries)
  }

  /// Writes a row's changeable columns.
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

  /// Adds an entry; where it has none, the table gives it an id.
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

  /// Adds intentions, and returns their entries.
  func add(_ intentions: [Intention]) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = now()
    return try await write { db in
      var rows: [OutboxRow] = []
      for intention in intentions {
        var row = OutboxRow(
          id: 0, server: intention.server, repository: intention.repository,
          change: intention.change, account: intention.account, state: .queued, created: date,
          changed: date)
        row.id = try Self.insert(db, row)
        try Self.connect(db, &row, after: intention.followsPrevious ? rows.last?.id : nil)
        try Self.update(db, row)
        rows.append(row)
      }
      try Self.purge(db, at: date)
      let order = try Self.order(db)
      return rows.map { $0.entry(in: order) }
    }
  }

  /// Finds what an entry needs, and puts numbers in place of entries that have been sent.
  static func connect(
    _ db: Database, _ row: inout OutboxRow, after previous: OutboxEntry.ID? = nil
  ) throws {
    var required: Set<OutboxEntry.ID> = previous.map { [$0] } ?? []
    var numbers: [OutboxEntry.ID: Int] = [:]
    var target: OutboxEntry.ID?
    if case .pending(let id) = row.change.target { target = id }
    let mentioned = row.change.texts.reduce(into: Set()) { $0.formUnion(PendingMentions.ids(in: $1)) }
    for id in mentioned.union([target].compactMap(\.self)).sorted() {
      let creation = try rows(db, where: "id = ? AND id < ?", [id, row.id]).first
      guard let creation, case .createIssue = creation.change, creation.server == row.server,
        creation.repository == row.repository
      else {
        guard id == target else { continue }
        throw OutboxFailure(
          .noSuchEntry, "There is no new-\(id) in the outbox that \(row.repository) is to get.")
      }
      if let number = creation.answer?.number {
        numbers[id] = number
      } else {
        required.insert(id)
      }
    }
    row.change = row.change.resolving(numbers)
    row.requires = required.sorted()
  }

  /// Removes what has been over for 30 days, unless something still needs it.
  static func purge(_ db: Database, at date: Date) throws {
    let oldest = date.timeIntervalSince1970 - daysKept * 86_400
    let old = try OutboxEntry.ID.fetchAll(
      db, sql: "SELECT id FROM entry WHERE state = 'sent' AND changed < ? OR dropped < ?",
      arguments: [oldest, oldest])
    guard !old.isEmpty else { return }
    let needed = try rows(db, where: "state <> 'sent' AND requires <> ''").flatMap(\.requires)
    for id in Set(old).subtracting(needed) {
      try db.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
    }
  }

  /// Changes an entry for a person, in one transaction with the look at its state.
  ///
  /// - Returns: The entry after the change.
  func change(
    _ id: OutboxEntry.ID, _ body: @escaping @Sendable (Database, inout OutboxRow) throws -> Void
  ) async throws(OutboxFailure) -> OutboxEntry {
    let date = now()
    return try await write { db in
      if try Lease.isFree(db, at: date) { try Self.recover(db, at: date) }
      var row = try Self.row(db, id)
      try body(db, &row)
      row.changed = date
      try Self.update(db, row)
      return row.entry(in: try Self.order(db))
    }
  }

  func entry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry? {
    try await entries(where: "id = ?", [id]).first
  }

  /// Entries for reading.
  func entries(
    where condition: String, _ arguments: StatementArguments = []
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    try await read { db in
      let rows = try Self.rows(db, where: condition, arguments)
      guard !rows.isEmpty else { return [] }
      let order = try Self.order(db)
      return rows.map { $0.entry(in: order) }
    }
  }
}

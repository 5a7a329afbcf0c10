internal import GRDB
internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules
internal import PrivateDatabase

/// Keeps a damaged journal under another name, and copies its readable part to a new one.
struct DamagedOutbox {
  let path: String
  let problem: String
  let date: Date

  /// The number of ids to try if the size of a damaged table is unknown.
  private static let mostEntries: OutboxEntry.ID = 20_000

  func setAside(_ file: PrivateFile.Identity?) -> OutboxFailure {
    // Another process may have created a new file in the meantime, which must not be moved.
    guard let file, let lock = PrivateFile(path: path).lock(as: file) else {
      return OutboxFailure(
        .damaged, "The outbox \(path) was damaged (\(problem)) and was set aside. Run this again.")
    }
    defer { withExtendedLifetime(lock) {} }
    let time = Timestamp.string(from: date).filter { $0.isLetter || $0.isNumber }
    var kept = "\(path).damaged-\(time)"
    var number = 1
    while PrivateFile(path: kept).identity != nil {
      number += 1
      kept = "\(path).damaged-\(time)-\(number)"
    }
    do {
      // The log is moved first, because it would otherwise be applied to a new file of the same name.
      for suffix in ["-wal", "-shm", ""] {
        try PrivateFile(path: path + suffix).move(to: kept + suffix)
      }
    } catch {
      return OutboxFailure(
        .damaged,
        "The outbox \(path) is damaged (\(problem)), and can't be set aside: \(error.reason).")
    }
    let entries = Self.readable(in: kept)
    let message = "The outbox \(path) was damaged (\(problem)) and is kept as \(kept)."
    do {
      try carryOver(entries)
    } catch {
      return OutboxFailure(.damaged, "\(message) A new one can't be made: \(error)")
    }
    let count = entries.rows.count
    return OutboxFailure(
      .damaged,
      count == 0
        ? "\(message) Nothing in it can be read."
        : """
        \(message) \(count == 1 ? "One change" : "\(count) changes") of it can be read and \
        \(count == 1 ? "is" : "are") in the new one. Check whether the unsent ones are on the server: none of \
        them is sent before you say so.
        """)
  }

  private struct Readable {
    var key: Data?
    var rows: [OutboxRow] = []
    /// The rows of the tables of attachments and proposals, by the name of the table.
    var additions: [String: [StatementArguments]] = [:]
  }

  private static func readable(in path: String) -> Readable {
    var result = Readable()
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.defend() }
    guard let database = try? DatabaseQueue(path: path, configuration: configuration) else {
      return result
    }
    database.inDatabase { db in
      result.key = try? Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'key'")
      let last = (try? OutboxEntry.ID.fetchOne(db, sql: "SELECT max(id) FROM entry")) ?? mostEntries
      guard last > 0 else { return }
      // A file from an earlier version lacks these tables, and the query of a row joins them.
      for (table, columns) in [("bulk", "member, leader"), ("proposal", "proposed, proposer")]
      where (try? db.tableExists(table)) != true {
        try? db.execute(sql: "CREATE TEMP TABLE \(table)(\(columns))")
      }
      for id in 1...min(last, mostEntries) {
        guard let row = try? OutboxJournal.rows(db, where: "id = ?", [id]).first else { continue }
        result.rows.append(row)
      }
      for table in ["attachment", "attached", "proposal"] {
        let rows = try? Row.fetchAll(db, sql: "SELECT * FROM \(table)")
        result.additions[table] = rows?.map { StatementArguments($0.databaseValues) }
      }
    }
    try? database.close()
    return result
  }

  private func carryOver(_ entries: Readable) throws {
    let date = date
    let journal = try OutboxJournal(path: path) { date }
    try journal.fill { db in
      if let key = entries.key, key.count == 32 {
        try db.execute(sql: "UPDATE setting SET value = ? WHERE name = 'key'", arguments: [key])
      }
      for var row in entries.rows {
        // The state of these entries may have changed after the readable part was written.
        if [.queued, .sending].contains(row.state) {
          row.state = .unknown
          row.reason = "it was in a damaged outbox, and may have been carried out"
          row.began = row.began ?? row.created
        }
        try OutboxJournal.insert(db, row)
        try OutboxJournal.update(db, row)
      }
      for (table, rows) in entries.additions {
        let marks = table == "attachment" ? "?, ?, ?, ?, ?, ?" : "?, ?"
        for row in rows {
          try db.execute(sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", arguments: row)
        }
      }
    }
  }
}

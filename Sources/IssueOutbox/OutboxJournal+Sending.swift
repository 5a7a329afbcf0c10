internal import GRDB
internal import GitHubAPI
internal import PlatformModules
internal import PrivateDatabase

/// The exclusive right of a process to send. It expires if the process hangs. If the process is killed, the right ends
/// with its lock on the folder.
struct Lease: Sendable {
  /// The duration in seconds, unless the lease is renewed.
  static let duration = 60.0

  let holder: String

  /// Whether no process is sending: the lease has expired, or its holder has lost the lock on the folder.
  static func isFree(_ db: Database, at date: Date, isLocked: Bool) throws -> Bool {
    guard let row = try Row.fetchOne(db, sql: "SELECT until, locked FROM lease") else {
      return true
    }
    return try Date(timeIntervalSince1970: row.value("until")) <= date
      || isLocked && row.value("locked")
  }

  /// Takes or renews the lease. If another process holds it, returns the end of that lease. A live holder that locked
  /// the folder still has the lock, so a process that gets the lock may take the lease.
  func take(_ db: Database, at date: Date, isLocked: Bool) throws -> Date? {
    if let row = try Row.fetchOne(db, sql: "SELECT holder, until, locked FROM lease") {
      let isOwn = try row.value("holder") as String == holder
      let end = Date(timeIntervalSince1970: try row.value("until"))
      let isDead = try isLocked && row.value("locked") as Bool
      // An end far in the future was computed before the clock was set back.
      let isCredible = end.timeIntervalSince(date) <= Self.duration
      guard isOwn || isDead || end <= date || !isCredible else { return end }
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO lease VALUES (1, ?, ?, ?)",
      arguments: [holder, date.timeIntervalSince1970 + Self.duration, isLocked])
    return nil
  }

  func check(_ db: Database) throws {
    guard try String.fetchOne(db, sql: "SELECT holder FROM lease") == holder else { throw Lost() }
  }

  func renew(_ db: Database, at date: Date) throws {
    try db.execute(
      sql: "UPDATE lease SET until = ? WHERE holder = ?",
      arguments: [date.timeIntervalSince1970 + Self.duration, holder])
  }

  static func newHolder() -> String {
    String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  func release(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM lease WHERE holder = ?", arguments: [holder])
  }

  struct Lost: Error {}
}

/// The scope of GitHub's limits.
struct PaceKey: Hashable, Sendable {
  var server: GitHubServer
  var account: String

  init(_ server: GitHubServer, _ account: OutboxAccount?) {
    self.server = server
    self.account = account?.fingerprint ?? ""
  }
}

extension OutboxJournal {
  /// Settles entries whose process ended while sending them.
  static func recover(_ db: Database, at date: Date) throws {
    for var row in try rows(db, where: "state = 'sending'") {
      if row.change.countsEachTime {
        row.state = .unknown
        row.reason = "the process that sent it was ended: it may have been carried out"
      } else {
        row.state = .queued
      }
      row.changed = date
      try update(db, row)
    }
  }

  static func rename(
    _ db: Database, _ old: RepositoryName, to name: RepositoryName, on server: GitHubServer
  ) throws {
    try db.execute(
      sql: "UPDATE entry SET repository = ? WHERE server = ? AND repository = ? COLLATE NOCASE",
      arguments: [name.description, server.apiURL, old.description])
  }

  /// The items of this kind that other entries have created in the same place: numbers of issues, or ids of comments.
  static func claims(_ db: Database, besides row: OutboxRow) throws -> Set<Int64> {
    let others = try rows(
      db, where: "item IS NOT NULL AND id <> ? AND server = ? AND repository = ? COLLATE NOCASE",
      [row.id, row.server.apiURL, row.repository.description])
    return Set(others.filter { $0.change.makesIssue == row.change.makesIssue }.compactMap(\.item))
  }

  static func resolve(_ db: Database, _ creation: OutboxRow) throws {
    guard case .createIssue = creation.change, let number = creation.answer?.number else { return }
    let others = try rows(
      db, where: "state <> 'sent' AND server = ? AND repository = ? COLLATE NOCASE AND id > ?",
      [creation.server.apiURL, creation.repository.description, creation.id])
    for var row in others where row.requires.contains(creation.id) {
      row.change = row.change.resolving([creation.id: number])
      try update(db, row)
    }
  }

  // MARK: Pace

  static func written(_ db: Database, _ key: PaceKey, at date: Date) throws -> [Date] {
    try Double.fetchAll(
      db,
      sql: "SELECT time FROM written WHERE server = ? AND account = ? AND time > ? ORDER BY time",
      arguments: [key.server.apiURL, key.account, date.timeIntervalSince1970 - 3_600]
    ).map(Date.init(timeIntervalSince1970:))
  }

  /// The reason that nothing can be sent for a while, as a message.
  static func limit(_ db: Database, _ key: PaceKey, at date: Date) throws -> String? {
    let pace = OutboxPace.github
    let next = pace.next(after: try written(db, key, at: date), at: date)
    let pause = try pause(db, key).flatMap { $0.timeIntervalSince(date) <= 86_400 ? $0 : nil }
    let end = max(next, pause ?? next)
    return end > date + pace.interval / .seconds(1) ? OutboxPace.words(until: end) : nil
  }

  static func noteWrite(_ db: Database, _ key: PaceKey, at date: Date) throws {
    try db.execute(
      sql: "DELETE FROM written WHERE time <= ?", arguments: [date.timeIntervalSince1970 - 3_600])
    try db.execute(
      sql: "INSERT INTO written VALUES (?, ?, ?)",
      arguments: [key.server.apiURL, key.account, date.timeIntervalSince1970])
  }

  /// The time until which the server doesn't accept writes from this account.
  static func pause(_ db: Database, _ key: PaceKey) throws -> Date? {
    try Double.fetchOne(
      db, sql: "SELECT until FROM pause WHERE server = ? AND account = ?",
      arguments: [key.server.apiURL, key.account]
    ).map(Date.init(timeIntervalSince1970:))
  }

  /// If the server doesn't send a time, the pause is a minute, and doubles each time that the server repeats it.
  static func notePause(
    _ db: Database, _ key: PaceKey, until end: Date?, at date: Date
  ) throws {
    let count =
      try Int.fetchOne(
        db, sql: "SELECT count FROM pause WHERE server = ? AND account = ?",
        arguments: [key.server.apiURL, key.account]) ?? 0
    let until = end ?? date.addingTimeInterval(60 * Double(1 << min(count, 6)))
    try db.execute(
      sql: "INSERT OR REPLACE INTO pause VALUES (?, ?, ?, ?)",
      arguments: [
        key.server.apiURL, key.account, until.timeIntervalSince1970, end == nil ? count + 1 : count,
      ])
  }

  static func endPause(_ db: Database, _ key: PaceKey) throws {
    try db.execute(
      sql: "DELETE FROM pause WHERE server = ? AND account = ?",
      arguments: [key.server.apiURL, key.account])
  }

  // MARK: Server time

  static func serverTime(_ db: Database) throws -> Date? {
    try Row.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'server-time'")
      .map { Date(timeIntervalSince1970: try $0.value("value")) }
  }

  static func noteServerTime(_ db: Database, _ date: Date) throws {
    guard try serverTime(db).map({ $0 < date }) ?? true else { return }
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting VALUES ('server-time', ?)",
      arguments: [date.timeIntervalSince1970])
  }

  // MARK: Logins

  static func login(_ db: Database, _ key: PaceKey) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT login FROM login WHERE server = ? AND fingerprint = ?",
      arguments: [key.server.apiURL, key.account])
  }

  static func noteLogin(_ db: Database, _ key: PaceKey, _ login: String) throws {
    guard !key.account.isEmpty, try Self.login(db, key) != login else { return }
    try db.execute(
      sql: "INSERT OR REPLACE INTO login VALUES (?, ?, ?)",
      arguments: [key.server.apiURL, key.account, login])
  }
}

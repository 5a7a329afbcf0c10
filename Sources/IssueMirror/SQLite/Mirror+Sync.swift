internal import GRDB
package import GitHubAPI
package import PlatformModules
internal import PrivateDatabase

extension Mirror {
  package func record(
    _ repository: GitHub.Repository, json: Data, on host: String, under name: RepositoryName? = nil,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      let upsert = try db.cachedStatement(
        sql: """
          INSERT INTO repository (host, id, full_name, json, open_count, seen_at, naming)
          VALUES (?, ?, ?, ?, ?, ?, (SELECT ifnull(max(naming), 0) + 1 FROM repository))
          ON CONFLICT (host, id) DO UPDATE SET
            full_name = excluded.full_name, json = excluded.json, open_count = excluded.open_count,
            seen_at = excluded.seen_at, naming = excluded.naming
          WHERE json <> excluded.json OR full_name <> excluded.full_name COLLATE BINARY
            OR EXISTS (
              SELECT 1 FROM repository AS other
              WHERE other.host = excluded.host AND other.full_name = excluded.full_name
                AND other.naming > repository.naming)
          """)
      try upsert.execute(
        arguments: [
          host, repository.id, repository.fullName, json,
          repository.openIssuesCount.flatMap { (0..<1 << 40).contains($0) ? $0 : nil },
          seen.seconds,
        ])
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM repository WHERE host = ? AND id = ?",
        arguments: [host, repository.id])
      guard let row else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      let kept = try MirroredRepository(row)
      if let name = name?.description, name.lowercased() != kept.fullName.lowercased() {
        try db.execute(
          sql: "INSERT OR REPLACE INTO former_name (host, name, repository) VALUES (?, ?, ?)",
          arguments: [host, name, kept.id])
      }
      return kept
    }
  }

  package func openDifference(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int? {
    try await reading { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT open_count - (SELECT count(*) FROM item WHERE repository = :key AND state = 'open')
          FROM repository WHERE key = :key
          """, arguments: ["key": repository.id]
      ).flatMap { try $0.value(0) }
    }
  }

  package func state(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> SyncState? {
    try await reading { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM repository WHERE key = ?", arguments: [repository.id])
      guard let row else { return nil }
      var state = SyncState(repository: try MirroredRepository(row))
      for feed in ChangeFeed.allCases {
        state.entityTags[feed] = try row.value(feed.entityTagColumn) as String?
        state.sweeps[feed] = try Self.sweep(feed, repository, db)
      }
      state.propertiesCheckedAt = Date(seconds: try row.value("properties_checked_at"))
      state.commentsCounted = (try row.value("comments_counted") as Int64?)
        .map(StoreTicket.init(place:))
      state.difference = CountDifference(
        pending: try row.value("miscount"), noticedAt: try row.value("miscounted_at"),
        examinedAt: try row.value("recounted_at"),
        accepted: try row.value("accepted_difference"))
      return state
    }
  }

  package func ticket(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> StoreTicket {
    try await writing { db in try Self.nextTicket(of: repository, db) }
  }

  package func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository,
    inPlaceOf old: Sweep? = nil, at began: Date
  ) async throws(MirrorFailure) -> Sweep {
    try await writing { db in
      if let found = try Self.sweep(feed, repository, db), found.id != old?.id,
        found.purpose != .changes || sweep.purpose == .changes
      {
        return found
      }
      try db.execute(
        sql: "DELETE FROM sweep WHERE repository = ? AND timeline = ?",
        arguments: [repository.id, feed.rawValue])
      try db.execute(
        sql: "INSERT INTO sweep (repository, timeline, began_at, json) VALUES (?, ?, ?, ?)",
        arguments: [
          repository.id, feed.rawValue, began.seconds, try JSONEncoder().encode(sweep),
        ])
      var kept = sweep
      kept.id = db.lastInsertedRowID
      return kept
    }
  }

  @discardableResult
  package func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool) {
    try await writingRows { db, rows in
      let counts = try FeedPageWriter(db, repository, seenAt: seen.seconds).write(page, &rows)
      guard let sweep else { return (counts, false) }
      let isGone = try !Self.keep(sweep, db)
      if !isGone, sweep.purpose == .verification { try Self.note(page, sweep, db) }
      return (counts, isGone)
    }
  }

  func writingRows<Value: Sendable>(
    _ body: @escaping @Sendable (Database, inout RowCache.Content) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    let cache = rowCache
    do {
      return try await database.writeWithoutTransaction { db in
        try cache.withTransaction(db) { rows in try body(db, &rows) }
      }
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  @discardableResult
  package func finish(
    _ feed: ChangeFeed, of repository: MirroredRepository, sweep: Sweep? = nil, syncedTo: Int,
    entityTag: String?, isVerified: Bool = false, provesTo newest: Int? = nil, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      try db.execute(
        sql: """
          UPDATE repository SET
            \(feed.syncedToColumn) = max(ifnull(\(feed.syncedToColumn), 0), :to),
            \(feed.entityTagColumn) =
              CASE WHEN :to >= ifnull(\(feed.syncedToColumn), 0)
                THEN :tag ELSE \(feed.entityTagColumn) END,
            checked_at = :now, unproven_to = ifnull(:newest, unproven_to),
            verified_at =
              ifnull((SELECT began_at FROM sweep WHERE key = :sweep AND :isVerified), verified_at)
          WHERE key = :key
          """,
        arguments: [
          "to": syncedTo, "tag": entityTag, "now": checked.seconds, "sweep": sweep?.id,
          "isVerified": isVerified, "newest": newest, "key": repository.id,
        ])
      if isVerified || feed == .comments, let sweep, sweep.purpose == .verification {
        try db.execute(
          sql: """
            DELETE FROM set_aside WHERE repository = :key AND timeline = :feed
              AND EXISTS (SELECT 1 FROM sweep WHERE key = :sweep)
              AND \(feed.seenColumn) NOT IN (SELECT number FROM sweep_seen WHERE sweep = :sweep)
            """, arguments: ["key": repository.id, "feed": feed.rawValue, "sweep": sweep.id])
      }
      try db.execute(sql: "DELETE FROM sweep WHERE key = ?", arguments: [sweep?.id])
      return try Self.current(repository, db)
    }
  }

  package func confirm(
    _ feed: ChangeFeed, of repository: MirroredRepository, counted: StoreTicket? = nil,
    at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      try db.execute(
        sql: """
          UPDATE repository SET \(feed.checkedAtColumn) = :now,
            comments_counted = nullif(max(ifnull(comments_counted, 0), ifnull(:counted, 0)), 0)
          WHERE key = :key
          """,
        arguments: ["now": checked.seconds, "counted": counted?.place, "key": repository.id])
      return try Self.current(repository, db)
    }
  }

  package func unseenNumbers(
    _ feed: ChangeFeed, of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]? {
    try await reading { db in
      guard try Self.sweep(feed, repository, db)?.id == sweep.id else { return nil }
      return try Int.fetchAll(
        db,
        sql: """
          SELECT DISTINCT number FROM \(feed == .items ? "item" : "comment") WHERE repository = ?
            AND \(feed.seenColumn) NOT IN (SELECT number FROM sweep_seen WHERE sweep = ?)
          ORDER BY number
          """, arguments: [repository.id, sweep.id])
    }
  }

  /// The unfinished sweep of a feed. A damaged sweep is ignored, so that only its position is lost.
  private static func sweep(
    _ feed: ChangeFeed, _ repository: MirroredRepository, _ db: Database
  ) throws -> Sweep? {
    let row = try Row.fetchOne(
      db, sql: "SELECT key, json FROM sweep WHERE repository = ? AND timeline = ?",
      arguments: [repository.id, feed.rawValue])
    guard let row, let json = Data.fromDatabaseValue(row["json"]),
      var sweep = Sweep(stored: json)
    else { return nil }
    sweep.id = try row.value("key")
    return sweep
  }

  private static func keep(_ sweep: Sweep, _ db: Database) throws -> Bool {
    try db.cachedStatement(sql: "UPDATE sweep SET json = ? WHERE key = ?").execute(
      arguments: [try JSONEncoder().encode(sweep), sweep.id])
    return db.changesCount > 0
  }

  private static func note(_ page: FeedPage, _ sweep: Sweep, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO sweep_seen (sweep, number) VALUES (?, ?)")
    for entry in page.seen { try statement.execute(arguments: [sweep.id, entry]) }
  }

  static func nextTicket(
    of repository: MirroredRepository, _ db: Database
  ) throws -> StoreTicket {
    let statement = try db.cachedStatement(
      sql: "UPDATE repository SET ticket = ticket + 1 WHERE key = ? RETURNING ticket")
    guard let place = try Int64.fetchOne(statement, arguments: [repository.id]) else {
      throw MirrorFailure.removed(repository)
    }
    return StoreTicket(place: place)
  }

  static func current(
    _ repository: MirroredRepository, _ db: Database
  ) throws -> MirroredRepository {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM repository WHERE key = ?", arguments: [repository.id])
    guard let row else { throw MirrorFailure.removed(repository) }
    return try MirroredRepository(row)
  }
}

extension ChangeFeed {
  fileprivate var syncedToColumn: String {
    self == .items ? "synced_to" : "comments_synced_to"
  }

  /// The column in which a verification records the entries that it has found.
  fileprivate var seenColumn: String { self == .items ? "number" : "id" }

  fileprivate var checkedAtColumn: String {
    self == .items ? "checked_at" : "comments_checked_at"
  }

  fileprivate var entityTagColumn: String {
    self == .items ? "entity_tag" : "comments_entity_tag"
  }
}

extension Mirror {
  /// The issues of a repository that were deleted or transferred after they were mirrored, ordered by number.
  public func tombstones(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Tombstone] {
    try await reading { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM tombstone WHERE repository = ? ORDER BY number",
        arguments: [repository.id])
      return try rows.map { row in
        let address: String? = try row.value("moved_to")
        return Tombstone(
          number: try row.value("number"), title: try row.value("title"),
          fate: address.map { .transferred(to: $0) } ?? .deleted,
          foundAt: Date(timeIntervalSince1970: try row.value("found_at")))
      }
    }
  }

  @discardableResult
  package func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      let key = try Int64.fetchOne(
        db,
        sql: "SELECT key FROM item WHERE repository = ? AND number = ? AND asked <= ?",
        arguments: [repository.id, number, asked.place])
      guard let key else { return false }
      let (name, address): (String, String?) =
        switch fate {
        case .deleted: ("deleted", nil)
        case .transferred(let address): ("transferred", address)
        }
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO tombstone (
            repository, number, title, fate, moved_to, found_at, asked, json)
          SELECT repository, number, title, ?, ?, ?, ?, json FROM item WHERE key = ?
          """,
        arguments: [name, address, found.seconds, asked.place, key])
      try Self.remove(items: [key], db)
      let comments = try Int64.fetchAll(
        db, sql: "SELECT key FROM comment WHERE repository = ? AND number = ? ORDER BY id",
        arguments: [repository.id, number])
      try Self.remove(comments: comments, db)
      try db.execute(
        sql: "DELETE FROM set_aside WHERE repository = ? AND number = ?",
        arguments: [repository.id, number])
      return true
    }
  }

  /// `keys` must be in the order of places.
  static func remove(items keys: [Int64], _ db: Database) throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM item WHERE key = ?")
    for key in keys {
      try SearchIndex.remove(item: key, db)
      try delete.execute(arguments: [key])
    }
  }

  static func remove(comments keys: [Int64], _ db: Database) throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM comment WHERE key = ?")
    for key in keys {
      try SearchIndex.remove(comment: key, db)
      try delete.execute(arguments: [key])
    }
  }
}

extension Mirror {
  /// The entries of a repository that couldn't be read, ordered by number. Every verification requests them again.
  public func setAside(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [SetAsideEntry] {
    try await reading { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM set_aside WHERE repository = ? ORDER BY number, timeline DESC, id",
        arguments: [repository.id])
      return try rows.map { row in
        let feed: String = try row.value("timeline")
        return SetAsideEntry(
          number: try row.value("number"),
          commentID: feed == ChangeFeed.comments.rawValue ? try row.value("id") : nil,
          reason: try row.value("reason"))
      }
    }
  }

  package func setAsideCounts() async throws(MirrorFailure) -> [MirroredRepository.ID: Int] {
    try await reading { db in
      var counts: [MirroredRepository.ID: Int] = [:]
      let rows = try Row.fetchAll(
        db, sql: "SELECT repository, count(*) FROM set_aside GROUP BY repository")
      for row in rows { counts[try row.value(0)] = try row.value(1) }
      return counts
    }
  }
}

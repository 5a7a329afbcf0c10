internal import GRDB
package import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a sync writes, and how it knows where it was.
extension Mirror {
  /// Makes a repository known, or takes up its present name.
  ///
  /// - Parameters:
  ///   - repository: The repository as its server describes it.
  ///   - json: The description as the server sent it.
  ///   - host: The server's host (``GitHubAPI/GitHubServer/host``).
  ///   - name: The name under which it was asked for, by which it is found from then on too.
  ///   - seen: The time on this machine.
  /// - Returns: The repository with what is kept of it, found by its id on the server.
  /// - Throws: ``MirrorFailure``.
  package func record(
    _ repository: Repository, json: Data, on host: String, under name: RepositoryName? = nil,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      let upsert = try db.cachedStatement(
        sql: """
          INSERT INTO repository (host, id, full_name, json, open_count, seen_at)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (host, id) DO UPDATE SET
            full_name = excluded.full_name, json = excluded.json, open_count = excluded.open_count,
            seen_at = excluded.seen_at
          WHERE json <> excluded.json OR full_name <> excluded.full_name COLLATE BINARY
          """)
      try upsert.execute(
        arguments: [
          host, repository.id, repository.fullName, json, repository.openIssuesCount,
          seen.seconds,
        ])
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM repository WHERE host = ? AND id = ?",
        arguments: [host, repository.id])
      guard let row else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      let kept = MirroredRepository(row)
      if let name = name?.description, name.lowercased() != kept.fullName.lowercased() {
        try db.execute(
          sql: "INSERT OR REPLACE INTO former_name (host, name, repository) VALUES (?, ?, ?)",
          arguments: [host, name, kept.id])
      }
      return kept
    }
  }

  /// How many issues and pull requests the server said were open when it was last asked for the repository.
  package func openCount(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int? {
    try await reading { db in
      try Int.fetchOne(
        db, sql: "SELECT open_count FROM repository WHERE key = ?", arguments: [repository.id])
    }
  }

  /// What a conditional request for the end of a time line is made with, if it has an end.
  package func entityTag(
    of timeline: Timeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> String? {
    try await reading { db in
      try String.fetchOne(
        db, sql: "SELECT \(timeline.entityTagColumn) FROM repository WHERE key = ?",
        arguments: [repository.id])
    }
  }

  /// The sweep that is under way.
  package func sweep(
    _ timeline: Timeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Sweep? {
    try await reading { db in
      try Data.fetchOne(
        db, sql: "SELECT json FROM sweep WHERE repository = ? AND timeline = ?",
        arguments: [repository.id, timeline.rawValue]
      ).map { try JSONDecoder().decode(Sweep.self, from: $0) }
    }
  }

  /// Begins a sweep, in the place of one that is under way.
  package func begin(
    _ sweep: Sweep, _ timeline: Timeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await writing { db in
      if timeline == .items { try Self.forgetSeenNumbers(repository, db) }
      try Self.keep(sweep, timeline, of: repository, db)
    }
  }

  /// Writes a page, and where the sweep is after it, in one transaction.
  ///
  /// Of an entry the newest version stays, whatever the order in which versions come.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - repository: Whose it is.
  ///   - sweep: Where the sweep is after it; nil where the page isn't part of one. A verification notes the
  ///     numbers on it.
  ///   - seen: The time on this machine.
  /// - Returns: What became of the entries.
  /// - Throws: ``MirrorFailure/Code/notMirrored`` where the repository was removed meanwhile; then, as with
  ///   every other failure, nothing of the page is written.
  @discardableResult
  package func store(
    _ page: TimelinePage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> StoredPage {
    let cache = rowCache
    do {
      return try await database.writeWithoutTransaction { db in
        try cache.withTransaction(db) { rows in
          let stored = try PageWriter(db, repository, seenAt: seen.seconds).write(page, &rows)
          if let sweep {
            try Self.keep(sweep, page.timeline, of: repository, db)
            if sweep.purpose == .verification, page.timeline == .items {
              try Self.note(page, repository, db)
            }
          }
          return stored
        }
      }
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Ends a sweep that has come to its end.
  ///
  /// - Parameters:
  ///   - timeline: The time line.
  ///   - repository: Whose it is.
  ///   - syncedTo: Up to when everything is here, in seconds since 1970 by the server's clock.
  ///   - entityTag: What the server's last answer is asked for with.
  ///   - isVerified: Whether every number of the server was seen, and the others were asked for.
  ///   - checked: The time on this machine.
  /// - Returns: The repository as it is kept now.
  /// - Throws: ``MirrorFailure``; ``MirrorFailure/Code/notMirrored`` where it was removed meanwhile.
  @discardableResult
  package func finish(
    _ timeline: Timeline, of repository: MirroredRepository, syncedTo: Int, entityTag: String?,
    isVerified: Bool = false, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      // Another sync may have come further meanwhile.
      try db.execute(
        sql: """
          UPDATE repository SET
            \(timeline.syncedToColumn) = max(ifnull(\(timeline.syncedToColumn), 0), :to),
            \(timeline.entityTagColumn) = :tag,
            checked_at = :now,
            verified_at = CASE WHEN :isVerified THEN :now ELSE verified_at END
          WHERE key = :key
          """,
        arguments: [
          "to": syncedTo, "tag": entityTag, "now": checked.seconds, "isVerified": isVerified,
          "key": repository.id,
        ])
      try db.execute(
        sql: "DELETE FROM sweep WHERE repository = ? AND timeline = ?",
        arguments: [repository.id, timeline.rawValue])
      if timeline == .items { try Self.forgetSeenNumbers(repository, db) }
      return try Self.current(repository, db)
    }
  }

  /// Notes that the server was asked, and nothing had changed.
  @discardableResult
  package func confirm(
    _ repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      try db.execute(
        sql: "UPDATE repository SET checked_at = ? WHERE key = ?",
        arguments: [checked.seconds, repository.id])
      return try Self.current(repository, db)
    }
  }

  /// The numbers that are kept, but weren't on any page of the verification under way, in order.
  package func unseenNumbers(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [Int] {
    try await reading { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT number FROM item WHERE repository = :key
            AND number NOT IN (SELECT number FROM sweep_seen WHERE repository = :key)
          ORDER BY number
          """, arguments: ["key": repository.id])
    }
  }

  // MARK: - Within a transaction

  private static func keep(
    _ sweep: Sweep, _ timeline: Timeline, of repository: MirroredRepository, _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO sweep (repository, timeline, json) VALUES (?, ?, ?)"
    ).execute(
      arguments: [repository.id, timeline.rawValue, try JSONEncoder().encode(sweep)])
  }

  private static func note(
    _ page: TimelinePage, _ repository: MirroredRepository, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO sweep_seen (repository, number) VALUES (?, ?)")
    for entry in page.entries {
      try statement.execute(arguments: [repository.id, entry.number])
    }
  }

  private static func forgetSeenNumbers(
    _ repository: MirroredRepository, _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM sweep_seen WHERE repository = ?", arguments: [repository.id])
  }

  private static func current(
    _ repository: MirroredRepository, _ db: Database
  ) throws -> MirroredRepository {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM repository WHERE key = ?", arguments: [repository.id])
    guard let row else {
      throw MirrorFailure(
        .notMirrored, "\(repository.fullName) was removed from the mirror meanwhile.")
    }
    return MirroredRepository(row)
  }
}

extension Timeline {
  /// Where a repository has up to when everything is here.
  fileprivate var syncedToColumn: String {
    self == .items ? "synced_to" : "comments_synced_to"
  }

  /// Where a repository has what the server's last answer is asked for with.
  fileprivate var entityTagColumn: String {
    self == .items ? "entity_tag" : "comments_entity_tag"
  }
}

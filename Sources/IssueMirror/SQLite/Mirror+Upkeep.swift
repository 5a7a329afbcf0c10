internal import GRDB
internal import PrivateDatabase

extension Mirror {
  /// The number of rows or pages per transaction, which then takes a few milliseconds, so that other writers don't wait
  /// long.
  private static let stride = 500

  /// Removes a repository and frees its disk space, in steps. After an interruption, the rest looks like an incomplete
  /// first sync.
  public func remove(_ repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: """
          UPDATE repository SET
            synced_to = NULL, comments_synced_to = NULL, checked_at = NULL, verified_at = NULL,
            entity_tag = NULL, comments_entity_tag = NULL, comments_checked_at = NULL,
            accepted_difference = NULL, properties_checked_at = NULL, comments_counted = NULL,
            timelines_checked_at = NULL, timelines_missing_at = NULL
          WHERE key = ?
          """, arguments: [repository.id])
      try db.execute(
        sql: "DELETE FROM property_page WHERE repository = ?", arguments: [repository.id])
      try db.execute(sql: "DELETE FROM sweep WHERE repository = ?", arguments: [repository.id])
    }
    var isDone = false
    while !isDone {
      isDone = try await writing { db in
        let comments = try Int64.fetchAll(
          db, sql: "SELECT key FROM comment WHERE repository = ? ORDER BY id LIMIT ?",
          arguments: [repository.id, Self.stride])
        try Self.remove(comments: comments, db)
        let items = try Int64.fetchAll(
          db, sql: "SELECT key FROM item WHERE repository = ? ORDER BY number LIMIT ?",
          arguments: [repository.id, Self.stride])
        try Self.remove(items: items, db)
        guard comments.isEmpty, items.isEmpty else { return false }
        try db.execute(sql: "DELETE FROM repository WHERE key = ?", arguments: [repository.id])
        return true
      }
    }
    try await removeUnknownUsers(on: repository.host)
    try await compactSearchIndex()
    try await giveBackRoom()
  }

  private func removeUnknownUsers(on host: String) async throws(MirrorFailure) {
    let unknown = try await reading { db in
      try Int64.fetchAll(
        db,
        sql: """
          WITH own(key) AS (SELECT key FROM repository WHERE host = :host),
            author(login) AS (
              SELECT author FROM item WHERE repository IN (SELECT key FROM own)
              UNION
              SELECT author FROM comment WHERE repository IN (SELECT key FROM own))
          SELECT key FROM user
          WHERE host = :host AND key NOT IN (SELECT user FROM item_assignee)
            AND login NOT IN (SELECT login FROM author WHERE login IS NOT NULL)
          """, arguments: ["host": host])
    }
    let rowCache = rowCache
    for start in Swift.stride(from: 0, to: unknown.count, by: Self.stride) {
      try await writing { db in
        let delete = try db.cachedStatement(
          sql: """
            DELETE FROM user WHERE key = ? AND NOT EXISTS (
              SELECT 1 FROM item_assignee WHERE item_assignee.user = user.key)
            """)
        for key in unknown[start..<min(start + Self.stride, unknown.count)] {
          try delete.execute(arguments: [key])
        }
        rowCache.empty()
      }
    }
  }

  /// Removes deleted text, which FTS5 only marks as deleted.
  private func compactSearchIndex() async throws(MirrorFailure) {
    for table in SearchIndex.tables {
      var (isFirst, isDone) = (true, false)
      while !isDone {
        isDone = try await writing { [isFirst] db in
          try SearchIndex.compact(table, isFirst: isFirst, db)
        }
        isFirst = false
      }
    }
  }

  private func giveBackRoom() async throws(MirrorFailure) {
    var isDone = false
    while !isDone {
      isDone = try await writing { db in
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        try db.execute(sql: "PRAGMA incremental_vacuum(\(Self.stride))")
        return free <= Self.stride
      }
    }
    do {
      // While other processes read an older state, the log can't be truncated. The next writer truncates it.
      _ = try await database.writeWithoutTransaction { try $0.checkpoint(.passive) }
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Checks the file, its tables, references between rows, and the search index for damage.
  ///
  /// This reads the entire mirror, which takes a while, and disk space for a copy. Other processes may write at the
  /// same time.
  ///
  /// - Returns: A sentence about each problem; empty if the mirror is intact.
  /// - Throws: ``MirrorFailure``.
  public func check() async throws(MirrorFailure) -> [String] {
    do {
      let path = path
      return try await reading { db in
        let missing = try MirrorSchema.problems(db)
        guard missing.isEmpty else { return try Self.problemsOfFile(db) + missing }
        return try Self.problemsOfFile(db) + Self.problemsOfReferences(db)
          + Self.problemsOfSearchIndex(db, path)
      }
    } catch {
      guard error.code == .damaged else { throw error }
      return [error.message]
    }
  }

  /// Rebuilds the search index if it doesn't match the issues and comments.
  ///
  /// The comparison takes a while, and disk space for a copy. Other processes may write at the same time.
  ///
  /// - Returns: Whether the index was rebuilt.
  /// - Throws: ``MirrorFailure``.
  @discardableResult
  public func repairSearchIndex() async throws(MirrorFailure) -> Bool {
    let path = path
    let problems = try await reading { db in try Self.problemsOfSearchIndex(db, path) }
    guard !problems.isEmpty else { return false }
    try await writing { db in try SearchIndex.rebuild(db) }
    return true
  }

  private static func problemsOfFile(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
  }

  private static func problemsOfReferences(_ db: Database) throws -> [String] {
    let declared = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
      let (table, parent): (String, String) = (try row.value("table"), try row.value("parent"))
      return "A row of \(table) refers to a missing row of \(parent)."
    }
    let others = try [("item_label", "label"), ("item_assignee", "user")].filter { table, column in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM \(table) WHERE item NOT IN (SELECT key FROM item)
              OR \(column) NOT IN (SELECT key FROM \(column)))
          """) ?? false
    }
    return declared + others.map { "A row of \($0.0) refers to a missing row." }
  }

  /// Checks a copy, because SQLite treats the check as a write
  /// (<https://www.sqlite.org/fts5.html#the_integrity_check_command>), which would block other processes.
  private static func problemsOfSearchIndex(_ db: Database, _ path: String) throws -> [String] {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try SearchIndex.register(db)
    }
    do {
      let copy = try DatabaseQueue(path: "", configuration: configuration)
      try copy.writeWithoutTransaction { copy in
        try db.backup(to: copy)
        try SearchIndex.check(copy)
      }
      return []
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return ["The search index doesn't match the issues and comments."]
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      throw MirrorFailure(
        .full,
        """
        There isn't enough space for a copy of the mirror \(path), which checking the search index requires. Free \
        some space, or set TMPDIR to another folder.
        """)
    }
  }
}

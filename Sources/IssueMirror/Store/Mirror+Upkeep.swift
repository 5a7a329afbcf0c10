internal import GRDB

/// Keeping the file small and sound.
extension Mirror {
  /// How many rows a transaction removes, and how many pages it gives back: some milliseconds of work, so that
  /// nobody else waits for long.
  private static let stride = 500

  /// Removes everything that is kept of a repository, and gives the room on the disk back.
  ///
  /// It is gone in steps. Cut off in between, what is left is taken for a first sync that isn't done.
  public func remove(_ repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: """
          UPDATE repository SET
            synced_to = NULL, comments_synced_to = NULL, checked_at = NULL, verified_at = NULL,
            entity_tag = NULL, comments_entity_tag = NULL, comments_checked_at = NULL,
            accepted_difference = NULL
          WHERE key = ?
          """, arguments: [repository.id])
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
    try await giveBackRoom()
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
      // Readers of an older state keep the log from being cut; the next writer does it then.
      _ = try await database.writeWithoutTransaction { try $0.checkpoint(.passive) }
    } catch {
      throw MirrorFailure(any: error, at: path)
    }
  }

  /// Looks for damage: of the file, of references between rows, of the search index.
  ///
  /// It reads everything, which takes a while.
  ///
  /// - Returns: What is wrong, for a person; empty when the mirror is sound.
  public func check() async throws(MirrorFailure) -> [String] {
    do {
      var problems = try await reading { db in
        try Self.problemsOfFile(db) + Self.problemsOfReferences(db)
      }
      if let problem = try await problemOfSearchIndex() { problems.append(problem) }
      return problems
    } catch {
      guard error.code == .damaged else { throw error }
      return [error.message]
    }
  }

  private static func problemsOfFile(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
  }

  private static func problemsOfReferences(_ db: Database) throws -> [String] {
    try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
      let (table, parent): (String, String) = (row["table"], row["parent"])
      return "A row of \(table) refers to a row of \(parent) that isn't there."
    }
  }

  private func problemOfSearchIndex() async throws(MirrorFailure) -> String? {
    do {
      try await database.writeWithoutTransaction { try SearchIndex.check($0) }
      return nil
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "The search index doesn't hold what the issues and comments do."
    } catch {
      let failure = MirrorFailure(any: error, at: path)
      // Looking needs a place for the results: in a mirror that is only read it is left out.
      guard failure.code != .readOnly else { return nil }
      throw failure
    }
  }
}

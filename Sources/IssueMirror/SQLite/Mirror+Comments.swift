internal import GRDB

/// Comments that their issues don't have any more.
extension Mirror {
  /// How many comments a repository has, by the counts of its issues and pull requests.
  package func countedComments(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int {
    try await reading { db in
      try Int.fetchOne(
        db, sql: "SELECT sum(comments) FROM item WHERE repository = ?",
        arguments: [repository.id]) ?? 0
    }
  }

  /// The numbers of the issues and pull requests of which other numbers of comments are kept than the server
  /// counts, or of which comments are set aside, in order.
  ///
  /// - Parameters:
  ///   - repository: Whose they are.
  ///   - second: Only those whose present version was stored then or later, in seconds since 1970.
  /// - Returns: The numbers.
  /// - Throws: ``MirrorFailure``.
  package func miscountedNumbers(
    of repository: MirroredRepository, seenSince second: Int
  ) async throws(MirrorFailure) -> [Int] {
    try await reading { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT number FROM item WHERE repository = :key AND seen_at >= :second AND (
            comments <> (
              SELECT count(*) FROM comment
              WHERE comment.repository = item.repository AND comment.number = item.number)
            OR number IN (
              SELECT number FROM set_aside WHERE repository = :key AND timeline = 'comments'))
          ORDER BY number
          """, arguments: ["key": repository.id, "second": second])
    }
  }

  /// Removes the comments on an issue but for those that its server has, and forgets which of the others were set
  /// aside.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - repository: Whose it is.
  ///   - ids: The ids of all comments that the server has on it.
  /// - Returns: How many were removed.
  /// - Throws: ``MirrorFailure``.
  package func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int {
    try await writing { db in
      let ids = Set(ids)
      let rows = try Row.fetchAll(
        db, sql: "SELECT key, id FROM comment WHERE repository = ? AND number = ? ORDER BY id",
        arguments: [repository.id, number])
      let gone = try rows.filter { !ids.contains(try $0.value("id")) }
      try Self.remove(comments: gone.map { try $0.value("key") }, db)
      let forget = try db.cachedStatement(
        sql: "DELETE FROM set_aside WHERE repository = ? AND timeline = 'comments' AND id = ?")
      let setAside = try Int64.fetchAll(
        db,
        sql:
          "SELECT id FROM set_aside WHERE repository = ? AND timeline = 'comments' AND number = ?",
        arguments: [repository.id, number])
      for id in setAside where !ids.contains(id) {
        try forget.execute(arguments: [repository.id, id])
      }
      return gone.count
    }
  }
}

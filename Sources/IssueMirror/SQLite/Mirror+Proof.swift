internal import GRDB

/// Which numbers of a repository are accounted for.
extension Mirror {
  /// The numbers up to that which ``finish(_:of:sweep:syncedTo:entityTag:isVerified:provesTo:at:)`` was told that are
  /// neither kept nor known to be gone, in order.
  ///
  /// - Parameters:
  ///   - repository: Whose they are.
  ///   - last: Behind which number they begin.
  ///   - limit: How many at most.
  /// - Returns: The numbers; nil where all were asked for.
  /// - Throws: ``MirrorFailure``.
  package func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]? {
    try await reading { db in
      let newest = try Int.fetchOne(
        db, sql: "SELECT unproven_to FROM repository WHERE key = ?", arguments: [repository.id])
      guard let newest = newest.map({ min($0, SearchIndex.largestNumber) }) else { return nil }
      let known = try Int.fetchCursor(
        db,
        sql: """
          SELECT number FROM item WHERE repository = :key AND number > :last
          UNION SELECT number FROM tombstone WHERE repository = :key AND number > :last
          UNION SELECT number FROM absence WHERE repository = :key AND number > :last
          UNION SELECT number FROM set_aside
            WHERE repository = :key AND timeline = 'items' AND number > :last
          ORDER BY number
          """, arguments: ["key": repository.id, "last": last])
      var missing: [Int] = []
      var next = last + 1
      while missing.count < limit, next <= newest {
        let number = min(try known.next() ?? newest + 1, newest + 1)
        if next < number { missing += next..<min(number, next + limit - missing.count) }
        next = max(next, number + 1)
      }
      return missing
    }
  }

  /// Notes numbers that the server says it hasn't got.
  package func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await writing { db in
      let insert = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO absence (repository, number) VALUES (?, ?)")
      for number in numbers { try insert.execute(arguments: [repository.id, number]) }
    }
  }

  /// Notes that every number was asked for.
  package func endProof(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: "UPDATE repository SET unproven_to = NULL WHERE key = ?", arguments: [repository.id])
    }
  }

  /// Forgets which numbers the server said it hasn't got: they are asked for once more.
  package func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: "DELETE FROM absence WHERE repository = ?", arguments: [repository.id])
    }
  }

  /// How many numbers are known to be missing that were never kept.
  package func absenceCount(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int {
    try await reading { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM absence WHERE repository = ?", arguments: [repository.id])
        ?? 0
    }
  }

  /// How many issues and pull requests are kept, and of how many open ones a verification knows that they are
  /// there.
  package func presence(
    of repository: MirroredRepository, in sweep: Sweep
  ) async throws(MirrorFailure) -> (kept: Int, seenOpen: Int) {
    try await reading { db in
      let kept = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM item WHERE repository = ?", arguments: [repository.id])
      let seen = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM item WHERE repository = ? AND state = 'open'
            AND number IN (SELECT number FROM sweep_seen WHERE sweep = ?)
          """, arguments: [repository.id, sweep.id])
      return (kept ?? 0, seen ?? 0)
    }
  }

  /// Forgets a sweep: the next sync begins anew.
  package func drop(_ sweep: Sweep) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(sql: "DELETE FROM sweep WHERE key = ?", arguments: [sweep.id])
    }
  }

  // MARK: - What the server counts

  /// For how many seconds a difference has to stay until it is more than the server's delay.
  private static let settling = 60
  /// After how many seconds all numbers may be gone through once more because of a difference.
  private static let recounting = 3_600

  /// Whether a difference that was seen before may be believed by now, without asking the server.
  package func isWorthRecounting(
    _ repository: MirroredRepository, at now: Int
  ) async throws(MirrorFailure) -> Bool {
    try await reading { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT abs(:now - miscounted_at) >= \(Self.settling)
            AND (recounted_at IS NULL OR abs(:now - recounted_at) >= \(Self.recounting))
          FROM repository WHERE key = :key AND miscount IS NOT NULL
          """, arguments: ["now": now, "key": repository.id]) ?? false
    }
  }

  /// Whether the server counts other numbers of open items for longer than it may take it to count: nothing has
  /// changed for a while, or the difference has been the same for as long. At most once in an hour.
  ///
  /// - Parameters:
  ///   - difference: How many more the server counts; nil for none, which forgets what was seen before.
  ///   - repository: Whose items.
  ///   - time: The server's time, in seconds since 1970.
  ///   - now: The time on this machine, in seconds since 1970.
  /// - Returns: Whether all numbers are to be gone through.
  /// - Throws: ``MirrorFailure``.
  package func believes(
    _ difference: Int?, of repository: MirroredRepository, serverTime time: Int, at now: Int
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      guard let difference else {
        try db.execute(
          sql: """
            UPDATE repository SET miscount = NULL, miscounted_at = NULL
            WHERE key = ? AND miscount IS NOT NULL
            """, arguments: [repository.id])
        return false
      }
      try db.execute(
        sql: """
          UPDATE repository SET miscount = :difference, miscounted_at = :now
          WHERE key = :key AND miscount IS NOT :difference
          """, arguments: ["difference": difference, "now": now, "key": repository.id])
      let isBelieved = try Bool.fetchOne(
        db,
        sql: """
          SELECT (recounted_at IS NULL OR abs(:now - recounted_at) >= \(Self.recounting))
            AND (abs(:now - miscounted_at) >= \(Self.settling) OR
              ifnull((SELECT max(updated_at) FROM item WHERE repository = :key), 0)
                <= :time - \(Self.settling))
          FROM repository WHERE key = :key
          """, arguments: ["now": now, "time": time, "key": repository.id])
      guard isBelieved ?? false else { return false }
      try db.execute(
        sql: """
          UPDATE repository SET recounted_at = ?, miscount = NULL, miscounted_at = NULL
          WHERE key = ?
          """, arguments: [now, repository.id])
      return true
    }
  }
}

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

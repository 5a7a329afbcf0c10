internal import GRDB
internal import PrivateDatabase

extension Mirror {
  package func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]? {
    try await reading { db in
      let newest = try Int.fetchOne(
        db, sql: "SELECT unproven_to FROM repository WHERE key = ?", arguments: [repository.id])
      guard let newest = newest.map({ min($0, FeedPage.Entry.largestNumber) }) else { return nil }
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

  package func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await writing { db in
      let insert = try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO absence (repository, number) VALUES (?, ?)")
      for number in numbers { try insert.execute(arguments: [repository.id, number]) }
    }
  }

  package func endProof(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: "UPDATE repository SET unproven_to = NULL WHERE key = ?", arguments: [repository.id])
    }
  }

  package func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: "DELETE FROM absence WHERE repository = ?", arguments: [repository.id])
    }
  }

  package func count(
    _ what: KeptCount, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int {
    let (sql, sweep): (String, Int64?) =
      switch what {
      case .items: ("SELECT count(*) FROM item WHERE repository = :key", nil)
      case .openItemsSeen(let sweep):
        (
          """
          SELECT count(*) FROM item WHERE repository = :key AND state = 'open'
            AND number IN (SELECT number FROM sweep_seen WHERE sweep = :sweep)
          """, sweep.id
        )
      case .timelines: ("SELECT count(*) FROM timeline WHERE repository = :key", nil)
      case .absences: ("SELECT count(*) FROM absence WHERE repository = :key", nil)
      case .countedComments: ("SELECT sum(comments) FROM item WHERE repository = :key", nil)
      }
    return try await reading { db in
      var arguments: StatementArguments = ["key": repository.id]
      if let sweep { arguments += ["sweep": sweep] }
      let row = try Row.fetchOne(db, sql: sql, arguments: arguments)
      return try row.flatMap { try $0.value(0) } ?? 0
    }
  }

  package func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int? {
    try await reading { db in
      try Row.fetchOne(
        db, sql: "SELECT max(updated_at) FROM item WHERE repository = ?",
        arguments: [repository.id]
      ).flatMap { try $0.value(0) }
    }
  }

  package func drop(_ sweep: Sweep) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(sql: "DELETE FROM sweep WHERE key = ?", arguments: [sweep.id])
    }
  }

  package func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      try db.execute(
        sql: """
          UPDATE repository SET
            miscount = ?, miscounted_at = ?, recounted_at = ?, accepted_difference = ?
          WHERE key = ? AND miscount IS ? AND miscounted_at IS ? AND recounted_at IS ?
            AND accepted_difference IS ?
          """,
        arguments: [
          new.pending, new.noticedAt, new.examinedAt, new.accepted, repository.id, old.pending,
          old.noticedAt, old.examinedAt, old.accepted,
        ])
      return db.changesCount > 0
    }
  }

  package func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int] {
    try await reading { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT number FROM item WHERE repository = :key AND stored >= :ticket AND (
            comments <> (
              SELECT count(*) FROM comment
              WHERE comment.repository = item.repository AND comment.number = item.number)
            OR number IN (
              SELECT number FROM set_aside WHERE repository = :key AND timeline = 'comments'))
          ORDER BY number
          """, arguments: ["key": repository.id, "ticket": ticket?.place ?? 0])
    }
  }

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

public import IssueMirror
package import PlatformModules

extension PostgresMirror {
  package func record(
    _ repository: GitHub.Repository, json: Data, on host: String, under name: RepositoryName? = nil,
    at seen: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      // If two processes record a repository concurrently, one of them gets the later number.
      try db.rows("SELECT pg_advisory_xact_lock(hashtextextended('issues naming', 0))::text")
      let openCount = repository.openIssuesCount.flatMap { (0..<1 << 40).contains($0) ? $0 : nil }
      let nameKey = repository.fullName.lowercased()
      try db.rows(
        """
        INSERT INTO repository AS kept (
          key, host, id, full_name, name_key, json, open_count, seen_at, naming)
        VALUES (
          \(Int64.random(in: 1...1 << 62)), \(host), \(repository.id), \(repository.fullName),
          \(nameKey), \(json), \(openCount), \(seen.seconds),
          (SELECT coalesce(max(naming), 0) + 1 FROM repository))
        ON CONFLICT (host, id) DO UPDATE SET
          full_name = excluded.full_name, name_key = excluded.name_key, json = excluded.json,
          open_count = excluded.open_count, seen_at = excluded.seen_at, naming = excluded.naming
        WHERE kept.json <> excluded.json OR kept.full_name <> excluded.full_name
          OR EXISTS (
            SELECT FROM repository AS other
            WHERE other.host = excluded.host AND other.name_key = excluded.name_key
              AND other.naming > kept.naming)
        """)
      let row = try db.first(
        """
        SELECT \(MirroredRepository.columns) FROM repository
        WHERE host = \(host) AND id = \(repository.id)
        """)
      guard let row else { throw PostgresFailure("a stored repository is missing") }
      let kept = try MirroredRepository(row)
      if let name = name?.description.lowercased(), name != kept.fullName.lowercased() {
        try db.rows(
          """
          INSERT INTO former_name (host, name_key, repository)
          VALUES (\(host), \(name), \(kept.id))
          ON CONFLICT (host, name_key) DO UPDATE SET repository = excluded.repository
          """)
      }
      return kept
    }
  }

  package func openDifference(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int? {
    try await reading { db in
      try db.first(
        """
        SELECT open_count - (
          SELECT count(*) FROM item WHERE repository = \(repository.id) AND state = 'open')
        FROM repository WHERE key = \(repository.id)
        """)?.value(0) ?? nil
    }
  }

  package func state(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> SyncState? {
    try await reading { db in
      let row = try db.first(
        """
        SELECT \(MirroredRepository.columns), entity_tag, comments_entity_tag,
          properties_checked_at, comments_counted, miscount, miscounted_at, recounted_at,
          accepted_difference
        FROM repository WHERE key = \(repository.id)
        """)
      guard let row else { return nil }
      var state = SyncState(repository: try MirroredRepository(row))
      let first = MirroredRepository.columnCount
      state.entityTags[.items] = try row.value(first)
      state.entityTags[.comments] = try row.value(first + 1)
      for feed in ChangeFeed.allCases {
        state.sweeps[feed] = try Self.sweep(feed, repository, db)
      }
      state.propertiesCheckedAt = Date(seconds: try row.value(first + 2))
      state.commentsCounted = (try row.value(first + 3) as Int64?).map(StoreTicket.init(place:))
      state.difference = CountDifference(
        pending: try row.value(first + 4), noticedAt: try row.value(first + 5),
        examinedAt: try row.value(first + 6), accepted: try row.value(first + 7))
      return state
    }
  }

  package func ticket(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> StoreTicket {
    try await writing { db in try Self.nextTicket(of: repository, db) }
  }

  /// Locks the repository until the transaction ends, so that the holder of a later ticket sees its changes.
  static func nextTicket(
    of repository: MirroredRepository, _ db: PostgresSession
  ) throws -> StoreTicket {
    let row = try db.first(
      "UPDATE repository SET ticket = ticket + 1 WHERE key = \(repository.id) RETURNING ticket")
    guard let row else { throw MirrorFailure.removed(repository) }
    return StoreTicket(place: try row.value(0))
  }

  package func begin(
    _ sweep: Sweep, _ feed: ChangeFeed, of repository: MirroredRepository,
    inPlaceOf old: Sweep? = nil, at began: Date
  ) async throws(MirrorFailure) -> Sweep {
    try await writing(to: repository) { db in
      if let found = try Self.sweep(feed, repository, db), found.id != old?.id,
        found.purpose != .changes || sweep.purpose == .changes
      {
        return found
      }
      var kept = sweep
      kept.id = Int64.random(in: 1...Int64.max)
      try db.rows(
        """
        DELETE FROM sweep_seen WHERE repository = \(repository.id) AND token IN (
          SELECT token FROM sweep
          WHERE repository = \(repository.id) AND timeline = \(feed.rawValue))
        """)
      try db.rows(
        """
        INSERT INTO sweep (repository, timeline, token, began_at, json)
        VALUES (
          \(repository.id), \(feed.rawValue), \(kept.id), \(began.seconds),
          \(try JSONEncoder().encode(sweep)))
        ON CONFLICT (repository, timeline) DO UPDATE SET
          token = excluded.token, began_at = excluded.began_at, json = excluded.json
        """)
      return kept
    }
  }

  @discardableResult
  package func store(
    _ page: FeedPage, of repository: MirroredRepository, sweep: Sweep?, at seen: Date
  ) async throws(MirrorFailure) -> (counts: SyncReport.Counts, isSweepGone: Bool) {
    try await writing { db in
      let counts = try PostgresPageWriter(db, repository, seenAt: seen.seconds).write(page)
      guard let sweep else { return (counts, false) }
      let kept = try db.rows(
        """
        UPDATE sweep SET json = \(try JSONEncoder().encode(sweep))
        WHERE repository = \(repository.id) AND timeline = \(page.feed.rawValue)
          AND token = \(sweep.id)
        """)
      guard kept.changes > 0 else { return (counts, true) }
      if sweep.purpose == .verification {
        try db.rows(
          """
          INSERT INTO sweep_seen (repository, token, number)
          SELECT \(repository.id), \(sweep.id), number FROM unnest(\(page.seen)) AS number
          ON CONFLICT DO NOTHING
          """)
      }
      return (counts, false)
    }
  }

  @discardableResult
  package func finish(
    _ feed: ChangeFeed, of repository: MirroredRepository, sweep: Sweep? = nil, syncedTo: Int,
    entityTag: String?, isVerified: Bool = false, provesTo newest: Int? = nil, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing(to: repository) { db in
      let (to, tag): (PostgresSQL, PostgresSQL) =
        switch feed {
        case .items: ("synced_to", "entity_tag")
        case .comments: ("comments_synced_to", "comments_entity_tag")
        }
      try db.rows(
        """
        UPDATE repository SET
          \(to) = greatest(coalesce(\(to), 0), \(syncedTo)),
          \(tag) = CASE WHEN \(syncedTo) >= coalesce(\(to), 0) THEN \(entityTag) ELSE \(tag) END,
          checked_at = \(checked.seconds), unproven_to = coalesce(\(newest), unproven_to),
          verified_at = coalesce((
            SELECT began_at FROM sweep
            WHERE repository = \(repository.id) AND token = \(sweep?.id) AND \(isVerified)),
            verified_at)
        WHERE key = \(repository.id)
        """)
      if isVerified || feed == .comments, let sweep, sweep.purpose == .verification {
        try db.rows(
          """
          DELETE FROM set_aside
          WHERE repository = \(repository.id) AND timeline = \(feed.rawValue)
            AND EXISTS (
              SELECT FROM sweep WHERE repository = \(repository.id) AND token = \(sweep.id))
            AND \(sql: feed == .items ? "number" : "id") NOT IN (
              SELECT number FROM sweep_seen
              WHERE repository = \(repository.id) AND token = \(sweep.id))
          """)
      }
      if let sweep { try Self.drop(sweep, of: repository.id, db) }
      return try Self.current(repository, db)
    }
  }

  package func drop(_ sweep: Sweep) async throws(MirrorFailure) {
    try await writing { db in
      let repository: Int64? = try db.first(
        "SELECT repository FROM sweep WHERE token = \(sweep.id)")?.value(0)
      if let repository { try Self.drop(sweep, of: repository, db) }
    }
  }

  private static func drop(
    _ sweep: Sweep, of repository: Int64, _ db: PostgresSession
  ) throws {
    try db.rows(
      "DELETE FROM sweep_seen WHERE repository = \(repository) AND token = \(sweep.id)")
    try db.rows("DELETE FROM sweep WHERE repository = \(repository) AND token = \(sweep.id)")
  }

  package func confirm(
    _ feed: ChangeFeed, of repository: MirroredRepository, counted: StoreTicket? = nil,
    at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing(to: repository) { db in
      let column: PostgresSQL = feed == .items ? "checked_at" : "comments_checked_at"
      try db.rows(
        """
        UPDATE repository SET \(column) = \(checked.seconds),
          comments_counted =
            nullif(greatest(coalesce(comments_counted, 0), coalesce(\(counted?.place), 0)), 0)
        WHERE key = \(repository.id)
        """)
      return try Self.current(repository, db)
    }
  }

  package func unseenNumbers(
    _ feed: ChangeFeed, of repository: MirroredRepository, by sweep: Sweep
  ) async throws(MirrorFailure) -> [Int]? {
    let (table, column) = feed == .items ? ("item", "number") : ("comment", "id")
    return try await reading { db in
      guard try Self.sweep(feed, repository, db)?.id == sweep.id else { return nil }
      return try db.column(
        """
        SELECT DISTINCT number FROM \(sql: table) AS kept
        WHERE repository = \(repository.id) AND NOT EXISTS (
          SELECT FROM sweep_seen
          WHERE sweep_seen.repository = kept.repository AND token = \(sweep.id)
            AND sweep_seen.number = kept.\(sql: column))
        ORDER BY number
        """)
    }
  }

  /// The unfinished sweep of a feed; nil if it can't be read, so that only its position is lost.
  private static func sweep(
    _ feed: ChangeFeed, _ repository: MirroredRepository, _ db: PostgresSession
  ) throws -> Sweep? {
    let row = try db.first(
      """
      SELECT token, json FROM sweep
      WHERE repository = \(repository.id) AND timeline = \(feed.rawValue)
      """)
    guard let row, var sweep = Sweep(stored: try row.value(1)) else { return nil }
    sweep.id = try row.value(0)
    return sweep
  }

  static func current(
    _ repository: MirroredRepository, _ db: PostgresSession
  ) throws -> MirroredRepository {
    let row = try db.first(
      "SELECT \(MirroredRepository.columns) FROM repository WHERE key = \(repository.id)")
    guard let row else { throw MirrorFailure.removed(repository) }
    return try MirroredRepository(row)
  }

  package func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date,
    asked: StoreTicket
  ) async throws(MirrorFailure) -> Bool {
    try await writing(to: repository) { db in
      let address: String? = if case .transferred(let address) = fate { address } else { nil }
      let buried = try db.rows(
        """
        INSERT INTO tombstone (repository, number, title, moved_to, found_at, asked, json)
        SELECT repository, number, title, \(address), \(found.seconds), \(asked.place), json
        FROM item
        WHERE repository = \(repository.id) AND number = \(number) AND asked <= \(asked.place)
        ON CONFLICT (repository, number) DO UPDATE SET
          title = excluded.title, moved_to = excluded.moved_to, found_at = excluded.found_at,
          asked = excluded.asked, json = excluded.json
        """)
      guard buried.changes > 0 else { return false }
      for table in [
        "item", "item_text", "comment", "comment_text", "timeline", "event", "set_aside",
      ] {
        try db.rows(
          """
          DELETE FROM \(sql: table) WHERE repository = \(repository.id) AND number = \(number)
          """)
      }
      return true
    }
  }

  package func unexplainedNumbers(
    of repository: MirroredRepository, after last: Int, limit: Int
  ) async throws(MirrorFailure) -> [Int]? {
    try await reading { db in
      let newest: Int? =
        try db.first("SELECT unproven_to FROM repository WHERE key = \(repository.id)")?.value(0)
        ?? nil
      guard let newest = newest.map({ min($0, FeedPage.Entry.largestNumber) }) else { return nil }
      // Reads the known numbers in order and computes the gaps, because a list of all numbers could be very long.
      let known: [Int] = try db.column(
        """
        SELECT number FROM item WHERE repository = \(repository.id) AND number > \(last)
        UNION SELECT number FROM tombstone WHERE repository = \(repository.id) AND number > \(last)
        UNION SELECT number FROM absence WHERE repository = \(repository.id) AND number > \(last)
        UNION SELECT number FROM set_aside
          WHERE repository = \(repository.id) AND timeline = 'items' AND number > \(last)
        ORDER BY number
        """)
      var missing: [Int] = []
      var next = last + 1
      for number in known + [newest + 1] where missing.count < limit && next <= newest {
        let number = min(number, newest + 1)
        if next < number { missing += next..<min(number, next + limit - missing.count) }
        next = max(next, number + 1)
      }
      return missing
    }
  }

  package func noteAbsence(
    of numbers: [Int], in repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await writing(to: repository) { db in
      _ = try db.rows(
        """
        INSERT INTO absence (repository, number)
        SELECT \(repository.id), number FROM unnest(\(numbers)) AS number ON CONFLICT DO NOTHING
        """)
    }
  }

  package func forgetAbsences(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing(to: repository) { db in
      _ = try db.rows("DELETE FROM absence WHERE repository = \(repository.id)")
    }
  }

  package func endProof(of repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing(to: repository) { db in
      _ = try db.rows("UPDATE repository SET unproven_to = NULL WHERE key = \(repository.id)")
    }
  }

  package func count(
    _ what: KeptCount, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Int {
    let sql: PostgresSQL =
      switch what {
      case .items: "SELECT count(*) FROM item WHERE repository = \(repository.id)"
      case .openItemsSeen(let sweep):
        """
        SELECT count(*) FROM item JOIN sweep_seen USING (repository, number)
        WHERE repository = \(repository.id) AND state = 'open' AND token = \(sweep.id)
        """
      case .timelines: "SELECT count(*) FROM timeline WHERE repository = \(repository.id)"
      case .absences: "SELECT count(*) FROM absence WHERE repository = \(repository.id)"
      case .countedComments:
        "SELECT sum(comments)::bigint FROM item WHERE repository = \(repository.id)"
      }
    return try await reading { db in (try db.first(sql)?.value(0) ?? nil) ?? 0 }
  }

  package func latestChange(of repository: MirroredRepository) async throws(MirrorFailure) -> Int? {
    try await reading { db in
      try db.first("SELECT max(updated_at) FROM item WHERE repository = \(repository.id)")?
        .value(0) ?? nil
    }
  }

  package func replace(
    _ old: CountDifference, by new: CountDifference, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      try db.rows(
        """
        UPDATE repository SET miscount = \(new.pending), miscounted_at = \(new.noticedAt),
          recounted_at = \(new.examinedAt), accepted_difference = \(new.accepted)
        WHERE key = \(repository.id) AND miscount IS NOT DISTINCT FROM \(old.pending)
          AND miscounted_at IS NOT DISTINCT FROM \(old.noticedAt)
          AND recounted_at IS NOT DISTINCT FROM \(old.examinedAt)
          AND accepted_difference IS NOT DISTINCT FROM \(old.accepted)
        """
      ).changes > 0
    }
  }

  package func miscountedNumbers(
    of repository: MirroredRepository, storedSince ticket: StoreTicket?
  ) async throws(MirrorFailure) -> [Int] {
    try await reading { db in
      try db.column(
        """
        SELECT number FROM item
        WHERE repository = \(repository.id) AND stored >= \(ticket?.place ?? 0) AND (
          comments <> (
            SELECT count(*) FROM comment
            WHERE comment.repository = item.repository AND comment.number = item.number)
          OR EXISTS (
            SELECT FROM set_aside WHERE set_aside.repository = item.repository
              AND timeline = 'comments' AND set_aside.number = item.number))
        ORDER BY number
        """)
    }
  }

  package func removeComments(
    on number: Int, of repository: MirroredRepository, except ids: [Int64]
  ) async throws(MirrorFailure) -> Int {
    try await writing(to: repository) { db in
      func remove(_ table: String, _ condition: PostgresSQL = "") throws -> Int {
        try db.rows(
          """
          DELETE FROM \(sql: table) WHERE repository = \(repository.id) AND number = \(number)
            AND id <> ALL (\(ids))\(condition)
          """
        ).changes
      }
      _ = try remove("comment_text")
      _ = try remove("set_aside", " AND timeline = 'comments'")
      return try remove("comment")
    }
  }

  /// Removes a repository from the mirror and from the queue of the workers. Its space is reused after the server's
  /// next vacuum (autovacuum).
  ///
  /// - Parameter repository: The repository.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  public func remove(_ repository: MirroredRepository) async throws(MirrorFailure) {
    try await writing { db in
      // Deletes the repository first, so that other writers wait, and then don't find it.
      let name: String? = try db.first(
        "DELETE FROM repository WHERE key = \(repository.id) RETURNING name_key")?.value(0)
      if let name {
        try db.rows("DELETE FROM queue WHERE host = \(repository.host) AND name_key = \(name)")
      }
      for table in [
        "former_name", "sweep", "sweep_seen", "item", "item_text", "comment", "comment_text",
        "label", "milestone", "property_page", "tombstone", "absence", "set_aside", "timeline",
        "event",
      ] {
        try db.rows("DELETE FROM \(sql: table) WHERE repository = \(repository.id)")
      }
    }
  }
}

extension MirroredRepository {
  static let columnCount = 11
  static let columns: PostgresSQL = """
    key, host, id, full_name, synced_to, comments_synced_to, checked_at, comments_checked_at,
    verified_at, timelines_checked_at, timelines_missing_at
    """

  /// Reads the repository from the first columns of a row.
  init(_ row: PostgresRow) throws {
    try self.init(
      id: row.value(0), host: row.value(1), serverID: row.value(2), fullName: row.value(3),
      syncedTo: Date(seconds: row.value(4)), commentsSyncedTo: Date(seconds: row.value(5)),
      checkedAt: Date(seconds: row.value(6)), commentsCheckedAt: Date(seconds: row.value(7)),
      verifiedAt: Date(seconds: row.value(8)))
    timelinesCheckedAt = Date(seconds: try row.value(9))
    lacksTimelinesSince = Date(seconds: try row.value(10))
  }
}

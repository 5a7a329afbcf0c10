package import IssueMirror

/// A repository that a worker holds.
package struct RepositoryClaim: Sendable, Hashable {
  let host: String
  /// `owner/name`, as it was added or last found.
  package let name: String
  let reason: String
  /// A number chosen by the worker.
  let lease: Int64
  let failures: Int
  /// Nil before the first sync.
  let secondsSinceSync: Double?
  package let pace: SyncPace
  /// Whether its last worker neither completed the sync nor gave the repository back.
  let wasAbandoned: Bool

  var nameKey: String { name.lowercased() }
  /// The owner in lowercase.
  var owner: String { String(nameKey.prefix { $0 != "/" }) }
}

/// Assigns repositories to workers. The database decides by its own clock which repositories are due and which leases
/// have ended.
package struct RepositoryQueue: Sendable {
  private let mirror: PostgresMirror
  private let host: String

  package init(_ mirror: PostgresMirror, host: String) {
    self.mirror = mirror
    self.host = host
  }

  /// Claims a due repository that no worker holds; nil if none is available. Of those with the highest priority, it
  /// claims the one that has been due longest.
  package func claim(
    for lease: Duration, by holder: String
  ) async throws(MirrorFailure) -> RepositoryClaim? {
    let (host, token) = (host, Int64.random(in: 1...Int64.max))
    return try await mirror.writing { db in
      // Skips rows that concurrent claims have locked. The subquery is materialized, so that it runs once.
      let row = try db.first(
        """
        WITH found AS MATERIALIZED (
          SELECT host, name_key, lease IS NOT NULL AS was_abandoned FROM queue
          WHERE host = \(host) AND due_at <= now()
            AND (lease_ends_at IS NULL OR lease_ends_at <= now())
          ORDER BY priority DESC, due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        UPDATE queue SET lease = \(token), holder = \(holder), has_news = false,
          lease_ends_at = now() + \(lease.milliseconds) * interval '1 millisecond'
        FROM found WHERE queue.host = found.host AND queue.name_key = found.name_key
        RETURNING queue.name, queue.reason, queue.failures,
          extract(epoch FROM now() - queue.synced_at)::float8, queue.changes_per_hour,
          found.was_abandoned
        """)
      guard let row else { return nil }
      return RepositoryClaim(
        host: host, name: try row.value(0), reason: try row.value(1), lease: token,
        failures: try row.value(2), secondsSinceSync: try row.value(3),
        pace: SyncPace(changesPerHour: try row.value(4)), wasAbandoned: try row.value(5))
    }
  }

  /// Returns false if another worker may have claimed the repository.
  func renew(
    _ claim: RepositoryClaim, for lease: Duration
  ) async throws(MirrorFailure) -> Bool {
    try await change(
      claim, "lease_ends_at = now() + \(lease.milliseconds) * interval '1 millisecond'")
  }

  /// - Returns: The time until the repository is due again. It is longer than `interval` if the probe finds that the
  ///   organization's list contains the repository's changes, or if a webhook has told of a change in the last day. It
  ///   is zero if the list or a webhook has told of another change. Nil if another worker has claimed the repository,
  ///   or it was removed from the queue.
  package func finish(
    _ claim: RepositoryClaim, as name: String, _ pace: SyncPace, dueIn interval: Duration,
    _ probe: FeedProbe? = nil
  ) async throws(MirrorFailure) -> Duration? {
    let (dueIn, owner) = try await mirror.writing { db -> (Duration?, String?) in
      var claim = claim
      if name.lowercased() != claim.nameKey {
        guard let renamed = try Self.rename(claim, to: name, db) else { return (interval, nil) }
        claim = renamed
      }
      let finding = try probe?.finding(of: claim, db)
      var next = interval
      var found: PostgresSQL = ""
      if let probe, let finding {
        if finding.isListed { next = max(interval, probe.listedInterval) }
        found = """
          newest_change = \(finding.newest), is_unlisted = \(finding.isUnlisted),
          """
      }
      // A webhook may fail without notice, so its repositories are still synced at the longest interval. Tables of
      // version 6 lack the column.
      let delivered = max(next, probe?.longestInterval ?? next)
      let rate: PostgresSQL = pace.changesPerHour.map { "\($0)" } ?? "NULL"
      let seconds: Double? = try db.first(
        """
        UPDATE queue SET \(Self.released), \(found) synced_at = now(), failures = 0,
          failed_at = NULL, failure = NULL, interval_seconds = \(interval / .seconds(1)),
          changes_per_hour = \(rate), due_at = CASE WHEN has_news THEN now()
            WHEN (to_jsonb(queue) ->> 'delivered_at')::timestamptz > now() - interval '1 day'
              THEN now() + \(delivered.milliseconds) * interval '1 millisecond'
            ELSE now() + \(next.milliseconds) * interval '1 millisecond' END
        WHERE host = \(claim.host) AND name_key = \(claim.nameKey) AND lease = \(claim.lease)
        RETURNING extract(epoch FROM due_at - now())::float8
        """)?.value(0)
      return (seconds.map { .seconds($0) }, finding?.isLacking == true ? claim.owner : nil)
    }
    // Uses a separate transaction, because concurrent calls each hold a repository and wait for the list's row.
    if let owner, let probe {
      try await mirror.writing { db in
        try FeedProbe.recall(from: claim.host, owner: owner, within: probe.longestInterval, db)
      }
    }
    return dueIn
  }

  /// Returns false if another worker has claimed the repository, or it was removed from the queue.
  func fail(
    _ claim: RepositoryClaim, _ reason: String, dueIn delay: Duration
  ) async throws(MirrorFailure) -> Bool {
    let reason = String(PostgresAddress.oneLine(reason).prefix(500))
    return try await change(
      claim,
      """
      \(Self.released), due_at = now() + \(delay.milliseconds) * interval '1 millisecond',
      failures = failures + 1, failed_at = now(), failure = \(reason)
      """)
  }

  /// Lets another worker continue immediately. Returns false if one has already claimed the repository, or it was
  /// removed from the queue.
  func giveBack(_ claim: RepositoryClaim) async throws(MirrorFailure) -> Bool {
    try await change(claim, Self.released)
  }

  /// The time until a repository is due or its lease ends; nil if the queue is empty.
  func timeUntilNext() async throws(MirrorFailure) -> Duration? {
    let host = host
    return try await mirror.reading { db in
      let seconds: Double? = try db.first(
        """
        SELECT extract(epoch FROM min(greatest(due_at, lease_ends_at)) - now())::float8
        FROM queue WHERE host = \(host)
        """)?.value(0)
      return seconds.map { .seconds(min(max($0, 0), 86_400)) }
    }
  }

  private static let released: PostgresSQL = "lease = NULL, holder = NULL, lease_ends_at = NULL"

  private func change(
    _ claim: RepositoryClaim, _ changes: PostgresSQL
  ) async throws(MirrorFailure) -> Bool {
    try await mirror.writing { db in try Self.change(claim, changes, db) }
  }

  private static func change(
    _ claim: RepositoryClaim, _ changes: PostgresSQL, _ db: PostgresSession
  ) throws -> Bool {
    try db.rows(
      """
      UPDATE queue SET \(changes)
      WHERE host = \(claim.host) AND name_key = \(claim.nameKey) AND lease = \(claim.lease)
      """
    ).changes == 1
  }

  /// Nil if the queue also contains the repository under its current name, because one entry is enough.
  private static func rename(
    _ claim: RepositoryClaim, to name: String, _ db: PostgresSession
  ) throws -> RepositoryClaim? {
    let renamed = RepositoryClaim(
      host: claim.host, name: name, reason: claim.reason, lease: claim.lease,
      failures: claim.failures, secondsSinceSync: claim.secondsSinceSync, pace: claim.pace,
      wasAbandoned: claim.wasAbandoned)
    let known = try db.first(
      """
      SELECT true FROM queue WHERE host = \(claim.host) AND name_key = \(renamed.nameKey) FOR UPDATE
      """)
    guard known == nil else {
      try db.rows(
        """
        DELETE FROM queue
        WHERE host = \(claim.host) AND name_key = \(claim.nameKey) AND lease = \(claim.lease)
        """)
      return nil
    }
    _ = try change(claim, "name = \(name), name_key = \(renamed.nameKey)", db)
    return renamed
  }
}

extension Duration {
  /// The milliseconds, rounded down.
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

internal import IssueMirror

/// A worker's row in the table of living workers, which ``WorkerStatus`` shows. A worker that hasn't reported for the
/// length of its lease, or of its pause and a lease, counts as dead.
struct WorkerRegistry: Sendable {
  let mirror: PostgresMirror
  let host: String
  let name: String
  let lease: Duration
  private let id = Int64.random(in: 1...Int64.max)

  init(_ mirror: PostgresMirror, host: String, name: String, lease: Duration) {
    (self.mirror, self.host, self.name, self.lease) = (mirror, host, name, lease)
  }

  /// Reports that the worker lives, and its pause if it has begun one. It doesn't report during a pause.
  func report(pausing pause: (reason: String, time: Duration)? = nil) async throws(MirrorFailure) {
    let (id, host, name) = (id, host, name)
    let lease = lease.milliseconds
    let reason = pause.map { String(PostgresAddress.oneLine($0.reason).prefix(500)) }
    let time = pause?.time.milliseconds
    let life = lease + (time ?? 0)
    try await mirror.writing { db in
      guard try Self.allows("INSERT", db) else { return }
      // The present pause stays in the row until its end.
      try db.rows(
        """
        INSERT INTO worker AS kept (
          id, host, name, started_at, seen_at, dead_at, paused_until, pause)
        VALUES (
          \(id), \(host), \(name), now(), now(), now() + \(life) * interval '1 millisecond',
          now() + \(time) * interval '1 millisecond', \(reason))
        ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at,
          dead_at = greatest(kept.dead_at, excluded.dead_at),
          paused_until = coalesce(excluded.paused_until, kept.paused_until),
          pause = coalesce(excluded.pause, kept.pause)
        """)
      _ = try db.rows("DELETE FROM worker WHERE dead_at < now()")
    }
  }

  /// Removes the worker's row.
  func remove() async throws(MirrorFailure) {
    let id = id
    try await mirror.writing { db in
      guard try Self.allows("INSERT", db) else { return }
      _ = try db.rows("DELETE FROM worker WHERE id = \(id)")
    }
  }

  /// Whether this role has a right on the table. False if the owner hasn't migrated the tables yet, or hasn't granted the
  /// right: workers do without it.
  static func allows(_ right: String, _ db: PostgresSession) throws -> Bool {
    try db.first("SELECT coalesce(has_table_privilege(to_regclass('worker'), \(right)), false)")?
      .value(0) ?? false
  }
}

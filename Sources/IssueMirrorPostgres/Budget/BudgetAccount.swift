internal import GitHubAPI
internal import IssueMirror

/// A worker's access to the budget of a token, in the database.
struct BudgetAccount: Sendable {
  struct Reply: Sendable, Hashable {
    /// Nil if no reservation was requested.
    var grant: BudgetLedger.Grant?
    /// The points granted with the requests.
    var points = 0
    /// Whether the block was released because its worker hadn't reported for too long.
    var isBlockLost: Bool
  }

  enum Purpose: Sendable, Hashable {
    /// Reserves a request with this cost in points, and further ones.
    case reserving(Int)
    case reporting
    case givingBack
  }

  /// The lifetime of a block, longer than any request takes. A worker that hasn't reported for this long counts as
  /// dead.
  static let lifeOfBlock = Duration.seconds(60)

  let mirror: PostgresMirror
  /// A digest of the server and the token.
  let key: String
  let host: String
  let resource: String
  let worker: Int64
  let pointsPerMinute: Int

  func exchange(
    _ report: BudgetBlock.Report, _ purpose: Purpose
  ) async throws(MirrorFailure) -> Reply {
    let (key, host, resource, worker) = (key, host, resource, worker)
    return try await mirror.writing { db in
      try db.rows(
        """
        INSERT INTO budget (key, resource, host) VALUES (\(key), \(resource), \(host))
        ON CONFLICT DO NOTHING
        """)
      // Locks all quotas of the token.
      var ledger = try Self.ledger(key, resource, db)
      let lost: [Int] = try db.column(
        "DELETE FROM budget_block WHERE key = \(key) AND ends_at <= now() RETURNING points")
      let blocks = try db.rows(
        "SELECT resource, worker, outstanding, points FROM budget_block WHERE key = \(key)"
      ).map { row in
        (
          resource: try row.value(0) as String, worker: try row.value(1) as Int64,
          outstanding: try row.value(2) as Int, points: try row.value(3) as Int
        )
      }
      let others = blocks.filter { $0.resource != resource || $0.worker != worker }
      let isKnown = others.count < blocks.count
      ledger.othersOutstanding = others.filter { $0.resource == resource }
        .reduce(0) { $0 + $1.outstanding }
      ledger.outstanding = report.inFlight + (isKnown ? report.unsent : 0)
      if let answer = report.answer { ledger.note(answer) }
      // The dead worker may have sent its requests a moment ago.
      let spent = try Self.spend(report.spent + lost.reduce(0, +), key, db)
      // A server without quotas doesn't have this limit either.
      var points = PointsLedger(
        limit: ledger.isUnlimited ? Int(Int32.max) : pointsPerMinute, spent: spent,
        othersOutstanding: others.reduce(0) { $0 + $1.points },
        outstanding: report.pointsInFlight + (isKnown ? report.points : 0))
      var reply = Reply(
        grant: nil, isBlockLost: !isKnown && (report.unsent > 0 || report.points > 0))
      switch purpose {
      case .reserving(let cost):
        let (unsent, unspent) = isKnown ? (report.unsent, report.points) : (0, 0)
        (reply.grant, reply.points) = Self.reserve(
          cost, besides: unsent, unspent, &ledger, &points)
      case .givingBack where isKnown:
        ledger.giveBack(report.unsent)
        points.outstanding -= report.points
      case .reporting, .givingBack: break
      }
      try Self.write(ledger, points, key, resource, worker, db)
      return reply
    }
  }

  /// If there aren't enough points for a request, it waits and doesn't reserve the quota.
  static func reserve(
    _ cost: Int, besides unsent: Int, _ unspent: Int, _ ledger: inout BudgetLedger,
    _ points: inout PointsLedger
  ) -> (grant: BudgetLedger.Grant, points: Int) {
    var taken = ledger
    let grant = taken.reserve(besides: unsent)
    guard case .granted(let count) = grant else {
      ledger = taken
      return (grant, 0)
    }
    let least = max(cost - unspent, 0)
    let most = max(count + unsent - unspent, least)
    guard let granted = points.reserve(upTo: most, least: least) else { return (.full, 0) }
    ledger = taken
    return (grant, granted)
  }

  /// Records points as spent now. Returns the points spent in the last minute.
  ///
  /// Uses the current time, because the transaction may have waited for others since it started.
  private static func spend(
    _ points: Int, _ key: String, _ db: PostgresSession
  ) throws -> Int {
    let (slot, window) = (PointsLedger.slot, PointsLedger.window)
    if points > 0 {
      try db.rows(
        """
        INSERT INTO budget_spending AS kept (key, slot, points)
        VALUES (
          \(key), floor(extract(epoch FROM clock_timestamp()) / \(slot))::bigint, \(points))
        ON CONFLICT (key, slot) DO UPDATE SET points = kept.points + excluded.points
        """)
    }
    try db.rows(
      """
      DELETE FROM budget_spending
      WHERE key = \(key)
        AND (slot + 1) * \(slot) + \(window) <= extract(epoch FROM clock_timestamp())
      """)
    return try db.first(
      "SELECT coalesce(sum(points), 0)::bigint FROM budget_spending WHERE key = \(key)")?
      .value(0) ?? 0
  }

  private static func ledger(
    _ key: String, _ resource: String, _ db: PostgresSession
  ) throws -> BudgetLedger {
    // Locks all quotas of a token, because they share its points.
    let row = try db.rows(
      """
      SELECT quota, remaining, is_unlimited, reset, extract(epoch FROM ends_at - now())::float8,
        extract(epoch FROM paused_until - now())::float8, resource
      FROM budget WHERE key = \(key) ORDER BY resource FOR UPDATE
      """
    ).first { try $0.value(6) == resource }
    guard let row else { throw PostgresFailure("a stored budget is missing") }
    return BudgetLedger(
      quota: try row.value(0), remaining: try row.value(1), isUnlimited: try row.value(2),
      reset: try row.value(3), secondsLeft: try row.value(4) ?? 0,
      pause: max(try row.value(5) ?? 0, 0))
  }

  private static func write(
    _ ledger: BudgetLedger, _ points: PointsLedger, _ key: String, _ resource: String,
    _ worker: Int64, _ db: PostgresSession
  ) throws {
    try db.rows(
      """
      UPDATE budget SET quota = \(ledger.quota), remaining = \(ledger.remaining),
        is_unlimited = \(ledger.isUnlimited), reset = \(ledger.reset),
        ends_at = now() + \(ledger.secondsLeft) * interval '1 second',
        paused_until = now() + \(ledger.pause) * interval '1 second'
      WHERE key = \(key) AND resource = \(resource)
      """)
    guard ledger.outstanding > 0 || points.outstanding > 0 else {
      try db.rows(
        """
        DELETE FROM budget_block
        WHERE key = \(key) AND resource = \(resource) AND worker = \(worker)
        """)
      return
    }
    try db.rows(
      """
      INSERT INTO budget_block (key, resource, worker, outstanding, points, ends_at)
      VALUES (
        \(key), \(resource), \(worker), \(ledger.outstanding), \(points.outstanding),
        now() + \(lifeOfBlock.milliseconds) * interval '1 millisecond')
      ON CONFLICT (key, resource, worker) DO UPDATE SET
        outstanding = excluded.outstanding, points = excluded.points,
        ends_at = excluded.ends_at
      """)
  }
}

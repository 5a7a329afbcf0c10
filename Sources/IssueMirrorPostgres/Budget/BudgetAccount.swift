internal import GitHubAPI
internal import IssueMirror

/// A worker's access to the budget of a token, in the database.
struct BudgetAccount: Sendable {
  struct Reply: Sendable, Hashable {
    /// Nil if nothing was asked for.
    var grant: BudgetLedger.Grant?
    /// Whether the block was given up, because its worker hadn't been heard of for too long.
    var isBlockLost: Bool
  }

  enum Purpose: Sendable {
    case reserving
    case reporting
    case givingBack
  }

  /// Longer than a request is under way. A worker that isn't heard of for so long has died.
  static let lifeOfBlock = Duration.seconds(60)

  let mirror: PostgresMirror
  /// A digest of the server and the token.
  let key: String
  let host: String
  let resource: String
  let worker: Int64

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
      // The others wait.
      var ledger = try Self.ledger(key, resource, db)
      try db.rows(
        """
        DELETE FROM budget_block
        WHERE key = \(key) AND resource = \(resource) AND ends_at <= now()
        """)
      let blocks = try db.rows(
        """
        SELECT worker, outstanding FROM budget_block WHERE key = \(key) AND resource = \(resource)
        """
      ).map { (worker: try $0.value(0) as Int64, outstanding: try $0.value(1) as Int) }
      let isKnown = blocks.contains { $0.worker == worker }
      ledger.othersOutstanding = blocks.filter { $0.worker != worker }
        .reduce(0) { $0 + $1.outstanding }
      ledger.outstanding = report.inFlight + (isKnown ? report.unsent : 0)
      if let answer = report.answer { ledger.note(answer) }
      var reply = Reply(grant: nil, isBlockLost: !isKnown && report.unsent > 0)
      switch purpose {
      case .reserving: reply.grant = ledger.reserve()
      case .givingBack where isKnown: ledger.giveBack(report.unsent)
      case .reporting, .givingBack: break
      }
      try Self.write(ledger, key, resource, worker, db)
      return reply
    }
  }

  private static func ledger(
    _ key: String, _ resource: String, _ db: PostgresSession
  ) throws -> BudgetLedger {
    let row = try db.first(
      """
      SELECT quota, remaining, is_unlimited, reset, extract(epoch FROM ends_at - now())::float8,
        extract(epoch FROM paused_until - now())::float8
      FROM budget WHERE key = \(key) AND resource = \(resource) FOR UPDATE
      """)
    guard let row else { throw PostgresFailure("a budget that was stored isn't there") }
    return BudgetLedger(
      quota: try row.value(0), remaining: try row.value(1), isUnlimited: try row.value(2),
      reset: try row.value(3), secondsLeft: try row.value(4) ?? 0,
      pause: max(try row.value(5) ?? 0, 0))
  }

  private static func write(
    _ ledger: BudgetLedger, _ key: String, _ resource: String, _ worker: Int64,
    _ db: PostgresSession
  ) throws {
    try db.rows(
      """
      UPDATE budget SET quota = \(ledger.quota), remaining = \(ledger.remaining),
        is_unlimited = \(ledger.isUnlimited), reset = \(ledger.reset),
        ends_at = now() + \(ledger.secondsLeft) * interval '1 second',
        paused_until = now() + \(ledger.pause) * interval '1 second'
      WHERE key = \(key) AND resource = \(resource)
      """)
    guard ledger.outstanding > 0 else {
      try db.rows(
        """
        DELETE FROM budget_block
        WHERE key = \(key) AND resource = \(resource) AND worker = \(worker)
        """)
      return
    }
    try db.rows(
      """
      INSERT INTO budget_block (key, resource, worker, outstanding, ends_at)
      VALUES (
        \(key), \(resource), \(worker), \(ledger.outstanding),
        now() + \(lifeOfBlock.milliseconds) * interval '1 millisecond')
      ON CONFLICT (key, resource, worker) DO UPDATE SET
        outstanding = excluded.outstanding, ends_at = excluded.ends_at
      """)
  }
}

/// The points that all users of a token may still spend in a minute, while the database row is locked.
///
/// A point counts from its reservation until a minute after its request was reported as finished. The server counted it
/// some time in between, so it never sees more than the limit in a minute.
struct PointsLedger: Sendable, Hashable {
  /// In seconds.
  static let window = 60
  /// Points spent within this number of seconds count as spent at its end, so that a minute has only a few rows.
  static let slot = 5

  /// Per minute.
  let limit: Int
  /// In the last minute, by all users.
  var spent = 0
  /// Reserved and not reported as spent, by other workers.
  var othersOutstanding = 0
  /// Reserved and not reported as spent, by this worker.
  var outstanding = 0

  private var room: Int { limit - spent - othersOutstanding - outstanding }

  /// Reserves up to `most` points for this worker; nil if fewer than `least` are left.
  mutating func reserve(upTo most: Int, least: Int) -> Int? {
    guard room >= least else { return nil }
    let granted = max(min(most, room), 0)
    outstanding += granted
    return granted
  }
}

/// The points that all users of a token may still spend in a minute, while the database's row is locked.
///
/// A point counts from its reservation until a minute after its request was reported as answered. The server has counted
/// it some time in between, so it never finds more than the limit in a minute.
struct PointsLedger: Sendable, Hashable {
  /// In seconds.
  static let window = 60
  /// What is spent within so many seconds counts as spent at their end, so that a minute has a few rows.
  static let slot = 5

  /// In a minute.
  let limit: Int
  /// In the last minute, by all users.
  var spent = 0
  /// Reserved, and not reported as spent: by others.
  var othersOutstanding = 0
  /// The same, by this worker.
  var outstanding = 0

  private var room: Int { limit - spent - othersOutstanding - outstanding }

  /// Reserves points for this worker, up to a number; nil if not even the least are left.
  mutating func reserve(upTo most: Int, least: Int) -> Int? {
    guard room >= least else { return nil }
    let granted = max(min(most, room), 0)
    outstanding += granted
    return granted
  }
}

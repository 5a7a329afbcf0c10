/// The points that all users of a token may still spend in a minute: a database row, while it is locked.
///
/// A point counts from its reservation until a minute after its request was reported as completed. The server counted
/// the point at some time in between, so the points never exceed the limit in any minute of the server.
struct PointsLedger: Sendable, Hashable {
  /// The window in seconds.
  static let window = 60
  /// The length of a slot in seconds. Points spent within a slot count as spent at its end, so that a minute has only a
  /// few rows.
  static let slot = 5

  /// The most points per minute.
  let limit: Int
  /// The points spent in the last minute by all users.
  var spent = 0
  /// The points reserved by other workers and not reported as spent.
  var othersOutstanding = 0
  /// The points reserved by this worker and not reported as spent.
  var outstanding = 0

  private var room: Int { limit - spent - othersOutstanding - outstanding }

  /// Reserves up to `most` points for this worker; nil if fewer than `least` points are left.
  mutating func reserve(upTo most: Int, least: Int) -> Int? {
    guard room >= least else { return nil }
    let granted = max(min(most, room), 0)
    outstanding += granted
    return granted
  }
}

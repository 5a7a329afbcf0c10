/// A sliding window of spent points. A leaky bucket would allow twice as many requests in the minute after a burst.
struct PointsWindow: Sendable {
  static var length: Duration { .seconds(60) }

  private let limit: Int
  private var spent: [(at: Duration, points: Int)] = []
  private var total = 0

  init(limit: Int) {
    self.limit = limit
  }

  var left: Int { limit - total }

  var isEmpty: Bool { spent.isEmpty }

  mutating func spend(_ points: Int, at now: Duration) {
    spent.append((now, points))
    total += points
  }

  mutating func advance(to now: Duration) {
    let outdated = spent.prefix { $0.at + Self.length <= now }
    total -= outdated.reduce(0) { $0 + $1.points }
    spent.removeFirst(outdated.count)
  }

  /// Returns the time when the points are available, if no points are spent until then.
  func time(for points: Int, after now: Duration) -> Duration {
    var left = left
    if left >= points { return now }
    for entry in spent {
      left += entry.points
      if left >= points { return entry.at + Self.length }
    }
    return now + Self.length
  }
}

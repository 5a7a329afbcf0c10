internal import PlatformModules

/// The limits on creating content, shared by all processes that use the same outbox.
public struct OutboxPace: Hashable, Sendable, Codable {
  /// The time between two writes.
  public var interval: Duration
  /// The most writes in a minute.
  public var perMinute: Int
  /// The most writes in an hour.
  public var perHour: Int

  /// GitHub's limits: 1 second apart, 80 a minute, 500 an hour
  /// (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits>).
  public static let github = OutboxPace(interval: .seconds(1), perMinute: 80, perHour: 500)

  /// Creates limits.
  public init(interval: Duration, perMinute: Int, perHour: Int) {
    self.interval = interval
    self.perMinute = perMinute
    self.perHour = perHour
  }

  static func words(until date: Date) -> String {
    "the server doesn't accept more changes until \(Timestamp.string(from: date))"
  }

  /// The earliest time for the next write. `written` contains the times of writes in the last hour, the oldest first.
  func next(after written: [Date], at date: Date) -> Date {
    // Later dates were recorded before the clock was set back.
    let written = written.filter { $0 <= date }
    var next = date
    if let last = written.last { next = max(next, last + interval / .seconds(1)) }
    for (count, seconds) in [(perMinute, 60.0), (perHour, 3_600)]
    where written.count >= max(count, 1) {
      next = max(next, written[written.count - max(count, 1)] + seconds)
    }
    return next
  }
}

internal import PlatformModules

/// How often a repository changes, and so when it is asked for again.
///
/// Among many repositories that share one budget, news are oldest least if each is asked as often as the square root of
/// its rate of changes says.
package struct SyncPace: Sendable, Hashable {
  /// In hours: what happened longer ago counts for little.
  private static let memory = 1.0
  /// In seconds, of a repository with a change an hour.
  static let usualInterval = 120.0
  /// Where a thousand issues were changed at once, no more is to be expected than where many are each hour.
  private static let mostChangesPerHour = 64.0

  /// Nil before the second sync: all of a first one is new, and says nothing.
  package var changesPerHour: Double?

  package init(changesPerHour: Double? = nil) {
    self.changesPerHour = changesPerHour
  }

  /// Notes a sync. `elapsed` are the seconds since the one before; nil for the first.
  package mutating func note(changes: Int, after elapsed: Double?) {
    guard let elapsed else { return }
    let hours = max(elapsed, 1) / 3600
    let kept = exp(-hours / Self.memory)
    let rate = (changesPerHour ?? 0) * kept + Double(changes) * (1 - kept) / hours
    changesPerHour = min(rate, Self.mostChangesPerHour)
  }

  package func interval(within bounds: ClosedRange<Duration>) -> Duration {
    guard let changesPerHour else { return bounds.clamping(.seconds(Self.usualInterval)) }
    // Not more than a day, so that it stays a number.
    let seconds = min(Self.usualInterval / max(changesPerHour, 1e-6).squareRoot(), 86_400)
    return bounds.clamping(.seconds(seconds))
  }

  /// After so many failures in a row.
  static func delay(afterFailures failures: Int) -> Duration {
    .seconds(min(60 << min(max(failures - 1, 0), 10), 21_600))
  }
}

extension ClosedRange where Bound == Duration {
  fileprivate func clamping(_ value: Duration) -> Duration {
    Swift.min(Swift.max(value, lowerBound), upperBound)
  }
}

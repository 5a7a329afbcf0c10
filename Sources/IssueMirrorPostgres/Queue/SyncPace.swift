internal import PlatformModules

/// The rate of a repository's changes, which determines the time until its next sync.
///
/// If many repositories share one budget, the average delay of changes is shortest when each repository is synced at a
/// rate proportional to the square root of its rate of changes.
package struct SyncPace: Sendable, Hashable {
  /// The time constant in hours. Older changes have little weight.
  private static let memory = 1.0
  /// The interval in seconds for a repository with one change per hour.
  static let usualInterval = 120.0
  /// The upper limit of the rate: a thousand issues changed at once don't predict as many changes in the next hour.
  private static let mostChangesPerHour = 64.0

  /// Nil before the second sync. Everything in the first sync is new, which doesn't indicate the rate.
  package var changesPerHour: Double?

  package init(changesPerHour: Double? = nil) {
    self.changesPerHour = changesPerHour
  }

  /// Records a sync. `elapsed` is the time in seconds since the previous sync; nil for the first.
  package mutating func note(changes: Int, after elapsed: Double?) {
    guard let elapsed else { return }
    let hours = max(elapsed, 1) / 3600
    let kept = exp(-hours / Self.memory)
    let rate = (changesPerHour ?? 0) * kept + Double(changes) * (1 - kept) / hours
    changesPerHour = min(rate, Self.mostChangesPerHour)
  }

  package func interval(within bounds: ClosedRange<Duration>) -> Duration {
    guard let changesPerHour else { return bounds.clamping(.seconds(Self.usualInterval)) }
    // The limit of a day keeps the number finite.
    let seconds = min(Self.usualInterval / max(changesPerHour, 1e-6).squareRoot(), 86_400)
    return bounds.clamping(.seconds(seconds))
  }

  /// The delay after the given number of failures in a row.
  static func delay(afterFailures failures: Int) -> Duration {
    .seconds(min(60 << min(max(failures - 1, 0), 10), 21_600))
  }
}

extension ClosedRange where Bound == Duration {
  fileprivate func clamping(_ value: Duration) -> Duration {
    Swift.min(Swift.max(value, lowerBound), upperBound)
  }
}

package import PlatformModules

/// Times relative to now: `about 3 days ago`.
///
/// Wording and arithmetic follow GitHub's own command: full units, months of 30 days, years of 365. Clocks differ, so a
/// date in the near future counts as now.
package enum RelativeTime {
  /// The time from `date` to `now`. A date at least a minute ahead reads `in about 3 days`.
  package static func describe(_ date: Date, relativeTo now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    guard let amount = amount(of: abs(seconds)) else { return "less than a minute ago" }
    return seconds > 0 ? "about \(amount) ago" : "in about \(amount)"
  }

  /// The age of an item created at `date`: `3 hours old`.
  package static func age(_ date: Date, relativeTo now: Date) -> String {
    "\(amount(of: now.timeIntervalSince(date)) ?? "less than a minute") old"
  }

  /// The time from `now` until `date`: `in 12 minutes`, or `now`.
  package static func until(_ date: Date, from now: Date) -> String {
    let seconds = date.timeIntervalSince(now)
    guard seconds > 0 else { return "now" }
    return amount(of: seconds).map { "in \($0)" } ?? "in less than a minute"
  }

  /// The time since `date`, as short as possible: `3d`, `2mo`, `now`.
  package static func short(_ date: Date, relativeTo now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    let units = [
      (365.0 * 86_400, "y"), (30.0 * 86_400, "mo"), (86_400.0, "d"), (3_600.0, "h"), (60.0, "m"),
    ]
    guard let (length, name) = units.first(where: { seconds >= $0.0 }),
      let count = Int(exactly: (seconds / length).rounded(.down))
    else { return "now" }
    return "\(count)\(name)"
  }

  private static func amount(of seconds: TimeInterval) -> String? {
    let minute = 60.0
    let hour = 60 * minute
    let day = 24 * hour
    let units = [
      (365 * day, "year"), (30 * day, "month"), (day, "day"), (hour, "hour"), (minute, "minute"),
    ]
    guard let (length, name) = units.first(where: { seconds >= $0.0 }),
      let count = Int(exactly: (seconds / length).rounded(.down))
    else { return nil }
    return count == 1 ? "1 \(name)" : "\(count) \(name)s"
  }
}

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Times relative to now: `about 3 days ago`.
///
/// Words and arithmetic are those of GitHub's own command: units are counted in full, a month has 30 days and a year
/// 365.
package enum RelativeTime {
  /// How long before `now` the `date` is.
  ///
  /// A date up to a minute ahead counts as now, since clocks differ. Later dates read `in about 3 days`.
  package static func describe(_ date: Date, relativeTo now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    guard let amount = amount(of: abs(seconds)) else { return "less than a minute ago" }
    return seconds > 0 ? "about \(amount) ago" : "in about \(amount)"
  }

  /// The age of something of a `date`, such as `3 hours old`.
  ///
  /// A date ahead counts as now, since clocks differ.
  package static func age(_ date: Date, relativeTo now: Date) -> String {
    "\(amount(of: now.timeIntervalSince(date)) ?? "less than a minute") old"
  }

  /// How long after `now` the `date` is, such as `in 12 minutes`: `now` where it is past.
  package static func until(_ date: Date, from now: Date) -> String {
    let seconds = date.timeIntervalSince(now)
    guard seconds > 0 else { return "now" }
    return amount(of: seconds).map { "in \($0)" } ?? "in less than a minute"
  }

  /// How long before `now` the `date` is, as short as possible: `3d`, `2mo`, `now`.
  ///
  /// A date ahead counts as now, since clocks differ.
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

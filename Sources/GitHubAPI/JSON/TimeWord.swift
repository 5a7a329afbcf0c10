package import PlatformModules

/// A time relative to now: the beginning of `today` or `yesterday` in the user's time zone, or an age such as `7d`, `12h`
/// or `2w`.
package struct TimeWord {
  package let date: Date
  /// Whether the word means a whole day.
  package let isDay: Bool

  package init?(_ text: String, now: Date = Date()) {
    switch text {
    case "today", "yesterday":
      guard let midnight = Self.midnight(of: now, daysAgo: text == "today" ? 0 : 1) else {
        return nil
      }
      (date, isDay) = (midnight, true)
    default:
      guard let age = Self.age(text) else { return nil }
      (date, isDay) = (now - age, false)
    }
  }

  /// The age in seconds.
  private static func age(_ text: String) -> Double? {
    let units: [Character: Double] = ["h": 3_600, "d": 86_400, "w": 604_800]
    let digits = text.dropLast()
    guard let unit = text.last.flatMap({ units[$0] }), (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Double(digits).map { $0 * unit }
  }

  private static func midnight(of now: Date, daysAgo days: Int32) -> Date? {
    var seconds = time_t(now.timeIntervalSince1970.rounded(.down))
    var time = unsafe tm()
    guard unsafe localtime_r(&seconds, &time) != nil else { return nil }
    unsafe (time.tm_hour, time.tm_min, time.tm_sec) = (0, 0, 0)
    unsafe time.tm_mday -= days
    return unsafe date(&time)
  }

  /// The time of a calendar date in the user's time zone.
  package static func date(_ time: inout tm) -> Date? {
    // The system determines daylight saving time.
    unsafe time.tm_isdst = -1
    let seconds = unsafe mktime(&time)
    guard seconds != -1 else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }
}

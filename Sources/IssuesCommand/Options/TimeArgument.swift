internal import IssueTracker
internal import PlatformModules

/// A time: the beginning of `2026-01-31`, `today` or `yesterday` in the user's time zone; `7d`, `12h` or `2w` ago; RFC
/// 3339.
struct TimeArgument {
  let date: Date

  init?(_ text: String, now: Date = Date()) {
    let date =
      switch text {
      case "today": Self.midnight(of: now, daysAgo: 0)
      case "yesterday": Self.midnight(of: now, daysAgo: 1)
      default: Self.age(text).map { now - $0 } ?? Self.day(text) ?? Timestamp.date(from: text)
      }
    guard let date else { return nil }
    self.date = date
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

  private static func day(_ text: String) -> Date? {
    // The day must exist in UTC, because mktime converts February 30 to March 2.
    guard !text.utf8.contains(UInt8(ascii: "T")), Timestamp.date(fromDayOrTime: text) != nil else {
      return nil
    }
    let parts = text.split(separator: "-").compactMap { Int32($0) }
    guard parts.count == 3 else { return nil }
    var time = unsafe tm()
    unsafe (time.tm_year, time.tm_mon, time.tm_mday) = (parts[0] - 1_900, parts[1] - 1, parts[2])
    return unsafe date(&time)
  }

  private static func midnight(of now: Date, daysAgo days: Int32) -> Date? {
    var seconds = time_t(now.timeIntervalSince1970.rounded(.down))
    var time = unsafe tm()
    guard unsafe localtime_r(&seconds, &time) != nil else { return nil }
    unsafe (time.tm_hour, time.tm_min, time.tm_sec) = (0, 0, 0)
    unsafe time.tm_mday -= days
    return unsafe date(&time)
  }

  private static func date(_ time: inout tm) -> Date? {
    // The system determines daylight saving time.
    unsafe time.tm_isdst = -1
    let seconds = unsafe mktime(&time)
    guard seconds != -1 else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }
}

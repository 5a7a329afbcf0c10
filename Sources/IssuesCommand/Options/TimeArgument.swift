internal import IssueTracker
internal import PlatformModules

/// A time: the beginning of `2026-01-31`, `today` or `yesterday` in the user's time zone; `7d`, `12h` or `2w` ago; RFC
/// 3339.
struct TimeArgument {
  let date: Date

  init?(_ text: String, now: Date = Date()) {
    let date = TimeWord(text, now: now)?.date ?? Self.day(text) ?? Timestamp.date(from: text)
    guard let date else { return nil }
    self.date = date
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
    return unsafe TimeWord.date(&time)
  }
}

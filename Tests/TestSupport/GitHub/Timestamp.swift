/// Converts between seconds since 1970 and GitHub's two forms of time. It doesn't use a formatter, because a page of a
/// hundred issues has three hundred times.
enum Timestamp {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `2026-02-10T20:14:51Z` (ISO 8601, in the profile of RFC 3339).
  static func iso8601(_ seconds: Int) -> String {
    let (year, month, day) = civil(days: floorDivide(seconds, 86_400))
    let clock = clockTime(seconds)
    return "\(year)-\(two(month))-\(two(day))T\(clock)Z"
  }

  /// `Tue, 10 Feb 2026 20:14:51 GMT` (RFC 9110, section 5.6.7).
  static func httpDate(_ seconds: Int) -> String {
    let days = floorDivide(seconds, 86_400)
    let (year, month, day) = civil(days: days)
    let weekday = weekdays[((days % 7) + 7) % 7]
    return "\(weekday), \(two(day)) \(months[month - 1]) \(year) \(clockTime(seconds)) GMT"
  }

  /// Seconds since 1970 of `YYYY-MM-DD`, with or without `THH:MM:SSZ`; nil for anything else.
  static func seconds(_ text: String) -> Int? {
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    guard numbers.count == 3 || numbers.count == 6, text.utf8.count <= 20,
      numbers.count == 3 || text.hasSuffix("Z"), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2])
    else { return nil }
    var seconds = days(year: numbers[0], month: numbers[1], day: numbers[2]) * 86_400
    if numbers.count == 6 { seconds += numbers[3] * 3600 + numbers[4] * 60 + numbers[5] }
    return seconds
  }

  private static func clockTime(_ seconds: Int) -> String {
    let second = seconds - floorDivide(seconds, 86_400) * 86_400
    return "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  private static func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
  }

  /// Howard Hinnant's `civil_from_days` (https://howardhinnant.github.io/date_algorithms.html).
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Howard Hinnant's `days_from_civil`, from the same page.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

package import PlatformModules

/// The date format of header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads only the form `Sun, 06 Nov 1994 08:49:37 GMT`. Current servers don't send the two obsolete forms.
  package static func date(from text: String) -> Date? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[5] == "GMT", parts[0].utf8.count == 4, parts[0].last == ",",
      let day = number(parts[1], digits: 2),
      let month = months.firstIndex(of: String(parts[2])),
      let year = number(parts[3], digits: 4), year >= 1970,
      let date = CivilDay(year: year, month: month + 1, day: day)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3,
      let hour = number(time[0], digits: 2), hour <= 23,
      let minute = number(time[1], digits: 2), minute <= 59,
      // 60 is a leap second.
      let second = number(time[2], digits: 2), second <= 60
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// Reads a number with exactly this many digits. `Int` alone would also accept `+1` and `007`.
  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text)
  }
}

package import PlatformModules

package enum LocalTime {
  /// The time in the user's zone: `14:03`.
  package static func hoursAndMinutes(of date: Date) -> String {
    // libc knows the zone without loading ICU. `localtime_r` alone may ignore TZ.
    tzset()
    var seconds = time_t(min(max(date.timeIntervalSince1970, 0), 253_402_300_799))
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "" }
    return unsafe "\(parts.tm_hour.twoDigits):\(parts.tm_min.twoDigits)"
  }

  /// A duration in whole seconds: `0:42`, `1:02:03`. It is rounded up, so that it never ends too early.
  package static func countdown(_ duration: Duration) -> String {
    let (whole, fraction) = max(duration, .zero).components
    let seconds = whole + (fraction > 0 ? 1 : 0)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let start = hours > 0 ? "\(hours):\(minutes.twoDigits)" : "\(minutes)"
    return "\(start):\((seconds % 60).twoDigits)"
  }
}

extension BinaryInteger {
  fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}

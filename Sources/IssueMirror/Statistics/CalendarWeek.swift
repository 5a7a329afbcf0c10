#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A week of the calendar, from Monday 00:00 by UTC, as ISO 8601 has it.
struct CalendarWeek: Hashable, Strideable {
  /// How long it lasts, in seconds.
  static let length = 7 * 86_400
  /// How long before 1970, a Thursday, the first of the weeks began.
  static let offset = 3 * 86_400

  /// How many weeks after the one of 1970-01-01 it is.
  let index: Int

  init(index: Int) {
    self.index = index
  }

  /// The week that a time is in.
  init(of date: Date) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + Self.offset
    self.init(index: Int((Double(seconds) / Double(Self.length)).rounded(.down)))
  }

  /// When it begins, in seconds since 1970.
  var start: Int { index * Self.length - Self.offset }

  func distance(to other: CalendarWeek) -> Int { other.index - index }

  func advanced(by count: Int) -> CalendarWeek { CalendarWeek(index: index + count) }
}

import PlatformModules
import Testing

@testable import IssueMirror

@Suite("Calendar weeks")
struct CalendarWeekTests {
  @Test(
    "a week begins on Monday at midnight UTC",
    arguments: [
      // 2026-11-16 is a Monday.
      ("2026-11-15T23:59:59Z", "2026-11-09T00:00:00Z"),
      ("2026-11-16T00:00:00Z", "2026-11-16T00:00:00Z"),
      ("2026-11-22T23:59:59Z", "2026-11-16T00:00:00Z"),
      ("1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z"),
      ("1969-12-28T12:00:00Z", "1969-12-22T00:00:00Z"),
      // Across a new year, and a leap day.
      ("2027-01-01T00:00:00Z", "2026-12-28T00:00:00Z"),
      ("2024-02-29T08:00:00Z", "2024-02-26T00:00:00Z"),
    ])
  func start(time: String, start: String) throws {
    let week = CalendarWeek(of: try Date(time, strategy: .iso8601))
    #expect(week.start == Int(try Date(start, strategy: .iso8601).timeIntervalSince1970))
  }

  @Test("weeks are contiguous")
  func range() {
    let last = CalendarWeek(index: 2_900)
    let weeks = Array(last.advanced(by: -2)...last)
    #expect(weeks.map(\.index) == [2_898, 2_899, 2_900])
    #expect(weeks[1].start - weeks[0].start == CalendarWeek.length)
  }
}

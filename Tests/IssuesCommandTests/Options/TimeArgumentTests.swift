import GitHubAPI
import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("Points in time on the command line")
struct TimeArgumentTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    "an age is subtracted from the current time",
    arguments: [
      ("1h", 3_600), ("7d", 604_800), ("2w", 1_209_600), ("0d", 0), ("90000h", 324_000_000),
    ]
      as [(String, Double)])
  func age(text: String, seconds: Double) {
    #expect(TimeArgument(text, now: now)?.date == now - seconds)
  }

  @Test("today and yesterday begin at midnight, a day apart")
  func days() throws {
    let today = try #require(TimeArgument("today", now: now)?.date)
    let yesterday = try #require(TimeArgument("yesterday", now: now)?.date)
    #expect((0..<90_000).contains(now.timeIntervalSince(today)))
    // A day of a change of the clocks has an hour more or less.
    #expect([82_800, 86_400, 90_000].contains(today.timeIntervalSince(yesterday)))
    let midnight = Timestamp.string(from: today).dropLast(10)
    #expect(TimeArgument(String(midnight), now: now)?.date != nil)
  }

  @Test("a time argument is read to the second")
  func time() {
    #expect(
      TimeArgument("2026-01-31T12:00:00+02:00")?.date.timeIntervalSince1970 == 1_769_853_600)
  }

  @Test(
    "an invalid time argument is refused",
    arguments: [
      "", "d", "7", "7 d", "-7d", "+7d", "7m", "７d", "123456d", "2026-02-30", "2026-13-01",
      "2026-1-1", "Today", "2026-01-31T", "T", "20260131",
    ])
  func refused(text: String) {
    #expect(TimeArgument(text, now: now) == nil)
  }
}

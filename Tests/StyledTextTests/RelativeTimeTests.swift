import PlatformModules
import StyledText
import Testing

@Suite("Relative time")
struct RelativeTimeTests {
  @Test(
    "a past time is described in words",
    arguments: [
      (0, "less than a minute ago"),
      (59, "less than a minute ago"),
      (60, "about 1 minute ago"),
      (119, "about 1 minute ago"),
      (120, "about 2 minutes ago"),
      (3_599, "about 59 minutes ago"),
      (3_600, "about 1 hour ago"),
      (7_200, "about 2 hours ago"),
      (86_399, "about 23 hours ago"),
      (86_400, "about 1 day ago"),
      (3 * 86_400, "about 3 days ago"),
      (30 * 86_400 - 1, "about 29 days ago"),
      (30 * 86_400, "about 1 month ago"),
      (364 * 86_400, "about 12 months ago"),
      (365 * 86_400, "about 1 year ago"),
      (800 * 86_400, "about 2 years ago"),
      (-30, "less than a minute ago"),
      (-90, "in about 1 minute"),
      (-3 * 86_400, "in about 3 days"),
      (.infinity, "less than a minute ago"),
    ] as [(Double, String)])
  func words(seconds: Double, expected: String) {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(
      RelativeTime.describe(now.addingTimeInterval(-seconds), relativeTo: now) == expected)
  }

  @Test(
    "a future time is described in the same units",
    arguments: [
      (-5, "now"), (0, "now"), (1, "in less than a minute"), (59, "in less than a minute"),
      (60, "in 1 minute"), (720, "in 12 minutes"), (3_600, "in 1 hour"), (90_000, "in 1 day"),
    ] as [(Double, String)])
  func future(seconds: Double, expected: String) {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(RelativeTime.until(now.addingTimeInterval(seconds), from: now) == expected)
  }
}

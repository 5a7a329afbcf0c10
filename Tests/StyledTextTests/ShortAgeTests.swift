import PlatformModules
import StyledText
import Testing

@Suite("Short ages")
struct ShortAgeTests {
  @Test(
    "an age is shown in its largest full unit",
    arguments: [
      (0, "now"), (-3_600, "now"), (59, "now"), (60, "1m"), (3_599, "59m"), (3_600, "1h"),
      (86_399, "23h"), (86_400, "1d"), (2_591_999, "29d"), (2_592_000, "1mo"),
      (31_535_999, "12mo"), (31_536_000, "1y"), (400_000_000, "12y"),
    ])
  func short(seconds: Int, text: String) {
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    let date = now.addingTimeInterval(-Double(seconds))
    #expect(RelativeTime.short(date, relativeTo: now) == text)
  }
}

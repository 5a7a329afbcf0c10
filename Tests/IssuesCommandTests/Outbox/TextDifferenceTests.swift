import IssueOutbox
import PlatformModules
import StyledText
import Testing

@testable import IssuesCommand

@Suite("The difference of two texts")
struct TextDifferenceTests {
  private static func text(_ old: String, _ new: String) -> String {
    TextDifference(from: old, to: new).styledLines.map(\.plain).joined(separator: "\n")
  }

  @Test("a difference shows three lines around each change, and counts the omitted ones")
  func context() {
    let old = (1...20).map { "line \($0)" }
    var new = old
    new[9] = "LINE 10"
    new.append("line 21")
    #expect(
      Self.text(old.joined(separator: "\n"), new.joined(separator: "\r\n")) == """
          … 6 lines
          line 7
          line 8
          line 9
        - line 10
        + LINE 10
          line 11
          line 12
          line 13
          … 4 lines
          line 18
          line 19
          line 20
        + line 21
        """)
  }

  @Test(
    "equal lines on both sides of a change are kept",
    arguments: [
      ("a\nb\nc", "a\nc", "  a\n- b\n  c"), ("", "a", "+ a"), ("a", "", "- a"),
      ("same\n", "same\n", ""), ("a", "a\n", "  a\n+ "),
    ])
  func small(old: String, new: String, expected: String) {
    let text = Self.text(old, new)
    #expect(text == expected)
  }

  @Test("texts of very many lines are compared quickly, if not line by line")
  func large() {
    let old = (0..<20_000).map { "old \($0)" }.joined(separator: "\n")
    let new = (0..<20_000).map { "new \($0)" }.joined(separator: "\n")
    let lines = TextDifference(from: old, to: new).lines
    #expect(lines.count == 40_000)
    #expect(lines.first == .removed("old 0"))
    #expect(lines.last == .added("new 19999"))
  }
}

@Suite("The status line of a send")
struct OutboxMeterTests {
  @Test("the remaining time of a send follows GitHub's limits per minute and per hour")
  func limits() {
    #expect(OutboxMeter(total: 30).timeLeft(at: .zero) == .seconds(30))
    #expect(OutboxMeter(total: 501).timeLeft(at: .zero) == .seconds(3_601))
    #expect(OutboxMeter(total: 1_200).timeLeft(at: .zero) == .seconds(2 * 3_600 + 200))
    let slow = OutboxPace(interval: .seconds(1), perMinute: 30, perHour: 500)
    #expect(OutboxMeter(total: 30, pace: slow).timeLeft(at: .zero) == .seconds(60))
    // 499 were written 50 minutes ago, and one more will be when this begins.
    let used = OutboxMeter(total: 2, written: Array(repeating: .seconds(-3_000), count: 499))
    #expect(used.timeLeft(at: .zero) == .seconds(600))
  }

  @Test("the status line of a wait shows its reason, its end, and the remaining changes")
  func waiting() {
    var meter = OutboxMeter(total: 12)
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let text = meter.text(of: .waiting(until: date, .pace), at: .zero)
    #expect(
      text?.hasPrefix("0 of 12 sent. The server doesn't accept more changes for now: ") == true)
    #expect(text?.hasSuffix(" (about 0:12 left)") == true)
  }
}

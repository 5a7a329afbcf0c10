import IssueTracker
import Testing

@testable import IssuesCommand

@Suite("The values of --wait")
struct WaitArgumentTests {
  @Test(
    "--wait accepts seconds, a time span, or for ever",
    arguments: [
      ("0", .never), ("0s", .never), ("90", .upTo(.seconds(90))), ("90s", .upTo(.seconds(90))),
      ("1.5m", .upTo(.seconds(90))), ("2h", .upTo(.seconds(7200))),
      ("24h", .upTo(.seconds(86_400))),
      ("300ms", .upTo(.milliseconds(300))), ("forever", .forever),
    ] as [(String, RateLimitWait)])
  func accepted(text: String, wait: RateLimitWait) throws {
    #expect(try ValueReader.wait(text).wait == wait)
  }

  @Test(
    "--wait refuses any other value, and lists the accepted ones",
    arguments: ["", "-1", "ever", "Forever", "25h", "1 fortnight", "nan", "inf", "s", "1d"])
  func refused(text: String) {
    let refusal = #expect(throws: ValueReader.Refusal.self) { try ValueReader.wait(text) }
    #expect(refusal?.description.contains("'forever'") == true)
  }
}

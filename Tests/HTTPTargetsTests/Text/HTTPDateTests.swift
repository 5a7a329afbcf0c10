import HTTPTargets
import PlatformModules
import Testing

@Suite("HTTPDate")
struct HTTPDateTests {
  @Test(
    "a date as defined by RFC 9110 is parsed",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
  func read(text: String, seconds: Double) {
    #expect(HTTPDate.date(from: text)?.timeIntervalSince1970 == seconds)
  }

  @Test(
    "other text isn't parsed as a date",
    arguments: [
      "", "120", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37",
      "Sun, 30 Feb 2025 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, +6 Nov 1994 08:49:37 GMT",
      "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT",
      "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sun, 06 Nov 1969 08:49:37 GMT",
      "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
      "Sat, 29 Feb 2025 00:00:00 GMT",
    ])
  func noDate(text: String) {
    #expect(HTTPDate.date(from: text) == nil)
  }
}

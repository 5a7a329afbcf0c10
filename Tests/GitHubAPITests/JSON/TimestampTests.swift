import Foundation
import Testing

@testable import GitHubAPI

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    "a time as defined by RFC 3339 is parsed",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2019-10-03T10:54:51Z", 1_570_100_091),
      ("2000-02-29T23:59:59Z", 951_868_799), ("1969-12-31T23:59:59Z", -1),
      ("2019-10-03T10:54:51+00:00", 1_570_100_091), ("2019-10-03T12:54:51+02:00", 1_570_100_091),
      ("2019-10-03T05:24:51-0530", 1_570_100_091), ("2019-10-03t10:54:51z", 1_570_100_091),
      ("2019-10-03 10:54:51Z", 1_570_100_091), ("2019-10-03T10:54:51.5Z", 1_570_100_091.5),
      ("2019-10-03T10:54:51.250+00:00", 1_570_100_091.25),
      ("2019-10-03T10:54:51.2500000000000000000000000000000Z", 1_570_100_091.25),
      ("2016-12-31T23:59:60Z", 1_483_228_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
  func reads(text: String, seconds: Double) {
    #expect(Timestamp.date(from: text)?.timeIntervalSince1970 == seconds)
  }

  @Test(
    "other text isn't parsed as a time",
    arguments: [
      "", "2019-10-03", "2019-10-03T10:54:51", "2019-13-03T10:54:51Z", "2019-00-03T10:54:51Z",
      "2019-02-29T10:54:51Z", "1900-02-29T00:00:00Z", "2019-04-31T00:00:00Z",
      "2019-10-03T24:00:00Z", "2019-10-03T10:60:00Z", "2019-10-03T10:54:61Z",
      "2019-10-03T10:54:51.Z", "2019-10-03T10:54:51ZZ", "2019-10-03T10:54:51+2:00",
      "2019-10-03T10:54:51+24:00", "+2019-10-03T10:54:51Z", "19-10-03T10:54:51Z",
      " 2019-10-03T10:54:51Z", "2019-10-03T10:54:51Z\n", "٢٠١٩-10-03T10:54:51Z", "1570100091",
    ])
  func refuses(text: String) {
    #expect(Timestamp.date(from: text) == nil)
  }

  @Test("a time is written in whole seconds of UTC, rounded down, within the years of RFC 3339")
  func writes() {
    func text(_ seconds: Double) -> String {
      Timestamp.string(from: Date(timeIntervalSince1970: seconds))
    }
    #expect(text(0) == "1970-01-01T00:00:00Z")
    #expect(text(1_570_100_091.999) == "2019-10-03T10:54:51Z")
    #expect(text(-0.5) == "1969-12-31T23:59:59Z")
    #expect(text(951_868_799) == "2000-02-29T23:59:59Z")
    #expect(text(-.infinity) == "0000-01-01T00:00:00Z")
    #expect(text(.nan) == "0000-01-01T00:00:00Z")
    #expect(text(.infinity) == "9999-12-31T23:59:59Z")
    #expect(text(1e300) == "9999-12-31T23:59:59Z")
  }

  @Test("times agree with Foundation over seven centuries, and survive writing and parsing")
  func agrees() throws {
    // A step that isn't a divisor of a day, so that every part changes.
    for seconds in stride(from: -11_000_000_000.0, to: 11_000_000_000.0, by: 9_876_543.0) {
      let date = Date(timeIntervalSince1970: seconds)
      let text = Timestamp.string(from: date)
      #expect(text == date.formatted(.iso8601))
      #expect(Timestamp.date(from: text) == date)
    }
  }

  @Test("the JSON encoder and decoder use the same date syntax as Timestamp")
  func strategies() throws {
    let dates = try GitHubJSON.decoder().decode(
      [Date].self, from: Data(#"["2019-10-03T10:54:51.5+00:00"]"#.utf8))
    #expect(dates == [Date(timeIntervalSince1970: 1_570_100_091.5)])
    let text = String(decoding: try GitHubJSON.encoder().encode(dates), as: UTF8.self)
    #expect(text == #"["2019-10-03T10:54:51Z"]"#)
    #expect(throws: DecodingError.self) {
      try GitHubJSON.decoder().decode([Date].self, from: Data(#"["soon"]"#.utf8))
    }
  }
}

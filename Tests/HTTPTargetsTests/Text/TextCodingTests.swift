import Foundation
import HTTPTargets
import Testing

@Suite("Encodable values")
struct TextCodingTests {
  @Test(
    "an origin is encoded as the start of a URL, and decodes from any URL that begins with it",
    arguments: ["https://api.github.com", "http://[::1]:8080", "http://localhost"])
  func origins(url: String) throws {
    let origin = try #require(Origin(url: url))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = try encoder.encode([origin])
    #expect(String(decoding: json, as: UTF8.self) == #"["\#(url)"]"#)
    #expect(try JSONDecoder().decode([Origin].self, from: json) == [origin])
    let longer = Data(#"["\#(url)/x?y"]"#.utf8)
    #expect(try JSONDecoder().decode([Origin].self, from: longer) == [origin])
  }

  @Test("a URL with an ambiguous origin isn't decoded")
  func doubtful() {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Origin].self, from: Data(#"["https://a@evil.example"]"#.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.count == 1)
  }

  @Test("timeouts and retry policies survive encoding and decoding")
  func limits() throws {
    for timeouts in [
      Timeouts(), Timeouts(connect: .nanoseconds(1), idle: .seconds(7), total: nil),
    ] {
      let json = try JSONEncoder().encode(timeouts)
      #expect(try JSONDecoder().decode(Timeouts.self, from: json) == timeouts)
    }
    let policy = RetryPolicy(maximumRetries: 7, maximumDelay: .milliseconds(1))
    let json = try JSONEncoder().encode(policy)
    #expect(try JSONDecoder().decode(RetryPolicy.self, from: json) == policy)
  }
}

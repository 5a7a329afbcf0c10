import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("JSON on a terminal")
struct JSONTextTests {
  @Test(
    "characters that the JSON encoder leaves raw are escaped",
    arguments: [
      ("\u{7F}", #"["\u007F"]"#),
      ("\u{9B}31m", #"["\u009B31m"]"#),
      ("a\u{202E}b", #"["a\u202Eb"]"#),
      ("\u{2028}\u{2029}", #"["\u2028\u2029"]"#),
      ("\u{E0041}", #"["\uDB40\uDC41"]"#),
      ("中文 👍🏽", #"["中文 👍🏽"]"#),
    ])
  func escapes(text: String, expected: String) throws {
    let escaped = JSONText.escaped(try JSONEncoder().encode([text]))
    #expect(String(decoding: escaped, as: UTF8.self) == expected)
  }

  @Test("escaped JSON decodes to the original text and contains no control characters")
  func roundTrip() throws {
    var generator = FuzzSource(seed: 7)
    let texts =
      HostileText.examples.map(\.text)
      + (0..<2_000).map { _ in HostileText.random(using: &generator) }
    for text in texts {
      let escaped = JSONText.escaped(try JSONEncoder().encode([text]))
      #expect(HostileText.dangers(in: String(decoding: escaped, as: UTF8.self)) == [])
      let read = try JSONDecoder().decode([String].self, from: Data(escaped))
      #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
    }
  }
}

import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Text of several lines in a pipe")
struct PlainTextTests {
  @Test(
    "line breaks and tabs stay, and other control characters are neutralized",
    arguments: [
      ("", ""), ("one", "one"), ("one\n", "one\n"), ("\n\n", "\n\n"),
      ("a\r\nb\r\n", "a\nb\n"),
      ("a\rb", "a\nb"), ("a\n\rb", "a\n\nb"), ("\tx\t\ty\t", "\tx\t\ty\t"),
      ("a\u{1B}[2Jb", "a^[[2Jb"), ("a\0b\u{7F}", "a^@b^?"), ("a\u{0B}b\u{0C}", "a^Kb^L"),
      ("a\u{2028}b\u{85}c", "a\\u{2028}b\\u{85}c"), ("\u{202E}x", "\\u{202E}x"),
      ("日本\n👩‍👩‍👧‍👦", "日本\n👩‍👩‍👧‍👦"), ("a\n\u{301}b", "a\n\u{301}b"),
    ])
  func harmless(text: String, expected: String) {
    let shown = PlainText.harmless(text)
    #expect(Array(shown.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("hostile text is neutralized", arguments: HostileText.examples)
  func hostile(name: String, text: String) {
    let shown = PlainText.harmless(text)
    let dangers = HostileText.dangers(in: shown)
    #expect(dangers.allSatisfy { $0 == "\n" || $0 == "\t" })
    #expect(PlainText.harmless(shown) == shown)
  }
}

import StyledText
import TestSupport
import Testing

@Suite("Display width")
struct DisplayWidthTests {
  @Test(
    "a character has the same width as on a terminal",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("…", 1), ("–", 1),
      ("中", 2), ("あ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("ｱ", 1),
      ("😀", 2), ("👍🏽", 2), ("☝🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("🇩🇪", 2),
      ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
      ("\u{301}", 0), ("\u{200D}", 0), ("\u{1FAE8}", 2), ("ำ", 1),
    ])
  func characters(text: String, columns: Int) throws {
    #expect(text.count == 1)
    #expect(DisplayWidth.columns(of: try #require(text.first)) == columns)
  }

  @Test(
    "text is truncated between characters and ends with an ellipsis",
    arguments: [
      ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
      ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 3, ""),
    ])
  func truncation(text: String, limit: Int, expected: String) {
    #expect(DisplayWidth.truncated(text, to: limit) == expected)
  }

  @Test("padding counts columns, not characters")
  func padding() {
    #expect(DisplayWidth.padded("日本", to: 6) == "日本  ")
    #expect(DisplayWidth.padded("12", to: 4, alignment: .trailing) == "  12")
    #expect(DisplayWidth.padded("too long", to: 3) == "too long")
  }

  @Test("random text fits into its limit after truncation")
  func random() {
    var generator = FuzzSource(seed: 11)
    for _ in 0..<3_000 {
      let text = TerminalText(HostileText.random(using: &generator)).string
      let limit = Int.random(in: 0...30, using: &generator)
      #expect(DisplayWidth.columns(of: DisplayWidth.truncated(text, to: limit)) <= limit)
    }
  }
}

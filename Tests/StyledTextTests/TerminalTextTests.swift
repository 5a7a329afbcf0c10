import StyledText
import TestSupport
import Testing

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test(
    "ordinary text is unchanged",
    arguments: [
      "", "Fix the build", "日本語のタイトル", "e\u{301}tude", "👨‍👩‍👧 family", "❤️", "1️⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴",
      "می‌خواهم", "क्‍ष",
      "naïve – “quotes”", "葛飾",
    ])
  func ordinary(text: String) {
    #expect(Array(TerminalText(text).string.utf8) == Array(text.utf8))
  }

  @Test(
    "control characters are replaced with visible text",
    arguments: [
      ("\u{1B}[31m", "^[[31m"),
      ("\0\u{07}\u{08}", "^@^G^H"),
      ("\u{7F}", "^?"),
      ("\u{9B}31m", "\\u{9B}31m"),
      ("a\u{202E}b", "a\\u{202E}b"),
      ("\u{2066}\u{2069}\u{202A}", "\\u{2066}\\u{2069}\\u{202A}"),
      ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
      ("\u{2061}\u{3164}\u{E0041}", "\\u{2061}\\u{3164}\\u{E0041}"),
      // Not a flag that Unicode recommends, not a whole one, and no flag at all.
      ("🏴\u{E0075}\u{E0073}\u{E007F}", "🏴\\u{E0075}\\u{E0073}\\u{E007F}"),
      ("🏴\u{E0067}\u{E0062}", "🏴\\u{E0067}\\u{E0062}"), ("\u{E007F}", "\\u{E007F}"),
      // Each is a byte of a hidden message.
      ("😀\u{E0158}\u{E01EF}", "😀\\u{E0158}\\u{E01EF}"),
      ("葛\u{E0100}飾", "葛\\u{E0100}飾"),
    ])
  func neutralized(raw: String, shown: String) {
    #expect(TerminalText(raw).string == shown)
  }

  @Test(
    "invisible characters that are common in prose are removed",
    arguments: [
      ("Donau\u{AD}dampf\u{AD}schiff", "Donaudampfschiff"), ("long/\u{200B}path", "long/path"),
      ("\u{FEFF}Title", "Title"), ("\u{5E9}\u{200F}!", "\u{5E9}!"), ("C++\u{200E}", "C++"),
      ("10\u{2060}km\u{61C}", "10km"), ("\u{200B}\u{202E}x", "\\u{202E}x"),
    ])
  func prose(raw: String, shown: String) {
    #expect(Array(TerminalText(raw).string.utf8) == Array(shown.utf8))
  }

  @Test(
    "each line break or tab becomes one space",
    arguments: [
      ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\rb", "a b"), ("a\tb", "a b"), ("a\n\nb", "a  b"),
      ("a\r\r\nb", "a  b"), ("a\n\rb", "a  b"),
    ])
  func blanks(raw: String, shown: String) {
    #expect(TerminalText(raw).string == shown)
  }

  @Test("control characters are escaped in hostile text", arguments: HostileText.examples)
  func examples(name: String, text: String) {
    #expect(HostileText.dangers(in: TerminalText(text).string) == [], "\(name)")
    #expect(HostileText.dangers(in: text).isEmpty == (name == "combining marks first"))
  }

  @Test(
    "control characters are escaped in random text, and escaping is idempotent")
  func random() {
    var generator = FuzzSource(seed: 20_240_501)
    for _ in 0..<10_000 {
      let text = HostileText.random(using: &generator)
      let once = TerminalText(text)
      #expect(HostileText.dangers(in: once.string) == [])
      #expect(TerminalText(once.string) == once)
    }
  }

  @Test("all invisible characters are escaped, except those needed by scripts and emoji")
  func invisible() {
    let kept: [ClosedRange<UInt32>] = [
      0x034F...0x034F, 0x17B4...0x17B5, 0x180B...0x180D, 0x180F...0x180F, 0x200C...0x200D,
      0xFE00...0xFE0F,
    ]
    let scalars = (0...0x10_FFFF).compactMap { Unicode.Scalar($0 as UInt32) }
    for scalar in scalars where scalar.properties.isDefaultIgnorableCodePoint {
      let isKept = kept.contains { $0.contains(scalar.value) }
      #expect(TerminalText.isConcealed(scalar) != isKept, "\(String(scalar.value, radix: 16))")
    }
  }
}

import Testing

@testable import TerminalScreen

@Suite("Cell content")
struct ScreenTextTests {
  /// A few widths, as from wcwidth(3).
  private static func width(_ codePoint: UInt32) -> Int {
    switch codePoint {
    case 0..<0x20, 0x7F..<0xA0, 0xE000: -1
    case 0x301: 0
    case 0x4E00...0x9FFF: 2
    default: 1
    }
  }

  private static func shown(_ text: String, columns: Int = 1) -> ScreenText {
    ScreenText(text, columns: columns, width: width)
  }

  private static func codePoints(_ text: String) -> ScreenText {
    .codePoints(text.unicodeScalars.map(\.value))
  }

  @Test("text with an undisputed width is shown unchanged")
  func plain() {
    #expect(Self.shown("a") == Self.codePoints("a"))
    #expect(Self.shown("e\u{301}") == Self.codePoints("e\u{301}"))
    #expect(Self.shown("漢", columns: 2) == Self.codePoints("漢"))
    #expect(Self.shown("") == Self.codePoints(" "))
  }

  @Test("text whose width differs in ncurses is replaced within its columns")
  func disagreement() {
    #expect(Self.shown("漢", columns: 1) == Self.codePoints("\u{FFFD}"))
    #expect(Self.shown("é", columns: 2) == Self.codePoints("\u{FFFD} "))
    #expect(Self.shown("\u{E000}", columns: 2) == Self.codePoints("\u{FFFD} "))
    #expect(Self.shown("e\u{E000}") == Self.codePoints("e"))
    #expect(Self.shown("\u{301}") == Self.codePoints("\u{FFFD}"))
  }

  @Test("without clusters, an emoji gets a two-column substitute, and a flag shows its letters")
  func clusters() {
    #expect(Self.shown("🇩🇪", columns: 2) == Self.codePoints("DE"))
    #expect(Self.shown("1️⃣", columns: 2) == Self.codePoints("1 "))
    #expect(Self.shown("❤️", columns: 2) == Self.codePoints("❤ "))
    #expect(ScreenText("👍🏽", columns: 2) { $0 == 0x1F44D ? 2 : -1 } == Self.codePoints("👍"))
    #expect(ScreenText("🏴󠁧󠁢󠁥󠁮󠁧󠁿", columns: 2) { $0 == 0x1F3F4 ? 2 : -1 } == Self.codePoints("🏴"))
    #expect(ScreenText("👍🏽", columns: 2) { _ in -1 } == Self.codePoints("? "))
    #expect(ScreenText(ascii: "🇩🇪", columns: 2) == Self.codePoints("DE"))
    #expect(ScreenText(ascii: "👍🏽", columns: 2) == Self.codePoints("? "))
    #expect(ScreenText(ascii: "1️⃣", columns: 2) == Self.codePoints("1 "))
  }

  @Test("control characters are always replaced")
  func controls() {
    for value in Array(UInt32(0)..<0x20) + Array(0x7F..<0xA0) {
      let control = String(Character(Unicode.Scalar(value) ?? " "))
      #expect(Self.shown(control) == Self.codePoints("\u{FFFD}"))
      #expect(Self.shown("a" + control) == Self.codePoints("a"))
      #expect(ScreenText(ascii: control, columns: 1) == Self.codePoints("?"))
      #expect(ScreenText(ascii: "a" + control, columns: 1) == Self.codePoints("a"))
    }
  }

  @Test("without UTF-8, frames become line drawing, and the rest is ASCII")
  func ascii() {
    let frame = "┌─┬┐│├┼┤└┴┘".map { ScreenText(ascii: String($0), columns: 1) }
    #expect(frame == "lqwkxtnumvj".utf8.map { .lineDrawing($0) })
    let text = "a…“”❯•é".map { ScreenText(ascii: String($0), columns: 1) }
    #expect(text == "a.\"\">*?".map { Self.codePoints(String($0)) })
    #expect(ScreenText(ascii: "漢", columns: 2) == Self.codePoints("? "))
    #expect(ScreenText(ascii: "", columns: 1) == Self.codePoints(" "))
  }
}

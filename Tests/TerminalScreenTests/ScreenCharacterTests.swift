import StyledText
import Testing

@testable import TerminalScreen

@Suite("Characters of a screen")
struct ScreenCharacterTests {
  private func parts(_ character: Character) -> [String] {
    ScreenCharacter.parts(of: character).map(\.text)
  }

  @Test("letters keep as many marks as a cell takes")
  func marks() {
    #expect(parts("e\u{301}") == ["e\u{301}"])
    let stacked = parts(Character("e" + String(repeating: "\u{301}", count: 1_000)))
    #expect(stacked.map(\.unicodeScalars.count) == [5])
  }

  @Test("an emoji of several code points shows the first")
  func emoji() {
    #expect(parts("👨‍👩‍👧") == ["👨"])
    #expect(parts("👍🏽") == ["👍"])
    #expect(parts("❤️") == ["❤"])
    #expect(parts("1️⃣") == ["1"])
  }

  @Test("a flag shows its letters, never another flag")
  func flags() {
    #expect(parts("🇩🇪") == ["D", "E"])
    #expect(parts("\u{1F1E9}") == ["D"])
    #expect(parts("\u{1F1FF}\u{200D}") == ["Z"])
    #expect("🇩🇪🇫🇷".flatMap(parts).joined() == "DEFR")
    #expect(ScreenCharacter.columns(of: "🇩🇪") <= DisplayWidth.columns(of: Character("🇩🇪")))
  }

  @Test("clusters of letters are taken apart where a code point has its own column")
  func clusters() {
    // A vowel sign beside its consonant.
    #expect(parts("का").joined() == "का")
    #expect(ScreenCharacter.columns(of: "का") == DisplayWidth.columns(of: Character("का")))
    #expect(parts("กำ").joined() == "กำ")
  }

  @Test("text without a column isn't shown")
  func invisible() {
    #expect(parts("\u{200D}").isEmpty)
    #expect(parts("\u{301}").isEmpty)
    #expect(ScreenCharacter.columns(of: "\u{FE0F}") == 0)
  }
}

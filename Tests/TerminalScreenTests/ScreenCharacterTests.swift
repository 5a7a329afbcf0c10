import StyledText
import Testing

@testable import TerminalScreen

@Suite("Screen characters")
struct ScreenCharacterTests {
  private func parts(_ character: Character) -> [String] {
    ScreenCharacter.parts(of: character).map(\.text)
  }

  @Test("a letter keeps only as many combining marks as a cell can hold")
  func marks() {
    #expect(parts("e\u{301}") == ["e\u{301}"])
    let stacked = parts(Character("e" + String(repeating: "\u{301}", count: 1_000)))
    #expect(stacked.map(\.unicodeScalars.count) == [5])
  }

  @Test(
    "an emoji of several code points stays whole and has two columns",
    arguments: ["👨‍👩‍👧", "👨‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "7\u{FE0F}", "🇩🇪", "🏳️‍🌈", "👩🏽‍🤝‍👨🏿"] as [Character])
  func emoji(character: Character) {
    #expect(parts(character) == [String(character)])
    #expect(ScreenCharacter.columns(of: character) == 2)
    #expect(DisplayWidth.columns(of: character) == 2)
    #expect(ScreenCharacter.isCluster(String(character)))
  }

  @Test(
    "other text isn't treated as an emoji sequence",
    arguments: [
      "a", "漢", "👍", "e\u{301}", "か\u{3099}", "👍\u{301}", "1\u{20E3}", "🇩", "🇩🇪🇫🇷", "",
      "👨" + String(repeating: "\u{200D}👩", count: 20),
    ])
  func others(text: String) {
    #expect(!ScreenCharacter.isCluster(text))
  }

  @Test("half a flag shows its letter and never becomes another flag")
  func flags() {
    #expect(parts("\u{1F1E9}") == ["D"])
    #expect(parts("\u{1F1FF}\u{200D}") == ["Z"])
    #expect("🇩🇪🇫🇷".flatMap(parts) == ["🇩🇪", "🇫🇷"])
    #expect(ScreenCharacter.columns(of: "🇩🇪") <= DisplayWidth.columns(of: Character("🇩🇪")))
  }

  @Test("a letter cluster is split if a code point has its own column")
  func clusters() {
    // A vowel sign beside its consonant.
    #expect(parts("का").joined() == "का")
    #expect(ScreenCharacter.columns(of: "का") == DisplayWidth.columns(of: Character("का")))
    #expect(parts("กำ").joined() == "กำ")
  }

  @Test("text without a visible character isn't shown")
  func invisible() {
    #expect(parts("\u{200D}").isEmpty)
    #expect(parts("\u{301}").isEmpty)
    #expect(ScreenCharacter.columns(of: "\u{FE0F}") == 0)
  }
}

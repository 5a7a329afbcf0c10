import Testing

@testable import TerminalScreen

@Suite("Numbers of color pairs")
struct ColorPairsTests {
  private func pair(_ foreground: Int32, _ background: Int32 = -1) -> ColorPairs.Pair {
    ColorPairs.Pair(foreground: foreground, background: background)
  }

  @Test("each pair has one number and is defined once")
  func numbers() {
    var pairs = ColorPairs(limit: 3)
    #expect(pairs.entry(for: pair(1)) == .undefined(1))
    #expect(pairs.entry(for: pair(1, 2)) == .undefined(2))
    #expect(pairs.entry(for: pair(1)) == .defined(1))
    #expect(pairs.entry(for: pair(-1, 2)) == .undefined(3))
    #expect(pairs.entry(for: pair(1, 2)) == .defined(2))
  }

  @Test("the terminal's default colors don't need a pair")
  func own() {
    var pairs = ColorPairs(limit: 0)
    #expect(pairs.entry(for: pair(-1)) == .defined(0))
    #expect(pairs.entry(for: pair(1)) == nil)
  }

  @Test("when all pairs are used, none is replaced until all are removed")
  func full() {
    var pairs = ColorPairs(limit: 1)
    #expect(pairs.entry(for: pair(1)) == .undefined(1))
    #expect(pairs.entry(for: pair(2)) == nil)
    #expect(pairs.entry(for: pair(1)) == .defined(1))
    pairs.removeAll()
    #expect(pairs.entry(for: pair(2)) == .undefined(1))
  }
}

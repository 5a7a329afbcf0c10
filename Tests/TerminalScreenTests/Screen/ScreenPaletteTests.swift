import StyledText
import Testing

@testable import TerminalScreen

@Suite("Color numbers")
struct ScreenPaletteTests {
  @Test(
    "the requested colors are used as far as the terminal supports them",
    arguments: [
      (ColorMode.none, 256, ScreenPalette.none), (.trueColor, 0, .none), (.basic, 2, .none),
      (.basic, 8, .eight), (.trueColor, 8, .eight), (.basic, 16, .sixteen), (.basic, 256, .sixteen),
      (.palette, 88, .sixteen), (.palette, 256, .palette), (.trueColor, 256, .palette),
      (.trueColor, 1 << 24, .direct), (.basic, 1 << 24, .eight), (.palette, 1 << 24, .palette),
    ])
  func choice(mode: ColorMode, count: Int, expected: ScreenPalette) {
    #expect(ScreenPalette(mode: mode, count: count) == expected)
  }

  @Test("a label gets its exact color, the nearest one or none")
  func exact() throws {
    let color = Style.Paint.exact(try #require(Color(hexadecimal: "d73a4a")))
    #expect(ScreenPalette.direct.number(of: color) == 0xD73A4A)
    #expect(ScreenPalette.palette.number(of: color) == 167)
    #expect(ScreenPalette.sixteen.number(of: color) == nil)
    #expect(ScreenPalette.eight.number(of: color) == nil)
    #expect(ScreenPalette.none.number(of: color) == nil)
  }

  @Test("a 24-bit color never gets the number of a theme color")
  func almostBlack() {
    let color = Style.Paint.exact(Color(red: 0, green: 0, blue: 1))
    #expect(ScreenPalette.direct.number(of: color) == 8)
  }

  @Test("theme colors keep their numbers in every palette")
  func theme() {
    for palette in [ScreenPalette.eight, .sixteen, .palette, .direct] {
      #expect(palette.number(of: .standard) == nil)
      #expect(
        [.black, .red, .green, .yellow, .blue, .magenta, .cyan, .white]
          .map { palette.number(of: $0) } == [0, 1, 2, 3, 4, 5, 6, 7])
    }
    #expect(ScreenPalette.none.number(of: .red) == nil)
    #expect(ScreenPalette.eight.number(of: .grey) == nil)
    #expect(ScreenPalette.sixteen.number(of: .grey) == 8)
    #expect(ScreenPalette.palette.number(of: .grey) == 242)
    #expect(ScreenPalette.direct.number(of: .grey) == 0x6C6C6C)
  }
}

import StyledText
import Testing

@Suite("Style")
struct StyleTests {
  @Test(
    "a styled run begins with its sequence and ends with a reset",
    arguments: [
      (Style.open, ColorMode.basic, "\u{1B}[32mx\u{1B}[0m"),
      (.completed, .basic, "\u{1B}[35mx\u{1B}[0m"),
      (.notPlanned, .basic, "\u{1B}[90mx\u{1B}[0m"),
      (.notPlanned, .palette, "\u{1B}[38;5;242mx\u{1B}[0m"),
      (.heading, .basic, "\u{1B}[1mx\u{1B}[0m"),
      (.columnTitle, .trueColor, "\u{1B}[2;4mx\u{1B}[0m"),
      (.heading, .none, "x"),
      (.plain, .trueColor, "x"),
      (.label("fbca04"), .trueColor, "\u{1B}[38;2;251;202;4mx\u{1B}[0m"),
      (.label("fbca04"), .palette, "\u{1B}[38;5;220mx\u{1B}[0m"),
      (.label("fbca04"), .basic, "x"),
      (.label("fbca04"), .none, "x"),
      (.label("not a color"), .trueColor, "x"),
      (.label(nil), .trueColor, "x"),
    ])
  func sequences(style: Style, mode: ColorMode, expected: String) {
    #expect(style.applied(to: "x", in: mode) == expected)
  }

  @Test(
    "the background follows the text color in a sequence",
    arguments: [
      (Style(foreground: .white, background: .blue), ColorMode.basic, "37;44"),
      (Style(foreground: .black, background: .grey), .basic, "30;100"),
      (Style(background: .grey), .palette, "48;5;242"),
      (Style(foreground: .exact(.black), background: .exact(.white)), .palette, "38;5;16;48;5;231"),
      (Style(background: .exact(.white), isBold: true), .trueColor, "1;48;2;255;255;255"),
    ])
  func backgrounds(style: Style, mode: ColorMode, codes: String) {
    #expect(style.applied(to: "x", in: mode) == "\u{1B}[\(codes)mx\u{1B}[0m")
  }

  @Test("black and white text colors are omitted if the background can't be shown")
  func missingBackground() {
    for text in [Style.Paint.black, .white, .exact(.black)] {
      let style = Style(foreground: text, background: .exact(.white))
      #expect(style.applied(to: "x", in: .basic) == "x")
    }
    let green = Style(foreground: .green, background: .exact(.white))
    #expect(green.applied(to: "x", in: .basic) == "\u{1B}[32mx\u{1B}[0m")
  }

  @Test("empty text doesn't get escape sequences")
  func empty() {
    #expect(Style.open.applied(to: "", in: .trueColor) == "")
  }

  @Test(
    "only six hexadecimal digits are a color",
    arguments: [
      ("d73a4a", Color(red: 0xD7, green: 0x3A, blue: 0x4A)),
      ("#D73A4A", Color(red: 0xD7, green: 0x3A, blue: 0x4A)),
      ("000000", Color(red: 0, green: 0, blue: 0)),
      ("fff", nil), ("", nil), ("+12345", nil), ("12345g", nil), ("1234567", nil), ("##1234", nil),
      ("１２", nil),
    ] as [(String, Color?)])
  func hexadecimal(text: String, expected: Color?) {
    #expect(Color(hexadecimal: text) == expected)
  }

  @Test(
    "a color gets a similar entry of the 256-color palette",
    arguments: [
      ("000000", 16), ("ffffff", 231), ("ff0000", 196), ("00ff00", 46), ("0000ff", 21),
      ("808080", 244), ("121212", 233), ("5f87af", 67), ("d73a4a", 167), ("0075ca", 32),
    ] as [(String, UInt8)])
  func palette(text: String, expected: UInt8) throws {
    #expect(try #require(Color(hexadecimal: text)).paletteIndex == expected)
  }

  @Test("the chosen palette entry is always the nearest one")
  func paletteIsNearest() {
    let levels = [0, 95, 135, 175, 215, 255]
    var palette: [(Int, Int, Int)] = []
    for r in levels { for g in levels { for b in levels { palette.append((r, g, b)) } } }
    for grey in 0..<24 { palette.append((8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey)) }
    let steps = stride(from: 0, through: 255, by: 15).map { UInt8($0) }
    for red in steps {
      for green in steps {
        for blue in steps {
          let distance = { (entry: (Int, Int, Int)) in
            let (r, g, b) = (Int(red) - entry.0, Int(green) - entry.1, Int(blue) - entry.2)
            return r * r + g * g + b * b
          }
          let chosen = Color(red: red, green: green, blue: blue).paletteIndex
          #expect(distance(palette[Int(chosen) - 16]) == palette.map(distance).min())
        }
      }
    }
  }

  @Test("dark label colors are lightened until readable, and others are kept")
  func legible() throws {
    for text in ["000000", "00008b", "5319e7", "3b0000"] {
      let color = try #require(Color(hexadecimal: text))
      #expect(color.luma < 98)
      #expect((98...102).contains(color.legible.luma), "\(text)")
    }
    let bright = try #require(Color(hexadecimal: "fbca04"))
    #expect(bright.legible == bright)
  }
}

import StyledText
import TestSupport
import Testing

@testable import TerminalScreen

@Suite("Canvas")
struct CanvasTests {
  private func canvas(_ columns: Int = 10, _ rows: Int = 2) -> Canvas {
    Canvas(size: ScreenSize(columns: columns, rows: rows))
  }

  private func texts(_ canvas: Canvas, row: Int = 0) -> [String] { canvas[row: row].map(\.text) }

  @Test("drawing is clipped at the edges and at its width")
  func cutting() {
    var canvas = canvas(5)
    canvas.draw(StyledLine("abcdefgh"), column: 2, row: 0)
    canvas.draw(StyledLine("12345678"), column: 0, row: 1, width: 3)
    #expect(canvas.text == "  abc\n123")
    canvas.draw(StyledLine("x"), column: 5, row: 0)
    canvas.draw(StyledLine("x"), column: -1, row: 0)
    canvas.draw(StyledLine("x"), column: 0, row: 2)
    canvas.draw(StyledLine("x"), column: 0, row: -1)
    #expect(canvas.text == "  abc\n123")
  }

  @Test("drawing fills the rest of its width only if a style is given")
  func filling() {
    var canvas = canvas(8, 1)
    canvas.draw(StyledLine("........"), column: 0, row: 0)
    canvas.draw(StyledLine("ab"), column: 1, row: 0, width: 4)
    #expect(canvas.text == ".ab.....")
    canvas.draw(StyledLine("ab"), column: 1, row: 0, width: 4, fill: Style(isReversed: true))
    #expect(canvas.text == ".ab  ...")
    #expect(
      canvas[row: 0].map(\.style.isReversed) == [
        false, false, false, true, true, false, false, false,
      ])
  }

  @Test("an insertion moves the rest of its area, and cuts it at the end")
  func insertion() {
    var canvas = canvas(10, 1)
    canvas.draw(StyledLine("ab漢漢cdef"), column: 0, row: 0)
    canvas.insert(StyledLine("1 "), column: 1, row: 0, end: 9)
    #expect(canvas.text == "a1 b漢漢cf")
    // Half of a wide character isn't shown.
    canvas.insert(StyledLine("2"), column: 0, row: 0, end: 8)
    #expect(canvas.text == "2a1 b漢 cf")
    canvas.insert(StyledLine("123"), column: 8, row: 0, end: 10)
    #expect(canvas.text == "2a1 b漢 cf")
  }

  @Test("text over an image removes the image, and text around it doesn't")
  func images() throws {
    let image = try #require(ScreenImage(png: Array(PNG.image(width: 4, height: 4))))
    let placement = ImagePlacement(
      image, number: 1, column: 2, row: 1, columns: 3, rows: 0..<2, height: 2)
    var canvas = canvas(10, 4)
    canvas.place(placement)
    for (column, row, text) in [(2, 0, "above"), (0, 1, "ab"), (5, 1, "behind"), (2, 3, "below")] {
      canvas.draw(StyledLine(text), column: column, row: row)
      #expect(canvas.placements == [placement], "\(text)")
    }
    for (column, row) in [(2, 1), (4, 2), (1, 2)] {
      var covered = canvas
      covered.draw(StyledLine("x"), column: column, row: row, width: 2, fill: .plain)
      #expect(covered.placements.isEmpty)
    }
  }

  @Test(
    "an image that extends beyond the canvas isn't placed",
    arguments: [(8, 0), (0, 1), (-1, 0), (0, -1), (10, 0)])
  func outside(column: Int, row: Int) throws {
    let image = try #require(ScreenImage(png: Array(PNG.image(width: 4, height: 4))))
    var canvas = canvas()
    canvas.place(
      ImagePlacement(
        image, number: 1, column: column, row: row, columns: 3, rows: 0..<2, height: 2))
    #expect(canvas.placements.isEmpty)
  }

  @Test("a half-covered wide character becomes a space", arguments: 0...3)
  func coveredHalves(column: Int) {
    var canvas = canvas(6, 1)
    canvas.draw(StyledLine("漢字"), column: 1, row: 0)
    #expect(texts(canvas) == [" ", "漢", "", "字", "", " "])
    canvas.draw(StyledLine("x"), column: column + 1, row: 0)
    let expected = [
      [" ", "x", " ", "字", "", " "], [" ", " ", "x", "字", "", " "],
      [" ", "漢", "", "x", " ", " "], [" ", "漢", "", " ", "x", " "],
    ]
    #expect(texts(canvas) == expected[column])
  }

  @Test("a wide character replaces characters that it covers in part", arguments: 0...4)
  func wideOverWide(column: Int) {
    var canvas = canvas(6, 1)
    canvas.draw(StyledLine("漢字漢"), column: 0, row: 0)
    canvas.draw(StyledLine("カ"), column: column, row: 0)
    let cells = texts(canvas)
    for (index, cell) in cells.enumerated() where cell.isEmpty {
      #expect(["漢", "字", "カ"].contains(cells[index - 1]))
    }
    for (index, cell) in cells.enumerated() where ["漢", "字", "カ"].contains(cell) {
      #expect(cells[index + 1].isEmpty)
    }
    #expect(cells[column] == "カ")
  }

  @Test("a wide character that doesn't fit is omitted along with all later text")
  func wideAtTheEdge() {
    var canvas = canvas(4, 1)
    canvas.draw(StyledLine("...."), column: 0, row: 0)
    canvas.draw(
      StyledLine(runs: [StyledLine.Run("abc漢"), StyledLine.Run("d")]), column: 0, row: 0)
    #expect(texts(canvas) == ["a", "b", "c", " "])
  }

  @Test("a combining mark at the end of ASCII text stays with its letter")
  func marks() {
    var canvas = canvas(5, 1)
    canvas.draw(StyledLine("cafe\u{301}s"), column: 0, row: 0, width: 4)
    #expect(texts(canvas) == ["c", "a", "f", "e\u{301}", " "])
  }

  @Test("a restyled row keeps its text")
  func restyling() {
    var canvas = canvas(4, 1)
    canvas.draw(StyledLine("abcd"), column: 0, row: 0)
    canvas.restyle(columns: 1..<9, row: 0) { $0.isReversed = true }
    canvas.restyle(columns: 0..<4, row: 7) { $0.isReversed = true }
    #expect(canvas.text == "abcd")
    #expect(canvas[row: 0].map(\.style.isReversed) == [false, true, true, true])
  }

  @Test("a tinted row keeps its colors, and a label keeps its background")
  func tinting() {
    var canvas = canvas(5, 1)
    let (ground, dark) = (Color(red: 30, green: 40, blue: 60), Color(red: 60, green: 0, blue: 90))
    let pill = Style(foreground: .exact(.white), background: .exact(dark))
    canvas.draw(
      StyledLine(runs: [
        StyledLine.Run("a", style: Style(foreground: .green)), StyledLine.Run("b", style: pill),
        StyledLine.Run("c", style: Style(foreground: .exact(.white))),
        StyledLine.Run("d", style: Style(foreground: .exact(dark), isBold: true)),
      ]), column: 0, row: 0)
    canvas.tint(columns: 0..<9, row: 0, with: .exact(ground))
    let styles = canvas[row: 0].map(\.style)
    #expect(styles[0] == Style(foreground: .green, background: .exact(ground)))
    #expect(styles[1] == pill)
    #expect(styles[2] == Style(foreground: .exact(.white), background: .exact(ground)))
    #expect(
      styles[3]
        == Style(
          foreground: .exact(dark.readable(on: ground)), background: .exact(ground), isBold: true))
    #expect(styles[4] == Style(background: .exact(ground)))
    canvas.tint(columns: 0..<5, row: 3, with: .blue)
    #expect(canvas.text == "abcd")
  }

  @Test("a cursor outside the window is ignored")
  func cursor() {
    var canvas = canvas(4, 2)
    canvas.cursor = (3, 1)
    #expect(canvas.cursor ?? (0, 0) == (3, 1))
    canvas.cursor = (4, 1)
    #expect(canvas.cursor == nil)
    canvas.cursor = (0, -1)
    #expect(canvas.cursor == nil)
  }

  @Test("a window without cells is accepted", arguments: [(0, 0), (-1, 5), (5, -1), (0, 3)])
  func noRoom(columns: Int, rows: Int) {
    var canvas = canvas(columns, rows)
    canvas.draw(StyledLine("x"), column: 0, row: 0, fill: .plain)
    canvas.cursor = (0, 0)
    #expect(canvas.cells.isEmpty)
    #expect(canvas.cursor == nil)
  }

  @Test(
    "text occupies its measured columns",
    arguments: ["ascii", "漢字", "👨‍👩‍👧x", "🇩🇪🇫🇷", "e\u{301}e", "नमस्ते", "ก็ำ", "1️⃣", "❤️!", ""])
  func measuring(text: String) {
    var canvas = canvas(40, 1)
    canvas.draw(StyledLine("\(text)|"), column: 0, row: 0)
    let columns = Canvas.columns(of: TerminalText(text))
    #expect(texts(canvas).firstIndex(of: "|") == columns)
    #expect(columns <= DisplayWidth.columns(of: text))
  }
}

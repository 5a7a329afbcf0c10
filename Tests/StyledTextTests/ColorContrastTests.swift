import StyledText
import Testing

@Suite("Color contrast")
struct ColorContrastTests {
  private static func color(_ text: String) throws -> Color {
    try #require(Color(hexadecimal: text))
  }

  /// Colors all over the cube, with those of GitHub's own labels.
  private static let colors: [Color] = {
    let steps = stride(from: 0, through: 255, by: 51).map { UInt8($0) }
    let grid = steps.flatMap { red in
      steps.flatMap { green in steps.map { Color(red: red, green: green, blue: $0) } }
    }
    return grid
      + ["d73a4a", "0075ca", "a2eeef", "7057ff", "008672", "e4e669", "d876e3", "cfd3d7"].compactMap
    {
      Color(hexadecimal: $0)
    }
  }()

  @Test(
    "the contrast ratio follows WCAG 2.2",
    arguments: [
      ("000000", "ffffff", 21), ("ffffff", "ffffff", 1), ("767676", "ffffff", 4.54),
      ("777777", "ffffff", 4.48), ("ff0000", "ffffff", 4.00), ("0000ff", "ffffff", 8.59),
      ("0d1117", "e6edf3", 16.02),
    ] as [(String, String, Double)])
  func ratio(one: String, other: String, expected: Double) throws {
    let (one, other) = (try Self.color(one), try Self.color(other))
    #expect(abs(one.contrast(with: other) - expected) < 0.01)
    #expect(one.contrast(with: other) == other.contrast(with: one))
  }

  @Test("text is black on light colors and white on dark ones")
  func text() throws {
    for (ground, expected) in [
      ("ffffff", Color.black), ("fbca04", .black), ("a2eeef", .black), ("000000", .white),
      ("5319e7", .white), ("00008b", .white),
    ] {
      #expect(try Self.color(ground).textColor == expected, "\(ground)")
      #expect(try Self.color(ground).isLight == (expected == .black))
    }
    for color in Self.colors { #expect(color.textColor.contrast(with: color) >= 4.5) }
  }

  @Test("every color is adjusted to be readable on every background, and only as far as needed")
  func readable() {
    for ground in Self.colors {
      for color in Self.colors {
        let result = color.readable(on: ground)
        #expect(result.contrast(with: ground) >= 4.5, "\(color) on \(ground)")
        if color.contrast(with: ground) >= 4.5 {
          #expect(result == color)
        } else if result != .black, result != .white {
          // A step of 1/255 towards black or white changes the contrast by less than this.
          #expect(result.contrast(with: ground) < 5, "\(color) on \(ground)")
        }
      }
    }
  }

  @Test("an unreachable contrast gives black or white")
  func unreachable() throws {
    let grey = try Self.color("777777")
    #expect(grey.readable(on: grey, contrast: 15) == .black)
    #expect(Color.black.readable(on: try Self.color("202020"), contrast: 7) != .black)
  }

  @Test("a blend contains the given share of each color")
  func mixtures() throws {
    let (red, blue) = (try Self.color("ff0000"), try Self.color("0000ff"))
    #expect(red.blended(with: blue, share: 0) == red)
    #expect(red.blended(with: blue, share: 1) == blue)
    #expect(red.blended(with: blue, share: 0.2) == (try Self.color("cc0033")))
    #expect(red.blended(with: blue, share: 7) == blue)
  }
}

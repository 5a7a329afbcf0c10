package struct Color: Sendable, Hashable {
  package var red: UInt8

  package var green: UInt8

  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Reads a label's color as GitHub gives it: six hexadecimal digits, with or without a leading `#`.
  package init?(hexadecimal text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16),
      green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value)
    )
  }

  /// The brightness from 0 to 255: the luma of ITU-R BT.601.
  package var luma: Int {
    (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000
  }

  /// The color, lightened if it is too dark to read on a dark terminal. (GitHub shows labels as backgrounds.)
  package var legible: Color {
    let floor = 100
    guard luma < floor else { return self }
    let share = (floor - luma, 255 - luma)
    let blend = { (part: UInt8) in
      UInt8(clamping: Int(part) + (255 - Int(part)) * share.0 / share.1)
    }
    return Color(red: blend(red), green: blend(green), blue: blend(blue))
  }

  /// The index of the nearest xterm color from 16 to 255: a 6×6×6 cube and 24 grays. The first 16 colors belong to the
  /// user's theme.
  package var paletteIndex: UInt8 { nearestInPalette.index }

  /// The nearest color on a terminal with 256 colors.
  package var inPalette: Color { nearestInPalette.color }

  private var nearestInPalette: (index: UInt8, color: Color) {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let nearest = { (part: UInt8) in
      levels.indices.min {
        abs(Int(levels[$0]) - Int(part)) < abs(Int(levels[$1]) - Int(part))
      } ?? 0
    }
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
    let cube = Color(red: levels[r], green: levels[g], blue: levels[b])
    let average = (Int(red) + Int(green) + Int(blue)) / 3
    let step = min(23, max(0, (average - 3) / 10))
    let level = UInt8(8 + 10 * step)
    let grey = Color(red: level, green: level, blue: level)
    return distance(to: grey) < distance(to: cube)
      ? (UInt8(232 + step), grey) : (UInt8(16 + 36 * r + 6 * g + b), cube)
  }

  private func distance(to other: Color) -> Int {
    let (r, g, b) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return r * r + g * g + b * b
  }
}

package enum ColorMode: Int, Sendable, Comparable {
  /// The output contains no escape sequences, not even for bold text.
  case none

  case basic

  case palette

  case trueColor

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

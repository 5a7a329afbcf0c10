import PlatformModules

// Formulas from [WCAG 2.2](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).

extension Color {
  /// The contrast that WCAG requires of text of ordinary size (success criterion 1.4.3).
  package static let readableContrast = 4.5

  package static let black = Color(red: 0, green: 0, blue: 0)

  package static let white = Color(red: 255, green: 255, blue: 255)

  /// The relative luminance: 0 for black, 1 for white.
  package var luminance: Double {
    let linear = Self.linear
    return 0.2126 * linear[Int(red)] + 0.7152 * linear[Int(green)] + 0.0722 * linear[Int(blue)]
  }

  /// The contrast ratio, from 1 for equal luminance to 21 for black and white.
  package func contrast(with other: Color) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }

  /// Whether black text on this color is easier to read than white text.
  package var isLight: Bool { textColor == .black }

  /// Black or white, whichever is easier to read on this color. The contrast is at least 4.5.
  package var textColor: Color {
    contrast(with: .black) >= contrast(with: .white) ? .black : .white
  }

  /// The color, lightened or darkened as little as needed for a contrast of at least `contrast` with a background.
  ///
  /// A contrast above 4.5 may be out of reach. The result is then black or white.
  package func readable(on background: Color, contrast: Double = readableContrast) -> Color {
    guard self.contrast(with: background) < contrast else { return self }
    // The result moves away from the background, unless that direction can't reach the contrast.
    let near = luminance >= background.luminance ? Color.white : .black
    let end = near.contrast(with: background) >= contrast ? near : background.textColor
    // Beyond the threshold, contrast only increases.
    var (tooNear, far) = (0, 255)
    while far - tooNear > 1 {
      let middle = (tooNear + far) / 2
      if blended(with: end, parts: middle).contrast(with: background) < contrast {
        tooNear = middle
      } else {
        far = middle
      }
    }
    return blended(with: end, parts: far)
  }

  /// A mixture with another color. `share` is the other color's share, from 0 to 1.
  package func blended(with other: Color, share: Double) -> Color {
    blended(with: other, parts: Int((min(max(share, 0), 1) * 255).rounded()))
  }

  /// A mixture with another color, which contributes `parts` of 255.
  private func blended(with other: Color, parts: Int) -> Color {
    let mix = { (own: UInt8, others: UInt8) in
      UInt8((Int(own) * (255 - parts) + Int(others) * parts + 127) / 255)
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  private static let linear: [Double] = (0...255).map { part in
    let share = Double(part) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}

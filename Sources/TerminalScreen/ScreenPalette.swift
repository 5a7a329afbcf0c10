internal import StyledText

/// The numbers that ncurses gives to colors.
enum ScreenPalette: Sendable, Hashable {
  case none

  case eight

  case sixteen

  case palette

  /// 24-bit colors: RGB values, except for the theme's first eight.
  case direct

  init(mode: ColorMode, count: Int) {
    switch (mode, count) {
    case (.none, _), (_, ..<8): self = .none
    case (.trueColor, (1 << 24)...): self = .direct
    case (.trueColor, 256...), (.palette, 256...): self = .palette
    case (_, 16..<(1 << 24)): self = .sixteen
    default: self = .eight
    }
  }

  var mode: ColorMode {
    switch self {
    case .none: .none
    case .eight, .sixteen: .basic
    case .palette: .palette
    case .direct: .trueColor
    }
  }

  /// The number of a color; nil for the terminal's own color, or if no color is similar.
  func number(of paint: Style.Paint) -> Int32? {
    guard self != .none else { return nil }
    if let number = paint.themeNumber { return number }
    switch (paint, self) {
    case (.grey, .sixteen): return 8
    case (.grey, .palette): return 242
    case (.grey, .direct): return 0x6C6C6C  // the palette's color 242
    case (.exact(let color), .palette): return Int32(color.paletteIndex)
    case (.exact(let color), .direct):
      return max(8, Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue))
    default: return nil
    }
  }
}

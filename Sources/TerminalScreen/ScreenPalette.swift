internal import StyledText

/// The numbers that ncurses gives to colours.
enum ScreenPalette: Sendable, Hashable {
  case none

  case eight

  case sixteen

  case palette

  /// 24-bit colours: RGB values, except for the theme's first eight.
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

  /// nil for the terminal's own colour, and if no colour is similar.
  func number(of color: Style.Foreground) -> Int32? {
    guard self != .none else { return nil }
    switch color {
    case .standard: return nil
    case .red: return 1
    case .green: return 2
    case .yellow: return 3
    case .blue: return 4
    case .magenta: return 5
    case .cyan: return 6
    case .grey:
      switch self {
      case .none, .eight: return nil
      case .sixteen: return 8
      case .palette: return 242
      case .direct: return 0x6C6C6C  // the palette's 242
      }
    case .exact(let color):
      switch self {
      case .none, .eight, .sixteen: return nil
      case .palette: return Int32(color.paletteIndex)
      case .direct:
        return max(8, Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue))
      }
    }
  }
}

/// The look of a run of text, as SGR sequences (ECMA-48). Each styled run ends with a reset, so that a line cut between
/// two runs leaves the terminal unstyled.
package struct Style: Sendable, Hashable {
  /// A color of text or of its background.
  package enum Paint: Sendable, Hashable {
    /// The terminal's own color. The next eight cases are colors of the user's theme.
    case standard

    case black

    case red

    case green

    case yellow

    case blue

    case magenta

    case cyan

    case white

    /// A gray that is readable on dark and light themes, if 256 colors are available.
    case grey

    /// An exact color. Terminals with 16 colors ignore it, because the theme defines those colors and the nearest one
    /// is unknown.
    case exact(Color)

    /// The number of the theme color (ECMA-48, SGR), from 0 to 7; nil for other colors.
    package var themeNumber: Int32? {
      switch self {
      case .black: 0
      case .red: 1
      case .green: 2
      case .yellow: 3
      case .blue: 4
      case .magenta: 5
      case .cyan: 6
      case .white: 7
      case .standard, .grey, .exact: nil
      }
    }
  }

  package var foreground = Paint.standard

  package var background = Paint.standard

  package var isBold = false

  package var isFaint = false

  package var isUnderlined = false

  package var isItalic = false

  package var isStruck = false

  package var isReversed = false

  package init(
    foreground: Paint = .standard, background: Paint = .standard, isBold: Bool = false,
    isFaint: Bool = false, isUnderlined: Bool = false, isItalic: Bool = false,
    isStruck: Bool = false, isReversed: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    self.isBold = isBold
    self.isFaint = isFaint
    self.isUnderlined = isUnderlined
    self.isItalic = isItalic
    self.isStruck = isStruck
    self.isReversed = isReversed
  }

  package static let plain = Style()

  package static let heading = Style(isBold: true)

  package static let faint = Style(isFaint: true)

  package static let columnTitle = Style(isFaint: true, isUnderlined: true)

  package static let open = Style(foreground: .green)

  /// An issue closed as completed, or a merged pull request.
  package static let completed = Style(foreground: .magenta)

  package static let notPlanned = Style(foreground: .grey)

  /// Text that matches a search.
  package static let match = Style(foreground: .cyan, isBold: true)

  /// The style of a label in its own color; plain if `hexadecimal` isn't six hexadecimal digits.
  package static func label(_ hexadecimal: String?) -> Style {
    guard let color = hexadecimal.flatMap(Color.init(hexadecimal:)) else { return .plain }
    return Style(foreground: .exact(color.legible))
  }

  package func applied(to text: String, in mode: ColorMode) -> String {
    guard mode > .none, !text.isEmpty else { return text }
    let codes = codes(in: mode)
    return codes.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  private func codes(in mode: ColorMode) -> [String] {
    var codes: [String] = []
    if isBold { codes.append("1") }
    if isFaint { codes.append("2") }
    if isItalic { codes.append("3") }
    if isUnderlined { codes.append("4") }
    if isReversed { codes.append("7") }
    if isStruck { codes.append("9") }
    let shown = mode >= .palette ? self : withoutExactColors
    codes += Self.code(for: shown.foreground, in: mode, first: 30).map { [$0] } ?? []
    codes += Self.code(for: shown.background, in: mode, first: 40).map { [$0] } ?? []
    return codes
  }

  /// The SGR code of a color. `first` is the code of black: 30 for text, 40 for a background.
  private static func code(for paint: Paint, in mode: ColorMode, first: Int32) -> String? {
    if let number = paint.themeNumber { return "\(first + number)" }
    return switch paint {
    // Some dark themes use "bright black" as their background, but not the palette's gray.
    case .grey: mode >= .palette ? "\(first + 8);5;242" : "\(first + 60)"
    case .exact(let color) where mode == .trueColor:
      "\(first + 8);2;\(color.red);\(color.green);\(color.blue)"
    case .exact(let color): "\(first + 8);5;\(color.paletteIndex)"
    default: nil
    }
  }

  /// The style for terminals without exact colors. Black or white text is removed with its background, because it may
  /// be unreadable without it.
  package var withoutExactColors: Style {
    var style = self
    if case .exact = foreground { style.foreground = .standard }
    if case .exact = background {
      style.background = .standard
      if foreground == .black || foreground == .white { style.foreground = .standard }
    }
    return style
  }
}

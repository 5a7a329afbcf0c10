/// The look of a run of text, as SGR sequences (ECMA-48). Each styled run ends with a reset, so that a line cut off
/// between two runs leaves the terminal as it was.
package struct Style: Sendable, Hashable {
  package enum Foreground: Sendable, Hashable {
    /// The terminal's own colour. The six after it come from the user's theme.
    case standard

    case green

    case yellow

    case red

    case blue

    case magenta

    case cyan

    /// A grey that shows on dark and light themes, if there are 256 colours.
    case grey

    /// An exact colour. Terminals with 16 colours ignore it: the theme defines those, so none is nearest.
    case exact(Color)
  }

  package var foreground = Foreground.standard

  package var isBold = false

  package var isFaint = false

  package var isUnderlined = false

  package var isItalic = false

  package var isStruck = false

  package var isReversed = false

  package init(
    foreground: Foreground = .standard, isBold: Bool = false, isFaint: Bool = false,
    isUnderlined: Bool = false, isItalic: Bool = false, isStruck: Bool = false,
    isReversed: Bool = false
  ) {
    self.foreground = foreground
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

  /// Text that a search has found.
  package static let match = Style(foreground: .cyan, isBold: true)

  /// A label in its own colour, as GitHub gives it; plain for anything but six hexadecimal digits.
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
    switch foreground {
    case .standard: break
    case .red: codes.append("31")
    case .green: codes.append("32")
    case .yellow: codes.append("33")
    case .blue: codes.append("34")
    case .magenta: codes.append("35")
    case .cyan: codes.append("36")
    case .grey:
      // "Bright black" is the background of some dark themes; the palette's grey isn't.
      codes.append(mode >= .palette ? "38;5;242" : "90")
    case .exact(let color):
      switch mode {
      case .trueColor: codes.append("38;2;\(color.red);\(color.green);\(color.blue)")
      case .palette: codes.append("38;5;\(color.paletteIndex)")
      case .basic, .none: break
      }
    }
    return codes
  }
}

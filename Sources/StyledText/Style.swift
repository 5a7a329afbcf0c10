/// How a run of text looks: its colours, and whether it is bold, faint, underlined and so on.
///
/// Written as the SGR sequences of ECMA-48. Every styled run ends with a reset, so that a line that
/// is cut off between two runs leaves the terminal as it was.
package struct Style: Sendable, Hashable {
  package enum Foreground: Sendable, Hashable {
    /// The terminal's own.
    case standard

    /// The theme's green.
    case green

    /// The theme's yellow.
    case yellow

    /// The theme's red.
    case red

    /// The theme's blue.
    case blue

    /// The theme's magenta.
    case magenta

    /// The theme's cyan.
    case cyan

    /// A grey that shows on dark and light themes alike where there are 256 colours.
    case grey

    /// An exact colour. Terminals with 16 colours don't show it: the theme defines those, so none is nearest.
    case exact(Color)
  }

  package var foreground = Foreground.standard

  package var isBold = false

  package var isFaint = false

  package var isUnderlined = false

  package var isItalic = false

  /// Whether the text is struck through.
  package var isStruck = false

  /// Whether the colours of text and background are swapped.
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

  /// Headings and the most important text.
  package static let heading = Style(isBold: true)

  /// Less important text: times, hints.
  package static let faint = Style(isFaint: true)

  /// The titles of a table's columns.
  package static let columnTitle = Style(isFaint: true, isUnderlined: true)

  /// The number of an open issue.
  package static let open = Style(foreground: .green)

  /// The number of an issue closed as completed, or of a merged pull request.
  package static let completed = Style(foreground: .magenta)

  /// The number of an issue closed as not planned.
  package static let notPlanned = Style(foreground: .grey)

  /// A label in its own colour, six hexadecimal digits as GitHub gives them; anything else is plain.
  package static func label(_ hexadecimal: String?) -> Style {
    guard let color = hexadecimal.flatMap(Color.init(hexadecimal:)) else { return .plain }
    return Style(foreground: .exact(color.legible))
  }

  /// The text between the sequences that style it, or alone if `mode` leaves nothing to style.
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
      // "Bright black" is the background of some dark themes, the palette's grey is not.
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

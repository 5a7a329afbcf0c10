/// How a run of text looks: a colour, and whether it is bold, faint or underlined.
///
/// Written as the SGR sequences of ECMA-48. Every styled run ends with a reset, so that a line that
/// is cut off between two runs leaves the terminal as it was.
struct Style: Sendable, Hashable {
  /// The colour of the text.
  enum Foreground: Sendable, Hashable {
    /// The terminal's own.
    case standard

    /// The theme's green.
    case green

    /// The theme's yellow.
    case yellow

    /// The theme's red.
    case red

    /// The theme's magenta.
    case magenta

    /// A grey that shows on dark and light themes alike where there are 256 colours.
    case grey

    /// A colour of its own. Dropped where there are only 16: what those look like is the theme's
    /// affair, so none of them is nearest.
    case exact(Color)
  }

  /// The colour of the text.
  var foreground = Foreground.standard

  /// Whether the text is bold.
  var isBold = false

  /// Whether the text is faint.
  var isFaint = false

  /// Whether the text is underlined.
  var isUnderlined = false

  /// Text as it is.
  static let plain = Style()

  /// Headings and what matters most.
  static let heading = Style(isBold: true)

  /// What matters less: times, hints.
  static let faint = Style(isFaint: true)

  /// The titles of a table's columns.
  static let columnTitle = Style(isFaint: true, isUnderlined: true)

  /// The number of an open issue.
  static let open = Style(foreground: .green)

  /// The number of an issue closed as completed, or of a merged pull request.
  static let completed = Style(foreground: .magenta)

  /// The number of an issue closed as not planned.
  static let notPlanned = Style(foreground: .grey)

  /// A label in its own colour, six hexadecimal digits as GitHub gives them; anything else is plain.
  static func label(_ hexadecimal: String?) -> Style {
    guard let color = hexadecimal.flatMap(Color.init(hexadecimal:)) else { return .plain }
    return Style(foreground: .exact(color.legible))
  }

  /// The text between the sequences that style it; alone, where `mode` leaves nothing to style.
  func applied(to text: String, in mode: ColorMode) -> String {
    guard mode > .none, !text.isEmpty else { return text }
    let codes = codes(in: mode)
    return codes.isEmpty ? text : "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
  }

  private func codes(in mode: ColorMode) -> [String] {
    var codes: [String] = []
    if isBold { codes.append("1") }
    if isFaint { codes.append("2") }
    if isUnderlined { codes.append("4") }
    switch foreground {
    case .standard: break
    case .red: codes.append("31")
    case .green: codes.append("32")
    case .yellow: codes.append("33")
    case .magenta: codes.append("35")
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

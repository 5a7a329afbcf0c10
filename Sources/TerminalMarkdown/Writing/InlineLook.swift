internal import StyledText

/// The look of text, as counts of the open elements around it, since they nest.
struct InlineLook {
  enum Trait: Int, CaseIterable {
    case heading, strong, emphasis, strikethrough, underline, code, key, faint
    case superscript, `subscript`
  }

  private var counts = Array(repeating: 0, count: Trait.allCases.count)

  subscript(trait: Trait) -> Int {
    get { counts[trait.rawValue] }
    set { counts[trait.rawValue] = newValue }
  }

  func style(isLink: Bool) -> Style {
    var style = self[.code] > 0 ? Style.code : .plain
    if isLink { style.foreground = .blue }
    style.isBold = self[.heading] + self[.strong] > 0
    style.isItalic = self[.emphasis] > 0
    style.isStruck = self[.strikethrough] > 0
    style.isUnderlined = isLink || self[.underline] > 0
    style.isReversed = self[.key] > 0
    style.isFaint = self[.faint] > 0
    return style
  }

  /// Superscript or subscript, as far as Unicode has such characters.
  func lettered(_ text: String) -> String {
    let isAbove = self[.superscript] > 0
    guard isAbove || self[.subscript] > 0 else { return text }
    let plain = Array("0123456789+-=()")
    let small = Array(isAbove ? "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾" : "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
    return String(text.map { letter in plain.firstIndex(of: letter).map { small[$0] } ?? letter })
  }
}

extension Style {
  static let code = Style(foreground: .cyan)

  static let headingSign = Style(isBold: true, isFaint: true)
}

internal import StyledText

/// The look of text, as the numbers of open elements around it, because elements can be nested.
struct InlineLook {
  enum Trait: Int, CaseIterable {
    case heading, title, strong, emphasis, strikethrough, underline, code, key, faint
    case superscript, `subscript`
  }

  private var counts = Array(repeating: 0, count: Trait.allCases.count)

  /// The level of the innermost heading, if there is one.
  var headingLevel = 1

  subscript(trait: Trait) -> Int {
    get { counts[trait.rawValue] }
    set { counts[trait.rawValue] = newValue }
  }

  func style(isLink: Bool, in styles: MarkdownStyles) -> Style {
    let around = self[.heading] > 0 ? styles.heading(level: headingLevel) : .plain
    var style = isLink ? styles.link : self[.code] > 0 ? styles.code : around
    if around.isBold || self[.title] + self[.strong] > 0 { style.isBold = true }
    if around.isItalic || self[.emphasis] > 0 { style.isItalic = true }
    if around.isFaint || self[.faint] > 0 { style.isFaint = true }
    if self[.strikethrough] > 0 { style.isStruck = true }
    if self[.underline] > 0 { style.isUnderlined = true }
    if self[.key] > 0 { style.isReversed = true }
    return style
  }

  /// The text in superscript or subscript, as far as Unicode has such characters.
  func lettered(_ text: String) -> String {
    let isAbove = self[.superscript] > 0
    guard isAbove || self[.subscript] > 0 else { return text }
    let plain = Array("0123456789+-=()")
    let small = Array(isAbove ? "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾" : "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
    return String(text.map { letter in plain.firstIndex(of: letter).map { small[$0] } ?? letter })
  }
}

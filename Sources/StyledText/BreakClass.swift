/// A character's class for line breaking: a subset of [UAX #14](https://www.unicode.org/reports/tr14/).
enum BreakClass {
  /// The position before the first character of a line.
  case none
  case blank
  case letter
  case digit
  case hyphen
  case slash
  /// An ideograph, a syllable or an emoji: a line may break on either side.
  case ideograph
  case opening
  case closing
  case wideOpening
  case wideClosing

  enum Opportunity {
    case never
    /// A break is allowed only if the word is longer than a line.
    case inside
    case between
  }

  init(_ scalar: Unicode.Scalar, columns: Int) {
    switch scalar {
    case " ", "\u{1680}", "\u{2000}"..."\u{2006}", "\u{2008}"..."\u{200A}", "\u{205F}",
      "\u{3000}":
      self = .blank
    case "0"..."9": self = .digit
    case "-", "\u{2010}", "\u{2012}"..."\u{2014}": self = .hyphen
    case "/", "?", "&", "=": self = .slash
    case "(", "[", "{", "\u{2018}", "\u{201C}": self = .opening
    case ")", "]", "}", ".", ",", ":", ";", "!", "\u{2019}", "\u{201D}", "…": self = .closing
    case _ where columns < 2 && !("\u{FF61}"..."\u{FF9D}").contains(scalar): self = .letter
    case _ where Self.wideOpenings.contains(scalar): self = .wideOpening
    case _ where Self.wideClosings.contains(scalar): self = .wideClosing
    default: self = .ideograph
    }
  }

  func opportunity(before next: BreakClass) -> Opportunity {
    switch (self, next) {
    case (.none, _), (_, .closing), (_, .wideClosing), (.opening, _), (.wideOpening, _): .never
    case (.ideograph, _), (_, .ideograph), (.wideClosing, _), (_, .wideOpening): .between
    // A line breaks after a hyphen only before a letter, so that signs and dates stay whole.
    case (.hyphen, .letter), (.slash, .letter), (.slash, .digit), (.slash, .opening): .inside
    default: .never
    }
  }

  private static let wideOpenings = Set("〈《「『【〔〖〘〚〝（［｛｟｢".unicodeScalars)

  /// Characters that may not begin a line by the kinsoku rules: punctuation, small kana, and marks that lengthen or
  /// repeat.
  private static let wideClosings = Set(
    ("、。，．：；？！〉》」』】〕〗〙〛〞〟）］｝｠｡｣､･％々〻ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠"
      + "ァィゥェォッャュョヮヵヶ・ーヽヾ").unicodeScalars)
}

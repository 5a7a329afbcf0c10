/// The class of a character for line breaking: a few of those of the
/// [Unicode Line Breaking Algorithm](https://www.unicode.org/reports/tr14/).
enum BreakClass {
  /// The beginning of a line.
  case none
  /// A blank that a line may break at.
  case blank
  /// A letter, or another character that breaks like one.
  case letter
  case digit
  /// A hyphen or a dash.
  case hyphen
  /// A separator at the end of a part of an address.
  case slash
  /// An ideograph, a syllable or an emoji. A line may break on either side of it.
  case ideograph
  /// An opening bracket or quotation mark, which doesn't end a line.
  case opening
  /// A closing bracket or a full stop, which doesn't begin a line.
  case closing
  /// An opening bracket among ideographs.
  case wideOpening
  /// A closing bracket, punctuation, or a small kana among ideographs.
  case wideClosing

  /// A possible break between two characters.
  enum Opportunity {
    case never
    /// A break, if the word is longer than a line.
    case inside
    case between
  }

  /// The class of a character.
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

  /// The break between this character and the next.
  func opportunity(before next: BreakClass) -> Opportunity {
    switch (self, next) {
    case (.none, _), (_, .closing), (_, .wideClosing), (.opening, _), (.wideOpening, _): .never
    case (.ideograph, _), (_, .ideograph), (.wideClosing, _), (_, .wideOpening): .between
    // Not after the hyphens of commands' options, signs and dates.
    case (.hyphen, .letter), (.slash, .letter), (.slash, .digit), (.slash, .opening): .inside
    default: .never
    }
  }

  private static let wideOpenings = Set("〈《「『【〔〖〘〚〝（［｛｟｢".unicodeScalars)

  /// Characters that kinsoku keeps from the beginning of a line: punctuation, small kana, and signs that lengthen or
  /// repeat.
  private static let wideClosings = Set(
    ("、。，．：；？！〉》」』】〕〗〙〛〞〟）］｝｠｡｣､･％々〻ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠"
      + "ァィゥェォッャュョヮヵヶ・ーヽヾ").unicodeScalars)
}

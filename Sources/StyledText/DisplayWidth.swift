import CTerminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The width of text in columns of a terminal: two for CJK and emoji, none for combining marks.
///
/// The widths are those of libc's `wcwidth`, which terminals and `less` use too, so that all agree on the end of a
/// cell. Clusters of several code points that show as one emoji are added. Text is measured after ``TerminalText``
/// has removed its controls.
package enum DisplayWidth {
  /// The side of its column that text is on.
  package enum Alignment: Sendable, Hashable {
    /// At the beginning of the line.
    case leading

    /// At the end of the line.
    case trailing
  }

  /// Gives libc a UTF-8 locale, without which `wcwidth` knows only ASCII.
  ///
  /// Called at process start, because `setlocale` must not run beside another thread that reads the
  /// locale; later calls do nothing.
  package static func prepare() {
    _ = hasUTF8Locale
  }

  /// The columns of `text`.
  package static func columns(of text: some StringProtocol) -> Int {
    let bytes = text.utf8
    if bytes.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return bytes.count }
    if text.unicodeScalars.allSatisfy(standsAlone) {
      return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns of one character as the user sees it (an extended grapheme cluster).
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else { return 0 }
    guard scalars.count > 1 else { return columns(of: base) }
    return isEmojiSequence(scalars, base: base)
      ? 2 : scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Cuts `text` to at most `limit` columns; what was cut ends with an ellipsis.
  package static func truncated(_ text: String, to limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    return limit > 0 ? prefix(of: text, within: limit - 1) + "…" : ""
  }

  /// Fills `text` with blanks up to `width` columns. A longer text is returned unchanged.
  package static func padded(
    _ text: String, to width: Int, alignment: Alignment = .leading
  ) -> String {
    let blanks = String(repeating: " ", count: max(0, width - columns(of: text)))
    return alignment == .leading ? text + blanks : blanks + text
  }

  /// The longest beginning of `text` that fits into `limit` columns.
  ///
  /// A character two columns wide is not split, so the result may be a column short.
  package static func prefix(of text: String, within limit: Int) -> String {
    var used = 0
    var end = text.startIndex
    for index in text.indices {
      used += columns(of: text[index])
      if used > limit { break }
      end = text.index(after: index)
    }
    return String(text[..<end])
  }

  /// Whether a code point between others of its kind is a character by itself, as in nearly all text.
  ///
  /// Measuring code points is several times as fast as measuring characters, whose limits must be found.
  static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300: true  // Latin
    case 0x391...0x3FF, 0x400...0x482, 0x48A...0x52F: true  // Greek, Cyrillic
    case 0x2010...0x2027, 0x2190...0x21FF, 0x2500...0x25FF: true  // dashes, arrows, boxes
    case 0x3000...0x3029, 0x3041...0x3096, 0x309B...0x30FF: true  // kana
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF9D: true  // ideographs
    default: false
    }
  }

  private static let hasUTF8Locale: Bool = {
    // The user's own locale first; where it isn't UTF-8, glibc's, then Darwin's name for plain UTF-8.
    for name in ["", "C.UTF-8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      if let codeset = nl_langinfo(nl_item(CODESET)), String(cString: codeset) == "UTF-8" {
        return true
      }
    }
    return false
  }()

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x80 { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
    if hasUTF8Locale {
      let columns = cterminal_columns(scalar.value)
      if columns >= 0 { return Int(columns) }
    }
    // libc doesn't know it: most likely an emoji or an ideograph newer than libc, or no UTF-8 locale is installed.
    // Two columns for a narrow character leave a gap, one for a wide character breaks the line.
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return scalar.value < 0x1100 ? 1 : 2
    }
  }

  /// Whether a cluster shows as one emoji, two columns wide, however many code points it has: flags,
  /// keycaps, skin tones, families, and text characters that variation selector 16 turns into emoji.
  private static func isEmojiSequence(
    _ scalars: Character.UnicodeScalarView, base: Unicode.Scalar
  ) -> Bool {
    if base.properties.isEmojiPresentation { return true }
    guard base.properties.isEmoji else { return false }
    return scalars.contains {
      $0.value == 0xFE0F || $0.value == 0x200D || $0.properties.isEmojiModifier
    }
  }
}

import CTerminal
import PlatformModules

/// The width of text in terminal columns: two for CJK and emoji, zero for combining marks.
///
/// It follows libc's `wcwidth`, as terminals and `less` do, and adds emoji that consist of several code points. The
/// text must be the content of a ``TerminalText``.
package enum DisplayWidth {
  package enum Alignment: Sendable, Hashable {
    case leading

    case trailing
  }

  /// Sets a UTF-8 locale in libc. Without one, `wcwidth` knows only ASCII.
  ///
  /// Call it at process start: `setlocale` must not run while another thread reads the locale.
  package static func prepare() {
    _ = hasUTF8Locale
  }

  package static func columns(of text: some StringProtocol) -> Int {
    let bytes = text.utf8
    if bytes.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return bytes.count }
    if text.unicodeScalars.allSatisfy(standsAlone) {
      return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else { return 0 }
    guard scalars.count > 1 else { return columns(of: base) }
    return isEmojiSequence(scalars, base: base)
      ? 2 : scalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Cuts text longer than `limit` columns, and ends it with an ellipsis.
  package static func truncated(_ text: String, to limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    return limit > 0 ? prefix(of: text, within: limit - 1) + "…" : ""
  }

  /// Pads `text` with spaces to `width` columns. Longer text is returned unchanged.
  package static func padded(
    _ text: String, to width: Int, alignment: Alignment = .leading
  ) -> String {
    let blanks = String(repeating: " ", count: max(0, width - columns(of: text)))
    return alignment == .leading ? text + blanks : blanks + text
  }

  /// The longest prefix of `text` that fits into `limit` columns. It doesn't split a two-column character.
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

  /// Whether a code point is a whole character when its neighbors are of the same kind. Measuring such code points is
  /// several times faster than measuring characters.
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
    // Tries the user's own locale if it is UTF-8, and then the names of plain UTF-8 in glibc and Darwin.
    for name in ["", "C.UTF-8", "UTF-8"] where unsafe setlocale(LC_CTYPE, name) != nil {
      if let codeset = unsafe nl_langinfo(nl_item(CODESET)),
        unsafe String(cString: codeset) == "UTF-8"
      {
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
    // The character is probably newer than libc, or no UTF-8 locale exists. Two columns for a narrow character leave a
    // gap; one column for a wide character would break the line.
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return scalar.value < 0x1100 ? 1 : 2
    }
  }

  /// Whether the character is a flag, a keycap, an emoji with a skin tone, a family, or a text character that variation
  /// selector 16 turns into an emoji.
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

/// A line of text that is safe to write to a terminal, even from an untrusted author.
///
/// Titles, logins and labels come from the network. Characters that could move the cursor, restyle the screen, simulate
/// typing, or reorder or hide text are made visible: C0 controls and DEL in caret form (`^[`), others as an escape
/// (`\u{202E}`). Line breaks and tabs become spaces. Soft hyphens, zero-width spaces, byte order marks and direction
/// marks, which are common in prose, are omitted. The rules follow Unicode Technical Report #36 (bidirectional
/// spoofing) and the property Default_Ignorable_Code_Point (invisible characters).
package struct TerminalText: Sendable, Hashable, CustomStringConvertible {
  package let string: String

  package var description: String { string }

  package init(_ raw: some StringProtocol) {
    let raw = String(raw)
    string = Self.isHarmless(raw) ? raw : Self.neutralized(raw)
  }

  /// Whether a scalar is omitted or shown as an escape: C1 and bidirectional controls, separators, and invisible
  /// characters.
  ///
  /// Some invisible characters are kept: the zero-width joiner and non-joiner (emoji, Persian and Indic scripts), the
  /// sixteen variation selectors of emoji, and marks inside Khmer and Mongolian words. Tag characters and the 240
  /// variation selectors of ideographs aren't kept, although some names need them: they can hide a message. Only the
  /// tags of three flags are shown (``flags``).
  package static func isConcealed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F: true  // DEL and C1: a 0x9B by itself begins a control sequence
    case 0xAD: true  // soft hyphen
    case 0x061C: true  // Arabic letter mark
    case 0x115F, 0x1160, 0x3164, 0xFFA0: true  // Hangul fillers
    case 0x180E: true  // Mongolian vowel separator
    case 0x200B, 0x200E, 0x200F: true  // zero width space, direction marks
    case 0x2028...0x202E: true  // separators, embeddings and overrides
    case 0x2060...0x206F: true  // word joiner, invisible operators, isolates, deprecated controls
    case 0xFEFF: true  // byte order mark
    case 0xFFF0...0xFFFB: true  // interlinear annotation and its unassigned neighbors
    case 0x1BCA0...0x1BCA3: true  // shorthand format controls
    case 0x1D173...0x1D17A: true  // musical format controls
    case 0xE0000...0xE0FFF: true  // tags, variation selectors of ideographs, unassigned ignorables
    default: false
    }
  }

  /// The flags of England, Scotland and Wales, the only ones that Unicode recommends writing with tags
  /// (<https://unicode.org/reports/tr51/#valid-emoji-tag-sequences>).
  private static let flags: [[Unicode.Scalar]] = ["gbeng", "gbsct", "gbwls"].map { name in
    let tags = name.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) }
    return ["\u{1F3F4}"] + tags + ["\u{E007F}"]
  }

  /// Whether a concealed scalar is omitted: the text keeps its meaning without it and, except for punctuation, its
  /// order.
  private static func isProse(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF: true
    default: false
    }
  }

  /// Whether a terminal with bidirectional display would write some of the text from right to left.
  package var hasRightToLeftText: Bool {
    // The UTF-8 bytes of Hebrew begin here; nearly all titles contain only lower bytes.
    guard string.utf8.contains(where: { $0 >= 0xD6 }) else { return false }
    return string.unicodeScalars.contains(where: Self.isRightToLeft)
  }

  /// Tests for the blocks that contain only right-to-left scripts (DerivedBidiClass.txt).
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  private static func isHarmless(_ text: String) -> Bool {
    // Nearly every title is ASCII, so one pass over the bytes is enough.
    if text.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return true }
    return !text.unicodeScalars.contains { $0.value < 0x20 || isConcealed($0) }
  }

  private static func neutralized(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    var followsCarriageReturn = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n" where followsCarriageReturn:
        break  // CR and LF are one line break
      case "\n", "\r", "\t":
        result += " "
      case "\u{1F3F4}":
        let tags = flags.map { $0.dropFirst() }.first { rest.starts(with: $0) } ?? []
        result.unicodeScalars.append(scalar)
        result.unicodeScalars.append(contentsOf: tags)
        rest.removeFirst(tags.count)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "^"
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
      case _ where isProse(scalar):
        break
      case _ where isConcealed(scalar):
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default:
        result.unicodeScalars.append(scalar)
      }
      followsCarriageReturn = scalar == "\r"
    }
    return result
  }
}

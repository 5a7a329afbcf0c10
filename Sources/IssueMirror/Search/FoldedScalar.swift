/// What a scalar beyond ASCII is to the search, and how it is folded.
///
/// Case and diacritics are dropped (`Café` = `cafe`), letters that stand for two become two (`ß` = `ss`,
/// `ﬁ` = `fi`), and full-width forms and digits of every script become ASCII. Folding what is folded changes
/// nothing.
struct FoldedScalar: Equatable {
  /// What it does to the word that it stands in.
  enum Kind: UInt8 {
    /// It ends the word.
    case separator
    /// A letter that isn't a capital.
    case letter
    /// A capital letter, before which a part of an identifier may begin.
    case capital
    /// A digit.
    case digit
    /// It is a token of its own: of a script without blanks between words, or a pictograph.
    case single
    /// It is passed over, as diacritics and invisible characters are.
    case ignored
  }

  /// What it does.
  var kind: Kind
  /// The UTF-8 it is folded to, at most four bytes; empty for separators and what is passed over.
  var folded: [UInt8] = []

  /// Classifies and folds a scalar.
  init(_ scalar: Unicode.Scalar) {
    switch Self.kind(of: scalar) {
    case .letter: self.init(kind: .letter, folded: Self.fold(scalar))
    case .capital: self.init(kind: .capital, folded: Self.fold(scalar))
    case .digit:
      let digit = scalar.properties.numericValue.map { UInt8(ascii: "0") + UInt8($0) }
      self.init(kind: .digit, folded: digit.map { [$0] } ?? Array(String(scalar).utf8))
    case .single: self.init(kind: .single, folded: Array(String(scalar).utf8))
    case let kind: self.init(kind: kind)
    }
  }

  private init(kind: Kind, folded: [UInt8] = []) {
    self.kind = kind
    self.folded = folded
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter: return .capital
    case .lowercaseLetter: return .letter
    case .decimalNumber: return isSpelledWithoutBlanks(scalar) ? .single : .digit
    case .modifierLetter, .otherLetter, .letterNumber:
      return isSpelledWithoutBlanks(scalar) ? .single : .letter
    case .otherNumber: return .letter
    case .nonspacingMark, .spacingMark, .enclosingMark:
      if isSpelledWithoutBlanks(scalar) { return .single }
      return isDiacritic(scalar) ? .ignored : .letter
    case .otherSymbol:
      // The object replacement and the replacement character stand for what isn't there.
      return scalar.value == 0xFFFC || scalar.value == 0xFFFD ? .separator : .single
    case .modifierSymbol:
      return (0x1F3FB...0x1F3FF).contains(scalar.value) ? .ignored : .separator
    case .format:
      // A zero-width space is where a word may end.
      return scalar.value == 0x200B ? .separator : .ignored
    default: return .separator
    }
  }

  /// Whether it belongs to a script that puts no blanks between words.
  private static func isSpelledWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3099, 0x309A: false  // The combining voice marks of kana.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true  // Thai, Lao, Burmese, Khmer.
    case 0x1100...0x11FF, 0x3005...0x318F, 0xAC00...0xD7FF, 0xFF66...0xFFDC: true  // Kana, Hangul.
    case 0x31A0...0x31BF, 0x31F0...0x31FF, 0x1B000...0x1B16F: true  // More of them.
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true  // Han.
    case 0xA000...0xA4CF: true  // Yi.
    default: false
    }
  }

  /// Whether a mark only modifies a letter: the vowel signs of Indian scripts are letters of theirs.
  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
      0xFE20...0xFE2F, 0x3099...0x309A:
      true
    case 0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06ED: true
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true  // Variation selectors.
    default: false
    }
  }

  private static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
    let lowercase = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    if let letters = bases[lowercase.value] { return letters }
    switch lowercase.value {
    case 0xFF41...0xFF5A: return [UInt8(lowercase.value - 0xFF41) + UInt8(ascii: "a")]
    case 0xFB00...0xFB06: return Array(ligatures[Int(lowercase.value - 0xFB00)].utf8)
    default: return Array(String(lowercase).utf8)
    }
  }

  private static let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]

  /// The letters without their diacritics, by their scalars.
  private static let bases: [UInt32: [UInt8]] = {
    var bases: [UInt32: [UInt8]] = [:]
    for (base, letters) in families {
      for letter in letters.unicodeScalars { bases[letter.value] = Array(base.utf8) }
    }
    return bases
  }()

  /// The lower-case letters with a canonical decomposition (Latin, Greek, Cyrillic), with what they are
  /// searched as, and those that people type with other letters.
  private static let families: [(base: String, letters: String)] = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ("ae", "æǣǽ"),
    ("b", "ḃḅḇ"),
    ("c", "çćĉċčḉ"),
    ("d", "ðďđḋḍḏḑḓ"),
    ("dz", "ǆǳ"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ƒḟ"),
    ("g", "ĝğġģǧǵḡ"),
    ("h", "ĥħȟḣḥḧḩḫẖ"),
    ("i", "ìíîïĩīĭįıǐȉȋḭḯỉị"),
    ("ij", "ĳ"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵ"),
    ("l", "ĺļľŀłḷḹḻḽ"),
    ("lj", "ǉ"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňŉǹṅṇṉṋ"),
    ("ng", "ŋ"),
    ("nj", "ǌ"),
    ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ("oe", "œ"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšſșṡṣṥṧṩ"),
    ("ss", "ß"),
    ("t", "ţťŧțṫṭṯṱẗ"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕ"),
    ("s", "ẛ"),
    ("ʒ", "ǯ"),
    ("α", "ά"),
    ("ε", "έ"),
    ("η", "ή"),
    ("ι", "ΐίϊ"),
    ("ο", "ό"),
    ("σ", "ς"),
    ("υ", "ΰϋύ"),
    ("ω", "ώ"),
    ("υ", "ϓϔ"),
    ("а", "ӑӓ"),
    ("г", "ѓ"),
    ("е", "ѐёӗ"),
    ("ж", "ӂӝ"),
    ("з", "ӟ"),
    ("и", "йѝӣӥ"),
    ("к", "ќ"),
    ("о", "ӧ"),
    ("у", "ўӯӱӳ"),
    ("ч", "ӵ"),
    ("ы", "ӹ"),
    ("э", "ӭ"),
    ("і", "ї"),
    ("ѵ", "ѷ"),
    ("ә", "ӛ"),
    ("ө", "ӫ"),
  ]
}

/// Splits text into words for the search.
///
/// A word is a sequence of letters and digits of any script, folded (``FoldedScalar``). All other characters separate
/// words, even `_`. A word whose parts begin with capital letters is split into these parts, and the whole word has the
/// same position as the first part (`FTS5_TOKEN_COLOCATED`). Scripts without spaces are split into single characters,
/// so that a phrase finds text inside a sentence.
///
/// | text | tokens; parentheses enclose tokens at the same position |
/// |---|---|
/// | `Café naïve Straße ﬁle` | `cafe` `naive` `strasse` `file` |
/// | `getUserName` | (`get` `getusername`) `user` `name` |
/// | `URLSession`, `parseJSON` | (`url` `urlsession`) `session`, (`parse` `parsejson`) `json` |
/// | `Int32`, `utf8String`, `3D` | `int32`, (`utf8` `utf8string`) `string`, `3d` |
/// | `user_name`, `std::vector`, `foo.bar()` | `user` `name`, `std` `vector`, `foo` `bar` |
/// | `-Xfrontend`, `#12345`, `5.10.1` | `xfrontend`, `12345`, `5` `10` `1` |
/// | `日本語`, `한국어` | `日` `本` `語`, `한` `국` `어` |
/// | `👍🏽`, `👨‍👩‍👧` | `👍`, `👨` `👩` `👧` |
///
/// A token has at most ``longestToken`` bytes. A longer word is truncated and isn't split into parts, which would be
/// noise in encoded data. Invalid UTF-8 and NUL separate words. A scanner must be used by one thread at a time.
// @safe: it owns its buffers, and a word never exceeds them.
@safe
package final class TokenScanner {
  static let longestToken = 64

  /// The result of a callback. ``proceed`` is SQLite's `SQLITE_OK`.
  typealias Answer = CInt
  static let proceed: Answer = 0

  private typealias Part = (folded: Int, source: Int)

  /// The last scalar may exceed ``longestToken``.
  private let word = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: longestToken + 4)
  private let parts = UnsafeMutableBufferPointer<Part>.allocate(capacity: longestToken)
  /// A cache of folded non-ASCII scalars, indexed by their low bits.
  private let known = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1_024)

  package init() {
    unsafe word.initialize(repeating: 0)
    unsafe parts.initialize(repeating: (0, 0))
    unsafe known.initialize(repeating: 0)
  }

  deinit {
    unsafe word.deallocate()
    unsafe parts.deallocate()
    unsafe known.deallocate()
  }

  /// Ends when `receive` returns a value other than ``proceed``. The text may be invalid UTF-8.
  @inline(__always)
  func scan(
    _ text: UnsafeBufferPointer<UInt8>,
    _ receive: (
      _ token: UnsafeBufferPointer<UInt8>, _ isColocated: Bool, _ source: Range<Int>
    ) -> Answer
  ) -> Answer {
    var state = State()
    var index = 0
    while index < text.count {
      let byte = unsafe text[index]
      if byte < 0x80 {
        let kind = Self.kind(ofASCII: byte)
        if kind == .separator {
          if state.length > 0 {
            let answer = unsafe finish(&state, receive)
            guard answer == Self.proceed else { return answer }
          }
        } else {
          begin(&state, kind, at: index)
          // Uppercase and lowercase letters differ in this bit, and it is always set in digits.
          unsafe word[state.length] = byte | 0x20
          state.append(kind, bytes: 1, from: index, to: index + 1)
        }
        index += 1
        continue
      }
      let (scalar, width) = unsafe Self.scalar(of: text, at: index)
      let entry = scalar.map(folding) ?? 0
      let kind = FoldedScalar.Kind(rawValue: UInt8(entry >> 32 & 0x7)) ?? .separator
      switch kind {
      case .ignored:
        if state.length > 0 { state.end = index + width }
      case .separator, .single:
        if state.length > 0 {
          let answer = unsafe finish(&state, receive)
          guard answer == Self.proceed else { return answer }
        }
        if kind == .single {
          let answer = unsafe receive(
            UnsafeBufferPointer(rebasing: text[index..<index + width]), false, index..<index + width
          )
          guard answer == Self.proceed else { return answer }
        }
      case .letter, .capital, .digit:
        begin(&state, kind, at: index)
        let count = Int(entry >> 35 & 0x7)
        for offset in 0..<count {
          unsafe word[state.length + offset] = UInt8(
            truncatingIfNeeded: entry >> (UInt64(offset) * 8))
        }
        state.append(kind, bytes: count, from: index, to: index + width)
      }
      index += width
    }
    return unsafe state.length > 0 ? finish(&state, receive) : Self.proceed
  }

  @inline(__always)
  private func begin(_ state: inout State, _ kind: FoldedScalar.Kind, at index: Int) {
    guard state.length > 0 else {
      state.start = index
      return
    }
    let part: Part
    switch (state.beforeLast, state.last, kind) {
    case (_, .letter, .capital): part = (state.length, index)
    // The last of several capitals begins the next part: URL|Session, utf8|String.
    case (.capital, .capital, .letter), (.digit, .capital, .letter): part = state.lastPlace
    default: return
    }
    guard part.folded < Self.longestToken, unsafe state.parts < parts.count else { return }
    unsafe parts[state.parts] = part
    state.parts += 1
  }

  @inline(__always)
  private func finish(
    _ state: inout State,
    _ receive: (UnsafeBufferPointer<UInt8>, Bool, Range<Int>) -> Answer
  ) -> Answer {
    defer { state = State() }
    let whole = unsafe UnsafeBufferPointer(rebasing: word[..<state.length])
    guard state.parts > 0, !state.isCut else {
      return unsafe receive(whole, false, state.start..<state.end)
    }
    var (folded, source) = (0, state.start)
    for index in 0...state.parts {
      let next: Part = unsafe index < state.parts ? parts[index] : (state.length, state.end)
      var answer = unsafe receive(
        UnsafeBufferPointer(rebasing: word[folded..<next.folded]), false, source..<next.source)
      if index == 0, answer == Self.proceed {
        answer = unsafe receive(whole, true, state.start..<state.end)
      }
      guard answer == Self.proceed else { return answer }
      (folded, source) = (next.folded, next.source)
    }
    return Self.proceed
  }

  /// Packs the folded bytes in bits 0 to 31, the kind in 32 to 34, the number of bytes in 35 to 37, and the scalar
  /// above.
  private func folding(_ scalar: Unicode.Scalar) -> UInt64 {
    let slot = Int(scalar.value & 1_023)
    let kept = unsafe known[slot]
    guard kept >> 40 != UInt64(scalar.value) else { return kept }
    let folded = FoldedScalar(scalar)
    var entry = UInt64(scalar.value) << 40
    entry |= UInt64(folded.folded.count) << 35 | UInt64(folded.kind.rawValue) << 32
    for (offset, byte) in folded.folded.enumerated() { entry |= UInt64(byte) << (offset * 8) }
    unsafe known[slot] = entry
    return entry
  }

  /// Decodes a scalar; nil for an invalid byte.
  @inline(__always)
  private static func scalar(
    of text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar?, width: Int) {
    let first = unsafe UInt32(text[index])
    let (width, least, bits): (Int, UInt32, UInt32)
    switch first {
    case 0xC2...0xDF: (width, least, bits) = (2, 0x80, first & 0x1F)
    case 0xE0...0xEF: (width, least, bits) = (3, 0x800, first & 0x0F)
    case 0xF0...0xF4: (width, least, bits) = (4, 0x10000, first & 0x07)
    default: return (nil, 1)
    }
    guard text.count - index >= width else { return (nil, 1) }
    var value = bits
    for offset in 1..<width {
      let byte = unsafe UInt32(text[index + offset])
      guard byte & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | byte & 0x3F
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, width)
  }
}

extension TokenScanner {
  package struct Token: Hashable {
    package var text: String
    package var isColocated: Bool
    package var source: Range<Int>
  }

  package func tokens(of text: some Collection<UInt8>) -> [Token] {
    var tokens: [Token] = []
    func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
      _ = unsafe self.scan(bytes) { token, isColocated, source in
        unsafe tokens.append(
          Token(
            text: String(decoding: token, as: UTF8.self), isColocated: isColocated, source: source))
        return Self.proceed
      }
    }
    if text.withContiguousStorageIfAvailable(scan) == nil {
      unsafe Array(text).withUnsafeBufferPointer(scan)
    }
    return tokens
  }

  private struct State {
    var length = 0
    var parts = 0
    var isCut = false
    var start = 0
    var end = 0
    var last = FoldedScalar.Kind.separator
    var lastPlace: Part = (0, 0)
    var beforeLast = FoldedScalar.Kind.separator

    @inline(__always)
    mutating func append(_ kind: FoldedScalar.Kind, bytes: Int, from start: Int, to end: Int) {
      self.end = end
      lastPlace = (length, start)
      (beforeLast, last) = (last, kind)
      if isCut || length + bytes > longestToken { isCut = true } else { length += bytes }
    }
  }

  @inline(__always)
  private static func kind(ofASCII byte: UInt8) -> FoldedScalar.Kind {
    if byte &- UInt8(ascii: "a") < 26 { return .letter }
    if byte &- UInt8(ascii: "A") < 26 { return .capital }
    return byte &- UInt8(ascii: "0") < 10 ? .digit : .separator
  }
}

/// A non-ASCII scalar, folded for the search: without case and diacritics (`Café` = `cafe`), sometimes as two letters
/// (`ß` = `ss`, `ﬁ` = `fi`), and in ASCII for full-width forms and digits of every script. Folding is idempotent.
struct FoldedScalar: Equatable {
  enum Kind: UInt8 {
    case separator
    case letter
    case capital
    case digit
    /// A pictograph, or a character of a script without spaces.
    case single
    /// A diacritic, an invisible character and the like.
    case ignored
  }

  var kind: Kind
  /// The folded scalar in UTF-8, at most four bytes; empty for separators and ignored scalars.
  var folded: [UInt8] = []

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
      return scalar.value == 0xFFFC || scalar.value == 0xFFFD ? .separator : .single
    case .modifierSymbol:
      return (0x1F3FB...0x1F3FF).contains(scalar.value) ? .ignored : .separator
    case .format:
      return scalar.value == 0x200B ? .separator : .ignored
    default: return .separator
    }
  }

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

  /// False for the vowel signs of Indian scripts, which are letters.
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

  private static let bases: [UInt32: [UInt8]] = {
    var bases: [UInt32: [UInt8]] = [:]
    for (base, letters) in families {
      for letter in letters.unicodeScalars { bases[letter.value] = Array(base.utf8) }
    }
    return bases
  }()

  /// Base letters, with the letters that have a canonical decomposition (Latin, Greek, Cyrillic) or are often typed as
  /// the base letter.
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

extension TokenScanner {
  /// The version of the index; an index with another version is rebuilt. Increase the first number with each change to
  /// folding or splitting. The second is a hash of Swift's Unicode tables; letters come in blocks, so one scalar in 64
  /// suffices.
  package static let version: String = {
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in stride(from: UInt32(0x80), to: 0x34000, by: 64) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isAssigned = scalar.properties.generalCategory != .unassigned
      hash = (hash ^ (isAssigned ? 1 : 2)) &* 0x100_0000_01B3
    }
    return "1-\(String(hash, radix: 16))"
  }()
}

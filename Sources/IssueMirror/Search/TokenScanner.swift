/// Finds the words of a text as the search knows them.
///
/// A word is a run of letters and digits of whatever script, folded (``FoldedScalar``); all else separates,
/// `_` too. A word of several parts, told by its capitals, gives its parts one after the other, and all of it
/// in the place of the first (`FTS5_TOKEN_COLOCATED`), so that it is found whole and by part. Scripts without
/// blanks give each character, so that a phrase finds what stands inside of a sentence.
///
/// | text | tokens; what shares a place is in parentheses |
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
/// A token has at most ``longestToken`` bytes: of a longer word its beginning is kept, and no parts, which
/// would be noise in what is encoded in letters. Bytes that are no UTF-8 separate, and so does NUL.
///
/// It keeps what it has learned about scalars between texts, and is used by one thread at a time.
final class TokenScanner {
  /// How many bytes a token has at most.
  static let longestToken = 64

  /// The answer of a receiver that wants to go on; it is SQLite's `SQLITE_OK`.
  typealias Answer = CInt
  static let proceed: Answer = 0

  /// A word's part: where it begins in the folded word and in the text.
  private typealias Part = (folded: Int, source: Int)

  /// The folded bytes of the word that is being read, and of one scalar more.
  private let word = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: longestToken + 4)
  private let parts = UnsafeMutableBufferPointer<Part>.allocate(capacity: longestToken)
  /// What scalars beyond ASCII are folded to, each kept where its low bits say.
  private let known = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 1_024)

  init() {
    word.initialize(repeating: 0)
    parts.initialize(repeating: (0, 0))
    known.initialize(repeating: 0)
  }

  deinit {
    word.deallocate()
    parts.deallocate()
    known.deallocate()
  }

  /// Finds the tokens of a text.
  ///
  /// - Parameters:
  ///   - text: UTF-8, which need not be valid.
  ///   - receive: Is given each token, whether it shares the place of the one before, and which bytes of
  ///     the text it was made of. Any answer but ``proceed`` ends the scan.
  /// - Returns: The last answer.
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
      let byte = text[index]
      if byte < 0x80 {
        let kind = Self.kind(ofASCII: byte)
        if kind == .separator {
          if state.length > 0 {
            let answer = finish(&state, receive)
            guard answer == Self.proceed else { return answer }
          }
        } else {
          begin(&state, kind, at: index)
          // A capital letter and its small form differ in this bit, which digits have anyhow.
          word[state.length] = byte | 0x20
          state.append(kind, bytes: 1, from: index, to: index + 1)
        }
        index += 1
        continue
      }
      let (scalar, width) = Self.scalar(of: text, at: index)
      let entry = scalar.map(folding) ?? 0
      let kind = FoldedScalar.Kind(rawValue: UInt8(entry >> 32 & 0x7)) ?? .separator
      switch kind {
      case .ignored:
        if state.length > 0 { state.end = index + width }
      case .separator, .single:
        if state.length > 0 {
          let answer = finish(&state, receive)
          guard answer == Self.proceed else { return answer }
        }
        if kind == .single {
          let answer = receive(
            UnsafeBufferPointer(rebasing: text[index..<index + width]), false, index..<index + width
          )
          guard answer == Self.proceed else { return answer }
        }
      case .letter, .capital, .digit:
        begin(&state, kind, at: index)
        let count = Int(entry >> 35 & 0x7)
        for offset in 0..<count {
          word[state.length + offset] = UInt8(truncatingIfNeeded: entry >> (UInt64(offset) * 8))
        }
        state.append(kind, bytes: count, from: index, to: index + width)
      }
      index += width
    }
    return state.length > 0 ? finish(&state, receive) : Self.proceed
  }

  /// Notes where a part begins, now that a letter follows.
  @inline(__always)
  private func begin(_ state: inout State, _ kind: FoldedScalar.Kind, at index: Int) {
    guard state.length > 0 else {
      state.start = index
      return
    }
    let part: Part
    switch (state.beforeLast, state.last, kind) {
    case (_, .letter, .capital): part = (state.length, index)
    // The last of several capitals begins the next word: URL|Session, utf8|String.
    case (.capital, .capital, .letter), (.digit, .capital, .letter): part = state.lastPlace
    default: return
    }
    guard part.folded < Self.longestToken, state.parts < parts.count else { return }
    parts[state.parts] = part
    state.parts += 1
  }

  /// Gives the word that was read, and is ready for the next.
  @inline(__always)
  private func finish(
    _ state: inout State,
    _ receive: (UnsafeBufferPointer<UInt8>, Bool, Range<Int>) -> Answer
  ) -> Answer {
    defer { state = State() }
    let whole = UnsafeBufferPointer(rebasing: word[..<state.length])
    guard state.parts > 0, !state.isCut else {
      return receive(whole, false, state.start..<state.end)
    }
    var (folded, source) = (0, state.start)
    for index in 0...state.parts {
      let next: Part = index < state.parts ? parts[index] : (state.length, state.end)
      var answer = receive(
        UnsafeBufferPointer(rebasing: word[folded..<next.folded]), false, source..<next.source)
      if index == 0, answer == Self.proceed {
        answer = receive(whole, true, state.start..<state.end)
      }
      guard answer == Self.proceed else { return answer }
      (folded, source) = (next.folded, next.source)
    }
    return Self.proceed
  }

  /// How a scalar is folded: the bytes, the kind in bits 32 to 34, the number of bytes in 35 to 37, and the
  /// scalar above them.
  private func folding(_ scalar: Unicode.Scalar) -> UInt64 {
    let slot = Int(scalar.value & 1_023)
    let kept = known[slot]
    guard kept >> 40 != UInt64(scalar.value) else { return kept }
    let folded = FoldedScalar(scalar)
    var entry = UInt64(scalar.value) << 40
    entry |= UInt64(folded.folded.count) << 35 | UInt64(folded.kind.rawValue) << 32
    for (offset, byte) in folded.folded.enumerated() { entry |= UInt64(byte) << (offset * 8) }
    known[slot] = entry
    return entry
  }

  /// Reads a scalar beyond ASCII; what is no UTF-8 is a byte without one.
  @inline(__always)
  private static func scalar(
    of text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar?, width: Int) {
    let first = UInt32(text[index])
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
      let byte = UInt32(text[index + offset])
      guard byte & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | byte & 0x3F
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, width)
  }
}

extension TokenScanner {
  /// A token by itself.
  struct Token: Hashable {
    /// The folded word.
    var text: String
    /// Whether it shares the place of the one before.
    var isColocated: Bool
    /// The bytes of the text that it was made of.
    var source: Range<Int>
  }

  /// The tokens of a text, for texts that are few: queries, and what is shown of a result.
  func tokens(of text: some Collection<UInt8>) -> [Token] {
    var tokens: [Token] = []
    func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
      _ = self.scan(bytes) { token, isColocated, source in
        tokens.append(
          Token(
            text: String(decoding: token, as: UTF8.self), isColocated: isColocated, source: source))
        return Self.proceed
      }
    }
    if text.withContiguousStorageIfAvailable(scan) == nil {
      Array(text).withUnsafeBufferPointer(scan)
    }
    return tokens
  }

  /// The word that is being read.
  private struct State {
    /// How many folded bytes it has.
    var length = 0
    /// How many parts begin inside of it.
    var parts = 0
    /// Whether it is longer than what is kept of it.
    var isCut = false
    /// Where it begins in the text.
    var start = 0
    /// Where it ends in the text, with the diacritics after its last letter.
    var end = 0
    /// Its last letter, and where that begins.
    var last = FoldedScalar.Kind.separator
    var lastPlace: Part = (0, 0)
    /// The letter before that.
    var beforeLast = FoldedScalar.Kind.separator

    /// Takes a letter whose folded bytes stand behind the word already.
    @inline(__always)
    mutating func append(_ kind: FoldedScalar.Kind, bytes: Int, from start: Int, to end: Int) {
      self.end = end
      lastPlace = (length, start)
      (beforeLast, last) = (last, kind)
      if isCut || length + bytes > longestToken { isCut = true } else { length += bytes }
    }
  }

  /// What an ASCII character is.
  @inline(__always)
  private static func kind(ofASCII byte: UInt8) -> FoldedScalar.Kind {
    if byte &- UInt8(ascii: "a") < 26 { return .letter }
    if byte &- UInt8(ascii: "A") < 26 { return .capital }
    return byte &- UInt8(ascii: "0") < 10 ? .digit : .separator
  }
}

/// The words, identifiers and crash frames of text that similar issues may share with it.
///
/// | text | terms in addition to its words |
/// |---|---|
/// | `getUserName` | the whole word |
/// | `user_name`, `std::vector`, `--enable-library-evolution`, `Foo.swift:12` | their words in sequence, without line numbers |
/// | `swift::constraints::ConstraintSystem::solve` | the whole sequence, and its last two words |
/// | `日本語` | pairs of adjacent characters |
///
/// Words are compared by their stems (``SimilarityWord``). Addresses and numbers are omitted. Of long text, only the beginning and the end are read, because a crash report
/// ends with its frames.
package struct SimilarityTerms {
  /// The limits of the parts that are read, in bytes of UTF-8. That of the title is in characters for
  /// ``SimilarIssuesQuery/Subject/text(_:)``; of any title, at most four times as many bytes are read.
  static let longestTitle = 256
  static let longestBeginning = 48 << 10
  static let longestEnd = 16 << 10
  /// The most distinct terms of one text.
  private static let most = 4_000
  /// The limit of a sequence, in words. Longer sequences aren't names.
  private static let longestRow = 12

  package struct Term: Hashable, Sendable {
    /// The adjacent tokens to find.
    package var tokens: [String]
    var isIdentifier: Bool
    /// Whether the term is the stem of a word (``SimilarityWord``), which is looked up as a prefix.
    var isStem = false
    var count = 0
    var titleCount = 0

    var isInTitle: Bool { titleCount > 0 }

    package var phrase: SearchPhrases.Phrase {
      SearchPhrases.Phrase(tokens: tokens, isPrefix: isStem && tokens[0].utf8.count > 3)
    }
  }

  /// The terms in the order of the text, beginning with those of the title.
  private(set) var terms: [Term] = []
  /// The number of terms in the body, including repeated ones.
  private(set) var bodyLength = 0
  private var places: [[String]: Int] = [:]
  /// The current limit. A part of it is reserved for the end of the text.
  private var limit = SimilarityTerms.most * 3 / 4
  private let scanner = TokenScanner()

  package init(title: String, body: String) {
    scan(Array(title.utf8.prefix(Self.longestTitle * 4)), isTitle: true)
    let body = body.utf8
    scan(Array(body.prefix(Self.longestBeginning)), isTitle: false)
    let rest = body.dropFirst(Self.longestBeginning)
    limit = Self.most
    scan(Array(rest.suffix(Self.longestEnd)), isTitle: false)
  }

  /// The term with these tokens, if the text has it.
  subscript(tokens: [String]) -> Term? { places[tokens].map { terms[$0] } }

  /// A sequence of letters and digits, as a whole and in its parts.
  private struct Word {
    var parts: [TokenScanner.Token]
    var whole: TokenScanner.Token?

    var source: Range<Int> {
      whole?.source ?? (parts.first?.source.lowerBound ?? 0)..<(parts.last?.source.upperBound ?? 0)
    }
    var text: String { whole?.text ?? parts[0].text }
    var isNumber: Bool { text.utf8.allSatisfy(Self.isDigit) }

    /// Whether the word is a number, an address, a hash or a single letter, which two reports share only by chance.
    var isNoise: Bool {
      let text = text.utf8
      if isNumber || text.count == 1 { return true }
      let digits = text.starts(with: "0x".utf8) ? text.dropFirst(2) : text[...]
      return digits.count >= (digits.count < text.count ? 4 : 8)
        && digits.allSatisfy(Self.isHexadecimal) && digits.contains(where: Self.isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
      isDigit(byte) || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f")
    }
  }

  private mutating func scan(_ text: [UInt8], isTitle: Bool) {
    var row: [Word] = []
    // Whether any character of the sequence shows that it is code.
    var isCode = false
    for word in words(of: text) {
      if let last = row.last {
        let gap = text[last.source.upperBound..<word.source.lowerBound]
        switch Self.connection(gap) {
        case .code: isCode = true
        case .hyphen: break
        case .none where gap.isEmpty && !isCode:
          // In scripts without spaces, pairs of characters replace words.
          add(last.parts + word.parts, isIdentifier: false, isTitle)
          fallthrough
        case .none:
          add(row, isCode: isCode, isTitle)
          row = []
        }
      }
      if row.isEmpty {
        // A command-line option: -Xfrontend, --enable-library-evolution.
        let start = word.source.lowerBound
        isCode = start > 0 && text[start - 1] == UInt8(ascii: "-")
      }
      row.append(word)
    }
    add(row, isCode: isCode, isTitle)
  }

  private func words(of text: [UInt8]) -> [Word] {
    var words: [Word] = []
    for token in scanner.tokens(of: text) {
      let last = words.count - 1
      if token.isColocated, last >= 0 {
        words[last].whole = token
      } else if last >= 0, let whole = words[last].whole,
        token.source.upperBound <= whole.source.upperBound
      {
        words[last].parts.append(token)
      } else {
        words.append(Word(parts: [token]))
      }
    }
    return words
  }

  private enum Connection {
    case none
    case hyphen
    case code
  }

  private static func connection(_ gap: ArraySlice<UInt8>) -> Connection {
    switch gap.count {
    case 1:
      switch gap.first {
      case UInt8(ascii: "-"): .hyphen
      case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"),
        UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: "\\"):
        .code
      default: .none
      }
    case 2:
      gap.elementsEqual("::".utf8) || gap.elementsEqual("->".utf8) || gap.elementsEqual("__".utf8)
        ? .code : .none
    default: .none
    }
  }

  private mutating func add(_ row: [Word], isCode: Bool, _ isTitle: Bool) {
    for word in row where !word.isNoise {
      add(
        word.parts.count > 1 ? [word.whole ?? word.parts[0]] : word.parts,
        isIdentifier: word.parts.count > 1, isTitle)
      guard word.parts.count > 1 else { continue }
      for part in word.parts where part.text.utf8.count > 1 {
        add([part], isIdentifier: false, isTitle)
      }
    }
    guard row.count > 1 else { return }
    guard !row.allSatisfy(\.isNumber) else {
      // A sequence this short may be a version.
      if row.count <= 4 { add(row.flatMap(\.parts), isIdentifier: false, isTitle) }
      return
    }
    var name = row[...]
    while name.last?.isNumber == true { name.removeLast() }
    while name.first?.isNumber == true { name.removeFirst() }
    guard name.count > 1 else { return }
    if name.count <= Self.longestRow { add(name.flatMap(\.parts), isIdentifier: isCode, isTitle) }
    if name.count > 2 { add(name.suffix(2).flatMap(\.parts), isIdentifier: isCode, isTitle) }
  }

  private mutating func add(
    _ tokens: [TokenScanner.Token], isIdentifier: Bool, _ isTitle: Bool
  ) {
    let isStem = tokens.count == 1 && !isIdentifier
    let tokens = isStem ? [SimilarityWord.stem(of: tokens[0].text)] : tokens.map(\.text)
    if !isTitle { bodyLength += 1 }
    if let place = places[tokens] {
      terms[place].count += 1
      if isTitle { terms[place].titleCount += 1 }
      if isIdentifier { terms[place].isIdentifier = true }
    } else if terms.count < limit {
      places[tokens] = terms.count
      terms.append(
        Term(
          tokens: tokens, isIdentifier: isIdentifier, isStem: isStem, count: 1,
          titleCount: isTitle ? 1 : 0))
    }
  }
}

extension SimilarityTerms {
  /// The terms to look up: all terms of text of a usual length. Of longer text, the terms of the title come first, then
  /// identifiers, then long words, which are rarer than short ones.
  package func candidates(upTo most: Int) -> [Term] {
    guard terms.count > most else { return terms }
    func rank(_ term: Term) -> Int {
      if term.isInTitle { return 1_000 }
      return (term.isIdentifier ? 100 : 0) + min(term.tokens.reduce(0) { $0 + $1.utf8.count }, 20)
    }
    // Also compares offsets, because sorting may change the order of equal elements.
    let ordered = terms.enumerated().sorted {
      (rank($0.element), -$0.offset) > (rank($1.element), -$1.offset)
    }.map(\.element)
    // The limit leaves space for words. Otherwise, the names in a long log could take all of it.
    let names = ordered.filter { $0.isIdentifier && !$0.isInTitle }.dropFirst(most * 2 / 3)
    let surplus = Set(names.map(\.tokens))
    return Array(ordered.lazy.filter { !surplus.contains($0.tokens) }.prefix(most))
  }
}

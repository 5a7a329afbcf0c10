/// The lexical rules of a language for ``CodeLexer``.
struct CodeLanguage: Sendable {
  /// A comment or a string.
  struct Region: Sendable {
    let open: [UInt8]
    /// The closing delimiter; empty for the end of the line.
    let close: [UInt8]
    let part: CodePart
    /// The byte that escapes the next byte.
    var escape: UInt8?
    var isMultiline = false
    /// Whether regions of this kind can be nested.
    var nests = false
    /// Whether the region begins only at the beginning of a word.
    var followsBlank = false
    /// Whether the region must contain exactly one character.
    var isCharacter = false
    var hole: Hole?

    init(_ open: String, _ close: String, _ part: CodePart) {
      self.open = Array(open.utf8)
      self.close = Array(close.utf8)
      self.part = part
    }

    func with(_ change: (inout Region) -> Void) -> Region {
      var changed = self
      change(&changed)
      return changed
    }
  }

  /// Code in a string, such as `\(name)`.
  struct Hole: Sendable {
    /// The opening delimiter. The hole ends at the bracket that matches `close`.
    let open: [UInt8]
    let close: UInt8

    init(_ open: String, _ close: Character) {
      self.open = Array(open.utf8)
      self.close = close.asciiValue ?? 0
    }
  }

  /// The way to distinguish keys from values.
  enum Keys: Sendable {
    case none
    /// Keys are strings before a colon, as in JSON.
    case areStrings
    /// Keys begin lines, as in YAML.
    case beginLines
  }

  /// The kinds of tokens that begin with a given byte.
  struct Beginnings: OptionSet {
    let rawValue: UInt8
    static let region = Beginnings(rawValue: 1)
    static let prefix = Beginnings(rawValue: 2)
    static let number = Beginnings(rawValue: 4)
    static let word = Beginnings(rawValue: 8)
  }

  /// The regions in order of precedence: the first match is used.
  let regions: [Region]
  /// Bytes that determine the part of the following word: `@main`, `$HOME`.
  let prefixes: [(byte: UInt8, part: CodePart)]
  /// Prefixes that determine the part of a whole line, as in a diff.
  var linePrefixes: [(text: [UInt8], part: CodePart)] = []
  var keys = Keys.none
  /// Whether capitalized words without an underscore are types.
  var hasCapitalTypes = false
  var hasDigitQuotes = false

  private let words: [String: CodePart]
  /// Words that are highlighted only before a colon.
  private let labels: [String: CodePart]
  private let longestWord: Int
  private let beginnings: [Beginnings]

  /// Creates a language. `words` and `labels` are lists separated by spaces.
  init(
    words: [CodePart: String] = [:], labels: [CodePart: String] = [:], regions: [Region] = [],
    prefixes: [Character: CodePart] = [:], wordBytes: String = "_", hasNumbers: Bool = true
  ) {
    func list(_ lists: [CodePart: String]) -> [String: CodePart] {
      lists.reduce(into: [:]) { all, entry in
        for word in entry.value.split(whereSeparator: \.isWhitespace) {
          all[String(word)] = entry.key
        }
      }
    }
    self.words = list(words)
    self.labels = list(labels)
    self.regions = regions
    self.prefixes = prefixes.compactMap { character, part in
      character.asciiValue.map { ($0, part) }
    }
    longestWord = [self.words, self.labels].joined().reduce(0) { max($0, $1.key.utf8.count) }
    beginnings = (UInt8.min...UInt8.max).map { byte in
      var found: Beginnings = []
      if regions.contains(where: { $0.open.first == byte }) { found.insert(.region) }
      if prefixes.keys.contains(where: { $0.asciiValue == byte }) { found.insert(.prefix) }
      if hasNumbers, (0x30...0x39).contains(byte) { found.insert(.number) }
      if Self.isAlphanumeric(byte) || byte >= 0x80 || wordBytes.utf8.contains(byte) {
        found.insert(.word)
      }
      return found
    }
  }

  func begins(_ byte: UInt8, _ what: Beginnings) -> Bool {
    beginnings[Int(byte)].contains(what)
  }

  func isWord(_ byte: UInt8) -> Bool { begins(byte, .word) }

  /// The part that a word belongs to.
  func part(of word: some Collection<UInt8>, isLabel: Bool) -> CodePart {
    guard let first = word.first else { return .plain }
    if word.count <= longestWord {
      let text = String(decoding: word, as: UTF8.self)
      if isLabel, let part = labels[text] { return part }
      if let part = words[text] { return part }
    }
    if hasCapitalTypes, (0x41...0x5A).contains(first), !word.contains(UInt8(ascii: "_")) {
      return .type
    }
    // In some languages, only addresses are highlighted as numbers.
    if first == UInt8(ascii: "0"), word.dropFirst().first == UInt8(ascii: "x") { return .number }
    return .plain
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}

extension CodeLanguage {
  /// Finds a language by the word after a fence, such as `swift` or `C++`; nil if there is no table for it.
  init?(named name: String) {
    let known = name.lowercased().prefix { $0.isLetter || $0.isNumber || "+#-_".contains($0) }
    guard name.utf8.count <= 32, let language = Self.table(of: String(known)) else { return nil }
    self = language
  }

  private static let guessedLines = 50

  /// Recognizes a diff, JSON, or messages of a compiler or a crash in code without a language name. Other languages
  /// aren't guessed, because many share the same words and symbols.
  init?(of lines: [String], in name: String) {
    guard ["", "text", "txt", "plain", "plaintext", "console"].contains(name.lowercased()) else {
      return nil
    }
    let lines = lines.prefix(Self.guessedLines).filter { $0.utf8.count <= CodeLexer.maximumLine }
    if Self.isDiff(lines) {
      self = .diff
    } else if Self.isJSON(lines) {
      self = .json
    } else if lines.contains(where: Self.isOfLog) {
      self = .log
    } else {
      return nil
    }
  }

  private static func isDiff(_ lines: [String]) -> Bool {
    if lines.contains(where: { $0.hasPrefix("diff --git ") }) { return true }
    return zip(lines, lines.dropFirst()).contains { line, next in
      line.hasPrefix("--- ") && next.hasPrefix("+++ ")
    }
  }

  private static func isJSON(_ lines: [String]) -> Bool {
    let bytes = lines.lazy.flatMap(\.utf8).filter { $0 != 0x20 }.prefix(2)
    return [Array("{\"".utf8), Array("[{".utf8)].contains(Array(bytes))
  }

  private static func isOfLog(_ line: String) -> Bool {
    let beginnings = [
      "error: ", "warning: ", "Fatal error: ", "fatal error: ", "Stack dump:", "PLEASE submit ",
      "Traceback (most recent call last)", "thread '", "Thread 0 Crashed",
    ]
    if beginnings.contains(where: line.hasPrefix) { return true }
    if [": error: ", ": warning: ", ": fatal error: "].contains(where: { line.contains($0) }) {
      return true
    }
    // A stack frame: `#0 0x…`, or `0  libfoo.so  0x…`.
    let words = line.split(separator: " ", maxSplits: 3)
    guard let first = words.first else { return false }
    let number = first.hasPrefix("#") ? first.dropFirst() : first
    return (1...4).contains(number.utf8.count)
      && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && words.dropFirst().contains { $0.hasPrefix("0x") }
  }
}

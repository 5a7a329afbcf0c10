internal import IssueMirror

/// The words of a text as PostgreSQL's `tsvector`. This program's own scanner creates it, so that a search finds the
/// same issues as in SQLite (<https://www.postgresql.org/docs/current/datatype-textsearch.html>).
///
/// Words of a title have weight A, and others D. Tokens at the same position, such as a name and its first part, share
/// it here as well. A gap in the positions prevents a phrase from continuing from a title into the body. The
/// repository, an item's properties and each word of a title are also words without a position: see ``PropertyWord``.
struct TextVector: Sendable {
  /// PostgreSQL's limit of positions, and of the positions of one word.
  private static let lastPosition = 16_383
  private static let mostPositions = 255
  /// The size limit. PostgreSQL's is a megabyte including positions. Words beyond the limit aren't found.
  private static let mostBytes = 900_000
  private static let gap = 8
  /// The version of a vector's content. Vectors of other versions are rebuilt.
  static let version = "1 " + TokenScanner.version

  let bytes: [UInt8]

  init(title: String?, body: String?, of repository: Int64, keys: ItemKeys? = nil) {
    var words: [String: [UInt16]] = [PropertyWord.of(repository: repository): []]
    var size = 0
    for word in keys?.words ?? [] where size < Self.mostBytes {
      words[word] = []
      size += word.utf8.count + 12
    }
    var position = 0
    func add(_ text: String, weight: UInt16) {
      for token in TokenScanner().tokens(of: text.utf8) {
        if !token.isColocated { position = min(position + 1, Self.lastPosition) }
        let place = weight << 14 | UInt16(position)
        guard size < Self.mostBytes else { return }
        guard var places = words[token.text] else {
          words[token.text] = [place]
          size += token.text.utf8.count + 12
          if weight > 0 { words[PropertyWord.title(token.text)] = [] }
          continue
        }
        guard places.count < Self.mostPositions,
          (places.last ?? 0) & 0x3FFF < UInt16(position)
        else { continue }
        places.append(place)
        words[token.text] = places
        size += 2
      }
    }
    if let title {
      add(title, weight: 3)
      position = min(position + Self.gap, Self.lastPosition)
    }
    if let body { add(body, weight: 0) }
    bytes = Self.encoded(words)
  }

  private static func encoded(_ words: [String: [UInt16]]) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: some FixedWidthInteger) {
      unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    append(UInt32(words.count))
    let ordered = words.map { (Array($0.key.utf8), $0.value) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    for (word, places) in ordered {
      bytes.append(contentsOf: word)
      bytes.append(0)
      append(UInt16(places.count))
      for place in places { append(place) }
    }
    return bytes
  }
}

/// Phrases as PostgreSQL's `tsquery`, quoted so that their text isn't interpreted.
enum TextQuery {
  /// The searched part of a text.
  enum Place: String {
    case anywhere = ""
    case title = "A"
    case body = "D"
  }

  /// Nil if the search doesn't have required words.
  static func matching(_ expression: SearchPhrases, in place: Place) -> String? {
    guard !expression.required.isEmpty else { return nil }
    return expression.required.map { anyOf($0, place) }.joined(separator: " & ")
  }

  /// The same query for the index. Without the additional words, it would read every text with a word to find out
  /// whether the word is in the title. This query can't be used to rank, because some of its words don't have
  /// positions.
  static func indexed(_ expression: SearchPhrases, in place: Place) -> String? {
    guard let words = matching(expression, in: place), place == .title else {
      return matching(expression, in: place)
    }
    let titles = expression.required.map { phrases in
      let all = phrases.map { phrase in
        let last = phrase.tokens.count - 1
        let words = phrase.tokens.enumerated().map { index, token in
          "'\(PropertyWord.title(token))'\(phrase.isPrefix && index == last ? ":*" : "")"
        }
        return "(\(words.joined(separator: " & ")))"
      }
      return "(\(all.joined(separator: " | ")))"
    }
    return "(\(words)) & \(titles.joined(separator: " & "))"
  }

  static func excluded(_ expression: SearchPhrases, in place: Place) -> String? {
    expression.excluded.isEmpty ? nil : anyOf(expression.excluded, place)
  }

  /// The words of a few repositories; nil for many repositories, which are distinguished by their rows.
  static func repositories(_ keys: [Int64]) -> String? {
    guard keys.count <= 32 else { return nil }
    return keys.map { "'\(PropertyWord.of(repository: $0))'" }.joined(separator: " | ")
  }

  static func phrase(_ phrase: SearchPhrases.Phrase, _ place: Place) -> String {
    let last = phrase.tokens.count - 1
    let words = phrase.tokens.enumerated().map { index, token in
      let mark = (phrase.isPrefix && index == last ? "*" : "") + place.rawValue
      // Tokens never contain quotation marks or backslashes.
      return "'\(token)'\(mark.isEmpty ? "" : ":\(mark)")"
    }
    return words.count == 1 ? words[0] : "(\(words.joined(separator: " <-> ")))"
  }

  private static func anyOf(_ phrases: [SearchPhrases.Phrase], _ place: Place) -> String {
    "(\(phrases.map { phrase($0, place) }.joined(separator: " | ")))"
  }
}

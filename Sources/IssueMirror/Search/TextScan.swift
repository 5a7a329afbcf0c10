/// Searches individual texts for the words of a search, with the same results as the index.
///
/// The time depends on the length of the text, not on the frequency of the words. A scan must be used by one thread at
/// a time.
final class TextScan {
  /// The longest phrase, in words, and the most phrases.
  private static let limits = (words: UInt64.bitWidth, phrases: 100)

  private struct Wanted {
    var token: [UInt8]
    /// The positions of the token: a bit for its place in each phrase.
    var places: [(phrase: Int, bit: UInt64, isPrefix: Bool)]
  }

  private let wanted: [Wanted]
  /// Whether a wanted token begins with a given byte.
  private let isFirst: [Bool]
  /// The bit of each phrase's last word.
  private let ends: [UInt64]
  /// The phrases of each group. Text must contain one phrase of each group.
  private let groups: [Range<Int>]
  private let excluded: Range<Int>
  private let scanner = TokenScanner()

  /// The number of each phrase's occurrences in the title, then in the text.
  private var counts: [Int]
  /// The phrases that end at the current word or may continue after it: a bit for each of their first words.
  private var states: [UInt64]
  /// The places that the current word can have in the phrases.
  private var here: [UInt64]

  /// Prepares to search for the words; nil if there are too many.
  init?(_ expression: SearchPhrases) {
    var wanted: [Wanted] = []
    var ends: [UInt64] = []
    var groups: [Range<Int>] = []
    func add(_ phrases: [SearchPhrases.Phrase]) -> Range<Int> {
      let first = ends.count
      for phrase in phrases {
        for (place, token) in phrase.tokens.enumerated() {
          let bytes = Array(token.utf8)
          let index = wanted.firstIndex { $0.token == bytes } ?? wanted.count
          if index == wanted.count { wanted.append(Wanted(token: bytes, places: [])) }
          wanted[index].places.append(
            (ends.count, 1 << UInt64(place), phrase.isPrefix && place == phrase.tokens.count - 1))
        }
        ends.append(1 << UInt64(phrase.tokens.count - 1))
      }
      return first..<ends.count
    }
    for group in expression.required { groups.append(add(group)) }
    excluded = add(expression.excluded)
    guard ends.count <= Self.limits.phrases,
      (expression.phrases + expression.excluded).allSatisfy({
        $0.tokens.count <= Self.limits.words
      })
    else { return nil }
    var isFirst = [Bool](repeating: false, count: 256)
    for token in wanted.compactMap(\.token.first) { isFirst[Int(token)] = true }
    (self.wanted, self.isFirst, self.ends, self.groups) = (wanted, isFirst, ends, groups)
    counts = Array(repeating: 0, count: 2 * ends.count)
    states = Array(repeating: 0, count: ends.count)
    here = states
  }

  struct Column {
    /// The text; empty if the entry doesn't have any.
    var text: String
    var isTitle = false
    /// Whether to search the column for the words. Its length is counted in any case.
    var isSearched = true
  }

  /// The score of a text's match, with a weight for each phrase (``RankFunction/score(_:length:weights:)``); nil if it
  /// doesn't match.
  func score(_ columns: [Column], weights: [Double]) -> Double? {
    for index in counts.indices { counts[index] = 0 }
    var length = 0
    for column in columns { length += scan(column) }
    func isFound(_ phrase: Int) -> Bool { counts[2 * phrase] + counts[2 * phrase + 1] > 0 }
    guard groups.allSatisfy({ $0.contains(where: isFound) }), !excluded.contains(where: isFound)
    else { return nil }
    return RankFunction.score(counts, length, weights)
  }

  /// Counts the phrases in a column, and returns its length in words.
  private func scan(_ column: Column) -> Int {
    var length = 0
    // Whether any phrase has begun.
    var isActive = false
    func finishWord() {
      guard isActive else { return }
      isActive = false
      for phrase in states.indices {
        // Shift-And: Baeza-Yates, Gonnet: A New Approach to Text Searching, 1992.
        let state = (states[phrase] << 1 | 1) & here[phrase]
        if state & ends[phrase] != 0 { counts[2 * phrase + (column.isTitle ? 0 : 1)] += 1 }
        if state != 0 { isActive = true }
        (states[phrase], here[phrase]) = (state, 0)
      }
    }
    var text = column.text
    text.withUTF8 { text in
      _ = unsafe scanner.scan(text) { token, isColocated, _ in
        if !isColocated {
          finishWord()
          length += 1
        }
        guard column.isSearched, let first = unsafe token.first, isFirst[Int(first)] else {
          return TokenScanner.proceed
        }
        for entry in wanted
        where unsafe token.count >= entry.token.count && token.starts(with: entry.token) {
          for place in entry.places where place.isPrefix || token.count == entry.token.count {
            here[place.phrase] |= place.bit
            isActive = true
          }
        }
        return TokenScanner.proceed
      }
    }
    finishWord()
    for phrase in states.indices { states[phrase] = 0 }
    return length
  }
}

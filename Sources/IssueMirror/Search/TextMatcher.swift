/// Finds in a text what a search was for, to show it there.
struct TextMatcher {
  /// The phrases, as places in ``tokens``.
  private let phrases: [(tokens: [Int], isPrefix: Bool)]
  /// The tokens that are looked for.
  private let tokens: [[UInt8]]
  private let scanner = TokenScanner()

  /// Prepares for the phrases that have to be there.
  init(_ expression: MatchExpression) {
    var tokens: [[UInt8]] = []
    phrases = expression.phrases.compactMap { phrase in
      let places = phrase.tokens.map { token in
        let bytes = Array(token.utf8)
        if let place = tokens.firstIndex(of: bytes) { return place }
        tokens.append(bytes)
        return tokens.count - 1
      }
      return (places, phrase.isPrefix)
    }
    self.tokens = tokens
  }

  /// A token of the text that may be of a phrase.
  private struct Candidate {
    /// The how manieth word of the text it is.
    var place: Int
    /// Which of the tokens it is.
    var token: Int
    /// Whether it is only the beginning of the text's word.
    var isBeginning: Bool
    var source: Range<Int>
  }

  /// Finds the phrases.
  ///
  /// - Returns: The bytes where they stand, with the phrase, ordered by their beginnings.
  func matches(in text: String) -> [(phrase: Int, source: Range<Int>)] {
    guard !phrases.isEmpty else { return [] }
    var text = text
    let candidates = text.withUTF8(candidates)
    var matches: [(phrase: Int, source: Range<Int>)] = []
    for (index, candidate) in candidates.enumerated() {
      for (number, phrase) in phrases.enumerated() where phrase.tokens[0] == candidate.token {
        if let source = match(of: phrase, candidates, from: index) {
          matches.append((number, source))
        }
      }
    }
    return matches.sorted { $0.source.lowerBound < $1.source.lowerBound }
  }

  /// Where a phrase stands whose first token is a candidate.
  private func match(
    of phrase: (tokens: [Int], isPrefix: Bool), _ candidates: [Candidate], from index: Int
  ) -> Range<Int>? {
    var end = 0
    var index = index
    let (first, start) = (candidates[index].place, candidates[index].source.lowerBound)
    for (offset, token) in phrase.tokens.enumerated() {
      while index < candidates.count,
        candidates[index].place < first + offset
          || (candidates[index].place == first + offset && candidates[index].token != token)
      {
        index += 1
      }
      guard index < candidates.count, candidates[index].place == first + offset,
        !candidates[index].isBeginning || (phrase.isPrefix && offset == phrase.tokens.count - 1)
      else { return nil }
      end = max(end, candidates[index].source.upperBound)
    }
    return start..<end
  }

  private func candidates(in text: UnsafeBufferPointer<UInt8>) -> [Candidate] {
    var candidates: [Candidate] = []
    var place = -1
    let hasPrefix = phrases.contains(where: \.isPrefix)
    _ = scanner.scan(text) { token, isColocated, source in
      if !isColocated { place += 1 }
      for (number, wanted) in tokens.enumerated() where token.count >= wanted.count {
        let isBeginning = token.count > wanted.count
        guard !isBeginning || hasPrefix, token[..<wanted.count].elementsEqual(wanted) else {
          continue
        }
        candidates.append(
          Candidate(place: place, token: number, isBeginning: isBeginning, source: source))
      }
      return TokenScanner.proceed
    }
    return candidates
  }
}

internal import IssueMirror

/// Finds issues whose text is like a text.
///
/// This is the one place where `related_issues` ranks: it searches for the rarest words of the text's first line, and
/// lets the mirror's relevance order what has any of them.
struct SimilarIssues: Sendable {
  private static let mostWords = 12
  /// The rarest of them, which the search joins with OR.
  private static let searchedWords = 5
  private static let shortestWord = 3
  private static let longestWord = 40

  let mirror: any IssueReader
  let repository: MirroredRepository

  /// The most alike first.
  func find(
    like text: String, limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    let words = try await rarest(of: Self.words(of: text))
    guard !words.isEmpty, let query = Self.query(words) else { return [] }
    let found = try await mirror.find(query, in: [repository], limit: limit)
    return try await mirror.results(0..<found.resultsCount, of: found)
  }

  /// Of the first lines, which say what a report is about.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var current = ""
    func end() {
      let word = current.lowercased()
      current = ""
      guard (shortestWord...longestWord).contains(word.unicodeScalars.count), !words.contains(word),
        !word.allSatisfy(\.isNumber)
      else { return }
      words.append(word)
    }
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        current.append(character)
      } else {
        end()
        if words.count == mostWords { return words }
      }
    }
    end()
    return Array(words.prefix(mostWords))
  }

  /// The words that the fewest issues have, without those that none has.
  private func rarest(of words: [String]) async throws(MirrorFailure) -> [String] {
    var counted: [(word: String, count: Int)] = []
    for word in words {
      guard let query = Self.query([word]) else { continue }
      // Of a frequent word, only that it is one.
      let found = try await mirror.find(query, in: [repository], limit: 2)
      let count = found.count ?? (found.resultsCount < 2 ? found.resultsCount : .max)
      // One issue has it, which may be the text's own.
      if count > 0 { counted.append((word, count)) }
    }
    return counted.sorted { $0.count < $1.count }.prefix(Self.searchedWords).map(\.word)
  }

  /// Each between quotation marks, so that none is an operator of the search.
  private static func query(_ words: [String]) -> SearchQuery? {
    try? SearchQuery(parsing: words.map { "\"\($0)\"" }.joined(separator: " OR "))
  }
}

internal import GitHubAPI

/// The words of a search as an index knows them: each is the phrase of its tokens. A word of several parts is
/// searched for both in parts and whole.
struct SearchPhrases: Hashable, Sendable {
  struct Phrase: Hashable, Sendable {
    var tokens: [String]
    /// Whether the last token may continue.
    var isPrefix: Bool
  }

  /// A text matches if it has one phrase of each group.
  let required: [[Phrase]]
  let excluded: [Phrase]

  /// Takes the words of a search apart, and ignores those without letters or digits.
  init(_ query: SearchQuery) {
    let scanner = TokenScanner()
    required = query.terms.map { group in
      group.flatMap { Self.phrases(of: $0, scanner) }
    }.filter { !$0.isEmpty }
    excluded = query.excluded.flatMap { Self.phrases(of: $0, scanner) }
  }

  var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

  var phrases: [Phrase] { required.flatMap { $0 } }

  private static func phrases(of term: SearchQuery.Term, _ scanner: TokenScanner) -> [Phrase] {
    let tokens = scanner.tokens(of: term.text.utf8)
    let parts = tokens.filter { !$0.isColocated }
    guard let last = parts.last else { return [] }
    // A large part of all words begins with any one letter, and they take long to collect.
    let isPrefix = term.isPrefix && last.text.utf8.count > 1
    // In a word of several parts the whole word follows the first part, and the other parts follow that.
    let wholes =
      parts.filter { part in
        !tokens.contains {
          $0.isColocated && $0.source != part.source && $0.source.contains(part.source)
        }
      } + tokens.filter(\.isColocated)
    let spellings = [parts, wholes.sorted { $0.source.lowerBound < $1.source.lowerBound }]
    let phrases = spellings.map { tokens in
      Phrase(tokens: tokens.map(\.text), isPrefix: isPrefix)
    }
    return phrases[0] == phrases[1] ? [phrases[0]] : phrases
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

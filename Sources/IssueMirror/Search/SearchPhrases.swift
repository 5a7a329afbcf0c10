internal import GitHubAPI

/// The words of a search as an index has them: each is the phrase of its tokens. A word of several parts is looked
/// for as those, and whole.
struct SearchPhrases: Hashable, Sendable {
  /// Tokens that stand one after the other.
  struct Phrase: Hashable, Sendable {
    var tokens: [String]
    /// Whether the last token may go on.
    var isPrefix: Bool
  }

  /// What has to be there: of each, one phrase.
  let required: [[Phrase]]
  /// What must not be there.
  let excluded: [Phrase]

  /// Takes the words of a search apart; what has neither letters nor digits is passed over.
  init(_ query: SearchQuery) {
    let scanner = TokenScanner()
    required = query.terms.map { group in
      group.flatMap { Self.phrases(of: $0, scanner) }
    }.filter { !$0.isEmpty }
    excluded = query.excluded.flatMap { Self.phrases(of: $0, scanner) }
  }

  /// Whether there is nothing to look for.
  var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

  /// The phrases that have to be there, in order.
  var phrases: [Phrase] { required.flatMap { $0 } }

  private static func phrases(of term: SearchQuery.Term, _ scanner: TokenScanner) -> [Phrase] {
    let tokens = scanner.tokens(of: term.text.utf8)
    let parts = tokens.filter { !$0.isColocated }
    guard let last = parts.last else { return [] }
    // What begins with one letter is a good part of all words, and takes long to put together.
    let isPrefix = term.isPrefix && last.text.utf8.count > 1
    // In a word of several parts the first is followed by the whole, and that by the other parts.
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

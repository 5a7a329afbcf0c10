internal import GitHubAPI

/// The words of a search as phrases of tokens. A word with several parts is searched both as its parts and as a whole.
package struct SearchPhrases: Hashable, Sendable {
  package struct Phrase: Hashable, Sendable {
    package var tokens: [String]
    package var isPrefix: Bool
  }

  package let required: [[Phrase]]
  package let excluded: [Phrase]

  package init(_ query: SearchQuery) {
    let scanner = TokenScanner()
    required = query.terms.map { group in
      group.flatMap { Self.phrases(of: $0, scanner) }
    }.filter { !$0.isEmpty }
    excluded = query.excluded.flatMap { Self.phrases(of: $0, scanner) }
  }

  /// Creates an expression that matches text with any of the phrases.
  package init(anyOf phrases: [Phrase]) {
    required = phrases.isEmpty ? [] : [phrases]
    excluded = []
  }

  var isEmpty: Bool { required.isEmpty && excluded.isEmpty }

  package var phrases: [Phrase] { required.flatMap { $0 } }

  private static func phrases(of term: SearchQuery.Term, _ scanner: TokenScanner) -> [Phrase] {
    let tokens = scanner.tokens(of: term.text.utf8)
    let parts = tokens.filter { !$0.isColocated }
    guard !parts.isEmpty else { return [] }
    // The whole word comes after the first part, and is followed by the other parts.
    let wholes =
      parts.filter { part in
        !tokens.contains {
          $0.isColocated && $0.source != part.source && $0.source.contains(part.source)
        }
      } + tokens.filter(\.isColocated)
    let spellings = [parts, wholes.sorted { $0.source.lowerBound < $1.source.lowerBound }]
    let phrases = spellings.map { tokens in
      Phrase(tokens: tokens.map(\.text), isPrefix: term.isPrefix)
    }
    return phrases[0] == phrases[1] ? [phrases[0]] : phrases
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}

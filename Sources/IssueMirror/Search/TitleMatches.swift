/// Finds the words of a search in titles. It must be used by one thread at a time.
package struct TitleMatches {
  private let snippet: Snippet

  /// Nil if the search doesn't contain words that a title could match.
  package init?(_ query: SearchQuery) {
    let phrases = SearchPhrases(query)
    guard !phrases.phrases.isEmpty else { return nil }
    snippet = Snippet(matcher: TextMatcher(phrases))
  }

  /// The title in pieces, compared in the same way as in the search: without case and diacritics.
  package func parts(of title: String) -> [SnippetPart] { snippet.whole(title) }
}

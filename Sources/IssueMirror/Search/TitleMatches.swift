/// Finds the words of a search in titles. Only one thread at a time may use it.
package struct TitleMatches {
  private let snippet: Snippet

  /// nil if the search has no words that a title could contain.
  package init?(_ query: SearchQuery) {
    let phrases = SearchPhrases(query)
    guard !phrases.phrases.isEmpty else { return nil }
    snippet = Snippet(matcher: TextMatcher(phrases))
  }

  /// The title in pieces, as the search compares it: without case and diacritics.
  package func parts(of title: String) -> [SnippetPart] { snippet.whole(title) }
}

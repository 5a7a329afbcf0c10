internal import Reactive

extension RepositorySearch {
  /// Makes queries of text as it is typed: one at most every 0.3 s, the newest last, and none twice in
  /// succession.
  ///
  /// Blanks around the text are left out: who types one between two words doesn't search anew. The other
  /// forms do this themselves; it is for who sends queries to a ``GitHubSearchReactor``.
  ///
  /// - Parameter texts: The text, each time it changes.
  /// - Returns: The queries. An empty one clears the search.
  public func queries<Texts: AsyncSequence & Sendable>(
    _ texts: Texts
  ) -> some AsyncSequence<String, Never> & Sendable
  where Texts.Element == String, Texts.Failure == Never {
    texts.throttleLatest(for: .milliseconds(300), clock: clock).map(Self.trimmed).distinct()
  }

  private static func trimmed(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(text[...last].drop { $0.isWhitespace })
  }
}

package import IssueMirror
internal import IssueTracker

extension ListQuery {
  /// A filter that only a search can answer, or a list once `@me` is resolved.
  ///
  /// Unless the filter says otherwise, it means open issues.
  package struct Search: Sendable, Hashable {
    /// The text as typed.
    package let text: String
    /// The query for the mirror, with any login for `@me`; nil if only a server supports it.
    package let query: SearchQuery?

    /// - Throws: ``InvalidInput`` if neither the mirror nor GitHub's search supports the text.
    package init(_ text: String) throws(InvalidInput) {
      self.text = text
      do throws(InvalidInput) {
        query = try SearchQuery(filtering: Self.naming("me", in: text))
      } catch {
        guard Self.isForServer(text) else { throw error }
        try GitHubQualifier.check(text)
        query = nil
      }
    }

    /// Whether the text refers to the user of the access token.
    package var needsLogin: Bool { FilterWord.words(of: text).contains(where: \.isOwn) }

    /// Whether the mirror also finds words that begin with the last word. GitHub finds only whole words.
    var isOpenEnded: Bool { query != (try? Search("\(text) "))?.query }

    /// The words to find in titles; nil if the query doesn't contain any or can't be parsed.
    var words: SearchQuery? {
      if let query { return query }
      let words = FilterWord.words(of: text).filter { $0.name.isEmpty }.map(\.text)
      return try? SearchQuery(filtering: words.joined(separator: " "))
    }

    /// The search in the mirror.
    ///
    /// - Throws: ``InvalidInput`` if only a server supports it.
    func inMirror(login: String?) throws(InvalidInput) -> SearchQuery {
      try SearchQuery(filtering: login.map { Self.naming($0, in: text) } ?? text)
    }

    /// The equivalent filter of a list, if there is one.
    func filter(login: String?) -> IssueFilter? {
      try? IssueFilter(query: login.map { Self.naming($0, in: text) } ?? text)
    }

    /// A filter that every result matches; nil if none is known.
    var certainFilter: IssueFilter? {
      let words = FilterWord.words(of: text).map(\.text)
      guard !QueryWord.hasAlternatives(text), !words.contains("NOT") else { return nil }
      let understood = words.filter { (try? IssueFilter(query: $0)) != nil }
      let text = understood.joined(separator: " ")
      var filter = try? IssueFilter(query: text)
      if QueryWord.tellsState(self.text), !QueryWord.tellsState(text) { filter?.state = .all }
      return filter
    }

    /// The text of the search on GitHub, in all repositories if no names are given.
    func sent(to repositories: [RepositoryName], login: String?) -> String {
      let text = login.map { Self.naming($0, in: self.text) } ?? self.text
      let places = QueryWord.places(repositories)
      // The mirror's interpretation is used, so that both results agree. The space ends the last word.
      if let query = try? SearchQuery(filtering: "\(text) ") {
        return [query.text, places].filter { !$0.isEmpty }.joined(separator: " ")
      }
      let words = FilterWord.words(of: text).filter { !$0.meansBothStates }
      var asked = words.map(\.text).joined(separator: " ")
      if QueryWord.hasAlternatives(asked) { asked = "(\(asked))" }
      if !QueryWord.tellsState(text) { asked += " is:open" }
      if !words.contains(where: \.tellsKind) { asked += " is:issue" }
      return [asked, places].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func naming(_ login: String, in text: String) -> String {
      var named = text
      for word in FilterWord.words(of: text).reversed() where word.isOwn {
        named.replaceSubrange(word.range, with: "\(word.sign)\(word.name):\(login)")
      }
      return named
    }

    /// Whether GitHub's search might support text that the mirror doesn't: qualifiers that the mirror lacks, nested
    /// parentheses, alternatives of qualifiers.
    private static func isForServer(_ text: String) -> Bool {
      let words = FilterWord.words(of: text)
      let operators = ["AND", "OR", "NOT"]
      guard words.allSatisfy(\.isClosed), let first = words.first?.text,
        let last = words.last?.text,
        !operators.contains(last), first != "AND", first != "OR"
      else { return false }
      return text.count { $0 == "(" } == text.count { $0 == ")" }
    }
  }
}

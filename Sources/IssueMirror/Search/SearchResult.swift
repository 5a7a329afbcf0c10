public import GitHubAPI
public import PlatformModules

/// An issue found by a search. Its text comes from the network and may contain control characters.
public struct SearchResult: Sendable, Hashable, Identifiable {
  /// The identity of a result. The number alone isn't unique, because a search may include several repositories.
  public struct ID: Hashable, Sendable {
    /// The repository.
    public let repository: MirroredRepository.ID
    /// The number of the issue.
    public let number: Int
  }

  /// The issue's repository.
  public var repository: MirroredRepository
  /// The issue or pull request.
  public var issue: GitHub.Issue
  /// The JSON object that the server sent.
  public var json: Data
  /// The title with its matches.
  public var title: [SnippetPart]
  /// The best matching part of the issue's text or of a comment. If only the title matches, the beginning of the
  /// issue's text. `…` represents omitted text.
  public var snippet: [SnippetPart]
  /// Whether the snippet is part of a comment.
  public var isComment: Bool
  /// The quality of the match. Higher is better; values can only be compared within one search. The score is 0 unless
  /// the order is relevance.
  public var score: Double

  package init(
    repository: MirroredRepository, issue: GitHub.Issue, json: Data, title: [SnippetPart],
    snippet: [SnippetPart], isComment: Bool, score: Double
  ) {
    self.repository = repository
    self.issue = issue
    self.json = json
    self.title = title
    self.snippet = snippet
    self.isComment = isComment
    self.score = score
  }

  /// The repository and the number.
  public var id: ID { ID(repository: repository.id, number: issue.number) }
}

/// A piece of found text.
public struct SnippetPart: Sendable, Hashable {
  /// The text, in whole characters (extended grapheme clusters).
  public var text: String
  /// Whether the piece matches.
  public var isMatch: Bool

  /// Creates a piece.
  public init(_ text: String, isMatch: Bool = false) {
    self.text = text
    self.isMatch = isMatch
  }
}

/// The results of a search.
public struct FoundIssues: Sendable, Hashable {
  /// The first results, in order.
  public var results: [SearchResult]
  /// The number of matches; nil if counting would take longer than the search.
  public var count: Int?
  /// Whether every match was ranked. If very many issues match, only the newest are ranked, and the newest with all
  /// words in the title.
  public var isExhaustive: Bool

  package init(results: [SearchResult], count: Int?, isExhaustive: Bool) {
    self.results = results
    self.count = count
    self.isExhaustive = isExhaustive
  }
}

/// The results of a search. They are read on demand, so that a large number takes little memory.
package struct SearchListing: Sendable, Hashable {
  package struct Hit: Hashable, Sendable {
    package var repository: MirroredRepository.ID
    package var number: Int
    package var comment: Int64?
    package var score: Double

    package init(
      repository: MirroredRepository.ID, number: Int, comment: Int64? = nil, score: Double = 0
    ) {
      self.repository = repository
      self.number = number
      self.comment = comment
      self.score = score
    }
  }

  package let query: SearchQuery
  package let repositories: [MirroredRepository]
  package let hits: [Hit]
  package let count: Int?
  package let isExhaustive: Bool

  package init(
    query: SearchQuery, repositories: [MirroredRepository], hits: [Hit], count: Int?,
    isExhaustive: Bool
  ) {
    self.query = query
    self.repositories = repositories
    self.hits = hits
    self.count = count
    self.isExhaustive = isExhaustive
  }

  package var resultsCount: Int { hits.count }

  /// Omits issues that the store no longer has, for which `documents` returns nil.
  package func results(
    _ range: Range<Int>, documents: (Hit) throws -> (issue: Data, comment: Data?)?
  ) throws -> [SearchResult] {
    let snippet = Snippet(matcher: TextMatcher(SearchPhrases(query)))
    let searched = Dictionary(
      repositories.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return try hits[range.clamped(to: hits.indices)].compactMap { hit in
      guard let repository = searched[hit.repository],
        let (json, comment) = try documents(hit)
      else { return nil }
      let issue = try GitHubJSON.decodeKept(GitHub.Issue.self, json, "issue \(hit.number)")
      var text = issue.body
      if hit.comment != nil {
        text = try comment.flatMap { json in
          try GitHubJSON.decodeKept(
            IssueComment.self, json, "a comment on issue \(hit.number)"
          ).body
        }
      }
      return SearchResult(
        repository: repository, issue: issue, json: json, title: snippet.whole(issue.title),
        snippet: snippet.best(of: text ?? ""), isComment: hit.comment != nil, score: hit.score)
    }
  }
}

public import GitHubAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An issue that was found.
///
/// Every text comes from the network as somebody typed it and may hold control characters.
public struct SearchResult: Sendable, Hashable {
  /// Where it is.
  public var repository: MirroredRepository
  /// The issue or pull request.
  public var issue: Issue
  /// The object that the server sent.
  public var json: Data
  /// Its title, in parts.
  public var title: [SnippetPart]
  /// A part of the text that was found, its issue's or a comment's, around what matches best there; where
  /// only the title matches, the beginning of the issue's text. Parts that were left out are `…`.
  public var snippet: [SnippetPart]
  /// Whether what was found is a comment, of which the snippet is then.
  public var isComment: Bool
  /// How well it matches, the better the higher; comparable within one search only, and 0 where results are
  /// ordered otherwise.
  public var score: Double
}

/// A part of a text that was found.
public struct SnippetPart: Sendable, Hashable {
  /// The text, in whole characters (extended grapheme clusters).
  public var text: String
  /// Whether it is what was looked for.
  public var isMatch: Bool

  /// Makes a part.
  public init(_ text: String, isMatch: Bool = false) {
    self.text = text
    self.isMatch = isMatch
  }
}

/// What a search found.
public struct FoundIssues: Sendable, Hashable {
  /// The first results, in order.
  public var results: [SearchResult]
  /// How many issues match; nil where that would take longer than the search.
  public var count: Int?
  /// Whether every match was compared with the others. Where very many match, only the newest ones are
  /// ordered by relevance, and the newest of those that have all words in the title.
  public var isExhaustive: Bool
}

/// What a search found, whose results are read when they are needed: very many take little memory.
package struct SearchListing: Sendable {
  /// An issue that matches.
  package struct Hit: Hashable, Sendable {
    /// Its repository.
    package var repository: MirroredRepository.ID
    /// Its number.
    package var number: Int
    /// The comment that matches, where the issue's own text doesn't, or not as well.
    package var comment: Int64?
    /// How well it matches.
    package var score: Double

    /// Makes a hit.
    package init(
      repository: MirroredRepository.ID, number: Int, comment: Int64? = nil, score: Double = 0
    ) {
      self.repository = repository
      self.number = number
      self.comment = comment
      self.score = score
    }
  }

  /// What was searched for.
  package let query: SearchQuery
  /// Where.
  package let repositories: [MirroredRepository]
  /// The issues, in order.
  package let hits: [Hit]
  /// How many issues match; nil where that would take longer than the search.
  package let count: Int?
  /// Whether every match was compared with the others.
  package let isExhaustive: Bool

  /// Makes a list.
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

  /// How many results there are.
  package var resultsCount: Int { hits.count }

  /// Makes results of some hits.
  ///
  /// - Parameters:
  ///   - range: Which ones, from 0.
  ///   - documents: Gives what the server sent of a hit: the issue, and the comment if that is what was found; nil
  ///     where the issue isn't kept any more.
  /// - Returns: The results; what isn't kept any more is left out.
  /// - Throws: What `documents` throws; ``MirrorFailure``.
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
      let issue = try GitHubJSON.decodeKept(Issue.self, json, "issue \(hit.number)")
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

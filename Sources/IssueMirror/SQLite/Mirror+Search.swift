internal import GRDB
internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Mirror {
  /// Finds issues and pull requests.
  ///
  /// ```swift
  /// let query = try SearchQuery(parsing: "is:open crash parser")
  /// for result in try await mirror.search(query, in: mirror.repositories(), limit: 10) {
  ///   print(result.issue.number, result.issue.title)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - repositories: Where; of these, only the ones that the query names, if it names some.
  ///   - limit: How many results there are at most.
  /// - Returns: The results, in the order that the query asks for.
  /// - Throws: ``MirrorFailure``.
  public func search(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await results(of: query, in: repositories, limit: limit).results
  }

  /// Finds issues and pull requests, and tells how many there are.
  ///
  /// Results are ordered by how well they match: by the words' rarity and how often they stand in a text of
  /// that length (BM25), three times as much for the title; an issue's own text counts more than a comment, and
  /// of two that match alike the newer one comes first. Without words, the newest issues come first.
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - repositories: Where; of these, only the ones that the query names, if it names some.
  ///   - limit: How many results there are at most.
  /// - Returns: The results, in the order that the query asks for, with their count where it is known. Where a
  ///   thousand at most are wanted, and very many match, only the newest of them are compared
  ///   (``FoundIssues/isExhaustive``).
  /// - Throws: ``MirrorFailure``.
  public func results(
    of query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> FoundIssues {
    try await reading { db in
      let listing = try Self.find(query, in: repositories, limit: limit, db)
      return FoundIssues(
        results: try listing.results(listing.hits[...], db), count: listing.count,
        isExhaustive: listing.isExhaustive)
    }
  }

  /// Finds issues and pull requests whose results are read in portions: see ``results(_:of:)``.
  ///
  /// - Parameters:
  ///   - query: What is searched for.
  ///   - repositories: Where; of these, only the ones that the query names, if it names some.
  ///   - limit: How many results there are at most.
  /// - Returns: What was found.
  /// - Throws: ``MirrorFailure``.
  package func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing {
    try await reading { db in try Self.find(query, in: repositories, limit: limit, db) }
  }

  /// Reads some results of a search.
  ///
  /// - Parameters:
  ///   - range: Which ones, from 0.
  ///   - listing: What was found.
  /// - Returns: The results; what isn't kept any more is left out.
  /// - Throws: ``MirrorFailure``.
  package func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult] {
    let hits = listing.hits[range.clamped(to: listing.hits.indices)]
    return try await reading { db in try listing.results(hits, db) }
  }

  private static func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int, _ db: Database
  ) throws -> SearchListing {
    let searched = try MirroredRepository.named(query.repositories, among: repositories, db)
    // Who wants more than are compared otherwise wants all that match.
    let search = IssueSearch(
      query, in: searched.map(\.id), comparesAll: limit > IssueSearch.rankedCount)
    let found = try search.found(limit: max(limit, 0), db)
    return SearchListing(
      hits: found.hits, count: found.count, isExhaustive: found.isExhaustive,
      expression: search.expression, repositories: searched)
  }
}

/// What a search found, whose results are read when they are needed: very many take little memory.
package struct SearchListing: Sendable {
  /// The issues, in order.
  let hits: [IssueSearch.Hit]
  /// How many issues match; nil where that would take longer than the search.
  package let count: Int?
  /// Whether every match was compared with the others.
  package let isExhaustive: Bool
  fileprivate let expression: MatchExpression
  fileprivate let repositories: [MirroredRepository]

  /// How many results there are.
  package var resultsCount: Int { hits.count }

  fileprivate func results(
    _ hits: ArraySlice<IssueSearch.Hit>, _ db: Database
  ) throws -> [SearchResult] {
    let reader = SearchResultReader(expression: expression, repositories: repositories)
    return try hits.compactMap { try reader.result(of: $0, db) }
  }
}

/// Makes results of hits.
private struct SearchResultReader {
  private let snippet: Snippet
  private let repositories: [Int64: MirroredRepository]

  fileprivate init(expression: MatchExpression, repositories: [MirroredRepository]) {
    snippet = Snippet(matcher: TextMatcher(expression))
    self.repositories = Dictionary(
      repositories.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func result(of hit: IssueSearch.Hit, _ db: Database) throws -> SearchResult? {
    guard
      let repository = repositories[hit.repository],
      let json = try SQLRequest<Data>(
        literal: """
          SELECT json FROM item WHERE repository = \(hit.repository) AND number = \(hit.number)
          """
      ).fetchOne(db)
    else { return nil }
    let issue = try Mirror.decode(Issue.self, json, "issue \(hit.number)")
    var text = issue.body
    if let comment = hit.comment {
      let json = try SQLRequest<Data>(
        literal: """
          SELECT json FROM comment WHERE repository = \(hit.repository)
            AND id = \(comment & (1 << SearchIndex.commentBits - 1))
          """
      ).fetchOne(db)
      text = try json.flatMap { json in
        try Mirror.decode(IssueComment.self, json, "a comment on issue \(hit.number)").body
      }
    }
    return SearchResult(
      repository: repository, issue: issue, json: json, title: snippet.whole(issue.title),
      snippet: snippet.best(of: text ?? ""), isComment: hit.comment != nil, score: hit.score)
  }
}

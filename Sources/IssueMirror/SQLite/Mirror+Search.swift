internal import GRDB
internal import GitHubAPI
internal import PlatformModules

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
  ///   - query: The search.
  ///   - repositories: The repositories to search. If the query specifies repositories, only those among them are
  ///     searched.
  ///   - limit: The most results to return.
  /// - Returns: The results, in the query's order.
  /// - Throws: ``MirrorFailure``.
  public func search(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await results(of: query, in: repositories, limit: limit).results
  }

  /// Finds issues and pull requests, and counts them.
  ///
  /// Results are ordered by relevance (BM25), which depends on the rarity of the words and on their frequency in a text
  /// relative to its length. Words in titles have three times the weight. An issue's own text counts more than a
  /// comment. Newer issues score higher. Without words, the newest issues come first.
  ///
  /// - Parameters:
  ///   - query: The search.
  ///   - repositories: The repositories to search. If the query specifies repositories, only those among them are
  ///     searched.
  ///   - limit: The most results to return.
  /// - Returns: The results in the query's order, and their number if known. With a limit of up to a thousand, if very
  ///   many issues match, only the newest of them are ranked (``FoundIssues/isExhaustive``).
  /// - Throws: ``MirrorFailure``.
  public func results(
    of query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> FoundIssues {
    try await reading { [database] db in
      let listing = try Self.find(query, in: repositories, limit: limit, db, database)
      return FoundIssues(
        results: try Self.results(listing.hits.indices, of: listing, db), count: listing.count,
        isExhaustive: listing.isExhaustive)
    }
  }

  /// Finds issues that are similar to another issue or to given text, which are likely duplicates.
  ///
  /// ```swift
  /// let query = SimilarIssuesQuery(.text("Crash in TypeChecker::solve"), state: .open)
  /// for found in try await mirror.similarIssues(to: query, in: repository, limit: 5) {
  ///   print(found.issue.number, found.issue.title, found.score)
  /// }
  /// ```
  ///
  /// The rarest words of the text determine the result, especially those in titles. Words are compared by their stems,
  /// and synonyms count half; identifiers and crash frames are compared as a whole. Comments aren't compared. The work is bounded for text of any length: if it exceeds 64
  /// KiB, only its beginning and end are read. If very many issues share a word, only the newest of them are compared.
  ///
  /// - Parameters:
  ///   - query: The text or issue to compare with, and the issues to return.
  ///   - repository: The repository.
  ///   - limit: The most results to return.
  /// - Returns: The results, the most similar first, with the shared parts as matches. The score is the
  ///   estimated probability that both report the same. Unrelated issues aren't returned.
  /// - Throws: ``MirrorFailure``, with the code ``MirrorFailure/Code/notMirrored`` if the mirror doesn't have an
  ///   issue with the query's number.
  public func similarIssues(
    to query: SimilarIssuesQuery, in repository: MirroredRepository, limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await reading { db in
      let item = try db.cachedStatement(
        sql: "SELECT json FROM item WHERE repository = ? AND number = ?")
      func json(_ number: Int) throws -> Data? {
        try Data.fetchOne(item, arguments: [repository.id, number])
      }
      let terms = try query.terms(in: repository) { number in
        try json(number).map {
          try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)")
        }
      }
      return try SimilaritySearch(query, in: repository.id).candidates(terms, db)
        .results(in: repository, limit: limit, json)
    }
  }

  package func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing {
    try await reading { [database] db in
      try Self.find(query, in: repositories, limit: limit, db, database)
    }
  }

  package func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await reading { db in try Self.results(range, of: listing, db) }
  }

  private static func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int, _ db: Database,
    _ pool: DatabasePool
  ) throws -> SearchListing {
    let searched = try MirroredRepository.named(query.repositories, among: repositories, db)
    // A larger limit ranks all matches.
    let search = IssueSearch(
      query, in: searched.map(\.id), comparesAll: limit > IssueSearch.rankedCount, pool: pool)
    let found = try search.found(limit: max(limit, 0), db)
    return SearchListing(
      query: query, repositories: searched,
      hits: found.hits.map { hit in
        SearchListing.Hit(
          repository: hit.repository, number: Int(hit.number),
          comment: hit.comment.map { $0 & (1 << SearchIndex.commentBits - 1) }, score: hit.score)
      }, count: found.count, isExhaustive: found.isExhaustive)
  }

  private static func results(
    _ range: Range<Int>, of listing: SearchListing, _ db: Database
  ) throws -> [SearchResult] {
    let item = try db.cachedStatement(
      sql: "SELECT json FROM item WHERE repository = ? AND number = ?")
    let comment = try db.cachedStatement(
      sql: "SELECT json FROM comment WHERE repository = ? AND id = ?")
    return try listing.results(range) { hit in
      guard let json = try Data.fetchOne(item, arguments: [hit.repository, hit.number]) else {
        return nil
      }
      let found = try hit.comment.flatMap { id in
        try Data.fetchOne(comment, arguments: [hit.repository, id])
      }
      return (json, found)
    }
  }
}

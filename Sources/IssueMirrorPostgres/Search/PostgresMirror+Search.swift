public import IssueMirror
internal import PlatformModules

extension PostgresMirror {
  /// Finds issues and pull requests.
  public func search(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await results(of: query, in: repositories, limit: limit).results
  }

  /// Finds issues and pull requests, and counts them. This works like the search of a ``/IssueMirror/Mirror`` except
  /// for the relevance, which depends on the distance between the words, with more weight for titles and less for
  /// comments.
  public func results(
    of query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> FoundIssues {
    try await reading { db in
      let listing = try Self.find(query, in: repositories, limit: limit, db)
      return FoundIssues(
        results: try Self.results(listing.hits.indices, of: listing, db), count: listing.count,
        isExhaustive: listing.isExhaustive)
    }
  }

  package func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int
  ) async throws(MirrorFailure) -> SearchListing {
    try await reading { db in try Self.find(query, in: repositories, limit: limit, db) }
  }

  package func results(
    _ range: Range<Int>, of listing: SearchListing
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await reading { db in try Self.results(range, of: listing, db) }
  }

  private static func find(
    _ query: SearchQuery, in repositories: [MirroredRepository], limit: Int,
    _ db: PostgresSession
  ) throws -> SearchListing {
    let searched = try named(query.repositories, among: repositories, db)
    // A larger limit ranks all matches.
    let search = try PostgresSearch(
      query, in: searched.map(\.id), comparesAll: limit > PostgresSearch.rankedCount, db)
    let found = try search.found(limit: max(limit, 0), db)
    return SearchListing(
      query: query, repositories: searched, hits: found.hits, count: found.count,
      isExhaustive: found.isExhaustive)
  }

  private struct Place: Hashable {
    var repository: Int64
    var number: Int64
  }

  private static func results(
    _ range: Range<Int>, of listing: SearchListing, _ db: PostgresSession
  ) throws -> [SearchResult] {
    let hits = listing.hits[range.clamped(to: listing.hits.indices)]
    let items = try documents(
      "item", "number", hits.map { Place(repository: $0.repository, number: Int64($0.number)) }, db)
    let comments = try documents(
      "comment", "id",
      hits.compactMap { hit in
        hit.comment.map { Place(repository: hit.repository, number: $0) }
      }, db)
    return try listing.results(range) { hit in
      guard let json = items[Place(repository: hit.repository, number: Int64(hit.number))] else {
        return nil
      }
      let comment = hit.comment.flatMap { comments[Place(repository: hit.repository, number: $0)] }
      return (json, comment)
    }
  }

  private static func documents(
    _ table: String, _ key: String, _ places: [Place], _ db: PostgresSession
  ) throws -> [Place: Data] {
    guard !places.isEmpty else { return [:] }
    let rows = try db.rows(
      """
      SELECT repository, \(sql: key), json
      FROM unnest(\(places.map(\.repository)), \(places.map(\.number)))
        AS wanted(repository, \(sql: key)) JOIN \(sql: table) USING (repository, \(sql: key))
      """)
    return try Dictionary(
      rows.map {
        (Place(repository: try $0.value(0), number: try $0.value(1)), try $0.value(2))
      }, uniquingKeysWith: { $1 })
  }

  /// Finds issues that are similar to another issue or to given text, which are likely duplicates.
  public func similarIssues(
    to query: SimilarIssuesQuery, in repository: MirroredRepository, limit: Int
  ) async throws(MirrorFailure) -> [SearchResult] {
    try await reading { db in
      let terms = try query.terms(in: repository) { number in
        try Self.json(of: [number], repository, db)[number].map {
          try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)")
        }
      }
      let candidates = try PostgresSimilarity(query, in: repository.id).candidates(terms, db)
      let documents = try Self.json(of: candidates.numbers, repository, db)
      return try candidates.results(in: repository, limit: limit) { documents[$0] }
    }
  }

  /// Rebuilds the words of texts if they are missing or were created by another version of this program.
  ///
  /// - Returns: Whether any words were rebuilt.
  /// - Throws: ``/IssueMirror/MirrorFailure``.
  @discardableResult
  public func repairSearchIndex() async throws(MirrorFailure) -> Bool {
    let (isCurrent, repositories) = try await reading { db in
      let repositories = try db.rows("SELECT \(MirroredRepository.columns) FROM repository")
        .map { try MirroredRepository($0) }
      return (try PostgresSchema.hasPresentWords(db), repositories)
    }
    var hasRepaired = false
    for repository in repositories {
      do throws(MirrorFailure) {
        let repaired = try await repair(repository, isCurrent: isCurrent)
        hasRepaired = hasRepaired || repaired
      } catch {
        // The error is expected if the repository was removed.
        guard error.code == .notMirrored else { throw error }
      }
    }
    if !isCurrent {
      try await writing { db in
        _ = try db.rows("UPDATE mirror SET search_index = \(TextVector.version)")
      }
    }
    return hasRepaired
  }

  private func repair(
    _ repository: MirroredRepository, isCurrent: Bool
  ) async throws(MirrorFailure) -> Bool {
    var hasRepaired = false
    for feed in ChangeFeed.allCases {
      var last: Int64? = 0
      while let start = last {
        let (changed, next) = try await writing(to: repository) { db in
          try Self.repair(feed, of: repository, after: start, isCurrent: isCurrent, db)
        }
        hasRepaired = hasRepaired || changed
        last = next
      }
    }
    return hasRepaired
  }

  /// Processes a few hundred texts. Returns whether any were rebuilt, and the position to continue from.
  private static func repair(
    _ feed: ChangeFeed, of repository: MirroredRepository, after start: Int64, isCurrent: Bool,
    _ db: PostgresSession
  ) throws -> (Bool, Int64?) {
    let (table, key): (String, String) = feed == .items ? ("item", "number") : ("comment", "id")
    let stride = 500
    let missing: PostgresSQL =
      isCurrent
      ? """
       AND NOT EXISTS (
        SELECT FROM \(sql: table)_text AS text
        WHERE text.repository = \(sql: table).repository AND text.\(sql: key) = \(sql: table).\(sql: key))
      """ : ""
    let properties: PostgresSQL =
      feed == .items ? ", state, is_pull_request, author_key, label_keys, assignee_keys" : ""
    let rows = try db.rows(
      """
      SELECT \(sql: key), number, coalesce(created_at, 0), json\(properties) FROM \(sql: table)
      WHERE repository = \(repository.id) AND \(sql: key) > \(start)\(missing)
      ORDER BY \(sql: key) LIMIT \(stride)
      """)
    guard !rows.isEmpty else { return (false, nil) }
    var keys: [Int64] = []
    var (numbers, times): ([Int], [Int]) = ([], [])
    var texts: [TextVector] = []
    for row in rows {
      let json: Data = try row.value(3)
      keys.append(try row.value(0))
      numbers.append(try row.value(1))
      times.append(try row.value(2))
      let text = ItemText(json)
      let vector =
        switch feed {
        case .items:
          TextVector(
            title: text.title, body: text.body, of: repository.id,
            keys: ItemKeys(
              state: try row.value(4), isPullRequest: try row.value(5), author: try row.value(6),
              labels: try row.value(7), assignees: try row.value(8)))
        case .comments: TextVector(title: nil, body: text.body, of: repository.id)
        }
      texts.append(vector)
    }
    if feed == .items {
      try db.rows(
        """
        INSERT INTO item_text (repository, number, created_at, tsv)
        SELECT \(repository.id), u.* FROM unnest(\(numbers), \(times), \(.vectors(texts))) AS u
        ON CONFLICT (repository, number) DO UPDATE SET
          created_at = excluded.created_at, tsv = excluded.tsv
        """)
    } else {
      try db.rows(
        """
        INSERT INTO comment_text (repository, id, number, created_at, tsv)
        SELECT \(repository.id), u.*
        FROM unnest(\(keys), \(numbers), \(times), \(.vectors(texts))) AS u
        ON CONFLICT (repository, id) DO UPDATE SET
          number = excluded.number, created_at = excluded.created_at, tsv = excluded.tsv
        """)
    }
    return (true, keys.count < stride ? nil : keys.last)
  }
}

internal import IssueMirror

/// Finds the issues that match a search. A matching comment counts as a match of its issue.
///
/// If more than ``rankedCount`` texts match, only the newest are ranked. If few of them have all words in the title,
/// others that have them are ranked as well. `comparesAll` ranks all of them. The score is PostgreSQL's cover density,
/// which favors words that are close to each other.
struct PostgresSearch {
  static let rankedCount = 1_000

  /// Limits that keep a search fast even with very many texts.
  struct Bounds {
    var rankedCount = PostgresSearch.rankedCount
    /// The number of ranked texts for phrases in many repositories. It is lower, because each text with the words has
    /// to be read.
    var rankedPhrases = 300
    /// The number of newest texts to read first for phrases and prefixes, and the most to read before the index is
    /// used.
    var newestTexts = 5_000
    var mostNewestTexts = 100_000
    /// The most matching texts to join to their issues for sorting. If more texts match, the issues are sorted first.
    var mostJoined = 20_000
    /// The most results for which the issues are sorted first. For more results, all matches are sorted.
    var mostSortedFirst = 300
    /// The number of issues whose properties are tested in the order of the results, before the index of words is used.
    var mostTested = 20_000
  }

  private static let commentShare = 0.6
  /// The weight of recency in the score, from a repository's oldest issue to its newest.
  private static let recencyShare = 0.3

  struct Found {
    var hits: [SearchListing.Hit]
    var count: Int?
    var isExhaustive: Bool
  }

  private struct Place: Hashable {
    var repository: Int64
    var number: Int
  }

  /// The repositories to search, in a form for the conditions of a statement.
  private enum Scope {
    case few([Int64])
    case many([Int64])
    case all(except: [Int64])
  }

  private let query: SearchQuery
  private let conditions: PostgresConditions
  private let repositories: [Int64]
  private let scope: Scope
  private let expression: SearchPhrases
  private let bounds: Bounds
  private let mostRanked: Int
  private let isInComments: Bool
  /// The part to search; nil if issues' own texts aren't searched.
  private let place: TextQuery.Place?

  /// Ignores the repositories in the query, which the caller must handle.
  init(
    _ query: SearchQuery, in repositories: [Int64], comparesAll: Bool = false,
    bounds: Bounds = Bounds(), _ db: PostgresSession
  ) throws {
    self.query = query
    self.bounds = bounds
    self.repositories = repositories
    scope = try Self.scope(of: repositories, db)
    conditions = PostgresConditions(query, hasWords: try PostgresSchema.hasPresentWords(db))
    expression = SearchPhrases(query)
    mostRanked = comparesAll ? .max : bounds.rankedCount
    isInComments = query.places.contains(.comments)
    place =
      switch (query.places.contains(.title), query.places.contains(.body)) {
      case (true, true): .anywhere
      case (true, false): .title
      case (false, true): .body
      case (false, false): nil
      }
  }

  private static func scope(of repositories: [Int64], _ db: PostgresSession) throws -> Scope {
    if TextQuery.repositories(repositories) != nil { return .few(repositories) }
    let others: [Int64] = try db.column(
      "SELECT key FROM repository WHERE key <> ALL (\(repositories)) LIMIT \(repositories.count)")
    return others.count < repositories.count ? .all(except: others) : .many(repositories)
  }

  func found(limit: Int, _ db: PostgresSession) throws -> Found {
    if !query.terms.isEmpty, expression.required.isEmpty {
      return Found(hits: [], count: 0, isExhaustive: true)
    }
    if expression.required.isEmpty || query.sort != .relevance {
      let hits = try sorted(limit: limit, db)
      return Found(
        hits: hits, count: hits.count < limit ? hits.count : nil, isExhaustive: true)
    }
    return try ranked(limit: limit, db)
  }

  private func ranked(limit: Int, _ db: PostgresSession) throws -> Found {
    var best: [Place: SearchListing.Hit] = [:]
    var isExhaustive = true
    func take(_ hits: [SearchListing.Hit]) {
      for hit in hits {
        let place = Place(repository: hit.repository, number: hit.number)
        if hit.score > best[place]?.score ?? -1 { best[place] = hit }
      }
    }
    if let place {
      let newest = try newestIssues(place, db)
      take(newest.hits)
      if newest.isCut {
        isExhaustive = false
        if place == .anywhere, newest.titleCount < limit {
          take(try newestIssues(.title, db).hits)
        }
      }
    }
    if isInComments {
      let newest = try comments(db)
      take(newest.hits)
      if newest.isCut { isExhaustive = false }
    }
    try take(numbered(db))
    let newest = try newestNumbers(Set(best.keys.map(\.repository)), db)
    for (place, hit) in best {
      let recency = Double(hit.number) / Double(max(newest[place.repository] ?? 1, 1))
      best[place]?.score *= 1 - Self.recencyShare + Self.recencyShare * recency
    }
    let isDescending = query.direction == .descending
    let ordered = best.values.sorted { first, second in
      let (one, other) = isDescending ? (second, first) : (first, second)
      return (one.score, one.repository, one.number)
        < (other.score, other.repository, other.number)
    }
    return Found(
      hits: Array(ordered.prefix(limit)), count: isExhaustive ? ordered.count : nil,
      isExhaustive: isExhaustive)
  }

  private func newestNumbers(
    _ repositories: Set<Int64>, _ db: PostgresSession
  ) throws -> [Int64: Int] {
    let rows = try db.rows(
      """
      SELECT key, coalesce((SELECT max(number) FROM item WHERE repository = key), 0)
      FROM unnest(\(Array(repositories))) AS key
      """)
    return try Dictionary(
      rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $1 })
  }

  /// Tests whether a text matches and belongs to the repositories.
  private func matches(
    _ table: PostgresSQL, _ words: String?, _ properties: [String] = []
  ) -> PostgresSQL {
    let own = TextQuery.repositories(repositories).map { ["(\($0))"] } ?? []
    let all = ((words.map { ["(\($0))"] } ?? []) + properties + own).joined(separator: " & ")
    return "\(table).tsv @@ \(all)::tsquery\(isOfRepositories(table, isInParts: true))"
  }

  /// Tests whether a row belongs to the repositories. The SQL begins with ` AND ` unless it is empty. For a partitioned
  /// table, a condition on the column alone would make the planner look up a partition for each of many repositories.
  private func isOfRepositories(_ table: PostgresSQL, isInParts: Bool = false) -> PostgresSQL {
    switch scope {
    case .few(let keys): " AND \(table).repository = ANY (\(keys))"
    case .many(let keys):
      " AND \(table).repository\(sql: isInParts ? " + 0" : "") = ANY (\(keys))"
    case .all(except: let others):
      others.isEmpty ? "" : " AND \(table).repository <> ALL (\(others))"
    }
  }

  private struct Newest {
    var hits: [SearchListing.Hit] = []
    /// The number of hits with all words in the title.
    var titleCount = 0
    /// Whether there may be more hits.
    var isCut = false
  }

  /// The newest matches. The planner can't estimate how many texts contain a phrase or a prefix. So this reads the
  /// newest texts first. If many of them match, reading on is cheap; otherwise the index finds all matches.
  private func newestIssues(
    _ place: TextQuery.Place, _ db: PostgresSession
  ) throws -> Newest {
    if case .few = scope {
    } else if mostRanked < .max, hasPhrases || hasPrefixes {
      let enough = hasPhrases ? bounds.rankedPhrases : mostRanked
      var count = bounds.newestTexts
      while count <= bounds.mostNewestTexts,
        let row = try db.first(
          "SELECT created_at FROM item_text ORDER BY created_at DESC OFFSET \(count) LIMIT 1")
      {
        var newest = try issues(place, since: row.value(0), db)
        if newest.hits.count >= enough {
          newest.isCut = true
          return newest
        }
        // Reads one and a half times the number that should suffice.
        count *= max(2, 3 * enough / (2 * max(newest.hits.count, 1)))
      }
    }
    return try issues(place, since: nil, db)
  }

  private var hasPhrases: Bool { expression.phrases.contains { $0.tokens.count > 1 } }
  private var hasPrefixes: Bool { expression.phrases.contains(where: \.isPrefix) }

  /// `time` is the earliest time of creation, in seconds since 1970.
  private func issues(
    _ place: TextQuery.Place, since time: Int?, _ db: PostgresSession
  ) throws -> Newest {
    guard let words = TextQuery.matching(expression, in: place),
      let titleWords = TextQuery.matching(expression, in: .title),
      let indexed = TextQuery.indexed(expression, in: place)
    else { return Newest() }
    // OFFSET 0 makes PostgreSQL read the newest texts one by one. The word index would return every match, including
    // old ones.
    let texts: PostgresSQL =
      time.map { "(SELECT * FROM item_text WHERE created_at >= \($0) OFFSET 0) AS item_text" }
      ?? "item_text"
    let source: PostgresSQL =
      conditions.rest.isEmpty ? texts : "\(texts) JOIN item USING (repository, number)"
    // The planner estimates the frequency of a phrase from its words, and would read all texts in order, the newest
    // first.
    let byIndex: PostgresSQL = time == nil && hasPhrases ? "OFFSET 0" : ""
    var (newest, count) = (Newest(), 0)
    for row in try db.rows(
      """
      SELECT repository, number,
        ts_rank_cd('{0.1, 0.2, 0.4, 1}', tsv, \(words)::tsquery, 1)::double precision,
        tsv @@ \(titleWords)::tsquery, true\(notInComments(of: "newest"))
      FROM (
        SELECT * FROM (
          SELECT item_text.repository, item_text.number, item_text.created_at, item_text.tsv
          FROM \(source)
          WHERE \(matches("item_text", indexed, conditions.words + exclusion))\(conditions.rest)
          \(byIndex)) AS matching
        ORDER BY created_at DESC, number DESC LIMIT \(mostRanked)) AS newest
      """)
    {
      count += 1
      guard try row.value(4) else { continue }
      newest.hits.append(
        SearchListing.Hit(
          repository: try row.value(0), number: try row.value(1), score: try row.value(2)))
      if try row.value(3) { newest.titleCount += 1 }
    }
    newest.isCut = count == mostRanked
    return newest
  }

  private func comments(_ db: PostgresSession) throws -> (hits: [SearchListing.Hit], isCut: Bool) {
    guard let words = TextQuery.matching(expression, in: .anywhere) else { return ([], false) }
    let rows = try db.rows(
      """
      SELECT repository, number, id,
        ts_rank_cd('{0.1, 0.2, 0.4, 1}', tsv, \(words)::tsquery, 1)::double precision,
        true\(notInText(of: "newest"))\(notInComments(of: "newest"))
      FROM (
        SELECT comment_text.repository, comment_text.number, comment_text.id, comment_text.tsv
        FROM comment_text JOIN item USING (repository, number)
        WHERE \(matches("comment_text", words, exclusionInComment))\(conditions.conjunction)
        ORDER BY comment_text.created_at DESC, comment_text.id DESC
        LIMIT \(mostRanked)) AS newest
      """)
    let hits = try rows.compactMap { row -> SearchListing.Hit? in
      guard try row.value(4) else { return nil }
      return SearchListing.Hit(
        repository: try row.value(0), number: try row.value(1), comment: try row.value(2),
        score: Self.commentShare * (try row.value(3)))
    }
    return (hits, rows.count == mostRanked)
  }

  /// Finds the issue whose number is the entire query, which comes first.
  private func numbered(_ db: PostgresSession) throws -> [SearchListing.Hit] {
    guard let number = query.soleNumber else { return [] }
    return try db.rows(
      """
      SELECT repository, number FROM item
      WHERE repository = ANY (\(repositories)) AND number = \(number)\(conditions.conjunction)
      """
    ).map { row in
      SearchListing.Hit(
        repository: try row.value(0), number: try row.value(1), score: 1_000)
    }
  }

  private func sorted(limit: Int, _ db: PostgresSession) throws -> [SearchListing.Hit] {
    let texts = matchingTexts
    if expression.required.isEmpty {
      if limit <= bounds.mostSortedFirst, let hits = try firstTested(limit: limit, db) {
        return hits
      }
      let isIndexed = limit <= bounds.mostSortedFirst && conditions.hasIndexedWords
      let source: PostgresSQL =
        isIndexed ? "item JOIN item_text USING (repository, number)" : "item"
      let matching: PostgresSQL =
        isIndexed ? " AND \(matches("item_text", nil, conditions.words))" : ""
      return try hits(
        """
        SELECT repository, number, NULL::bigint FROM \(source)
        WHERE true\(isOfRepositories("item"))\(matching)\(
          isIndexed ? conditions.rest : conditions.conjunction)\(notInText(of: "item"))\(notInComments(of: "item"))
        ORDER BY \(conditions.order), item.repository DESC LIMIT \(max(limit, 0))
        """, db)
    }
    guard !texts.isEmpty else { return [] }
    if limit <= bounds.mostSortedFirst, query.soleNumber == nil, try matchesVeryMany(db),
      let hits = try firstSorted(limit: limit, db)
    {
      return hits
    }
    return try hits(
      """
      SELECT repository, number, found.comment FROM item JOIN (
        SELECT repository, number, \(Self.shownComment) AS comment
        FROM (\(texts.joined(separator: " UNION ALL "))) AS texts
        GROUP BY repository, number) AS found USING (repository, number)
      WHERE true\(isOfRepositories("item"))\(conditions.conjunction)\(notInText(of: "item"))\(notInComments(of: "item"))
      ORDER BY \(conditions.order), repository DESC LIMIT \(max(limit, 0))
      """, db)
  }

  /// Tests issues in the order of the results, which finds those with frequent properties. Nil if there may be more
  /// matches: they are rare, and the index of words finds them.
  private func firstTested(limit: Int, _ db: PostgresSession) throws -> [SearchListing.Hit]? {
    guard [.relevance, .created, .updated].contains(query.sort) else { return nil }
    // The outer order is the inner one, so this ends with the last result.
    let hits = try hits(
      """
      SELECT repository, number, NULL::bigint FROM (
        SELECT * FROM item WHERE true\(isOfRepositories("item"))
        ORDER BY \(conditions.order), repository DESC LIMIT \(bounds.mostTested)) AS item
      WHERE true\(conditions.conjunction)\(notInText(of: "item"))\(notInComments(of: "item"))
      ORDER BY \(conditions.order), repository DESC LIMIT \(limit)
      """, db)
    return hits.count == limit ? hits : nil
  }

  /// The comment to show: if an issue's own text matches, no comment is shown.
  private static let shownComment: PostgresSQL =
    "CASE WHEN count(*) = count(comment) THEN max(comment) END"

  private func hits(_ sql: PostgresSQL, _ db: PostgresSession) throws -> [SearchListing.Hit] {
    try db.rows(sql).map { row in
      SearchListing.Hit(
        repository: try row.value(0), number: try row.value(1), comment: try row.value(2))
    }
  }

  private func matchesVeryMany(_ db: PostgresSession) throws -> Bool {
    if case .few = scope { return false }
    let count: Int? = try db.first(
      """
      SELECT count(*) FROM (
        SELECT FROM (\(matchingTexts.joined(separator: " UNION ALL "))) AS texts
        LIMIT \(bounds.mostJoined)) AS counted
      """)?.value(0)
    return count == bounds.mostJoined
  }

  /// Sorts the issues, and searches the texts of the first ones. Their number is three times what is needed if one in
  /// fifty matches. Nil if there aren't enough matches.
  private func firstSorted(limit: Int, _ db: PostgresSession) throws -> [SearchListing.Hit]? {
    let texts = matchingTexts.map {
      "\($0) AND repository = item.repository AND number = item.number" as PostgresSQL
    }
    let hits = try hits(
      """
      SELECT repository, number, found.comment
      FROM (
        SELECT repository, number, \(conditions.orderColumn) FROM item
        WHERE true\(isOfRepositories("item"))\(conditions.conjunction)
        ORDER BY \(conditions.order), repository DESC LIMIT \(150 * max(limit, 0))) AS item
      CROSS JOIN LATERAL (
        SELECT \(Self.shownComment) AS comment
        FROM (\(texts.joined(separator: " UNION ALL "))) AS texts HAVING count(*) > 0) AS found
      WHERE true\(notInText(of: "item"))\(notInComments(of: "item"))
      ORDER BY \(conditions.order), repository DESC LIMIT \(limit)
      """, db)
    return hits.count == limit ? hits : nil
  }

  /// Selects all matches as repository, number and comment, which is NULL for an issue's own text.
  private var matchingTexts: [PostgresSQL] {
    var texts: [PostgresSQL] = []
    if let place, let words = TextQuery.indexed(expression, in: place) {
      texts.append(
        """
        SELECT repository, number, NULL::bigint AS comment FROM item_text
        WHERE \(matches("item_text", words, conditions.words + exclusion))
        """)
    }
    if isInComments, let words = TextQuery.matching(expression, in: .anywhere) {
      texts.append(
        """
        SELECT repository, number, id AS comment FROM comment_text
        WHERE \(matches("comment_text", words))
        """)
    }
    if let number = query.soleNumber {
      texts.append(
        """
        SELECT repository, number, NULL::bigint AS comment FROM item
        WHERE repository = ANY (\(repositories)) AND number = \(number)
        """)
    }
    return texts
  }

  /// Excludes texts by their own words.
  private var exclusion: [String] {
    place.flatMap { TextQuery.excluded(expression, in: $0) }.map { ["!\($0)"] } ?? []
  }

  private var exclusionInComment: [String] {
    TextQuery.excluded(expression, in: .anywhere).map { ["!\($0)"] } ?? []
  }

  /// Excludes issues by the words of their text.
  private func notInText(of table: PostgresSQL) -> PostgresSQL {
    guard let place, let words = TextQuery.excluded(expression, in: place) else { return "" }
    return Self.isAbsent(words, from: "item_text", of: table)
  }

  private func notInComments(of table: PostgresSQL) -> PostgresSQL {
    guard isInComments, let words = TextQuery.excluded(expression, in: .anywhere) else { return "" }
    return Self.isAbsent(words, from: "comment_text", of: table)
  }

  /// OFFSET 0 makes PostgreSQL look at the texts of each issue. Otherwise, it might first collect all excluded texts.
  private static func isAbsent(
    _ words: String, from texts: PostgresSQL, of table: PostgresSQL
  ) -> PostgresSQL {
    """
     AND NOT EXISTS (
      SELECT FROM \(texts) AS other
      WHERE other.repository = \(table).repository AND other.number = \(table).number
        AND other.tsv @@ \(words)::tsquery OFFSET 0)
    """
  }
}

extension SearchQuery {
  /// The number, if the query consists only of it.
  fileprivate var soleNumber: Int? {
    guard excluded.isEmpty, terms.count == 1, terms[0].count == 1,
      let term = terms.first?.first, !term.isPhrase,
      let reference = try? IssueReference(parsing: term.text), reference.repository == nil
    else { return nil }
    return reference.number
  }
}

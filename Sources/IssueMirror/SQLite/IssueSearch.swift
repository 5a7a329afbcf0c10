internal import GRDB
internal import GitHubAPI
internal import PrivateDatabase

/// Finds the issues that match a search. A matching comment counts as a match of its issue.
///
/// If more than ``rankedCount`` texts of a repository match, only the newest and those with all words in the title are
/// ranked. If many repositories have many matches, fewer of each are ranked; `comparesAll` ranks all of them. Reading
/// the matches of a frequent word in the index takes a tenth of the time of looking up their issues, so if few issues
/// meet the conditions, those are found first. Some texts are read without the index: see ``IssueScan``.
struct IssueSearch {
  /// The number of ranked texts in one repository, separately for issues and comments.
  static let rankedCount = 1_000
  /// The limit of weights: an SQL function accepts at most 127 arguments.
  static let mostWeights = 100
  static let commentShare = 0.6
  /// The weight of recency in the score, from a repository's oldest issue to its newest.
  static let recencyShare = 0.3

  struct Hit: Hashable, Sendable {
    /// The place in the search index.
    var place: Int64
    /// The place of the comment, if it matches better than the issue's own text.
    var comment: Int64?
    var score: Double

    var repository: Int64 { place >> SearchIndex.numberBits }
    var number: Int64 { place & (1 << SearchIndex.numberBits - 1) }
  }

  struct Found {
    var hits: [Hit]
    var count: Int?
    var isExhaustive: Bool
  }

  /// The sizes at which one search strategy becomes slower than another.
  struct Limits {
    /// The number of texts to rank in a repository, separately for issues and comments.
    var ranked = IssueSearch.rankedCount
    /// The approximate total for several repositories that are searched together.
    var rankedTogether = 2 * IssueSearch.rankedCount
    /// The most matches to examine in several repositories together, of which the newest of each repository are ranked.
    var counted = 1_000_000
    /// More repositories than this number are searched together.
    var fewRepositories = 16
    /// The most candidates whose texts are read instead of the word index.
    var few = 400
    /// The most candidates to collect.
    var candidates = 20_000
    /// The most candidates to collect if no index lists them. A larger number would soon be found by the words anyway.
    var tested = 2_000
    /// The most texts to read one by one.
    var scanned = 4_000
    /// The most texts to test for the conditions before those that meet them are read.
    var tried = 16_000
    /// The number of texts after which the share of matches can be estimated.
    var sample = 100
    /// For more texts than this number, reading the newest is faster than collecting the matches of a frequent prefix
    /// in FTS5, and finding a phrase takes longer than opening another connection.
    var small = 50_000
  }

  let query: SearchQuery
  var conditions: SearchConditions
  var limits: Limits
  let isInComments: Bool
  /// The columns of `item_text` to search; empty for all, nil for none.
  let columns: [String]?
  let expression: SearchPhrases
  var repositories: [Int64]
  /// The pool that provides the file for a second thread.
  private let pool: DatabasePool?

  /// Ignores the repositories in the query, which the caller must handle.
  init(
    _ query: SearchQuery, in repositories: [Int64], comparesAll: Bool = false,
    limits: Limits = Limits(), pool: DatabasePool? = nil
  ) {
    self.query = query
    self.pool = pool
    self.limits = limits
    if comparesAll { self.limits.ranked = .max }
    self.repositories = repositories
    expression = SearchPhrases(query)
    conditions = SearchConditions(query, in: repositories)
    isInComments = query.places.contains(.comments)
    switch (query.places.contains(.title), query.places.contains(.body)) {
    case (true, true): columns = []
    case (true, false): columns = ["title"]
    case (false, true): columns = ["body"]
    case (false, false): columns = nil
    }
  }

  /// Whether words are searched in a column of `item_text`.
  func isIn(_ column: String) -> Bool { columns.map { $0.isEmpty || $0.contains(column) } ?? false }

  func found(limit: Int, _ db: Database) throws -> Found {
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

  /// The best match of each issue, and whether all matches were compared.
  func ranked(in repository: Int64, _ db: Database) throws -> Found {
    var best: [Int64: Hit] = [:]
    var isExhaustive = true
    func take(_ hits: [Hit]) {
      for hit in hits where hit.score > best[hit.place]?.score ?? -1 { best[hit.place] = hit }
    }
    let newest = try newestNumber(in: repository, db)
    let weights = try weights(in: repository, newest: newest, db)
    let candidates =
      try listedCandidates(in: repository, db) ?? testedCandidates(in: repository, db)
    let scan = IssueScan(self, in: repository, candidates, weights: weights)
    let scanned = (
      issues: columns == nil ? nil : try scan?.issues(db),
      comments: isInComments ? try scan?.comments(db) : nil
    )
    if let columns {
      let hits =
        try scanned.issues ?? issues(in: repository, newest, candidates, columns, weights, db)
      take(hits)
      if hits.count == limits.ranked {
        isExhaustive = false
        if columns.isEmpty {
          take(
            try issues(in: SearchIndex.items(of: repository), candidates, ["title"], weights, db))
        }
      }
    }
    if isInComments {
      let hits = try scanned.comments ?? comments(in: repository, candidates, weights, db)
      take(hits)
      if hits.count == limits.ranked { isExhaustive = false }
    }
    try take(numbered(in: repository, db))
    let hits = best.values.map { $0.withRecency(newest: newest) }
    return Found(hits: hits, count: nil, isExhaustive: isExhaustive)
  }

  func newestNumber(in repository: Int64, _ db: Database) throws -> Int64 {
    let highest =
      try SQLRequest<Int64>(
        literal: "SELECT max(number) FROM item WHERE repository = \(repository)", cached: true
      ).fetchOne(db) ?? 0
    return min(max(highest, 0), 1 << SearchIndex.numberBits)
  }

  /// The places of the issues that meet all conditions, newest first, if an index lists them; nil if the search should
  /// start with the words.
  private func listedCandidates(in repository: Int64, _ db: Database) throws -> [Int64]? {
    guard let conditions = try conditions.conjunction(drivenByUpTo: limits.candidates, db) else {
      return nil
    }
    return try candidates(in: repository, conditions, upTo: limits.candidates, db)
  }

  /// The places found by testing all issues, if that is faster than testing all matches of the words.
  private func testedCandidates(in repository: Int64, _ db: Database) throws -> [Int64]? {
    // Counting the matches of a prefix would take as long as the search.
    guard !query.conditions.isEmpty,
      try expression.phrases.contains(where: \.isPrefix) || hasManyMatches(in: repository, db)
    else { return nil }
    return try candidates(
      in: repository, conditions.conjunction(.testing), upTo: limits.tested, db)
  }

  private func candidates(
    in repository: Int64, _ conditions: SQL, upTo bound: Int, _ db: Database
  ) throws -> [Int64]? {
    let places = try SQLRequest<Int64>(
      literal: """
        SELECT \(SearchConditions.place) FROM item
        WHERE item.repository = \(repository) \(conditions) \(notInText) \(notInComments)
        LIMIT \(bound + 1)
        """, cached: true
    ).fetchAll(db)
    return places.count <= bound ? places.sorted(by: >) : nil
  }

  private func hasManyMatches(in repository: Int64, _ db: Database) throws -> Bool {
    let comments = SearchIndex.comments(of: repository)
    let texts: [SQL?] = [
      columns.flatMap { expression.matching(in: $0) }.map { itemTexts($0, in: [repository]) },
      !isInComments
        ? nil
        : expression.matching(in: []).map { words in
          """
          FROM comment_text WHERE comment_text MATCH \(words)
            AND rowid BETWEEN \(comments.lowerBound) AND \(comments.upperBound)
          """
        },
    ]
    return try texts.contains { texts in
      guard let texts else { return false }
      let count =
        try SQLRequest<Int>(
          literal: "SELECT count(*) FROM (SELECT 1 \(texts) LIMIT \(limits.candidates + 1))",
          cached: true
        ).fetchOne(db) ?? 0
      return count > limits.candidates
    }
  }

  /// Finds issues by their own texts. For a phrase, FTS5 compares the positions of its words in every text that
  /// contains them, so a second thread searches the older half.
  private func issues(
    in repository: Int64, _ newest: Int64, _ candidates: [Int64]?, _ columns: [String],
    _ weights: [Double], _ db: Database
  ) throws -> [Hit] {
    let places = SearchIndex.items(of: repository)
    guard let pool, newest > limits.small,
      expression.phrases.contains(where: { $0.tokens.count > 1 })
    else { return try issues(in: places, candidates, columns, weights, db) }
    let middle = places.lowerBound + newest / 2
    let older = SecondReader(pool) { db in
      try issues(in: places.lowerBound...middle, candidates, columns, weights, db)
    }
    do {
      let hits = try issues(in: middle + 1...places.upperBound, candidates, columns, weights, db)
      if hits.count < limits.ranked {
        return try Array((hits + older.value()).prefix(limits.ranked))
      }
      older.cancel()
      return hits
    } catch {
      older.cancel()
      throw error
    }
  }

  func issues(
    in places: ClosedRange<Int64>, _ candidates: [Int64]?, _ columns: [String],
    _ weights: [Double], _ db: Database
  ) throws -> [Hit] {
    guard let words = expression.matching(in: columns, excludingIn: self.columns) else { return [] }
    let others = isInComments ? notInComments : ""
    let source: SQL =
      if let candidates {
        """
        FROM item_text WHERE item_text MATCH \(words)
          AND item_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
          AND +item_text.rowid IN (SELECT value FROM json_each(\(Self.array(candidates))))
        """
      } else {
        """
        FROM item_text \(sql: query.conditions.isEmpty && expression.excluded.isEmpty
          ? "" : "CROSS JOIN item ON \(SearchIndex.itemRow)")
        WHERE item_text MATCH \(words)
          AND item_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
          \(conditions.conjunction(.testing)) \(others)
        """
      }
    return try SQLRequest<Row>(
      literal: """
        SELECT item_text.rowid, \(sql: RankFunction.name)(item_text, 0, \(Self.list(weights)))
        \(source) ORDER BY item_text.rowid DESC LIMIT \(limits.ranked)
        """, cached: true
    ).hits(db) { Hit(place: try $0.value(0), score: try $0.value(1)) }
  }

  private func comments(
    in repository: Int64, _ candidates: [Int64]?, _ weights: [Double], _ db: Database
  ) throws -> [Hit] {
    guard let words = expression.matching(in: []) else { return [] }
    let places = SearchIndex.comments(of: repository)
    let mask = 1 << SearchIndex.numberBits - 1
    let source: SQL =
      if let candidates {
        """
        \(commentTexts(words, in: [repository]))
          AND +comment_text.rowid IN (
            SELECT comment.repository << \(SearchIndex.commentBits) | comment.id
            FROM json_each(\(Self.array(candidates))) AS candidate CROSS JOIN comment
              ON comment.repository = \(repository) AND comment.number = (candidate.value & \(mask)))
        """
      } else {
        """
        FROM comment_text CROSS JOIN comment ON \(sql: SearchIndex.commentRow)
        CROSS JOIN item ON item.repository = comment.repository AND item.number = comment.number
        WHERE comment_text MATCH \(words)
          AND comment_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
          \(conditions.conjunction(.testing)) \(notInText) \(notInComments)
        """
      }
    return try rankedComments(source, weights, db)
  }

  func rankedComments(_ source: SQL, _ weights: [Double], _ db: Database) throws -> [Hit] {
    try SQLRequest<Row>(
      literal: """
        SELECT comment.repository << \(SearchIndex.numberBits) | comment.number, comment_text.rowid,
          \(sql: RankFunction.name)(comment_text, -1, \(Self.list(weights)))
        \(source) ORDER BY comment_text.rowid DESC LIMIT \(limits.ranked)
        """, cached: true
    ).hits(db) { row in
      Hit(
        place: try row.value(0), comment: try row.value(1),
        score: Self.commentShare * (try row.value(2)))
    }
  }

  /// Finds the issue whose number is the entire query, with a score that puts it first.
  private func numbered(in repository: Int64, _ db: Database) throws -> [Hit] {
    guard let number else { return [] }
    return try SQLRequest<Int64>(
      literal: """
        SELECT \(SearchConditions.place) FROM item
        WHERE repository = \(repository) AND number = \(number) \(conditions.conjunction(.testing))
        """, cached: true
    ).fetchAll(db).map { Hit(place: $0, score: 1_000) }
  }

  var number: Int? {
    guard query.excluded.isEmpty, query.terms.count == 1, query.terms[0].count == 1,
      let term = query.terms.first?.first, !term.isPhrase,
      let reference = try? IssueReference(parsing: term.text), reference.repository == nil
    else { return nil }
    return reference.number
  }

  /// The inverse document frequency (BM25) of each phrase. It counts up to a limit, and extrapolates from the range
  /// that the counted texts cover.
  private func weights(in repository: Int64, newest: Int64, _ db: Database) throws -> [Double] {
    let phrases = expression.phrases
    guard phrases.count > 1 else { return phrases.map { _ in 1 } }
    let places = SearchIndex.items(of: repository)
    let bound = 500
    return try phrases.map { phrase in
      // Counting a prefix would take as long as the search.
      guard !phrase.isPrefix else { return 1 }
      let row = try SQLRequest<Row>(
        literal: """
          SELECT count(*), min(place) FROM (
            SELECT rowid AS place FROM item_text
            WHERE item_text MATCH \(phrase.text)
              AND rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
            ORDER BY rowid DESC LIMIT \(bound))
          """, cached: true
      ).fetchOne(db)
      let counted: Int = try row?.value(0) ?? 0
      let oldest: Int64 = try row?.value(1) ?? places.lowerBound
      let reach = max(places.lowerBound + newest - oldest + 1, 1)
      let frequency =
        counted < bound ? Double(counted) : Double(bound) * max(1, Double(newest) / Double(reach))
      let all = max(Double(newest), frequency)
      return Double.idf(frequency, of: all)
    }
  }

  /// A JSON array of numbers.
  static func array(_ numbers: [Int64]) -> String {
    "[\(numbers.map(String.init).joined(separator: ","))]"
  }

  private static func list(_ weights: [Double]) -> SQL {
    weights.prefix(mostWeights).map { "\($0)" as SQL }.joined(separator: ", ")
  }

  private func sorted(limit: Int, _ db: Database) throws -> [Hit] {
    let order: SQL = "ORDER BY \(conditions.order) LIMIT \(limit)"
    let hasWords = !expression.required.isEmpty
    // A few rows are sorted; many rows are read in order up to the limit.
    let driven = hasWords ? nil : try conditions.conjunction(drivenByUpTo: limits.few, db)
    let conditions =
      "item.repository IN \(repositories)" as SQL
      + (driven ?? conditions.conjunction(.testing)) + notInText + notInComments
    guard hasWords else {
      return try SQLRequest<Int64>(
        literal: "SELECT \(SearchConditions.place) FROM item WHERE \(conditions) \(order)"
      ).fetchAll(db).map { Hit(place: $0, score: 0) }
    }
    let texts = matchingTexts
    guard !texts.isEmpty else { return [] }
    return try SQLRequest<Row>(
      literal: """
        WITH found(place, comment) AS (\(texts.joined(separator: " UNION ALL "))),
          folded(place, comment) AS (
            -- Of an issue whose own text matches, no comment is shown.
            SELECT place, CASE WHEN count(*) = count(comment) THEN max(comment) END
            FROM found GROUP BY place)
        SELECT folded.place, folded.comment FROM folded CROSS JOIN item
          ON item.repository = (folded.place >> \(SearchIndex.numberBits))
            AND item.number = (folded.place & \(1 << SearchIndex.numberBits - 1))
        WHERE \(conditions) \(order)
        """
    ).fetchAll(db).map { Hit(place: try $0.value(0), comment: try $0.value(1), score: 0) }
  }

  /// Selects all matches as place and comment, which is NULL for an issue's own text.
  private var matchingTexts: [SQL] {
    var texts: [SQL] = []
    if let columns, let words = expression.matching(in: columns) {
      texts.append("SELECT rowid, NULL \(itemTexts(words, in: repositories))")
    }
    if isInComments, let words = expression.matching(in: []) {
      texts.append(
        """
        SELECT comment.repository << \(SearchIndex.numberBits) | comment.number, comment_text.rowid
        \(commentTexts(words, in: repositories))
        """)
    }
    if let number {
      texts.append(
        """
        SELECT \(SearchConditions.place), NULL FROM item
        WHERE repository IN \(repositories) AND number = \(number)
        """)
    }
    return texts
  }

  var notInText: SQL {
    guard let columns, let words = expression.exclusion(in: columns) else { return "" }
    return
      " AND \(SearchConditions.place) NOT IN (SELECT rowid \(itemTexts(words, in: repositories)))"
  }

  var notInComments: SQL {
    guard isInComments, let words = expression.exclusion(in: []) else { return "" }
    return """
       AND (item.repository, item.number) NOT IN (
        SELECT comment.repository, comment.number \(commentTexts(words, in: repositories)))
      """
  }

  func itemTexts(_ words: String, in repositories: [Int64]) -> SQL {
    let isIn = Self.place(
      "item_text.rowid", SearchIndex.items, bits: SearchIndex.numberBits, isIn: repositories)
    return "FROM item_text WHERE item_text MATCH \(words) AND \(isIn)"
  }

  func commentTexts(_ words: String, in repositories: [Int64]) -> SQL {
    let isIn = Self.place(
      "comment_text.rowid", SearchIndex.comments, bits: SearchIndex.commentBits,
      isIn: repositories)
    return """
      FROM comment_text CROSS JOIN comment ON \(sql: SearchIndex.commentRow)
      WHERE comment_text MATCH \(words) AND \(isIn)
      """
  }

  /// Tests whether a place belongs to the repositories. A single range covers them all, because one statement per
  /// repository could exceed SQLite's limit of 500 (<https://www.sqlite.org/limits.html#max_compound_select>).
  private static func place(
    _ place: SQL, _ places: (Int64) -> ClosedRange<Int64>, bits: Int64, isIn repositories: [Int64]
  ) -> SQL {
    guard let first = repositories.min(), let last = repositories.max() else { return "FALSE" }
    let range: SQL = """
      \(place) BETWEEN \(places(first).lowerBound) AND \(places(last).upperBound)
      """
    return first == last ? range : "\(range) AND (\(place) >> \(bits)) IN \(repositories)"
  }
}

extension SQLRequest<Row> {
  /// Reads row by row, which avoids copies.
  fileprivate func hits(
    _ db: Database, _ hit: (Row) throws -> IssueSearch.Hit
  ) throws -> [IssueSearch.Hit] {
    var hits: [IssueSearch.Hit] = []
    let rows = try fetchCursor(db)
    while let row = try rows.next() { hits.append(try hit(row)) }
    return hits
  }
}

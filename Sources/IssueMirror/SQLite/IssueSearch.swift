internal import GRDB
internal import GitHubAPI
internal import PrivateDatabase

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A search at work on a database: which issues match, and in which order.
///
/// Words are looked for in two indexes, of issues and of comments; a comment stands for its issue. Where more
/// than ``rankedCount`` texts of a repository match, only the newest are compared, and the newest that have
/// all words in the title: what all of so many have in common tells little about them. Who wants all of them gets
/// all compared.
///
/// The index goes through a frequent word's texts in a tenth of the time in which it would be found out what else
/// there is to know of each. So where few issues have the properties that are asked for, they are found first.
struct IssueSearch {
  /// How many texts of a repository are compared, of issues and of comments each.
  static let rankedCount = 1_000
  /// What the match of a comment is worth beside one of the issue itself.
  static let commentShare = 0.6
  /// By how much the newest issue of a repository is better than one as good but the oldest.
  static let recencyShare = 0.3

  /// An issue that matches.
  struct Hit: Hashable, Sendable {
    /// Its place in the index, which has its repository and its number.
    var place: Int64
    /// The place of the comment that matches, where the issue's own text doesn't, or not as well.
    var comment: Int64?
    /// How well it matches.
    var score: Double

    var repository: Int64 { place >> SearchIndex.numberBits }
    var number: Int64 { place & (1 << SearchIndex.numberBits - 1) }
  }

  /// What was found.
  struct Found {
    /// The first hits, in order.
    var hits: [Hit]
    /// How many there are; nil where they weren't counted.
    var count: Int?
    /// Whether all of them were compared.
    var isExhaustive: Bool
  }

  /// Up to how many issues that have what is asked for are looked up one by one in the index of words.
  private static let fewCount = 400
  /// Up to how many of them are found before the words are looked for.
  private static let candidatesCount = 20_000
  /// Up to how many are found where no index tells of them: of more, some are soon met behind the words.
  private static let scannedCount = 2_000

  private let query: SearchQuery
  private let conditions: SearchConditions
  /// How many texts of a repository are compared at most.
  private let rankedCount: Int
  private let repositories: [Int64]
  private let isInComments: Bool
  /// Of `item_text`; nil for all.
  private let columns: [String]?
  let expression: SearchPhrases

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - query: What is searched for; the repositories that it names are up to the caller.
  ///   - repositories: The keys of the repositories that are searched.
  ///   - comparesAll: Whether all texts that match are compared, however many they are.
  init(_ query: SearchQuery, in repositories: [Int64], comparesAll: Bool = false) {
    self.query = query
    rankedCount = comparesAll ? .max : Self.rankedCount
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

  /// Finds the first matches.
  func found(limit: Int, _ db: Database) throws -> Found {
    // Of signs alone nothing is indexed.
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

  // MARK: By relevance

  private func ranked(limit: Int, _ db: Database) throws -> Found {
    var best: [Int64: Hit] = [:]
    var isExhaustive = true
    func take(_ hits: [Hit]) {
      for hit in hits where hit.score > best[hit.place]?.score ?? -1 { best[hit.place] = hit }
    }
    for repository in repositories {
      let highest =
        try SQLRequest<Int64>(
          literal: "SELECT max(number) FROM item WHERE repository = \(repository)"
        ).fetchOne(db) ?? 0
      // Of a damaged file it may be anything.
      let newest = min(max(highest, 0), 1 << SearchIndex.numberBits)
      let weights = try weights(in: repository, newest: newest, db)
      let candidates = try candidates(in: repository, db)
      if let columns {
        let hits = try issues(in: repository, candidates, columns, weights, db)
        take(hits)
        if hits.count == rankedCount {
          isExhaustive = false
          if columns.isEmpty {
            take(try issues(in: repository, candidates, ["title"], weights, db))
          }
        }
      }
      if isInComments {
        let hits = try comments(in: repository, candidates, weights, db)
        take(hits)
        if hits.count == rankedCount { isExhaustive = false }
      }
      try take(numbered(in: repository, db))
      for (place, hit) in best where hit.repository == repository {
        best[place]?.score *=
          1 - Self.recencyShare + Self.recencyShare * Double(hit.number) / Double(max(newest, 1))
      }
    }
    let isDescending = query.direction == .descending
    let ordered = best.values.sorted { first, second in
      isDescending
        ? (first.score, first.place) > (second.score, second.place)
        : (first.score, first.place) < (second.score, second.place)
    }
    return Found(
      hits: Array(ordered.prefix(limit)), count: isExhaustive ? ordered.count : nil,
      isExhaustive: isExhaustive)
  }

  /// How issues with the properties that are asked for are found.
  private enum Candidates {
    /// By their words, and looked at then.
    case afterwards
    /// First, to be looked up in the index one by one. What there is are their places, as an array of JSON's.
    case few(String)
    /// First, to be compared with what the index has.
    case some(String)
  }

  /// Finds the issues that have all that is asked for, where that is quicker than to look at what has the words.
  private func candidates(in repository: Int64, _ db: Database) throws -> Candidates {
    guard !query.conditions.isEmpty else { return .afterwards }
    var bound = Self.candidatesCount
    var conditions = try conditions.conjunction(drivenByUpTo: bound, db)
    if conditions == nil, try hasManyMatches(in: repository, db) {
      bound = Self.scannedCount
      conditions = self.conditions.conjunction(.testing)
    }
    guard let conditions else { return .afterwards }
    let places = try SQLRequest<Int64>(
      literal: """
        SELECT \(SearchConditions.place) FROM item
        WHERE item.repository = \(repository) \(conditions) \(notInText) \(notInComments)
        LIMIT \(bound + 1)
        """
    ).fetchAll(db)
    guard places.count <= bound else { return .afterwards }
    let array = "[\(places.map(String.init).joined(separator: ","))]"
    return places.count <= Self.fewCount ? .few(array) : .some(array)
  }

  /// Whether too many texts have the words to look at the issue of each.
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
          literal: "SELECT count(*) FROM (SELECT 1 \(texts) LIMIT \(Self.candidatesCount + 1))"
        ).fetchOne(db) ?? 0
      return count > Self.candidatesCount
    }
  }

  private func issues(
    in repository: Int64, _ candidates: Candidates, _ columns: [String], _ weights: [Double],
    _ db: Database
  ) throws -> [Hit] {
    guard let words = expression.matching(in: columns, excludingIn: self.columns) else { return [] }
    let places = SearchIndex.items(of: repository)
    let others = isInComments ? notInComments : ""
    let source: SQL =
      switch candidates {
      case .few(let array):
        """
        FROM json_each(\(array)) AS candidate
          CROSS JOIN item_text ON item_text.rowid = candidate.value
        WHERE item_text MATCH \(words)
        """
      case .some(let array):
        """
        FROM item_text WHERE item_text MATCH \(words)
          AND item_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
          AND +item_text.rowid IN (SELECT value FROM json_each(\(array)))
        """
      case .afterwards:
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
        \(source) ORDER BY item_text.rowid DESC LIMIT \(rankedCount)
        """
    ).fetchAll(db).map { Hit(place: try $0.value(0), score: try $0.value(1)) }
  }

  private func comments(
    in repository: Int64, _ candidates: Candidates, _ weights: [Double], _ db: Database
  ) throws -> [Hit] {
    guard let words = expression.matching(in: []) else { return [] }
    let places = SearchIndex.comments(of: repository)
    let mask = 1 << SearchIndex.numberBits - 1
    let source: SQL =
      switch candidates {
      case .few(let array):
        """
        FROM json_each(\(array)) AS candidate CROSS JOIN comment
          ON comment.repository = \(repository) AND comment.number = (candidate.value & \(mask))
        CROSS JOIN comment_text ON comment_text.rowid = \(SearchConditions.commentPlace)
        WHERE comment_text MATCH \(words)
        """
      case .some(let array):
        """
        \(commentTexts(words, in: [repository]))
          AND +comment_text.rowid IN (
            SELECT comment.repository << \(SearchIndex.commentBits) | comment.id
            FROM json_each(\(array)) AS candidate CROSS JOIN comment
              ON comment.repository = \(repository) AND comment.number = (candidate.value & \(mask)))
        """
      case .afterwards:
        """
        FROM comment_text CROSS JOIN comment ON \(sql: SearchIndex.commentRow)
        CROSS JOIN item ON item.repository = comment.repository AND item.number = comment.number
        WHERE comment_text MATCH \(words)
          AND comment_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
          \(conditions.conjunction(.testing)) \(notInText) \(notInComments)
        """
      }
    return try SQLRequest<Row>(
      literal: """
        SELECT comment.repository << \(SearchIndex.numberBits) | comment.number, comment_text.rowid,
          \(sql: RankFunction.name)(comment_text, -1, \(Self.list(weights)))
        \(source) ORDER BY comment_text.rowid DESC LIMIT \(rankedCount)
        """
    ).fetchAll(db).map { row in
      Hit(
        place: try row.value(0), comment: try row.value(1),
        score: Self.commentShare * (try row.value(2)))
    }
  }

  /// The issue whose number is all that is looked for, before all others.
  private func numbered(in repository: Int64, _ db: Database) throws -> [Hit] {
    guard let number else { return [] }
    return try SQLRequest<Int64>(
      literal: """
        SELECT \(SearchConditions.place) FROM item
        WHERE repository = \(repository) AND number = \(number) \(conditions.conjunction(.testing))
        """
    ).fetchAll(db).map { Hit(place: $0, score: 1_000) }
  }

  /// The number that is all that is looked for.
  private var number: Int? {
    guard query.excluded.isEmpty, query.terms.count == 1, query.terms[0].count == 1,
      let term = query.terms.first?.first, !term.isPhrase,
      let reference = try? IssueReference(parsing: term.text), reference.repository == nil
    else { return nil }
    return reference.number
  }

  /// What each phrase tells about a text: the rarer, the more (the inverse document frequency of BM25).
  ///
  /// A phrase's texts are counted up to a bound; of a more frequent one, it is estimated from how far back
  /// those reach.
  private func weights(in repository: Int64, newest: Int64, _ db: Database) throws -> [Double] {
    let phrases = expression.phrases
    // Where all results have a single phrase, it doesn't tell them apart.
    guard phrases.count > 1 else { return phrases.map { _ in 1 } }
    let places = SearchIndex.items(of: repository)
    let bound = 500
    return try phrases.map { phrase in
      // To count what begins so takes as long as to search for it.
      guard !phrase.isPrefix else { return 1 }
      let row = try SQLRequest<Row>(
        literal: """
          SELECT count(*), min(place) FROM (
            SELECT rowid AS place FROM item_text
            WHERE item_text MATCH \(phrase.text)
              AND rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
            ORDER BY rowid DESC LIMIT \(bound))
          """
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

  private static func list(_ weights: [Double]) -> SQL {
    // Functions take 127 arguments at most.
    weights.prefix(100).map { "\($0)" as SQL }.joined(separator: ", ")
  }

  // MARK: By another order, or without words

  private func sorted(limit: Int, _ db: Database) throws -> [Hit] {
    let order: SQL = "ORDER BY \(conditions.order) LIMIT \(limit)"
    let hasWords = !expression.required.isEmpty
    // Few are put into order; of more, the first are looked for in it.
    let driven = hasWords ? nil : try conditions.conjunction(drivenByUpTo: Self.fewCount, db)
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

  /// The places of all texts that match, and of the issue whose number is looked for: of issues with NULL, of
  /// comments with the comment's.
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

  // MARK: What must not be there

  private var notInText: SQL {
    guard let columns, let words = expression.exclusion(in: columns) else { return "" }
    return
      " AND \(SearchConditions.place) NOT IN (SELECT rowid \(itemTexts(words, in: repositories)))"
  }

  private var notInComments: SQL {
    guard isInComments, let words = expression.exclusion(in: []) else { return "" }
    return """
       AND (item.repository, item.number) NOT IN (
        SELECT comment.repository, comment.number \(commentTexts(words, in: repositories)))
      """
  }

  /// The issues of repositories whose own texts match.
  private func itemTexts(_ words: String, in repositories: [Int64]) -> SQL {
    let isIn = Self.place(
      "item_text.rowid", SearchIndex.items, bits: SearchIndex.numberBits, isIn: repositories)
    return "FROM item_text WHERE item_text MATCH \(words) AND \(isIn)"
  }

  /// The comments of repositories that match.
  private func commentTexts(_ words: String, in repositories: [Int64]) -> SQL {
    let isIn = Self.place(
      "comment_text.rowid", SearchIndex.comments, bits: SearchIndex.commentBits,
      isIn: repositories)
    return """
      FROM comment_text CROSS JOIN comment ON \(sql: SearchIndex.commentRow)
      WHERE comment_text MATCH \(words) AND \(isIn)
      """
  }

  /// Whether a place is one of the repositories': the index goes through one range, from the first of their places to
  /// the last. A statement for each repository would end at SQLite's limit of 500
  /// (<https://www.sqlite.org/limits.html#max_compound_select>).
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

extension Double {
  /// The inverse document frequency, which is above 0 for every word.
  fileprivate static func idf(_ frequency: Double, of count: Double) -> Double {
    log1p((count - frequency + 0.5) / (frequency + 0.5))
  }
}

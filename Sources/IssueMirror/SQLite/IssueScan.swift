internal import GRDB
internal import PrivateDatabase

/// A search that reads texts one by one, the newest first, instead of using the word index.
///
/// Before its first result, FTS5 collects all texts with any word that begins with a prefix, and repeats this for each
/// candidate. For a frequent prefix, reading finds the newest thousand matches much sooner. For a rare prefix, it would
/// have to read too many texts, so the index is used.
struct IssueScan {
  typealias Hit = IssueSearch.Hit

  private let search: IssueSearch
  private let repository: Int64
  /// The places of the issues that may match, the newest first; nil if all may match.
  private let candidates: [Int64]?
  private let isFew: Bool
  private let weights: [Double]
  private let text: TextScan

  private var limits: IssueSearch.Limits { search.limits }

  /// Prepares a scan; nil if the index is faster.
  init?(
    _ search: IssueSearch, in repository: Int64, _ candidates: [Int64]?, weights: [Double]
  ) {
    isFew = candidates.map { $0.count <= search.limits.few } ?? false
    guard isFew || search.expression.phrases.contains(where: \.isPrefix),
      let text = TextScan(search.expression)
    else { return nil }
    self.search = search
    self.repository = repository
    self.candidates = candidates
    self.weights = weights
    self.text = text
  }

  /// The newest issues whose own text matches, up to the number that is ranked; nil if the index is faster.
  func issues(_ db: Database) throws -> [Hit]? {
    guard try isFew || isLarge("item", db) else { return nil }
    let isWhole = candidates.map { $0.count <= limits.scanned } ?? false
    let mask = Int64(1) << SearchIndex.numberBits - 1
    let numbers: AnyCursor<Int64> =
      if let candidates {
        AnyCursor(candidates.lazy.map { $0 & mask })
      } else {
        try newest(
          "number", in: "item",
          search.conditions.conjunction(.testing)
            + (search.isInComments ? search.notInComments : ""), db)
      }
    let (isInTitle, isInBody) = (search.isIn("title"), search.isIn("body"))
    return try hits(
      numbers, isWhole: isWhole, in: "item",
      "SELECT number, title, \(SearchIndex.body(of: "item"))", "number", db
    ) { row in
      text.score(
        [
          TextScan.Column(text: try row.value(1), isTitle: true, isSearched: isInTitle),
          TextScan.Column(text: try row.value(2) ?? "", isSearched: isInBody),
        ], weights: weights)
    }.map { hits in
      hits.map { Hit(place: place(of: $0.number), comment: nil, score: $0.score) }
    }
  }

  /// The newest matching comments, up to the number that is ranked; nil if the index is faster.
  func comments(_ db: Database) throws -> [Hit]? {
    guard try isFew || isLarge("comment", db) else { return nil }
    let mask = 1 << SearchIndex.numberBits - 1
    var isWhole = false
    let ids: AnyCursor<Int64>
    if let candidates {
      let all = try SQLRequest<Int64>(
        literal: """
          SELECT comment.id
          FROM json_each(\(IssueSearch.array(candidates))) AS candidate CROSS JOIN comment
            ON comment.repository = \(repository) AND comment.number = (candidate.value & \(mask))
          ORDER BY comment.id DESC LIMIT \(limits.scanned + 1)
          """, cached: true
      ).fetchAll(db)
      isWhole = all.count <= limits.scanned
      ids = AnyCursor(all)
    } else {
      let conditions =
        search.conditions.conjunction(.testing) + search.notInText + search.notInComments
      ids = try newest(
        "id", in: "comment",
        conditions.isEmpty
          ? ""
          : """
           AND EXISTS (
            SELECT 1 FROM item WHERE item.repository = comment.repository
              AND item.number = comment.number \(conditions))
          """, db)
    }
    return try hits(
      ids, isWhole: isWhole, in: "comment", "SELECT number, \(SearchIndex.body(of: "comment"))",
      "id", db
    ) { row in
      text.score([TextScan.Column(text: try row.value(1) ?? "")], weights: weights)
    }.map { hits in
      hits.map {
        Hit(
          place: place(of: $0.number), comment: repository << SearchIndex.commentBits | $0.id,
          score: IssueSearch.commentShare * $0.score)
      }
    }
  }

  private func place(of number: Int64) -> Int64 { repository << SearchIndex.numberBits | number }

  /// The numbers or ids of the newest rows that meet the conditions. They are tested as the cursor moves, because
  /// testing all would take longer than the scan.
  private func newest(
    _ key: String, in table: String, _ conditions: SQL, _ db: Database
  ) throws -> AnyCursor<Int64> {
    let cursor = try SQLRequest<Int64>(
      literal: """
        SELECT \(sql: key) FROM \(sql: table)
        WHERE repository = \(repository) AND \(sql: key) > ifnull((
            SELECT \(sql: key) FROM \(sql: table) WHERE repository = \(repository)
            ORDER BY \(sql: key) DESC LIMIT 1 OFFSET \(limits.tried)), 0)
          \(conditions)
        ORDER BY \(sql: key) DESC
        """, cached: true
    ).fetchCursor(db)
    return AnyCursor(cursor)
  }

  /// Reads texts by their numbers or ids, the newest first. Returns the matches, or nil if they are too rare. The first
  /// selected column must be the issue's number.
  private func hits(
    _ ids: AnyCursor<Int64>, isWhole: Bool, in table: String, _ selection: String, _ key: String,
    _ db: Database, score: (Row) throws -> Double?
  ) throws -> [(id: Int64, number: Int64, score: Double)]? {
    let statement = try db.cachedStatement(
      sql: "\(selection) FROM \(table) WHERE repository = ? AND \(key) = ?")
    var count = 0
    var hits: [(id: Int64, number: Int64, score: Double)] = []
    while hits.count < limits.ranked, count < limits.scanned, let id = try ids.next() {
      // At this rate, there won't be enough matches.
      if !isWhole, count >= limits.sample, hits.count * limits.scanned < limits.ranked * count {
        return nil
      }
      count += 1
      guard let row = try Row.fetchOne(statement, arguments: [repository, id]),
        let score = try score(row)
      else { continue }
      hits.append((id, try row.value(0), score))
    }
    return isWhole || hits.count == limits.ranked ? hits : nil
  }

  private func isLarge(_ table: String, _ db: Database) throws -> Bool {
    try SQLRequest<Bool>(
      literal: """
        SELECT EXISTS (
          SELECT 1 FROM \(sql: table) WHERE repository = \(repository) LIMIT 1 OFFSET \(limits.small))
        """, cached: true
    ).fetchOne(db) ?? false
  }
}

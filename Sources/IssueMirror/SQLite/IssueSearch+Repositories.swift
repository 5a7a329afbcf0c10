internal import GRDB
internal import PrivateDatabase

extension IssueSearch {
  func ranked(limit: Int, _ db: Database) throws -> Found {
    var found = try canSearchTogether ? rankedTogether(limit: limit, db) : rankedOneByOne(db)
    let isDescending = query.direction == .descending
    found.hits.sort { first, second in
      isDescending
        ? (first.score, first.place) > (second.score, second.place)
        : (first.score, first.place) < (second.score, second.place)
    }
    found.count = found.isExhaustive ? found.hits.count : nil
    found.hits = Array(found.hits.prefix(limit))
    return found
  }

  private func rankedOneByOne(_ db: Database) throws -> Found {
    var all = Found(hits: [], count: nil, isExhaustive: true)
    for repository in repositories {
      let found = try narrowed(to: repository).ranked(in: repository, db)
      all.hits += found.hits
      all.isExhaustive = all.isExhaustive && found.isExhaustive
    }
    return all
  }

  /// A search with the labels, people and excluded words of a single repository.
  private func narrowed(to repository: Int64) -> IssueSearch {
    var search = self
    search.repositories = [repository]
    search.conditions = SearchConditions(query, in: [repository])
    return search
  }

  // MARK: Many repositories at once

  /// To find the texts of one repository, FTS5 reads all texts with a word. So many repositories are searched together
  /// if the search consists only of words and doesn't need the columns of issues.
  private var canSearchTogether: Bool {
    repositories.count > limits.fewRepositories && limits.ranked < .max
      && query.conditions.isEmpty && expression.excluded.isEmpty && number == nil
      && !expression.phrases.contains(where: \.isPrefix)
  }

  /// Ranks the newest texts of each repository, with a limit per repository that leaves enough for the others.
  private func rankedTogether(limit: Int, _ db: Database) throws -> Found {
    var best: [Int64: Hit] = [:]
    var isExhaustive = true
    func take(_ newest: (hits: [Hit], isAll: Bool)) {
      for hit in newest.hits where hit.score > best[hit.place]?.score ?? -1 {
        best[hit.place] = hit
      }
      isExhaustive = isExhaustive && newest.isAll
    }
    func found() throws -> Found {
      let newest = try newestNumbers(in: Set(best.values.map(\.repository)), db)
      let hits = best.values.map { $0.withRecency(newest: newest[$0.repository] ?? 1) }
      return Found(hits: hits, count: nil, isExhaustive: isExhaustive)
    }
    let weights = try weightsTogether(db)
    if let columns {
      if columns.isEmpty {
        take(try newestItems(withTitles: weights, db))
        if !isExhaustive {
          let found = try found()
          if areBest(found.hits, limit: limit, weights) { return found }
          isExhaustive = true
        }
      }
      take(try newestItems(expression.matching(in: columns), weights, db))
    }
    if isInComments { take(try newestComments(weights, db)) }
    return try found()
  }

  /// Whether all of the best results must be issues with the word in their title, because other matches score less.
  private func areBest(_ titled: [Hit], limit: Int, _ weights: [Double]) -> Bool {
    guard expression.required.count == 1, query.direction == .descending,
      titled.count >= limit, limit > 0
    else { return false }
    let last = titled.map(\.score).sorted(by: >)[limit - 1]
    return last > RankFunction.textMaximum * weights.reduce(0, +)
  }

  /// The newest issues with all words in their titles. Matches in their bodies count too.
  private func newestItems(
    withTitles weights: [Double], _ db: Database
  ) throws -> (hits: [Hit], isAll: Bool) {
    guard let titles = expression.matching(in: ["title"]), let texts = expression.matching(in: [])
    else { return ([], true) }
    return try newestItems("(\(titles)) AND (\(texts))", weights.map { _ in 0 } + weights, db)
  }

  private func newestItems(
    _ words: String?, _ weights: [Double], _ db: Database
  ) throws -> (hits: [Hit], isAll: Bool) {
    guard let words else { return ([], true) }
    let (scores, isAll) = try newest(
      words, in: "item_text", of: SearchIndex.items, bits: SearchIndex.numberBits, titleColumn: 0,
      weights, db)
    return (scores.map { Hit(place: $0.place, score: $0.score) }, isAll)
  }

  private func newestComments(
    _ weights: [Double], _ db: Database
  ) throws -> (hits: [Hit], isAll: Bool) {
    guard let words = expression.matching(in: []) else { return ([], true) }
    let bits = SearchIndex.commentBits
    let (scores, isAll) = try newest(
      words, in: "comment_text", of: SearchIndex.comments, bits: bits, titleColumn: -1, weights, db)
    let comment = try db.cachedStatement(
      sql: "SELECT number FROM comment WHERE repository = ? AND id = ?")
    let hits = try scores.compactMap { place, score in
      try Int64.fetchOne(comment, arguments: [place >> bits, place & (1 << bits - 1)]).map {
        Hit(
          place: (place >> bits) << SearchIndex.numberBits | $0, comment: place,
          score: Self.commentShare * score)
      }
    }
    return (hits, isAll)
  }

  /// The scores of the newest texts of each repository, and whether these are all texts. If only a few repositories
  /// have many texts, a second query ranks these texts, because the number of texts is known only after the first.
  private func newest(
    _ words: String, in table: String, of places: (Int64) -> ClosedRange<Int64>, bits: Int64,
    titleColumn: Int, _ weights: [Double], _ db: Database
  ) throws -> (scores: [(place: Int64, score: Double)], isAll: Bool) {
    guard let first = repositories.min(), let last = repositories.max() else { return ([], true) }
    let list = weights.prefix(Self.mostWeights).map { "\($0)" }.joined(separator: ", ")
    let statement = try db.makeStatement(
      sql: """
        SELECT rowid, \(RankFunction.newestName)(\(table), \(bits), ?, \(titleColumn), \(list))
        FROM \(table) WHERE \(table) MATCH ? AND rowid BETWEEN ? AND ?
        ORDER BY rowid DESC LIMIT ?
        """)
    let searched = Set(repositories)
    var share = max(limits.rankedTogether / repositories.count, 1)
    while true {
      var scores: [(Int64, Double)] = []
      var counts: [Int64: Int] = [:]
      var (repository, isSearched, count) = (Int64(-1), false, 0)
      let rows = try Row.fetchCursor(
        statement,
        arguments: [
          share, words, places(first).lowerBound, places(last).upperBound, limits.counted,
        ])
      while let row = try rows.next() {
        let place: Int64 = try row.value(0)
        if place >> bits != repository {
          repository = place >> bits
          isSearched = searched.contains(repository)
        }
        guard isSearched else { continue }
        count += 1
        counts[repository, default: 0] += 1
        if let score: Double = try row.value(1) { scores.append((place, score)) }
      }
      let fair = min(
        Self.share(of: limits.rankedTogether, among: Array(counts.values)), limits.ranked)
      if fair <= 2 * share || scores.count == count {
        return (scores, scores.count == count && count < limits.counted)
      }
      share = fair
    }
  }

  private func newestNumbers(
    in repositories: Set<Int64>, _ db: Database
  ) throws -> [Int64: Int64] {
    let statement = try db.cachedStatement(
      sql: "SELECT max(number) FROM item WHERE repository = ?")
    var newest: [Int64: Int64] = [:]
    for repository in repositories {
      newest[repository] = try Int64.fetchOne(statement, arguments: [repository])
    }
    return newest
  }

  /// The limit of texts per repository that keeps the total within `whole`. Repositories below the limit leave their
  /// remaining share to the others.
  static func share(of whole: Int, among counts: [Int]) -> Int {
    var rest = whole
    for (index, count) in counts.sorted().enumerated() {
      let share = rest / (counts.count - index)
      guard count <= share else { return max(share, 1) }
      rest -= count
    }
    return .max
  }

  /// The inverse document frequency (BM25) of each phrase in all repositories.
  private func weightsTogether(_ db: Database) throws -> [Double] {
    let phrases = expression.phrases
    guard phrases.count > 1 else { return phrases.map { _ in 1 } }
    func count(_ texts: SQL) throws -> Double {
      Double(
        try SQLRequest<Int>(
          literal: "SELECT count(*) FROM (SELECT 1 \(texts) LIMIT \(limits.counted))"
        ).fetchOne(db) ?? 0)
    }
    let all = try count("FROM item WHERE repository IN \(repositories)")
    return try phrases.map { phrase in
      let frequency = try count(itemTexts(phrase.text, in: repositories))
      return Double.idf(frequency, of: max(all, frequency))
    }
  }
}

extension IssueSearch.Hit {
  /// Returns the hit with a higher score for newer issues.
  func withRecency(newest: Int64) -> Self {
    var hit = self
    let share = IssueSearch.recencyShare
    hit.score *= 1 - share + share * Double(number) / Double(max(newest, 1))
    return hit
  }
}

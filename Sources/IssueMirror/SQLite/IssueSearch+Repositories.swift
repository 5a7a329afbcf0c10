internal import GRDB
internal import PrivateDatabase

extension IssueSearch {
  func ranked(limit: Int, _ db: Database) throws -> Found {
    var found = try canSearchTogether ? rankedTogether(db) : rankedOneByOne(db)
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

  /// With the labels, people and excluded words of one repository only.
  private func narrowed(to repository: Int64) -> IssueSearch {
    var search = self
    search.repositories = [repository]
    search.conditions = SearchConditions(query, in: [repository])
    return search
  }

  // MARK: Many repositories at once

  /// For each repository, FTS5 goes through all texts with a word to find its own. So words alone, which need nothing
  /// of the issues, are looked for in many repositories at once.
  private var canSearchTogether: Bool {
    repositories.count > limits.fewRepositories && limits.ranked < .max
      && query.conditions.isEmpty && expression.excluded.isEmpty && number == nil
      && !expression.phrases.contains(where: \.isPrefix)
  }

  /// Ranks the newest texts of each repository, as many of each as leave enough for the others.
  private func rankedTogether(_ db: Database) throws -> Found {
    var best: [Int64: Hit] = [:]
    var isExhaustive = true
    func take(_ hits: [Hit]) {
      for hit in hits where hit.score > best[hit.place]?.score ?? -1 { best[hit.place] = hit }
    }
    let weights = try weightsTogether(db)
    if let columns {
      let (places, isAll) = try newestItems(columns, db)
      take(try items(at: places, columns, weights, db))
      if !isAll {
        isExhaustive = false
        if columns.isEmpty {
          take(try items(at: newestItems(["title"], db).places, ["title"], weights, db))
        }
      }
    }
    if isInComments {
      let (hits, isAll) = try commentsTogether(weights, db)
      take(hits)
      isExhaustive = isExhaustive && isAll
    }
    var newest: [Int64: Int64] = [:]
    let hits = try best.values.map { hit in
      let last = try newest[hit.repository] ?? newestNumber(in: hit.repository, db)
      newest[hit.repository] = last
      return hit.withRecency(newest: last)
    }
    return Found(hits: hits, count: nil, isExhaustive: isExhaustive)
  }

  private func newestItems(
    _ columns: [String], _ db: Database
  ) throws -> (places: [Int64], isAll: Bool) {
    guard let words = expression.matching(in: columns, excludingIn: self.columns) else {
      return ([], true)
    }
    return try newest(
      itemTexts(words, in: repositories), of: "item_text", bits: SearchIndex.numberBits, db)
  }

  private func items(
    at places: [Int64], _ columns: [String], _ weights: [Double], _ db: Database
  ) throws -> [Hit] {
    guard let first = places.last, let last = places.first else { return [] }
    var search = self
    search.limits.ranked = .max
    return try search.issues(in: first...last, places, columns, weights, db)
  }

  private func commentsTogether(
    _ weights: [Double], _ db: Database
  ) throws -> (hits: [Hit], isAll: Bool) {
    guard let words = expression.matching(in: []) else { return ([], true) }
    let texts = commentTexts(words, in: repositories)
    let (places, isAll) = try newest(
      texts, of: "comment_text", bits: SearchIndex.commentBits, db)
    var search = self
    search.limits.ranked = .max
    let hits = try search.rankedComments(
      "\(texts) AND +comment_text.rowid IN (SELECT value FROM json_each(\(Self.array(places))))",
      weights, db)
    return (hits, isAll)
  }

  /// The places of the newest texts of each repository, the last place first, and whether these are all.
  private func newest(
    _ texts: SQL, of table: String, bits: Int64, _ db: Database
  ) throws -> (places: [Int64], isAll: Bool) {
    let places = try SQLRequest<Int64>(
      literal: """
        SELECT \(sql: table).rowid \(texts)
        ORDER BY \(sql: table).rowid DESC LIMIT \(limits.counted)
        """
    ).fetchAll(db)
    var counts: [Int64: Int] = [:]
    for place in places { counts[place >> bits, default: 0] += 1 }
    let share = min(
      Self.share(of: limits.rankedTogether, among: Array(counts.values)), limits.ranked)
    var taken: [Int64: Int] = [:]
    let newest = places.filter { place in
      taken[place >> bits, default: 0] += 1
      return taken[place >> bits, default: 0] <= share
    }
    return (newest, newest.count == places.count && places.count < limits.counted)
  }

  /// The most of each, so that all together aren't more than the whole: what some leave, the others take.
  static func share(of whole: Int, among counts: [Int]) -> Int {
    var rest = whole
    for (index, count) in counts.sorted().enumerated() {
      let share = rest / (counts.count - index)
      guard count <= share else { return max(share, 1) }
      rest -= count
    }
    return .max
  }

  /// BM25's inverse document frequency of each phrase in all repositories.
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
  /// Newer issues of a repository score higher.
  func withRecency(newest: Int64) -> Self {
    var hit = self
    let share = IssueSearch.recencyShare
    hit.score *= 1 - share + share * Double(number) / Double(max(newest, 1))
    return hit
  }
}

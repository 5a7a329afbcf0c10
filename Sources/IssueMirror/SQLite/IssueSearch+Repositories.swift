internal import GRDB
internal import PrivateDatabase

extension IssueSearch {
  func ranked(limit: Int, _ db: Database) throws -> Found {
    let search = try sharing(db)
    var found = try search.inHalves(db)
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

  /// Of many repositories, a second thread searches half.
  private func inHalves(_ db: Database) throws -> Found {
    guard let pool, repositories.count > limits.fewRepositories else {
      return try oneByOne(repositories, db)
    }
    var search = self
    search.pool = nil
    let middle = repositories.count / 2
    let other = SecondReader(pool) { [search] db in
      try search.oneByOne(search.repositories[middle...], db)
    }
    do {
      var found = try search.oneByOne(repositories[..<middle], db)
      let rest = try other.value()
      found.hits += rest.hits
      found.isExhaustive = found.isExhaustive && rest.isExhaustive
      return found
    } catch {
      other.cancel()
      throw error
    }
  }

  private func oneByOne(
    _ repositories: some Sequence<Int64>, _ db: Database
  ) throws -> Found {
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

  /// The search with fewer texts of each repository to rank if many have many, and without repositories that have
  /// none. Only words are counted, not those with further conditions; a prefix takes too long.
  private func sharing(_ db: Database) throws -> IssueSearch {
    guard limits.ranked < .max, repositories.count * limits.ranked > limits.rankedTogether,
      query.conditions.isEmpty, expression.excluded.isEmpty,
      !expression.phrases.contains(where: \.isPrefix), number == nil
    else { return self }
    var search = self
    var (matching, share): (Set<Int64>?, Int) = ([], limits.ranked)
    func take(_ texts: SQL, bits: Int64) throws {
      let counts = try counts(of: texts, bits: bits, db)
      let isWhole = counts.values.reduce(0, +) < limits.counted
      matching = isWhole ? matching?.union(counts.keys) : nil
      // What wasn't counted may be much.
      let all = isWhole ? Array(counts.values) : repositories.map { counts[$0] ?? .max }
      share = min(share, Self.share(of: limits.rankedTogether, among: all))
    }
    if let columns, let words = expression.matching(in: columns) {
      try take(itemTexts(words, in: repositories), bits: SearchIndex.numberBits)
    }
    if isInComments, let words = expression.matching(in: []) {
      try take(commentTexts(words, in: repositories), bits: SearchIndex.commentBits)
    }
    search.limits.ranked = share
    if let matching { search.repositories = repositories.filter(matching.contains) }
    return search
  }

  /// The matching texts of each repository, the oldest repositories first, up to a bound.
  private func counts(of texts: SQL, bits: Int64, _ db: Database) throws -> [Int64: Int] {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT repository, count(*) FROM (
          SELECT \(sql: bits == SearchIndex.numberBits ? "item_text" : "comment_text").rowid
            >> \(bits) AS repository
          \(texts) LIMIT \(limits.counted))
        GROUP BY repository
        """
    ).fetchAll(db)
    return try Dictionary(
      rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $1 })
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
}

internal import GRDB
internal import PrivateDatabase

/// Finds candidates for ``SimilarityRanking``: the issues of a repository whose own texts have the rarest words of given
/// text.
///
/// For text of any length, the number of terms to look up, of terms to search and of texts to rank is bounded. Of the
/// matching texts, those of the newest issues are ranked.
struct SimilaritySearch {
  /// The most terms to look up.
  private static let mostCandidates = 600
  /// The most texts to count for each term.
  private static let counted = 200
  /// A sequence of words is searched only if one of them is in fewer texts than this, because FTS5 reads all texts with
  /// the rarest word.
  private static let mostTexts = 4_000.0

  let repository: Int64
  /// The issue to exclude.
  let number: Int?
  let conditions: SQL

  init(_ query: SimilarIssuesQuery, in repository: Int64) {
    self.repository = repository
    number = if case .issue(let number) = query.subject { number } else { nil }
    var conditions: SQL = query.includesPullRequests ? "" : " AND NOT item.is_pull_request"
    if query.state != .all { conditions += " AND item.state = \(query.state.rawValue)" }
    self.conditions = conditions
  }

  func candidates(_ terms: SimilarityTerms, _ db: Database) throws -> SimilarityCandidates {
    let (counted, count) = try counted(terms.candidates(upTo: Self.mostCandidates), db)
    let ranking = SimilarityRanking(terms, counted, of: count)
    let weights = SimilarityWeights(counted, of: count)
    let expression = SearchPhrases(anyOf: weights.phrases)
    guard let words = expression.matching(in: []) else {
      return SimilarityCandidates(numbers: [], ranking: ranking, phrases: expression)
    }
    let list = weights.weights.map { "\($0)" as SQL }.joined(separator: ", ")
    let places = try SQLRequest<Int64>(
      literal: """
        SELECT place FROM (
          SELECT item_text.rowid AS place, \(sql: RankFunction.overlapName)(item_text, 0, \(list)) AS score
          FROM item_text CROSS JOIN item ON \(sql: SearchIndex.itemRow)
          WHERE item_text MATCH \(words)
            AND item_text.rowid BETWEEN \(places.lowerBound) AND \(places.upperBound)
            AND item_text.rowid <> \(own) \(conditions)
          ORDER BY item_text.rowid DESC LIMIT \(Int(SimilarityWeights.mostTexts)))
        ORDER BY score DESC, place DESC LIMIT \(SimilarityRanking.mostCandidates)
        """
    ).fetchAll(db)
    return SimilarityCandidates(
      numbers: places.map { Int($0 & (1 << SearchIndex.numberBits - 1)) }, ranking: ranking,
      phrases: expression)
  }

  private var places: ClosedRange<Int64> { SearchIndex.items(of: repository) }

  /// The place of the compared issue, or -1.
  private var own: Int64 {
    number.map { repository << SearchIndex.numberBits | Int64($0) } ?? -1
  }

  private func counted(
    _ candidates: [SimilarityTerms.Term], _ db: Database
  ) throws -> ([SimilarityWeights.Counted], of: Double) {
    let highest =
      try SQLRequest<Int64>(
        literal: "SELECT max(number) FROM item WHERE repository = \(repository)"
      ).fetchOne(db) ?? 0
    let newest = min(max(highest, 1), 1 << SearchIndex.numberBits)
    var known: [String: Double] = [:]
    let counted = try candidates.map { term in
      if term.isStem {
        return SimilarityWeights.Counted(
          term: term, frequency: try frequency(of: term.phrase, newest, db))
      }
      var rarest = Double.infinity
      for token in term.tokens {
        let frequency =
          try known[token]
          ?? frequency(of: SearchPhrases.Phrase(tokens: [token], isPrefix: false), newest, db)
        known[token] = frequency
        rarest = min(rarest, frequency)
        if rarest == 0 { break }
      }
      if term.tokens.count > 1, rarest > 0 {
        rarest = rarest <= Self.mostTexts ? try frequency(of: term.phrase, newest, db) : 0
      }
      return SimilarityWeights.Counted(term: term, frequency: rarest)
    }
    return (counted, Double(newest))
  }

  /// The number of texts with the term. It is counted up to a limit, and extrapolated from the range that the counted
  /// texts cover.
  private func frequency(
    of phrase: SearchPhrases.Phrase, _ newest: Int64, _ db: Database
  ) throws -> Double {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*), min(place) FROM (
            SELECT rowid AS place FROM item_text
            WHERE item_text MATCH ? AND rowid BETWEEN ? AND ? AND rowid <> ?
            ORDER BY rowid DESC LIMIT ?)
          """),
      arguments: [phrase.text, places.lowerBound, places.upperBound, own, Self.counted])
    let count: Int = try row?.value(0) ?? 0
    guard count == Self.counted, let oldest: Int64 = try row?.value(1) else { return Double(count) }
    let reach = max(places.lowerBound + newest - oldest + 1, 1)
    return Double(count) * max(1, Double(newest) / Double(reach))
  }
}

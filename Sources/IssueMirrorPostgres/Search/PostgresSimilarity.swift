internal import IssueMirror

/// Finds candidates for ``/IssueMirror/SimilarityRanking``: the issues of a repository whose own texts have the rarest
/// words of given text. For text of any length, the number of terms to look up and of texts to compare is bounded.
struct PostgresSimilarity {
  /// The most terms to look up.
  private static let mostCandidates = 600
  /// The most texts to count for each term.
  private static let counted = 200

  let repository: Int64
  /// The issue to exclude.
  let number: Int?
  let conditions: PostgresSQL

  init(_ query: SimilarIssuesQuery, in repository: Int64) {
    self.repository = repository
    number = if case .issue(let number) = query.subject { number } else { nil }
    var conditions: PostgresSQL = query.includesPullRequests ? "" : " AND NOT is_pull_request"
    if query.state != .all { conditions = conditions + " AND state = \(query.state.rawValue)" }
    self.conditions = conditions
  }

  func candidates(
    _ terms: SimilarityTerms, _ db: PostgresSession
  ) throws -> SimilarityCandidates {
    let (counted, count) = try counted(terms.candidates(upTo: Self.mostCandidates), db)
    let ranking = SimilarityRanking(terms, counted, of: count)
    let weights = SimilarityWeights(counted, of: count)
    let expression = SearchPhrases(anyOf: weights.phrases)
    guard let words = TextQuery.matching(expression, in: .anywhere) else {
      return SimilarityCandidates(numbers: [], ranking: ranking, phrases: expression)
    }
    let anywhere = weights.phrases.map { TextQuery.phrase($0, .anywhere) }
    let titles = weights.phrases.map { TextQuery.phrase($0, .title) }
    let all = "(\(words)) & '\(PropertyWord.of(repository: repository))'"
    // This reads the terms once instead of once per text.
    let numbers: [Int] = try db.column(
      """
      WITH terms AS MATERIALIZED (
        SELECT weight, anywhere::tsquery AS anywhere, title::tsquery AS title
        FROM unnest(\(.reals(weights.weights)), \(anywhere), \(titles))
          AS texts(weight, anywhere, title))
      SELECT number FROM (
        SELECT number, (
          SELECT sum(CASE WHEN tsv @@ title THEN weight * \(sql: "\(SimilarityWeights.titleShare)")
            ELSE weight END)
          FROM terms WHERE tsv @@ anywhere) AS score
        FROM (
          SELECT number, tsv FROM item_text JOIN item USING (repository, number)
          WHERE repository = \(repository) AND tsv @@ \(all)::tsquery
            AND number <> \(number ?? -1)\(conditions)
          ORDER BY number DESC LIMIT \(Int(SimilarityWeights.mostTexts))) AS newest) AS scored
      WHERE score > 0 ORDER BY score DESC, number DESC LIMIT \(SimilarityRanking.mostCandidates)
      """)
    return SimilarityCandidates(numbers: numbers, ranking: ranking, phrases: expression)
  }

  /// The number of texts with each term. It is counted up to a limit, and extrapolated from the range that the counted
  /// texts cover.
  private func counted(
    _ candidates: [SimilarityTerms.Term], _ db: PostgresSession
  ) throws -> ([SimilarityWeights.Counted], of: Double) {
    let highest: Int =
      (try db.first("SELECT max(number) FROM item WHERE repository = \(repository)")?.value(0)
        ?? nil) ?? 0
    let newest = Double(max(highest, 1))
    let texts = candidates.map { TextQuery.phrase($0.phrase, .anywhere) }
    let own = "'\(PropertyWord.of(repository: repository))'"
    let rows = try db.rows(
      """
      SELECT place, count, oldest FROM unnest(\(texts)) WITH ORDINALITY AS terms(term, place),
        LATERAL (
          SELECT count(*) AS count, min(number) AS oldest FROM (
            SELECT number FROM item_text
            WHERE repository = \(repository) AND tsv @@ (term || \(" & " + own))::tsquery
              AND number <> \(number ?? -1)
            ORDER BY number DESC LIMIT \(Self.counted)) AS newest) AS counted
      """)
    var frequencies = candidates.map { _ in 0.0 }
    for row in rows {
      let (place, count): (Int, Int) = (try row.value(0), try row.value(1))
      let oldest: Int = (try row.value(2) as Int?) ?? 1
      var frequency = Double(count)
      if count == Self.counted {
        frequency *= max(1, newest / max(newest - Double(oldest) + 1, 1))
      }
      frequencies[place - 1] = frequency
    }
    let counted = zip(candidates, frequencies).map {
      SimilarityWeights.Counted(term: $0, frequency: $1)
    }
    return (counted, newest)
  }
}

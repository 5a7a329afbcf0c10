internal import IssueMirror

/// Finds the issues of a repository whose own texts are most similar to given text, based on its rarest words. For text
/// of any length, the number of terms to look up and of texts to compare is bounded.
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

  /// The best matches first, with a score from 0 to 1; `phrases` are the compared terms.
  func found(
    _ terms: SimilarityTerms, limit: Int, _ db: PostgresSession
  ) throws -> (hits: [SearchListing.Hit], phrases: SearchPhrases) {
    let weights = try weights(of: terms.candidates(upTo: Self.mostCandidates), db)
    let expression = SearchPhrases(anyOf: weights.phrases)
    guard let words = TextQuery.matching(expression, in: .anywhere), limit > 0 else {
      return ([], expression)
    }
    let anywhere = weights.phrases.map { TextQuery.phrase($0, .anywhere) }
    let titles = weights.phrases.map { TextQuery.phrase($0, .title) }
    let all = "(\(words)) & '\(PropertyWord.of(repository: repository))'"
    // This reads the terms once instead of once per text.
    let rows = try db.rows(
      """
      WITH terms AS MATERIALIZED (
        SELECT weight, anywhere::tsquery AS anywhere, title::tsquery AS title
        FROM unnest(\(.reals(weights.weights)), \(anywhere), \(titles))
          AS texts(weight, anywhere, title))
      SELECT number, score FROM (
        SELECT number, (
          SELECT sum(CASE WHEN tsv @@ title THEN weight * \(sql: "\(SimilarityWeights.titleShare)")
            ELSE weight END)
          FROM terms WHERE tsv @@ anywhere) AS score
        FROM (
          SELECT number, tsv FROM item_text JOIN item USING (repository, number)
          WHERE repository = \(repository) AND tsv @@ \(all)::tsquery
            AND number <> \(number ?? -1)\(conditions)
          ORDER BY number DESC LIMIT \(Int(SimilarityWeights.mostTexts))) AS newest) AS scored
      WHERE score > 0 ORDER BY score DESC, number DESC LIMIT \(limit)
      """)
    let hits = try rows.map { row in
      SearchListing.Hit(
        repository: repository, number: try row.value(0),
        score: weights.similarity(try row.value(1)))
    }
    return (hits, expression)
  }

  /// The number of texts with each term. It is counted up to a limit, and extrapolated from the range that the counted
  /// texts cover.
  private func weights(
    of candidates: [SimilarityTerms.Term], _ db: PostgresSession
  ) throws -> SimilarityWeights {
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
    return SimilarityWeights(
      zip(candidates, frequencies).map { SimilarityWeights.Counted(term: $0, frequency: $1) },
      of: newest)
  }
}

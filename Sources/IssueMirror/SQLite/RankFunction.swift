internal import GRDB
internal import GRDBSQLite

/// An SQL function of FTS5 (<https://www.sqlite.org/fts5.html#custom_auxiliary_functions>) that scores a match.
///
/// `issue_rank(table, titleColumn, weight…)` is BM25 by column (Robertson, Zaragoza: The Probabilistic Relevance
/// Framework, 2009) with k₁ = 1.2. Titles count three times, regardless of their length; other texts have b = 0.75 and
/// an average of 150 words. The weights belong to the phrases, in order. FTS5's `bm25()` would compute the weights from
/// every text with a phrase, which for a frequent word takes longer than the search itself.
///
/// `issue_rank_newest(table, bits, share, titleColumn, weight…)` returns the same score for the first `share` texts of
/// each repository, and NULL for the others. The row ids must come in descending order. A row id shifted right by
/// `bits` is the repository.
///
/// `issue_overlap(table, titleColumn, weight…)` is the sum of the weights of the phrases that a text has, three times
/// those in the title. PostgreSQL's engine chooses candidates for ``SimilarityRanking`` by the same sum.
enum RankFunction {
  static let name = "issue_rank"
  static let overlapName = "issue_overlap"
  static let newestName = "issue_rank_newest"

  static func register(_ db: Database) throws {
    let api = unsafe FTS5.api(db)
    guard
      let create = unsafe api.pointee.xCreateFunction,
      case let api = unsafe UnsafeMutablePointer(mutating: api),
      unsafe create(api, name, nil, rank, nil) == SQLITE_OK,
      unsafe create(api, overlapName, nil, overlap, nil) == SQLITE_OK,
      unsafe create(api, newestName, nil, rankNewest, nil) == SQLITE_OK
    else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
  }

  /// The highest score for all occurrences of a phrase of weight 1 in a text. In a title, a single occurrence adds
  /// `titleWeight`.
  static let textMaximum = 2.2
  private static let titleWeight = 3.0
  private static let averageLength = 150.0

  /// The score of a match in a text of `length` words. For each phrase, `counts` contains the number of its occurrences
  /// in the title, then in the text.
  static func score(_ counts: [Int], _ length: Int, _ weights: [Double]) -> Double {
    let shortness = 1.2 * (0.25 + 0.75 * Double(length) / averageLength)
    var score = 0.0
    for (phrase, weight) in weights.enumerated() {
      let (title, text) = (Double(counts[2 * phrase]), Double(counts[2 * phrase + 1]))
      let relevance =
        titleWeight * title * 2.2 / (title + 1.2) + text * textMaximum / (text + shortness)
      score += weight * relevance
    }
    return score
  }
}

private func rank(
  api: UnsafePointer<Fts5ExtensionApi>?, cursor: OpaquePointer?, context: OpaquePointer?,
  argumentCount: CInt, arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe score(
    api, cursor, context, argumentCount, arguments, hasLength: true, RankFunction.score)
}

private func overlap(
  api: UnsafePointer<Fts5ExtensionApi>?, cursor: OpaquePointer?, context: OpaquePointer?,
  argumentCount: CInt, arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe score(api, cursor, context, argumentCount, arguments, hasLength: false) {
    counts, _, weights in
    weights.enumerated().reduce(0) { sum, entry in
      let (phrase, weight) = entry
      if counts[2 * phrase] > 0 { return sum + weight * SimilarityWeights.titleShare }
      return sum + (counts[2 * phrase + 1] > 0 ? weight : 0)
    }
  }
}

private func score(
  _ api: UnsafePointer<Fts5ExtensionApi>?, _ cursor: OpaquePointer?, _ context: OpaquePointer?,
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, hasLength: Bool,
  _ score: (_ counts: [Int], _ length: Int, _ weights: [Double]) -> Double
) {
  guard
    let api = unsafe api?.pointee, let arguments = unsafe arguments, argumentCount > 1,
    let phraseCount = unsafe api.xPhraseCount?(cursor), phraseCount > 0
  else { return unsafe sqlite3_result_double(context, 0) }
  let titleColumn = unsafe sqlite3_value_int(arguments[0])
  let weightCount = Int(argumentCount) - 1
  var instances: CInt = 0
  var length: CInt = 0
  var code = unsafe api.xInstCount?(cursor, &instances) ?? SQLITE_ERROR
  // The number of occurrences of each phrase in the title, then in the text.
  var counts = [Int](repeating: 0, count: 2 * weightCount)
  for index in 0..<instances where code == SQLITE_OK {
    var (phrase, column, offset): (CInt, CInt, CInt) = (0, 0, 0)
    code = unsafe api.xInst?(cursor, index, &phrase, &column, &offset) ?? SQLITE_ERROR
    // Excluded words don't have a weight.
    guard phrase >= 0, phrase < weightCount else { continue }
    let isInTitle = column == titleColumn
    counts[2 * Int(phrase) + (isInTitle ? 0 : 1)] += 1
    // FTS5 reads the length from a table, and titles don't need it.
    if hasLength, !isInTitle, length == 0 {
      code = unsafe api.xColumnSize?(cursor, -1, &length) ?? SQLITE_ERROR
    }
  }
  guard code == SQLITE_OK else { return unsafe sqlite3_result_error_code(context, code) }
  let weights = (1...weightCount).map { unsafe sqlite3_value_double(arguments[$0]) }
  unsafe sqlite3_result_double(context, score(counts, Int(length), weights))
}

/// The number of texts of a repository that were ranked so far.
private struct Ration {
  var repository: Int64 = -1
  var taken = 0
}

private func rankNewest(
  api: UnsafePointer<Fts5ExtensionApi>?, cursor: OpaquePointer?, context: OpaquePointer?,
  argumentCount: CInt, arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let functions = unsafe api?.pointee, let arguments = unsafe arguments, argumentCount > 2
  else { return unsafe sqlite3_result_double(context, 0) }
  let ration: UnsafeMutablePointer<Ration>
  if let kept = unsafe functions.xGetAuxdata?(cursor, 0) {
    unsafe ration = kept.assumingMemoryBound(to: Ration.self)
  } else {
    unsafe ration = .allocate(capacity: 1)
    unsafe ration.initialize(to: Ration())
    // FTS5 keeps the pointer for the duration of the query, and frees it even on failure.
    let code = unsafe functions.xSetAuxdata?(cursor, ration) { unsafe $0?.deallocate() }
    guard code == SQLITE_OK else {
      return unsafe sqlite3_result_error_code(context, code ?? SQLITE_ERROR)
    }
  }
  let repository =
    unsafe (functions.xRowid?(cursor) ?? 0) >> Int64(sqlite3_value_int(arguments[0]))
  if unsafe ration.pointee.repository != repository {
    unsafe ration.pointee = Ration(repository: repository)
  }
  unsafe ration.pointee.taken += 1
  guard unsafe ration.pointee.taken <= sqlite3_value_int64(arguments[1]) else {
    return unsafe sqlite3_result_null(context)
  }
  unsafe rank(
    api: api, cursor: cursor, context: context, argumentCount: argumentCount - 2,
    arguments: arguments + 2)
}

internal import GRDB
internal import GRDBSQLite

/// An SQL function of FTS5 (<https://www.sqlite.org/fts5.html#custom_auxiliary_functions>) that scores a match.
///
/// `issue_rank(table, titleColumn, weight…)` is BM25 by column (Robertson, Zaragoza: The Probabilistic Relevance
/// Framework, 2009) with k₁ = 1.2. Titles count three times, whatever their length; other texts have b = 0.75 and an
/// average of 150 words. The weights belong to the phrases, in order. FTS5's `bm25()` computes them from every text
/// with a phrase, which takes longer than the search itself if a word is frequent.
enum RankFunction {
  static let name = "issue_rank"

  static func register(_ db: Database) throws {
    let api = unsafe FTS5.api(db)
    guard
      let createFunction = unsafe api.pointee.xCreateFunction,
      case let code = unsafe createFunction(
        UnsafeMutablePointer(mutating: api), name, nil, rank, nil),
      code == SQLITE_OK
    else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
  }

  private static let titleWeight = 3.0
  private static let averageLength = 150.0

  /// How well a text of so many words matches. `counts` has for each phrase how often it occurs in the title, then in
  /// the text.
  static func score(_ counts: [Int], length: Int, weights: [Double]) -> Double {
    let shortness = 1.2 * (0.25 + 0.75 * Double(length) / averageLength)
    var score = 0.0
    for (phrase, weight) in weights.enumerated() {
      let (title, text) = (Double(counts[2 * phrase]), Double(counts[2 * phrase + 1]))
      let relevance = titleWeight * title * 2.2 / (title + 1.2) + text * 2.2 / (text + shortness)
      score += weight * relevance
    }
    return score
  }
}

private func rank(
  api: UnsafePointer<Fts5ExtensionApi>?, cursor: OpaquePointer?, context: OpaquePointer?,
  argumentCount: CInt, arguments: UnsafeMutablePointer<OpaquePointer?>?
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
  if code == SQLITE_OK { code = unsafe api.xColumnSize?(cursor, -1, &length) ?? SQLITE_ERROR }
  // How often each phrase occurs in the title, then in the text.
  var counts = [Int](repeating: 0, count: 2 * weightCount)
  for index in 0..<instances where code == SQLITE_OK {
    var (phrase, column, offset): (CInt, CInt, CInt) = (0, 0, 0)
    code = unsafe api.xInst?(cursor, index, &phrase, &column, &offset) ?? SQLITE_ERROR
    // Excluded words have no weight.
    guard phrase >= 0, phrase < weightCount else { continue }
    counts[2 * Int(phrase) + (column == titleColumn ? 0 : 1)] += 1
  }
  guard code == SQLITE_OK else { return unsafe sqlite3_result_error_code(context, code) }
  let weights = (1...weightCount).map { unsafe sqlite3_value_double(arguments[$0]) }
  unsafe sqlite3_result_double(
    context, RankFunction.score(counts, length: Int(length), weights: weights))
}

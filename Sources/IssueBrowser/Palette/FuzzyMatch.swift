/// A text that has the letters of a query in their order, such as `reload` for `rld`. Case doesn't matter.
struct FuzzyMatch: Sendable, Hashable {
  /// More for letters side by side and at the beginning of words.
  let score: Int
  /// The matching characters of the text.
  let indices: [Int]

  /// Blanks in the query are skipped. nil if the text doesn't match.
  init?(_ query: String, in text: String) {
    let wanted = Array(query.lowercased().filter { !$0.isWhitespace })
    let letters = Array(text).map { Character($0.lowercased().prefix(1).description) }
    guard wanted.count <= letters.count else { return nil }
    // The best score with the query's first letters, the last of them at each place; and the place before.
    var scores: [Int?] = Array(repeating: 0, count: letters.count)
    var origins: [[Int?]] = []
    for (number, letter) in wanted.enumerated() {
      var (next, from): ([Int?], [Int?]) = ([], [])
      var best: (score: Int, place: Int)?
      for (place, other) in letters.enumerated() {
        let isStart = place == 0 || !Self.isPartOfWord(letters[place - 1])
        let (bonus, before) = (isStart ? 3 : 0, place > 0 ? scores[place - 1] : nil)
        if letter != other {
          next.append(nil)
          from.append(nil)
        } else if number == 0 {
          next.append(1 + bonus)
          from.append(nil)
        } else if let before, before + 2 >= (best?.score ?? before) {
          next.append(before + 3 + bonus)
          from.append(place - 1)
        } else {
          next.append(best.map { $0.score + 1 + bonus })
          from.append(best?.place)
        }
        if number > 0, let score = scores[place], score > best?.score ?? -1 {
          best = (score, place)
        }
      }
      scores = next
      origins.append(from)
    }
    guard !wanted.isEmpty else {
      (score, indices) = (0, [])
      return
    }
    let ends = scores.enumerated().compactMap { place, score in score.map { ($0, place) } }
    guard case (let score, var place)? = ends.max(by: { $0.0 < $1.0 }) else { return nil }
    self.score = score
    var path = [place]
    for from in origins.dropFirst().reversed() {
      guard let before = from[place] else { break }
      path.append(before)
      place = before
    }
    indices = path.reversed()
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}

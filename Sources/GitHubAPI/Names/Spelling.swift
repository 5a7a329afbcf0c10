/// Finds the name that a user probably intended.
package enum Spelling {
  /// The maximum length of a word. No name is longer, and comparing long words is slow.
  private static let longest = 40

  /// Finds the name that begins with the word, or else the most similar name. It may differ by one keystroke, or by two
  /// if the word has more than four letters. The names must be in lowercase.
  package static func nearest(to word: String, among names: [String]) -> String? {
    guard !word.isEmpty, word.utf8.count <= longest else { return nil }
    let word = word.lowercased()
    if word.utf8.count > 2, let longer = names.first(where: { $0.hasPrefix(word) }) {
      return longer
    }
    let distances = names.map { (name: $0, count: strokes(from: word, to: $0)) }
    return distances.min { $0.count < $1.count }.flatMap { nearest in
      nearest.count <= (word.utf8.count > 4 ? 2 : 1) ? nearest.name : nil
    }
  }

  /// Returns the number of keystrokes between two words: the optimal string alignment
  /// (https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance).
  private static func strokes(from first: String, to second: String) -> Int {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var rows = [Array(0...second.count)]
    for (row, letter) in first.enumerated() {
      var counts = [row + 1]
      for (column, other) in second.enumerated() {
        let exchanged = rows[row][column] + (letter == other ? 0 : 1)
        var count = min(exchanged, rows[row][column + 1] + 1, counts[column] + 1)
        if row > 0, column > 0, letter == second[column - 1], other == first[row - 1] {
          count = min(count, rows[row - 1][column - 1] + 1)
        }
        counts.append(count)
      }
      rows.append(counts)
    }
    return rows[first.count][second.count]
  }
}

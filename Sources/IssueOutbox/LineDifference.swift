/// The lines that differ between two texts, found by Myers's algorithm (“An O(ND) Difference Algorithm”, 1986).
package struct LineDifference: Sendable {
  /// The limit of changes. The time per change grows with their number, and text may be malicious.
  private static let maximumChanges = 2_000

  /// The indices of removed lines in the old text.
  package private(set) var removed: Set<Int> = []
  /// The indices of inserted lines in the new text.
  package private(set) var inserted: Set<Int> = []

  /// Nil if the texts differ in too many lines.
  package init?(from old: [Substring], to new: [Substring]) {
    var numbers: [[UInt8]: Int] = [:]
    // Lines are compared by bytes, because Swift also considers strings equal that differ only in normalization.
    func numbered(_ lines: [Substring]) -> [Int] {
      lines.map { line in
        let bytes = Array(line.utf8)
        if let number = numbers[bytes] { return number }
        numbers[bytes] = numbers.count
        return numbers.count - 1
      }
    }
    let (old, new) = (numbered(old), numbered(new))
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    let (before, after) = (old[start..<old.count - end], new[start..<new.count - end])
    guard abs(before.count - after.count) <= Self.maximumChanges else { return nil }
    guard findChanges(from: Array(before), to: Array(after)) else { return nil }
    removed = Set(removed.map { $0 + start })
    inserted = Set(inserted.map { $0 + start })
  }

  private mutating func findChanges(from old: [Int], to new: [Int]) -> Bool {
    let limit = min(old.count + new.count, Self.maximumChanges)
    // The position in the old text that each diagonal has reached. A diagonal is the difference between the positions
    // in the old and the new text.
    var furthest = [Int](repeating: 0, count: 2 * limit + 3)
    let middle = limit + 1
    /// Whether the best path to a diagonal ends with an insertion.
    func isInsertion(_ diagonal: Int, _ count: Int, _ furthest: (Int) -> Int) -> Bool {
      diagonal == -count
        || diagonal != count && furthest(diagonal - 1) < furthest(diagonal + 1)
    }
    // The positions of the diagonals -count...count for each number of changes.
    var history: [[Int]] = []
    for count in 0...limit {
      for diagonal in stride(from: -count, through: count, by: 2) {
        let inserts = isInsertion(diagonal, count) { furthest[middle + $0] }
        var index =
          count == 0
          ? 0 : inserts ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
        while index < old.count, index - diagonal < new.count,
          old[index] == new[index - diagonal]
        {
          index += 1
        }
        furthest[middle + diagonal] = index
        guard diagonal == old.count - new.count, index >= old.count else { continue }
        var diagonal = diagonal
        for count in stride(from: count, to: 0, by: -1) {
          let last = history[count - 1]
          let at = { (diagonal: Int) in
            abs(diagonal) < count ? last[diagonal + count - 1] : 0
          }
          if isInsertion(diagonal, count, at) {
            diagonal += 1
            inserted.insert(at(diagonal) - diagonal)
          } else {
            diagonal -= 1
            removed.insert(at(diagonal))
          }
        }
        return true
      }
      history.append(Array(furthest[middle - count...middle + count]))
    }
    return false
  }
}

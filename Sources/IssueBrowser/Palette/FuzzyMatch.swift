/// A match of a query's letters in text, in their order and ignoring case.
struct FuzzyMatch: Sendable, Hashable {
  let ranges: [Range<String.Index>]
  /// The quality of the match. The best is 0: adjacent letters at the beginning.
  let penalty: Int

  init?(of query: String, in text: String) {
    let letters = query.lowercased().filter { !$0.isWhitespace }
    guard !letters.isEmpty else {
      (ranges, penalty) = ([], 0)
      return
    }
    // Adjacent letters are found anywhere. Scattered letters are searched from the first one on.
    if let range = text.range(ofLetters: letters) {
      ranges = [range]
      let isWordStart =
        range.lowerBound == text.startIndex
        || !(text[text.index(before: range.lowerBound)].isLetter)
      penalty = range.lowerBound == text.startIndex ? 0 : isWordStart ? 1 : 2
      return
    }
    var found: [Range<String.Index>] = []
    var gaps = 0
    var rest = letters[...]
    var place = text.startIndex
    while let letter = rest.first {
      guard place < text.endIndex else { return nil }
      let next = text.index(after: place)
      if text[place].lowercased() == String(letter) {
        rest.removeFirst()
        if let last = found.last, last.upperBound == place {
          found[found.count - 1] = last.lowerBound..<next
        } else {
          found.append(place..<next)
        }
      } else if !found.isEmpty {
        gaps += 1
      }
      place = next
    }
    (ranges, penalty) = (found, 3 + gaps)
  }
}

extension String {
  /// Finds adjacent letters. `letters` are lowercase without spaces. Spaces in the text are ignored.
  fileprivate func range(ofLetters letters: String) -> Range<String.Index>? {
    for start in indices where !self[start].isWhitespace {
      var (place, rest) = (start, letters[...])
      while let letter = rest.first, place < endIndex {
        if self[place].isWhitespace {
          place = index(after: place)
          continue
        }
        guard self[place].lowercased() == String(letter) else { break }
        rest.removeFirst()
        place = index(after: place)
      }
      if rest.isEmpty { return start..<place }
    }
    return nil
  }
}

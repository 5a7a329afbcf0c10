/// A text without what matching overlooks, and where each of its characters comes from.
struct FoldedText {
  private(set) var characters: [Character] = []
  /// The character of the original that each of `characters` comes from; two may share one.
  private var origins: [Range<String.Index>] = []

  init(_ text: String) {
    var start = text.startIndex
    while start < text.endIndex {
      let end = text.index(after: start)
      for character in Self.folded(text[start]) {
        characters.append(character)
        origins.append(start..<end)
      }
      start = end
    }
  }

  /// Where words are: all but white space and punctuation.
  var words: [Range<Int>] {
    characters.indices.split { characters[$0].isWhitespace || characters[$0].isPunctuation }
  }

  func has(_ part: ArraySlice<Character>, at index: Int) -> Bool {
    characters[index...].starts(with: part)
  }

  /// The characters of the original for parts of `characters` that ascend.
  func originals(of parts: [Range<Int>]) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    for part in parts where !part.isEmpty {
      let range = origins[part.lowerBound].lowerBound..<origins[part.upperBound - 1].upperBound
      if let last = ranges.last, range.lowerBound < last.upperBound {
        // Two matches in one character: both `s` of a `ß`.
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private static func folded(_ character: Character) -> String {
    if character.isASCII { return character.lowercased() }
    // There and back, because only upper case spells `ﬁ` and `ß` out, and only lower case knows `ẞ`.
    let folded = character.lowercased().uppercased().lowercased()
    // Lower case keeps the dot of `İ` as a mark of its own, and `ı` came back with a dot.
    return folded == "i\u{307}" ? "i" : folded
  }
}

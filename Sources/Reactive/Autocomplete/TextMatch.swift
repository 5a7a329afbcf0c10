/// The way in which typed text must match another text.
///
/// ```swift
/// TextMatch.prefix.ranges(of: "SW", in: "swift")                      // "sw"
/// TextMatch.wordPrefix.ranges(of: "apple sw", in: "apple/swift")      // "apple", "sw"
/// TextMatch.anywhere.ranges(of: "if", in: "swift")                    // "if"
/// ```
///
/// Matching ignores case and different encodings of a character: `ﬁ` matches `fi`, `ß` matches `ss`, and `İ`, `I`, `i`
/// and `ı` are the same letter. It doesn't ignore accents, because that requires a table of all characters, which isn't
/// public in the standard library.
public enum TextMatch: Hashable, Sendable, CaseIterable {
  /// The text begins with the entire query.
  case prefix
  /// Each word of the query is the beginning of a word in the text, in the same order.
  ///
  /// Whitespace and punctuation separate words, so `apple sw` finds `apple/swift`.
  case wordPrefix
  /// The entire query occurs somewhere in the text.
  case anywhere

  /// Finds the query in text.
  ///
  /// - Parameters:
  ///   - query: the typed text. An empty query matches any text.
  ///   - text: the text to search.
  /// - Returns: the matching parts of `text`, in order and without overlap; nil if `text` doesn't match. They consist
  ///   of complete characters, so `f` returns the range of the entire `ﬁ`. With ``anywhere``, they include every
  ///   occurrence.
  public func ranges(of query: String, in text: String) -> [Range<String.Index>]? {
    let (typed, text) = (FoldedText(query), FoldedText(text))
    let all = typed.characters[...]
    var parts: [Range<Int>] = []
    switch self {
    case .prefix:
      guard text.has(all, at: 0) else { return nil }
      parts = [all.indices]
    case .wordPrefix:
      var words = text.words[...]
      for word in typed.words {
        guard let found = words.firstIndex(where: { text.has(all[word], at: $0.lowerBound) }) else {
          return nil
        }
        parts.append(words[found].prefix(word.count))
        words = words[(found + 1)...]
      }
    case .anywhere:
      var start = 0
      while !all.isEmpty && start < text.characters.count {
        let isFound = text.has(all, at: start)
        if isFound { parts.append(start..<start + all.count) }
        start += isFound ? all.count : 1
      }
      guard all.isEmpty || !parts.isEmpty else { return nil }
    }
    return text.originals(of: parts)
  }
}

struct FoldedText {
  private(set) var characters: [Character] = []
  /// The range of the original character for each of `characters`. Both characters for `ß` have the same range.
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

  var words: [Range<Int>] {
    characters.indices.split { characters[$0].isWhitespace || characters[$0].isPunctuation }
  }

  func has(_ part: ArraySlice<Character>, at index: Int) -> Bool {
    characters[index...].starts(with: part)
  }

  func originals(of parts: [Range<Int>]) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    for part in parts where !part.isEmpty {
      let range = origins[part.lowerBound].lowerBound..<origins[part.upperBound - 1].upperBound
      if let last = ranges.last, range.lowerBound < last.upperBound {
        // Two matches are in the same character, such as both `s` of an `ß`.
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private static func folded(_ character: Character) -> String {
    if character.isASCII { return character.lowercased() }
    // Both conversions are necessary: only uppercasing expands `ﬁ` and `ß`, and only lowercasing handles `ẞ`.
    let folded = character.lowercased().uppercased().lowercased()
    // Lowercasing `İ` keeps its dot as a separate mark, and the conversions have added a dot to `ı`.
    return folded == "i\u{307}" ? "i" : folded
  }
}

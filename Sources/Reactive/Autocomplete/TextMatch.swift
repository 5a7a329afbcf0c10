/// Where in a text what was typed has to be found.
///
/// ```swift
/// TextMatch.prefix.ranges(of: "SW", in: "swift")                      // "sw"
/// TextMatch.wordPrefix.ranges(of: "apple sw", in: "apple/swift")      // "apple", "sw"
/// TextMatch.anywhere.ranges(of: "if", in: "swift")                    // "if"
/// ```
///
/// Upper and lower case are the same, and so are the ways to spell a character: `ﬁ` is `fi`, `ß` is `ss`,
/// and `İ`, `I`, `i` and `ı` are one letter. Accents count: they can't be told apart from the letters
/// they change without a table of all characters, which the standard library has but doesn't publish.
public enum TextMatch: Hashable, Sendable, CaseIterable {
  /// The text begins with all that was typed.
  case prefix
  /// Each word that was typed begins a word of the text, in the same order.
  ///
  /// White space and punctuation stand between words, so that `apple sw` finds `apple/swift`.
  case wordPrefix
  /// All that was typed is somewhere in the text.
  case anywhere

  /// Finds what was typed.
  ///
  /// - Parameters:
  ///   - query: what was typed. When there is nothing to find in it, it matches every text.
  ///   - text: the text to search.
  /// - Returns: the parts of `text` that match, in order and apart from each other, each made of whole
  ///   characters: of `ﬁ` all, although `f` matches. With ``anywhere``, every place. nil when `text`
  ///   does not match.
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

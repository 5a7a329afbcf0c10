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

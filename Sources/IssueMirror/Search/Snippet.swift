/// Cuts what is shown of a text that was found, always between characters.
struct Snippet {
  /// How many bytes of a text are shown, about: the characters at both ends are whole.
  static let length = 200
  /// How many of them stand before the first match, at most.
  static let lead = 60

  let matcher: TextMatcher

  /// A text in parts, from its beginning to its end.
  func whole(_ text: String) -> [SnippetPart] {
    parts(of: text[...], matcher.matches(in: text).map(\.source))
  }

  /// The part of a text in which most of what was looked for stands together, or its beginning.
  func best(of text: String) -> [SnippetPart] {
    let matches = matcher.matches(in: text)
    var best = (start: 0, count: 0)
    for (index, match) in matches.enumerated() {
      let start = match.source.lowerBound
      let near = matches[index...].prefix {
        $0.source.upperBound <= start + Self.length - Self.lead
      }
      let count = Set(near.map(\.phrase)).count
      if count > best.count { best = (start, count) }
    }
    let from = Self.beginning(in: text, before: best.start)
    let to = Self.boundary(in: text, atOrAfter: min(from.offset + Self.length, text.utf8.count))
    var parts = parts(of: text[from.index..<to], matches.map(\.source))
    if from.index > text.startIndex { parts.insert(SnippetPart("…"), at: 0) }
    if to < text.endIndex { parts.append(SnippetPart("…")) }
    return parts
  }

  /// The parts of a piece of text, where matches are known by their bytes in the whole text.
  private func parts(of text: Substring, _ matches: [Range<Int>]) -> [SnippetPart] {
    var parts: [SnippetPart] = []
    var position = text.startIndex
    let utf8 = text.base.utf8
    let bounds =
      utf8.distance(
        from: utf8.startIndex, to: text.startIndex)..<utf8.distance(
        from: utf8.startIndex, to: text.endIndex)
    for match in matches where match.overlaps(bounds) {
      let start = Self.boundary(in: text.base, atOrBefore: max(match.lowerBound, bounds.lowerBound))
      let end = Self.boundary(in: text.base, atOrAfter: min(match.upperBound, bounds.upperBound))
      guard end > position else { continue }
      if start > position { parts.append(SnippetPart(String(text[position..<start]))) }
      parts.append(SnippetPart(String(text[max(start, position)..<end]), isMatch: true))
      position = end
    }
    if position < text.endIndex { parts.append(SnippetPart(String(text[position...]))) }
    return parts
  }

  /// Where the snippet begins whose first match is at a byte: at the beginning of a line or a word, if there
  /// is one near.
  private static func beginning(
    in text: String, before start: Int
  ) -> (index: String.Index, offset: Int) {
    guard start > lead else { return (text.startIndex, 0) }
    let utf8 = text.utf8
    let match = utf8.index(utf8.startIndex, offsetBy: start)
    let earliest = utf8.index(match, offsetBy: -lead)
    let before = utf8[earliest..<match]
    let newline = before.lastIndex(of: UInt8(ascii: "\n"))
    let blank = before.firstIndex(of: UInt8(ascii: " "))
    let offset = (newline ?? blank).map { utf8.distance(from: utf8.startIndex, to: $0) + 1 }
    let index = boundary(in: text, atOrBefore: offset ?? start - lead)
    return (index, utf8.distance(from: utf8.startIndex, to: index))
  }

  /// The last boundary between characters at or before a byte.
  static func boundary(in text: String, atOrBefore offset: Int) -> String.Index {
    let index = text.utf8.index(text.startIndex, offsetBy: offset)
    guard index > text.startIndex, index < text.endIndex else { return index }
    // From an index inside of a character this goes to the character before.
    let before = text.index(before: index)
    let next = text.index(after: before)
    return next <= index ? next : before
  }

  /// The first boundary between characters at or after a byte.
  static func boundary(in text: String, atOrAfter offset: Int) -> String.Index {
    let index = boundary(in: text, atOrBefore: offset)
    return text.utf8.distance(from: text.startIndex, to: index) < offset
      ? text.index(after: index) : index
  }
}

/// Cuts what is shown of a text that was found, between characters.
///
/// Somebody may have put a thousand combining marks behind a letter: the time doesn't grow faster than the
/// text, and a character that is longer than all that people write is cut between its scalars.
struct Snippet {
  /// How many bytes of a text are shown, about: the characters at both ends are whole.
  static let length = 200
  /// How many of them stand before the first match, at most.
  static let lead = 60
  /// How many bytes a character may have that isn't cut.
  static let longestCharacter = 64

  let matcher: TextMatcher

  /// A text in parts, from its beginning to its end.
  func whole(_ text: String) -> [SnippetPart] {
    parts(of: text[...], from: 0, matcher.matches(in: text).map(\.source))
  }

  /// The part of a text in which most of what was looked for stands together, or its beginning.
  func best(of text: String) -> [SnippetPart] {
    let matches = matcher.matches(in: text)
    let most = Set(matches.map(\.phrase)).count
    var best = (start: 0, count: 0)
    for (index, match) in matches.enumerated() where best.count < most {
      let start = match.source.lowerBound
      let near = matches[index...].prefix {
        $0.source.upperBound <= start + Self.length - Self.lead
      }
      let count = Set(near.map(\.phrase)).count
      if count > best.count { best = (start, count) }
    }
    let from = Self.beginning(in: text, before: best.start)
    let to = Self.boundary(in: text, atOrAfter: min(from.offset + Self.length, text.utf8.count))
    var parts = parts(of: text[from.index..<to], from: from.offset, matches.map(\.source))
    if from.index > text.startIndex { parts.insert(SnippetPart("…"), at: 0) }
    if to < text.endIndex { parts.append(SnippetPart("…")) }
    return parts
  }

  /// The parts of a piece of text.
  ///
  /// - Parameters:
  ///   - text: The piece.
  ///   - offset: Where it begins in the whole text, in bytes.
  ///   - matches: The bytes of the matches in the whole text, ordered by their beginnings.
  /// - Returns: The parts, each of whole characters of the piece.
  private func parts(
    of text: Substring, from offset: Int, _ matches: [Range<Int>]
  ) -> [SnippetPart] {
    var parts: [SnippetPart] = []
    var (offset, index) = (offset, text.startIndex)
    var part = (start: index, match: Int?.none)
    var next = 0
    while index < text.endIndex {
      let end = text.index(after: index)
      let endOffset = offset + text.utf8.distance(from: index, to: end)
      while next < matches.count, matches[next].upperBound <= offset { next += 1 }
      let match = next < matches.count && matches[next].lowerBound < endOffset ? next : nil
      if match != part.match, index > part.start {
        parts.append(SnippetPart(String(text[part.start..<index]), isMatch: part.match != nil))
        part.start = index
      }
      part.match = match
      (offset, index) = (endOffset, end)
    }
    if index > part.start {
      parts.append(SnippetPart(String(text[part.start...]), isMatch: part.match != nil))
    }
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

  /// The last place at or before a byte where a text may be cut.
  static func boundary(in text: String, atOrBefore offset: Int) -> String.Index {
    var index = text.utf8.index(text.startIndex, offsetBy: offset)
    guard index < text.endIndex else { return index }
    while text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(before: index) }
    guard index > text.startIndex else { return index }
    // From inside of the first character there is no way to the one before.
    var character = text.startIndex
    if index >= text.index(after: character) {
      // From an index inside of a character this goes to the character before.
      let before = text.index(before: index)
      let next = text.index(after: before)
      character = next <= index ? next : before
    }
    return text.utf8.distance(from: character, to: index) < longestCharacter ? character : index
  }

  /// The first place at or after a byte where a text may be cut.
  static func boundary(in text: String, atOrAfter offset: Int) -> String.Index {
    let index = boundary(in: text, atOrBefore: offset)
    let missing = offset - text.utf8.distance(from: text.startIndex, to: index)
    guard missing > 0 else { return index }
    let next = text.index(after: index)
    return text.utf8.distance(from: index, to: next) <= missing + longestCharacter
      ? next : text.unicodeScalars.index(after: text.utf8.index(index, offsetBy: missing))
  }
}

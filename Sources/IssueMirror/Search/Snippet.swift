/// Cuts a snippet out of text. To keep the time linear even for a letter with a thousand combining marks, unusually
/// long characters are cut between their scalars.
package struct Snippet {
  /// The approximate length in bytes; the characters at both ends stay complete.
  static let length = 200
  /// The most bytes before the first match.
  static let lead = 60
  static let longestCharacter = 64

  let matcher: TextMatcher

  package init(matcher: TextMatcher) {
    self.matcher = matcher
  }

  package func whole(_ text: String) -> [SnippetPart] {
    parts(of: text[...], from: 0, matcher.matches(in: text).map(\.source))
  }

  package func best(of text: String) -> [SnippetPart] {
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

  /// `offset` is the position of the text in the whole text, and `matches` are ranges in the whole text, both in bytes.
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

  static func boundary(in text: String, atOrBefore offset: Int) -> String.Index {
    var index = text.utf8.index(text.startIndex, offsetBy: offset)
    guard index < text.endIndex else { return index }
    while text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(before: index) }
    guard index > text.startIndex else { return index }
    var character = text.startIndex
    if index >= text.index(after: character) {
      let before = text.index(before: index)
      let next = text.index(after: before)
      character = next <= index ? next : before
    }
    return text.utf8.distance(from: character, to: index) < longestCharacter ? character : index
  }

  static func boundary(in text: String, atOrAfter offset: Int) -> String.Index {
    let index = boundary(in: text, atOrBefore: offset)
    let missing = offset - text.utf8.distance(from: text.startIndex, to: index)
    guard missing > 0 else { return index }
    let next = text.index(after: index)
    return text.utf8.distance(from: index, to: next) <= missing + longestCharacter
      ? next : text.unicodeScalars.index(after: text.utf8.index(index, offsetBy: missing))
  }
}

package struct TextMatcher {
  private let phrases: [(tokens: [Int], isPrefix: Bool)]
  private let tokens: [[UInt8]]
  private let scanner = TokenScanner()

  package init(_ wanted: SearchPhrases) {
    var tokens: [[UInt8]] = []
    phrases = wanted.phrases.compactMap { phrase in
      let places = phrase.tokens.map { token in
        let bytes = Array(token.utf8)
        if let place = tokens.firstIndex(of: bytes) { return place }
        tokens.append(bytes)
        return tokens.count - 1
      }
      return (places, phrase.isPrefix)
    }
    self.tokens = tokens
  }

  private struct Candidate {
    var place: Int
    var token: Int
    var isBeginning: Bool
    var source: Range<Int>
  }

  func matches(in text: String) -> [(phrase: Int, source: Range<Int>)] {
    guard !phrases.isEmpty else { return [] }
    var text = text
    let candidates = unsafe text.withUTF8(candidates)
    var matches: [(phrase: Int, source: Range<Int>)] = []
    for (index, candidate) in candidates.enumerated() {
      for (number, phrase) in phrases.enumerated() where phrase.tokens[0] == candidate.token {
        if let source = match(of: phrase, candidates, from: index) {
          matches.append((number, source))
        }
      }
    }
    return matches.sorted { $0.source.lowerBound < $1.source.lowerBound }
  }

  private func match(
    of phrase: (tokens: [Int], isPrefix: Bool), _ candidates: [Candidate], from index: Int
  ) -> Range<Int>? {
    var end = 0
    var index = index
    let (first, start) = (candidates[index].place, candidates[index].source.lowerBound)
    for (offset, token) in phrase.tokens.enumerated() {
      while index < candidates.count,
        candidates[index].place < first + offset
          || (candidates[index].place == first + offset && candidates[index].token != token)
      {
        index += 1
      }
      guard index < candidates.count, candidates[index].place == first + offset,
        !candidates[index].isBeginning || (phrase.isPrefix && offset == phrase.tokens.count - 1)
      else { return nil }
      end = max(end, candidates[index].source.upperBound)
    }
    return start..<end
  }

  private func candidates(in text: UnsafeBufferPointer<UInt8>) -> [Candidate] {
    var candidates: [Candidate] = []
    var place = -1
    let hasPrefix = phrases.contains(where: \.isPrefix)
    _ = unsafe scanner.scan(text) { token, isColocated, source in
      if !isColocated { place += 1 }
      for (number, wanted) in tokens.enumerated() where token.count >= wanted.count {
        let isBeginning = token.count > wanted.count
        guard !isBeginning || hasPrefix, unsafe token[..<wanted.count].elementsEqual(wanted) else {
          continue
        }
        candidates.append(
          Candidate(place: place, token: number, isBeginning: isBeginning, source: source))
      }
      return TokenScanner.proceed
    }
    return candidates
  }
}

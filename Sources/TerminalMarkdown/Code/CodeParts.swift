/// A partial list of the parts of a line of code.
struct CodeParts<Line: RandomAccessCollection> where Line.Element == UInt8, Line.Index == Int {
  let line: Line
  /// The index of the next byte.
  var index: Int
  private(set) var all: [(part: CodePart, range: Range<Int>)] = []

  init(_ line: Line) {
    self.line = line
    index = line.startIndex
  }

  /// Appends a part that begins at the end of the previous one. It includes the combining marks on its last character.
  mutating func append(_ part: CodePart, upTo end: Int) {
    let end = endOfMarks(from: end)
    index = end
    if let last = all.last, last.part == part {
      all[all.count - 1].range = last.range.lowerBound..<end
    } else {
      all.append((part, (all.last?.range.upperBound ?? line.startIndex)..<end))
    }
  }

  /// Appends a YAML key at the beginning of the line: the text up to a colon before a space.
  mutating func appendKey() {
    var begin = end(from: index) { $0 == 0x20 }
    while isAt(begin, Array("- ".utf8)) { begin = end(from: begin + 2) { $0 == 0x20 } }
    let limit = end(from: begin) { !"#\"'{[".utf8.contains($0) }
    var place = begin
    while place < limit {
      if line[place] == UInt8(ascii: ":"), place + 1 == line.endIndex || line[place + 1] == 0x20 {
        if begin > index { append(.plain, upTo: begin) }
        if place > begin { append(.type, upTo: place) }
        return
      }
      place += 1
    }
  }

  func isAt(_ place: Int, _ text: [UInt8]) -> Bool {
    guard !text.isEmpty, place + text.count <= line.endIndex else { return false }
    return text.indices.allSatisfy { line[place + $0] == text[$0] }
  }

  func end(from begin: Int, while isPart: (UInt8) -> Bool) -> Int {
    var end = begin
    while end < line.endIndex, isPart(line[end]) { end += 1 }
    return end
  }

  /// Whether a colon follows, after at most a few spaces.
  func isColon(after place: Int) -> Bool {
    let end = line[place...].prefix(8).firstIndex { $0 != 0x20 }
    return end.map { line[$0] == UInt8(ascii: ":") } ?? false
  }

  /// The end of the number that begins here, including its letters: `0xFFu8`, `1_000.5e-9`, and `1'000` if `hasQuotes`.
  func endOfNumber(hasQuotes: Bool) -> Int {
    var end = index
    while end < line.endIndex {
      let byte = line[end]
      if CodeLanguage.isAlphanumeric(byte) || byte == UInt8(ascii: "_") {
        end += 1
      } else if end + 1 < line.endIndex, CodeLanguage.isAlphanumeric(line[end + 1]),
        isInsideNumber(byte, at: end, hasQuotes: hasQuotes)
      {
        end += 2
      } else {
        break
      }
    }
    return end
  }

  private func isInsideNumber(_ byte: UInt8, at place: Int, hasQuotes: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "."): (0x30...0x39).contains(line[place + 1])
    case UInt8(ascii: "'"): hasQuotes
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      // The sign of an exponent, not an operator.
      place > index && line[place - 1] | 0x20 == UInt8(ascii: "e") && line[index + 1] | 0x20 != 0x78
    default: false
    }
  }

  /// The end of the character literal that begins here; nil if there is none (for example, at a lifetime in Rust).
  func endOfCharacter(_ longestEscape: Int) -> Int? {
    guard let first = index + 1 < line.endIndex ? line[index + 1] : nil else { return nil }
    let quote = line[index]
    if first == UInt8(ascii: "\\") {
      let rest = line[min(index + 3, line.endIndex)...].prefix(longestEscape)
      return rest.firstIndex(of: quote).map { $0 + 1 }
    }
    guard first != quote else { return nil }
    let end = endOfScalar(from: index + 1)
    return end < line.endIndex && line[end] == quote ? end + 1 : nil
  }

  private func endOfScalar(from begin: Int) -> Int {
    var end = begin + 1
    while end < line.endIndex, line[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// The end of the scalars that combine with the previous character. If separated, they would be measured and drawn
  /// differently.
  private func endOfMarks(from begin: Int) -> Int {
    var end = begin
    while end < line.endIndex, line[end] >= 0x80 {
      let next = endOfScalar(from: end)
      guard let scalar = String(decoding: line[end..<next], as: UTF8.self).unicodeScalars.first,
        scalar.properties.isGraphemeExtend || scalar.properties.isEmojiModifier
          || scalar.properties.generalCategory == .spacingMark || scalar == "\u{200D}"
      else { break }
      end = next
    }
    return end
  }
}

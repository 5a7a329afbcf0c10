/// The syntactic kind of a piece of code, for styling.
enum CodePart: Sendable {
  case plain, comment, keyword, string, number, type, added, removed, meta, error, warning
}

/// Finds the parts of code, line by line, with a table for the language. It reads each byte only a few times and never
/// looks back, so any code takes linear time.
///
/// Unlike a parser, a lexer colors some code wrongly, such as JavaScript's regular expressions. The more accurate
/// libraries are unsuitable (Debian 12, measured in 2026): libsource-highlight 3.1.9 adds 3 ms to each start, reads
/// each language for up to 4 ms more from files that lack Swift, TypeScript and YAML, takes 37 s for a line of 100,000
/// brackets, and throws an exception for a word of 1,000 letters. libtree-sitter doesn't include any grammars.
struct CodeLexer {
  private enum Level {
    /// A comment or a string, by its index in the table, with the depth of nested comments.
    case region(Int, depth: Int)
    /// Code inside a string, up to a closing bracket, with the depth of nested brackets.
    case hole(open: UInt8, close: UInt8, depth: Int)
  }

  private typealias Region = CodeLanguage.Region

  /// The maximum length in bytes. Longer lines are data, and stay plain.
  static let maximumLine = 4_096
  /// The maximum nesting of code in strings.
  private static let maximumLevels = 16
  /// The maximum number of bytes of an escape in a character literal, such as `'\u{10FFFF}'`.
  private static let longestEscape = 12

  private let language: CodeLanguage
  /// The regions that are still open from earlier lines, outermost first.
  private var levels: [Level] = []

  init(_ language: CodeLanguage) {
    self.language = language
  }

  /// The parts of the next line, without gaps. No part ends inside a character.
  mutating func parts<Line: RandomAccessCollection>(
    of line: Line
  ) -> [(part: CodePart, range: Range<Int>)] where Line.Element == UInt8, Line.Index == Int {
    guard !line.isEmpty else { return [] }
    guard line.count <= Self.maximumLine else { return [(.plain, line.startIndex..<line.endIndex)] }
    if levels.isEmpty, let rule = language.linePrefixes.first(where: { line.starts(with: $0.text) })
    {
      return [(rule.part, line.startIndex..<line.endIndex)]
    }
    var parts = CodeParts(line)
    if levels.isEmpty, language.keys == .beginLines { parts.appendKey() }
    while parts.index < line.endIndex {
      if case .region(let index, let depth) = levels.last {
        continueRegion(language.regions[index], index: index, depth: depth, &parts)
      } else {
        continueCode(&parts)
      }
    }
    endLine()
    return parts.all
  }

  /// Closes the levels that don't continue in the next line, including everything nested in them.
  private mutating func endLine() {
    let first = levels.firstIndex { level in
      guard case .region(let index, _) = level else { return false }
      return !language.regions[index].isMultiline
    }
    if let first { levels.removeSubrange(first...) }
  }

  // MARK: Comments and strings

  private mutating func continueRegion<Line>(
    _ region: Region, index: Int, depth: Int, _ parts: inout CodeParts<Line>
  ) {
    var depth = depth
    var place = parts.index
    while place < parts.line.endIndex {
      let byte = parts.line[place]
      if byte == region.escape, !parts.isAt(place, region.hole?.open ?? []) {
        place = min(place + 2, parts.line.endIndex)
      } else if byte == region.close.first, parts.isAt(place, region.close) {
        place += region.close.count
        guard depth == 0 else {
          depth -= 1
          continue
        }
        levels.removeLast()
        let isKey = language.keys == .areStrings && parts.isColon(after: place)
        return parts.append(isKey ? .type : region.part, upTo: place)
      } else if region.nests, parts.isAt(place, region.open) {
        depth += 1
        place += region.open.count
      } else if let hole = region.hole, byte == hole.open.first, parts.isAt(place, hole.open),
        let bracket = hole.open.last, levels.count < Self.maximumLevels
      {
        levels.append(.hole(open: bracket, close: hole.close, depth: 0))
        return parts.append(region.part, upTo: place + hole.open.count)
      } else {
        place += 1
      }
    }
    levels[levels.count - 1] = .region(index, depth: depth)
    parts.append(region.part, upTo: place)
  }

  // MARK: Code

  private mutating func continueCode<Line>(_ parts: inout CodeParts<Line>) {
    let (line, begin) = (parts.line, parts.index)
    let byte = line[begin]
    if case .hole(let open, let close, let depth) = levels.last, byte == open || byte == close {
      return passBracket(byte, open: open, close: close, depth: depth, &parts)
    }
    if language.begins(byte, .region), let index = region(at: begin, parts) {
      return beginRegion(index, &parts)
    }
    if language.begins(byte, .prefix), begin + 1 < line.endIndex,
      language.isWord(line[begin + 1]),
      let rule = language.prefixes.first(where: { $0.byte == byte })
    {
      return parts.append(rule.part, upTo: parts.end(from: begin + 1, while: language.isWord))
    }
    if language.begins(byte, .number) {
      return parts.append(.number, upTo: parts.endOfNumber(hasQuotes: language.hasDigitQuotes))
    }
    guard language.isWord(byte) else { return parts.append(.plain, upTo: begin + 1) }
    let end = parts.end(from: begin, while: language.isWord)
    let isLabel = end < line.endIndex && line[end] == UInt8(ascii: ":")
    parts.append(language.part(of: line[begin..<end], isLabel: isLabel), upTo: end)
  }

  private mutating func passBracket<Line>(
    _ byte: UInt8, open: UInt8, close: UInt8, depth: Int, _ parts: inout CodeParts<Line>
  ) {
    if byte == open || depth > 0 {
      let step = byte == open ? 1 : -1
      levels[levels.count - 1] = .hole(open: open, close: close, depth: depth + step)
      return parts.append(.plain, upTo: parts.index + 1)
    }
    levels.removeLast()
    var part = CodePart.string
    if case .region(let index, _) = levels.last { part = language.regions[index].part }
    parts.append(part, upTo: parts.index + 1)
  }

  /// The index of the comment or string that begins here.
  private func region<Line>(at place: Int, _ parts: CodeParts<Line>) -> Int? {
    language.regions.firstIndex { region in
      guard parts.isAt(place, region.open) else { return false }
      if region.followsBlank, place > parts.line.startIndex,
        !" \t;({[,:=".utf8.contains(parts.line[place - 1])
      {
        return false
      }
      return !region.isCharacter || parts.endOfCharacter(Self.longestEscape) != nil
    }
  }

  private mutating func beginRegion<Line>(_ index: Int, _ parts: inout CodeParts<Line>) {
    let region = language.regions[index]
    if region.close.isEmpty { return parts.append(region.part, upTo: parts.line.endIndex) }
    if region.isCharacter, let end = parts.endOfCharacter(Self.longestEscape) {
      return parts.append(region.part, upTo: end)
    }
    levels.append(.region(index, depth: 0))
    parts.index += region.open.count
    continueRegion(region, index: index, depth: 0, &parts)
  }
}

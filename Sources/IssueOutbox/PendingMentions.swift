/// Mentions as `new-1` and `#new-1` in text, except in code spans and fenced code blocks.
enum PendingMentions {
  static func ids(in text: String) -> Set<OutboxEntry.ID> {
    var ids: Set<OutboxEntry.ID> = []
    _ = replacing(in: text) { id in
      ids.insert(id)
      return nil
    }
    return ids
  }

  static func resolving(_ numbers: [OutboxEntry.ID: Int], in text: String) -> String {
    replacing(in: text) { numbers[$0] }
  }

  private static func replacing(
    in text: String, _ number: (OutboxEntry.ID) -> Int?
  ) -> String {
    guard text.utf8.contains(UInt8(ascii: "-")), text.contains("new-") else { return text }
    var result = ""
    var fence: Fence?
    var prose = ""
    func flush() {
      result += replacing(inProse: prose, number)
      prose = ""
    }
    // A code span may extend over several lines.
    for line in lines(of: text) {
      if let open = fence {
        result += line
        if open.isClosed(by: line) { fence = nil }
      } else if let opened = Fence(opening: line) {
        flush()
        fence = opened
        result += line
      } else {
        prose += line
      }
    }
    flush()
    return result
  }

  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      let next = rest.index(after: end)
      lines.append(rest[..<next])
      rest = rest[next...]
    }
    return lines + [rest]
  }

  private static func replacing(
    inProse text: String, _ number: (OutboxEntry.ID) -> Int?
  ) -> String {
    var result = ""
    var rest = text[...]
    var last: Character?
    while let first = rest.first {
      if first == "`" {
        let span = codeSpan(at: rest)
        result += span
        rest = rest[span.endIndex...]
        last = "`"
      } else if !isWord(last), let (mention, id) = mention(at: rest) {
        result += number(id).map { "#\($0)" } ?? String(mention)
        rest = rest[mention.endIndex...]
        last = "1"
      } else {
        result.append(first)
        last = first
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// A complete code span; only the backticks if it isn't closed.
  private static func codeSpan(at text: Substring) -> Substring {
    let mark = text.prefix { $0 == "`" }
    var rest = text[mark.endIndex...]
    while let next = rest.firstIndex(of: "`") {
      let run = rest[next...].prefix { $0 == "`" }
      if run.count == mark.count { return text[..<run.endIndex] }
      rest = rest[run.endIndex...]
    }
    return mark
  }

  private static func mention(at text: Substring) -> (Substring, OutboxEntry.ID)? {
    let word = text.first == "#" ? text.dropFirst() : text
    guard word.hasPrefix("new-") else { return nil }
    let rest = word.dropFirst(4)
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard let id = OutboxEntry.ID(digits), digits.first != "0" else { return nil }
    let after = rest[digits.endIndex...].first
    guard !isWord(after) || after == "/" else { return nil }
    return (text[..<digits.endIndex], id)
  }

  /// Whether the character prevents a mention from beginning or ending next to it.
  private static func isWord(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || "_-/#&@".contains(character)
  }

  /// A fence of a code block: <https://github.github.com/gfm/#fenced-code-blocks>.
  private struct Fence {
    let mark: Character
    let length: Int

    init?(opening line: Substring) {
      let text = line.drop { $0 == " " }
      guard line.distance(from: line.startIndex, to: text.startIndex) < 4, let mark = text.first,
        mark == "`" || mark == "~"
      else { return nil }
      length = text.prefix { $0 == mark }.count
      guard length >= 3 else { return nil }
      if mark == "`", text.dropFirst(length).contains("`") { return nil }
      self.mark = mark
    }

    func isClosed(by line: Substring) -> Bool {
      let text = line.drop { $0 == " " }
      let run = text.prefix { $0 == mark }
      return run.count >= length && text[run.endIndex...].allSatisfy(\.isWhitespace)
    }
  }
}

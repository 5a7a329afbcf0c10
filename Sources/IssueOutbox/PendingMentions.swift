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
    return MarkdownProse.replacing(in: text) { rest, last in
      guard !isWord(last), let (mention, id) = mention(at: rest) else { return nil }
      return (mention.endIndex, number(id).map { "#\($0)" } ?? String(mention))
    }
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
}

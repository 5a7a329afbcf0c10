/// What of a document is parsed: all of it, but for documents that nobody writes.
struct DocumentBounds {
  /// The longest document, in bytes: what GitHub takes at most, 65,536 characters, where each takes four.
  static let maximumLength = 1 << 18

  /// The document, or its beginning.
  let text: String
  /// Whether more of it was left out.
  let isCut: Bool
  /// Whether it is parsed, see ``ParsingCost``.
  let isParsable: Bool

  /// Looks at a document.
  init(_ markdown: String) {
    isCut = markdown.utf8.count > Self.maximumLength
    text = isCut ? Self.beginning(of: markdown) : markdown
    isParsable = ParsingCost(of: text.utf8).isBearable
  }

  /// The lines that fit.
  private static func beginning(of markdown: String) -> String {
    let bytes = markdown.utf8.prefix(maximumLength)
    let end = bytes.lastIndex(of: 0x0A) ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

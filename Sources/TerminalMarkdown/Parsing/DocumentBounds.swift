/// The part of a document that is parsed: all of it, except for absurd documents.
struct DocumentBounds {
  /// The longest document in bytes: GitHub's limit of 65,536 characters of four bytes.
  static let maximumLength = 1 << 18

  /// The document, or its beginning.
  let text: String
  /// Whether the rest was left out.
  let isCut: Bool
  /// Whether it may be parsed, see ``ParsingCost``.
  let isParsable: Bool

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

/// What of a document is parsed.
///
/// The parser takes time that grows with the square of a few things that nobody writes, and tables fill up to
/// the width of their first row. A look at the document tells.
struct DocumentBounds {
  /// The longest document, in bytes: four times what GitHub takes at most.
  private static let maximumLength = 1 << 20

  /// The document, or its beginning.
  let text: String
  /// Whether more of it was left out.
  let isCut: Bool
  /// Whether it may be parsed.
  let isParsable: Bool

  /// Looks at a document.
  init(_ markdown: String) {
    isCut = markdown.utf8.count > Self.maximumLength
    text = isCut ? Self.beginning(of: markdown) : markdown
    isParsable = true
  }

  /// The lines that fit.
  private static func beginning(of markdown: String) -> String {
    let bytes = markdown.utf8.prefix(maximumLength)
    let end = bytes.lastIndex(of: 0x0A) ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

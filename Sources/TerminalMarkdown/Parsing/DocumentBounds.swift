/// The part of a document to parse: all of it, unless the document is extremely long.
struct DocumentBounds {
  /// The maximum length in bytes: GitHub's limit of 65,536 characters of up to four bytes.
  static let maximumLength = 1 << 18

  let text: String
  let isCut: Bool
  let isParsable: Bool

  init(_ markdown: String) {
    isCut = markdown.utf8.count > Self.maximumLength
    text = isCut ? Self.beginning(of: markdown) : markdown
    isParsable = ParsingCost(of: text.utf8).isBearable
  }

  private static func beginning(of markdown: String) -> String {
    let bytes = markdown.utf8.prefix(maximumLength)
    let end = bytes.lastIndex(of: 0x0A) ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

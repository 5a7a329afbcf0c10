internal import StyledText

/// Finds the references that GitHub links in text (`@user`, `#123`, `owner/repo#123` and commits) and emoji names.
struct TextReferences {
  enum Piece {
    case text(String)
    /// A reference, with its page if known.
    case reference(String, WebLink?)
  }

  /// The maximum length in bytes. GitHub's limits are lower.
  private static let longestName = 140

  private let repositoryURL: String?
  private let hostURL: String?
  private let showsEmoji: Bool

  init(repositoryURL: String?, showsEmoji: Bool) {
    self.repositoryURL = repositoryURL
    self.showsEmoji = showsEmoji
    // Without owner and name, the URL is the server's page.
    let parts = repositoryURL?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    hostURL = parts.count >= 5 ? parts.dropLast(2).joined(separator: "/") : nil
  }

  func withEmoji(_ text: String) -> String {
    guard showsEmoji, text.utf8.contains(0x3A) else { return text }
    var result = ""
    forEachPiece(of: text, finding: [.emoji]) { piece in
      if case .text(let text) = piece { result += text }
    }
    return result
  }

  func forEachPiece(of text: String, _ body: (Piece) -> Void) {
    forEachPiece(of: text, finding: [.emoji, .references], body)
  }

  private struct Finds: OptionSet {
    let rawValue: Int
    static let emoji = Finds(rawValue: 1)
    static let references = Finds(rawValue: 2)
  }

  private func forEachPiece(of text: String, finding finds: Finds, _ body: (Piece) -> Void) {
    let bytes = Array(text.utf8)
    var begin = 0
    var index = 0
    func flush(_ end: Int) {
      if begin < end { body(.text(String(decoding: bytes[begin..<end], as: UTF8.self))) }
    }
    while index < bytes.count {
      if bytes[index] == 0x3A, finds.contains(.emoji), showsEmoji,
        let found = emoji(in: bytes, at: index, after: begin)
      {
        flush(index)
        body(.text(found.emoji))
        begin = found.end
        index = begin
      } else if finds.contains(.references), let found = reference(in: bytes, at: index, begin) {
        flush(found.range.lowerBound)
        let text = String(decoding: bytes[found.range], as: UTF8.self)
        body(.reference(text, found.target.flatMap { WebLink($0) }))
        begin = found.range.upperBound
        index = begin
      } else {
        index = next(after: index, in: bytes)
      }
    }
    flush(bytes.count)
  }

  private func next(after index: Int, in bytes: [UInt8]) -> Int {
    guard Self.isWord(bytes[index]) else { return index + 1 }
    return bytes[index...].firstIndex { !Self.isWord($0) } ?? bytes.count
  }

  private func emoji(
    in bytes: [UInt8], at index: Int, after begin: Int
  ) -> (emoji: String, end: Int)? {
    // A name isn't an emoji inside `a::b::c` or a time, but it may directly follow another emoji.
    if index > begin, Self.isWord(bytes[index - 1]) || bytes[index - 1] == 0x3A { return nil }
    let limit = min(bytes.count, index + 1 + EmojiShortcodes.longestName + 1)
    guard let end = bytes[(index + 1)..<limit].firstIndex(of: 0x3A),
      let emoji = EmojiShortcodes.emoji(
        named: String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
    else { return nil }
    if end + 1 < bytes.count, Self.isWord(bytes[end + 1]) { return nil }
    return (emoji, end + 1)
  }

  private typealias Found = (range: Range<Int>, target: String?)

  private func reference(in bytes: [UInt8], at index: Int, _ begin: Int) -> Found? {
    switch bytes[index] {
    case 0x40: mention(in: bytes, at: index)
    case 0x23: number(in: bytes, at: index, begin)
    case let byte where Self.isHexadecimal(byte): commit(in: bytes, at: index)
    default: nil
    }
  }

  private func mention(in bytes: [UInt8], at index: Int) -> Found? {
    if index > 0, Self.isWord(bytes[index - 1]) || bytes[index - 1] == 0x2F { return nil }
    let name = nameEnd(in: bytes, from: index + 1) { Self.isAlphanumeric($0) || $0 == 0x2D }
    let user = bytes[(index + 1)..<name]
    guard !user.isEmpty, user.count <= 39, user.first != 0x2D, user.last != 0x2D,
      name == bytes.count || bytes[name] != 0x5F
    else { return nil }
    let host = hostURL.map { "\($0)/" }
    let account = String(decoding: user, as: UTF8.self)
    if name < bytes.count, bytes[name] == 0x2F {
      let team = nameEnd(in: bytes, from: name + 1) { Self.isWord($0) || $0 == 0x2D }
      if team > name + 1 {
        let slug = String(decoding: bytes[(name + 1)..<team], as: UTF8.self)
        return (index..<team, host.map { "\($0)orgs/\(account)/teams/\(slug)" })
      }
    }
    return (index..<name, host.map { "\($0)\(account)" })
  }

  private func number(in bytes: [UInt8], at index: Int, _ begin: Int) -> Found? {
    let end = nameEnd(in: bytes, from: index + 1) { (0x30...0x39).contains($0) }
    guard end > index + 1, end - index <= 11, end == bytes.count || !Self.isWord(bytes[end]) else {
      return nil
    }
    let number = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
    var start = index
    let floor = max(begin, index - Self.longestName)
    while start > floor, Self.isRepository(bytes[start - 1]) { start -= 1 }
    if start == index {
      // Letters outside the Latin alphabet may precede a reference without a space.
      return (index..<end, repositoryURL.map { "\($0)/issues/\(number)" })
    }
    let name = bytes[start..<index].split(separator: 0x2F, omittingEmptySubsequences: false)
    guard name.count == 2, let owner = name.first, let repository = name.last, !owner.isEmpty,
      !repository.isEmpty, repository.contains(where: { $0 != 0x2E }),
      owner.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2D })
    else { return nil }
    let full = String(decoding: bytes[start..<index], as: UTF8.self)
    return (start..<end, hostURL.map { "\($0)/\(full)/issues/\(number)" })
  }

  /// A commit: 7 to 40 hexadecimal digits, including a letter and a digit. Numbers and words don't have both.
  private func commit(in bytes: [UInt8], at index: Int) -> Found? {
    if index > 0, Self.isWord(bytes[index - 1]) || "/-.@#".utf8.contains(bytes[index - 1]) {
      return nil
    }
    let end = next(after: index, in: bytes)
    let word = bytes[index..<end]
    guard (7...40).contains(word.count), word.allSatisfy(Self.isHexadecimal),
      word.contains(where: { $0 < 0x3A }), word.contains(where: { $0 > 0x3A }),
      end == bytes.count || bytes[end] != 0x2D
    else { return nil }
    let hash = String(decoding: word, as: UTF8.self)
    return (index..<end, repositoryURL.map { "\($0)/commit/\(hash)" })
  }

  private func nameEnd(
    in bytes: [UInt8], from start: Int, while isPart: (UInt8) -> Bool
  ) -> Int {
    let limit = min(bytes.count, start + Self.longestName)
    return bytes[start..<limit].firstIndex { !isPart($0) } ?? limit
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  private static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x5F }

  private static func isRepository(_ byte: UInt8) -> Bool {
    isWord(byte) || byte == 0x2D || byte == 0x2E || byte == 0x2F
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}

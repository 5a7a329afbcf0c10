internal import GitHubAPI

/// The issues that text mentions, in the forms that GitHub links: `#12`, `GH-12`, `owner/repo#12`, and URLs of their
/// pages.
struct IssueLinks: Sendable {
  struct Link: Hashable, Sendable {
    /// The repository in lowercase; nil for the text's own repository.
    let repository: String?
    let number: Int
  }

  /// The maximum length, in bytes, of an owner, a slash and a name.
  private static let longestName = 140
  private static let mostLinks = 200

  /// The links in the order of the text, without duplicates.
  let links: [Link]

  /// Finds links. `host` is the server's host, for URLs of issue pages.
  init(in text: String, host: String) {
    var found: [Link] = []
    var seen: Set<Link> = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count, found.count < Self.mostLinks {
      let link =
        switch bytes[index] {
        case UInt8(ascii: "#"): Self.number(bytes, at: index)
        case UInt8(ascii: "G"), UInt8(ascii: "g"): Self.oldNumber(bytes, at: index)
        case UInt8(ascii: "h"), UInt8(ascii: "H"): Self.page(bytes, at: index, host: host)
        default: Link?.none
        }
      if let link, seen.insert(link).inserted { found.append(link) }
      index += 1
    }
    links = found
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> Link? {
    // `&#39;` is a character reference in HTML.
    guard index == 0 || bytes[index - 1] != UInt8(ascii: "&"),
      let (number, end) = digits(bytes, from: index + 1)
    else { return nil }
    // `#3 0x00007f…` is a stack frame of a crash.
    let gap = bytes[end...].prefix { $0 == UInt8(ascii: " ") }
    if !gap.isEmpty, bytes[gap.endIndex...].starts(with: "0x".utf8) { return nil }
    let floor = max(0, index - longestName)
    var start = index
    while start > floor, isName(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "/") {
      start -= 1
    }
    guard start < index else { return Link(repository: nil, number: number) }
    guard let name = RepositoryName(String(decoding: bytes[start..<index], as: UTF8.self)) else {
      return nil
    }
    return Link(repository: "\(name)".lowercased(), number: number)
  }

  private static func oldNumber(_ bytes: [UInt8], at index: Int) -> Link? {
    guard index == 0 || !isName(bytes[index - 1]), bytes.count > index + 3,
      bytes[index + 1] | 0x20 == UInt8(ascii: "h"), bytes[index + 2] == UInt8(ascii: "-"),
      let (number, _) = digits(bytes, from: index + 3)
    else { return nil }
    return Link(repository: nil, number: number)
  }

  private static func page(_ bytes: [UInt8], at index: Int, host: String) -> Link? {
    guard bytes[index...].prefix(8).map({ $0 | 0x20 }).starts(with: "http".utf8.map { $0 | 0x20 })
    else { return nil }
    let word = bytes[index...].prefix(1_000).prefix { (0x21...0x7E).contains($0) }
      .prefix { !#"<>()[]"'`,;*|"#.utf8.contains($0) }
    var text = String(decoding: word, as: UTF8.self)
    while let last = text.last, ".:!?".contains(last) { text.removeLast() }
    guard let page = try? RepositoryReference(parsing: text), page.host == host,
      let number = page.issueNumber
    else { return nil }
    return Link(repository: "\(page.name)".lowercased(), number: number)
  }

  /// Reads at most nine digits that aren't the beginning of a word.
  private static func digits(_ bytes: [UInt8], from start: Int) -> (number: Int, end: Int)? {
    guard start < bytes.count, bytes[start] != UInt8(ascii: "0") else { return nil }
    let digits = bytes[start...].prefix(10).prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count),
      digits.endIndex == bytes.count || !isWord(bytes[digits.endIndex]),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return (number, digits.endIndex)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  private static func isName(_ byte: UInt8) -> Bool {
    isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

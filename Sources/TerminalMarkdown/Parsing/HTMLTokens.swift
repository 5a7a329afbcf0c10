/// The tags in a piece of HTML, and the text between them. The result may differ from a browser's.
struct HTMLTokens {
  enum Token: Equatable {
    /// Text whose entities aren't decoded.
    case text(String)
    case tag(HTMLTag, source: String)
    /// A comment or another part that isn't shown.
    case hidden
  }

  private let bytes: [UInt8]
  private var index = 0

  init(_ html: String) {
    bytes = Array(html.utf8)
  }

  mutating func next() -> Token? {
    guard index < bytes.count else { return nil }
    guard bytes[index] == 0x3C else { return text(from: index) }
    let begin = index
    if starts(with: "<!--") {
      skip(past: "-->", from: begin + 4)
      return .hidden
    }
    if starts(with: "<!") || starts(with: "<?") {
      skip(past: ">", from: begin + 2)
      return .hidden
    }
    let isClosing = begin + 1 < bytes.count && bytes[begin + 1] == 0x2F
    let name = begin + (isClosing ? 2 : 1)
    guard name < bytes.count, HTMLTag.isLetter(bytes[name]) else { return text(from: begin) }
    guard let end = endOfTag(from: name) else {
      // Without an end, the rest becomes text at once. Searching it again for each such tag would take quadratic time.
      index = bytes.count
      return .text(string(begin..<bytes.count))
    }
    index = end
    return .tag(
      HTMLTag(bytes[name..<(end - 1)], isClosing: isClosing), source: string(begin..<end))
  }

  private mutating func text(from begin: Int) -> Token {
    index = bytes[(begin + 1)...].firstIndex(of: 0x3C) ?? bytes.count
    return .text(string(begin..<index))
  }

  /// The index after the next `>` outside of attribute values.
  private func endOfTag(from begin: Int) -> Int? {
    var quote: UInt8?
    var last: UInt8 = 0
    for index in begin..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x3E {
        return index + 1
      } else if byte == 0x22 || byte == 0x27, last == 0x3D {
        quote = byte
      }
      if byte > 0x20 { last = byte }
    }
    return nil
  }

  private func starts(with text: String) -> Bool {
    bytes[index...].starts(with: text.utf8)
  }

  private mutating func skip(past end: String, from begin: Int) {
    let end = Array(end.utf8)
    index = min(begin, bytes.count)
    while index < bytes.count {
      if bytes[index...].starts(with: end) {
        index += end.count
        return
      }
      index += 1
    }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension FuzzSource {
  /// A valid input with a few changes.
  ///
  /// - Parameters:
  ///   - corpus: Valid inputs, at least one.
  ///   - words: Pieces of the fuzzed language.
  ///   - maximum: The longest input, in bytes.
  /// - Returns: One of the inputs, changed in one to eight places.
  public mutating func mutation(
    of corpus: [[UInt8]], words: [String] = [], upTo maximum: Int = 65_536
  ) -> [UInt8] {
    var bytes = pick(corpus)
    for _ in 0..<(1 + length(upTo: 7)) {
      mutate(&bytes, corpus, words)
      if bytes.count > maximum { bytes.removeLast(bytes.count - maximum) }
    }
    return bytes
  }

  /// A valid text with a few changes.
  ///
  /// - Parameters:
  ///   - corpus: Valid texts, at least one.
  ///   - words: Pieces of the fuzzed language.
  ///   - maximum: The longest text, in bytes.
  /// - Returns: One of the texts, changed in one to eight places.
  public mutating func mutation(
    of corpus: [String], words: [String] = [], upTo maximum: Int = 65_536
  ) -> String {
    String(
      decoding: mutation(of: corpus.map { Array($0.utf8) }, words: words, upTo: maximum),
      as: UTF8.self)
  }

  private mutating func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ words: [String]) {
    let position = below(bytes.count + 1)
    let range = position..<min(bytes.count, position + length(upTo: 64))
    switch below(11) {
    case 0 where position < bytes.count:
      bytes[position] ^= 1 << UInt8(below(8))
    case 1 where position < bytes.count:
      bytes[position] = pick(FuzzAlphabet.bytes)
    case 2:
      bytes.insert(contentsOf: self.bytes(upTo: 8), at: position)
    case 3:
      bytes.insert(contentsOf: text(upTo: 3, words: words).utf8, at: position)
    case 4:
      bytes.removeSubrange(range)
    case 5:
      bytes.insert(contentsOf: Array(bytes[range]), at: position)
    case 6:
      let chunk = Array(bytes[range.prefix(8)])
      let copies = [UInt8](repeatElement(chunk, count: length(upTo: 600)).joined())
      bytes.insert(contentsOf: copies, at: position)
    case 7:
      let other = pick(corpus)
      bytes.replaceSubrange(position..., with: other[below(other.count + 1)...])
    case 8:
      bytes.removeSubrange(position...)
    case 9:
      bytes.replaceSubrange(
        number(in: bytes, near: position), with: pick(FuzzAlphabet.numbers).utf8)
    default:
      bytes.replaceSubrange(range.prefix(4), with: pick(words.isEmpty ? [""] : words).utf8)
    }
  }

  /// The next digits after a position; empty if there are none.
  private func number(in bytes: [UInt8], near position: Int) -> Range<Int> {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    guard let begin = bytes[position...].firstIndex(where: isDigit) else {
      return position..<position
    }
    return begin..<(bytes[begin...].firstIndex { !isDigit($0) } ?? bytes.count)
  }
}

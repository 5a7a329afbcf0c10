/// Text to find in lines. Case matters only if the text contains a capital letter.
struct FindPattern {
  /// The spellings of each character, in UTF-8. Comparing bytes is fast: a page has many lines, and is searched after
  /// each letter. A match in valid UTF-8 begins and ends between code points.
  private let spellings: [[[UInt8]]]

  /// Creates a pattern; nil for empty text.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let isExact = text.contains(where: \.isUppercase)
    spellings = text.map { character in
      let own = String(character)
      let all = isExact ? [own] : [own, own.uppercased()]
      return (all.first == all.last ? [own] : all).map { Array($0.utf8) }
    }
  }

  /// The nonoverlapping matches in a line, as ranges of its UTF-8.
  func ranges(in line: String) -> [Range<Int>] {
    var line = line
    return line.withUTF8 { bytes in
      var (found, start): ([Range<Int>], Int) = ([], 0)
      while start < bytes.count {
        if let end = unsafe end(in: bytes, from: start) {
          found.append(start..<end)
          start = end
        } else {
          start += 1
        }
      }
      return found
    }
  }

  private func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    for spellings in spellings {
      guard let fitting = spellings.first(where: { unsafe bytes[place...].starts(with: $0) }) else {
        return nil
      }
      place += fitting.count
    }
    return place
  }
}

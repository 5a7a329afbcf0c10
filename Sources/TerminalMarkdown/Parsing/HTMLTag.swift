struct HTMLTag: Equatable {
  /// The name in lowercase.
  let name: String
  let isClosing: Bool
  private let rest: ArraySlice<UInt8>

  /// Parses the bytes between `<` or `</` and `>`.
  init(_ bytes: ArraySlice<UInt8>, isClosing: Bool) {
    let end = bytes.firstIndex { !Self.isName($0) } ?? bytes.endIndex
    name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    rest = bytes[end...]
    self.isClosing = isClosing
  }

  /// The decoded value of an attribute; empty for an attribute without a value, nil for a missing attribute.
  func attribute(_ wanted: String) -> String? {
    var index = rest.startIndex
    while index < rest.endIndex {
      guard Self.isName(rest[index]) else {
        index += 1
        continue
      }
      let nameEnd = rest[index...].firstIndex { !Self.isName($0) } ?? rest.endIndex
      let name = rest[index..<nameEnd]
      index = rest[nameEnd...].firstIndex { $0 > 0x20 } ?? rest.endIndex
      var value = rest[index..<index]
      if index < rest.endIndex, rest[index] == 0x3D {
        index = rest[(index + 1)...].firstIndex { $0 > 0x20 } ?? rest.endIndex
        (value, index) = self.value(from: index)
      }
      if String(decoding: name, as: UTF8.self).lowercased() == wanted {
        return HTMLEntities.decode(String(decoding: value, as: UTF8.self))
      }
    }
    return nil
  }

  private func value(from begin: Int) -> (ArraySlice<UInt8>, end: Int) {
    guard begin < rest.endIndex else { return (rest[begin..<begin], begin) }
    let quote = rest[begin]
    if quote == 0x22 || quote == 0x27 {
      let end = rest[(begin + 1)...].firstIndex(of: quote) ?? rest.endIndex
      return (rest[(begin + 1)..<end], min(end + 1, rest.endIndex))
    }
    let end = rest[begin...].firstIndex { $0 <= 0x20 } ?? rest.endIndex
    return (rest[begin..<end], end)
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isName(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x3A || byte == 0x5F
  }
}

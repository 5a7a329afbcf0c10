/// A string of a JSON text, where it stands: nothing is copied before somebody wants it.
package struct JSONString {
  /// What stands between the quotation marks.
  package let bytes: UnsafeRawBufferPointer
  /// Whether there are escapes in it.
  package let isEscaped: Bool

  /// What it says, with U+FFFD in the place of what is no Unicode.
  package var string: String {
    guard isEscaped else { return String(decoding: bytes, as: UTF8.self) }
    // No escape is shorter than the UTF-8 that it stands for.
    return String(unsafeUninitializedCapacity: bytes.count) { unescape(into: $0) }
  }

  /// Writes the text without escapes.
  ///
  /// - Returns: How many bytes were written.
  private func unescape(into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\") else {
        output[count] = byte
        count += 1
        index += 1
        continue
      }
      let scalar: Unicode.Scalar
      switch bytes[index + 1] {
      case UInt8(ascii: "u"):
        let unit = unit(at: index)
        index += 6
        if let pair = pair(of: unit, at: index) {
          scalar = pair
          index += 6
        } else {
          scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
        }
      case let letter:
        scalar = Self.meaning(of: letter)
        index += 2
      }
      for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        output[count] = unit
        count += 1
      }
    }
    return count
  }

  /// What a backslash and a letter stand for (RFC 8259, section 7).
  private static func meaning(of letter: UInt8) -> Unicode.Scalar {
    switch letter {
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: Unicode.Scalar(letter)
    }
  }

  /// What a unit and the one that is escaped behind it stand for, if they are halves of a pair.
  private func pair(of high: UInt16, at index: Int) -> Unicode.Scalar? {
    guard UTF16.isLeadSurrogate(high), index + 6 <= bytes.count,
      bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    let low = unit(at: index)
    guard UTF16.isTrailSurrogate(low) else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
  }

  /// The UTF-16 unit of the escape that begins at an index.
  private func unit(at index: Int) -> UInt16 {
    bytes[(index + 2)..<(index + 6)].reduce(0) { $0 << 4 | Self.value(ofDigit: $1) }
  }

  private static func value(ofDigit digit: UInt8) -> UInt16 {
    UInt16(digit & 0xF) + (digit > UInt8(ascii: "9") ? 9 : 0)
  }
}

extension JSONReader {
  /// Reads a string without copying it.
  package mutating func text() throws(Problem) -> JSONString {
    guard try peek() == UInt8(ascii: "\"") else { throw problem("no string") }
    position += 1
    let start = position
    var isEscaped = false
    while true {
      position = endOfPlainText(from: position)
      guard position < bytes.count else { throw problem("a string without an end") }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return JSONString(
          bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<(position - 1)]),
          isEscaped: isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape()
      default:
        throw problem("a control character in a string")
      }
    }
  }

  private mutating func skipEscape() throws(Problem) {
    guard position + 1 < bytes.count else { throw problem("a string without an end") }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      guard position + 6 <= bytes.count, bytes[(position + 2)..<(position + 6)].allSatisfy(isHex)
      else { throw problem("an escape without four digits") }
      position += 6
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    default:
      throw problem("an unknown escape")
    }
  }

  private func isHex(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// The first quotation mark, backslash or control character from an index on, or the end.
  ///
  /// Eight bytes at a time: a bit is set in each byte that is below a bound when the bound is taken off and
  /// the byte was below 0x80. Bytes above a found one may be marked too, the lowest mark is always right:
  /// <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>.
  private func endOfPlainText(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let marks: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let found =
        ((word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes
          | (backslashes &- ones) & ~backslashes) & marks
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
      index += 1
    }
    return index
  }
}

internal import HTTPTargets
internal import PlatformModules
internal import StyledText

/// Makes JSON safe for terminals without changing its values.
enum JSONText {
  /// Escapes the characters that `JSONEncoder` doesn't escape: DEL, C1 and bidirectional controls, line separators and
  /// invisible characters. Bytes that aren't UTF-8 become replacement characters.
  ///
  /// JSON outside of strings is printable ASCII and white space. Therefore all escapes are in strings, and a parser
  /// reads the same values (RFC 8259, section 7). C0 controls are already escaped in strings.
  static func escaped(_ encoded: some Collection<UInt8>) -> [UInt8] {
    if encoded.allSatisfy({ $0 < 0x7F }) { return Array(encoded) }
    var text = String(decoding: encoded, as: UTF8.self)
    return text.withUTF8 { bytes in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count + 64)
      // Most text is copied in long pieces.
      var begin = 0
      var index = 0
      while index < bytes.count {
        guard unsafe bytes[index] >= 0x7F,
          let (scalar, length) = unsafe scalar(in: bytes, at: index)
        else {
          index += 1
          continue
        }
        if TerminalText.isConcealed(scalar) {
          unsafe result += bytes[begin..<index]
          begin = index + length
          for unit in String(scalar).utf16 { appendEscape(of: unit, to: &result) }
        }
        index += length
      }
      return unsafe result + bytes[begin...]
    }
  }

  private static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, length: Int)? {
    let first = unsafe bytes[index]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? UInt32(first) : UInt32(first) & (0xFF >> UInt32(length + 1))
    for next in (index + 1)..<min(index + length, bytes.count) {
      value = unsafe value << 6 | UInt32(bytes[next] & 0x3F)
    }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  /// JSON in one line, with the escapes of ``escaped(_:)``, without spaces or unpaired surrogates.
  static func passed(_ json: Data) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(json.count)
    var (isInString, isAfterBackslash, mayHaveHalves) = (false, false, false)
    unsafe json.withUnsafeBytes { bytes in
      // Most of the text is copied in long pieces.
      var begin = 0
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if isInString {
          if isAfterBackslash {
            isAfterBackslash = false
            if byte == UInt8(ascii: "u"), index + 1 < bytes.count,
              unsafe bytes[index + 1] | 0x20 == UInt8(ascii: "d")
            {
              mayHaveHalves = true
            }
          } else if byte == UInt8(ascii: "\\") {
            isAfterBackslash = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
          }
        } else if byte == UInt8(ascii: "\"") {
          isInString = true
        } else if byte <= UInt8(ascii: " ") {
          unsafe text += bytes[begin..<index]
          begin = index + 1
        }
      }
      unsafe text += bytes[begin...]
    }
    if mayHaveHalves, let repaired = JSONRepair.repaired(Data(text)) { text = Array(repaired) }
    return escaped(text)
  }

  private static func appendEscape(of unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }
}

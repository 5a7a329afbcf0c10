#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Mends the two kinds of broken text that servers let through in otherwise sound JSON: bytes that
/// aren't UTF-8, and `\uD800`–`\uDFFF` escapes without their other half
/// ([RFC 8259, section 8.2](https://www.rfc-editor.org/rfc/rfc8259#section-8.2)).
enum JSONRepair {
  /// The mended document; nil if there was nothing to mend.
  static func repaired(_ data: Data) -> Data? {
    let text = Array(String(decoding: data, as: UTF8.self).utf8)
    let mended = replacingLoneSurrogates(text)
    return mended.elementsEqual(data) ? nil : Data(mended)
  }

  private static func replacingLoneSurrogates(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        result.append(text[index])
        index += 1
        continue
      }
      guard let unit = escapedUnit(text, at: index) else {
        // Two bytes at once, so that the second backslash of `\\u` isn't taken for an escape.
        result += text[index..<index + 2]
        index += 2
        continue
      }
      let isPair =
        (0xD800...0xDBFF).contains(unit)
        && escapedUnit(text, at: index + 6).map { (0xDC00...0xDFFF).contains($0) } == true
      if isPair {
        result += text[index..<index + 12]
        index += 12
      } else {
        result +=
          (0xD800...0xDFFF).contains(unit) ? Array("\\uFFFD".utf8) : Array(text[index..<index + 6])
        index += 6
      }
    }
    return result
  }

  /// The code unit of the `\uXXXX` at this index; nil if there is none.
  private static func escapedUnit(_ text: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"),
      text[index + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
  }
}

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Makes JSON text valid Unicode where only that is wrong with it.
package enum JSONRepair {
  /// The body with U+FFFD in the place of invalid UTF-8 and of escaped lone surrogates, or nil when
  /// there was nothing to repair.
  package static func repaired(_ body: Data) -> Data? {
    let text = String(decoding: body, as: UTF8.self)
    let repaired = replacingLoneSurrogates(in: Array(text.utf8))
    return repaired.elementsEqual(body) ? nil : Data(repaired)
  }

  /// RFC 8259 §8.2: `"\uDEAD"` is grammatical JSON that stands for no Unicode text.
  private static func replacingLoneSurrogates(in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      switch escapedUnit(in: bytes, at: index) {
      case .some(0xD800...0xDBFF):
        if case .some(0xDC00...0xDFFF) = escapedUnit(in: bytes, at: index + 6) {
          result.append(contentsOf: bytes[index..<(index + 12)])
          index += 12
        } else {
          result.append(contentsOf: "\\ufffd".utf8)
          index += 6
        }
      case .some(0xDC00...0xDFFF):
        result.append(contentsOf: "\\ufffd".utf8)
        index += 6
      case .some:
        result.append(contentsOf: bytes[index..<(index + 6)])
        index += 6
      case nil:
        // An escape of two characters, `\\` among them, whose second must not start another.
        result.append(contentsOf: bytes[index..<min(index + 2, bytes.count)])
        index += 2
      }
    }
    return result
  }

  /// The UTF-16 unit of an escape `\u` with four digits that begins at an index.
  private static func escapedUnit(in bytes: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= bytes.count,
      bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

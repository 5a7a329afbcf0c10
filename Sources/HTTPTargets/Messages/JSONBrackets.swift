#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The brackets of a JSON text, counted without reading the rest of its grammar.
enum JSONBrackets {
  /// Whether a text that begins as an object or an array goes on to where that ends; nil for any other
  /// text.
  static func areClosed(in text: Data) -> Bool? {
    let blanks = Set(" \t\r\n".utf8)
    guard let first = text.first(where: { !blanks.contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return text.withUnsafeBytes(areClosed)
  }

  private static func areClosed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var depth = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: "\""):
        guard let end = endOfString(from: position, in: bytes) else { return false }
        position = end
      default:
        continue
      }
    }
    return depth <= 0
  }

  /// Where a string ends that begins at a position; nil if it doesn't. Most of a page is strings.
  private static func endOfString(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = start
    while position < bytes.count, let base = bytes.baseAddress,
      let quote = memchr(base + position, CInt(UInt8(ascii: "\"")), bytes.count - position)
    {
      let index = UnsafeRawPointer(quote) - base
      var backslashes = 0
      while index - backslashes > start, bytes[index - backslashes - 1] == UInt8(ascii: "\\") {
        backslashes += 1
      }
      if backslashes.isMultiple(of: 2) { return index + 1 }
      position = index + 1
    }
    return nil
  }
}

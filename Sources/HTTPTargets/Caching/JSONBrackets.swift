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

/// Tells a JSON text that was cut short from a whole one, without decoding it.
enum JSONBrackets {
  /// Whether the text is an array or an object, and ends where that does.
  static func match(in text: Data) -> Bool { text.withUnsafeBytes(match) }

  private static func match(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var depth = 0
    var hasEnded = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        continue
      case _ where hasEnded:
        return false
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard depth >= 0 else { return false }
        hasEnded = depth == 0
      case _ where depth == 0:
        return false
      case UInt8(ascii: "\""):
        guard let end = endOfString(from: position, in: bytes) else { return false }
        position = end
      default:
        continue
      }
    }
    return hasEnded
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

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

/// The brackets and commas of a JSON text, counted without reading the rest of its grammar.
struct JSONBrackets {
  /// How many are open at once at most.
  private(set) var maximumDepth = 0
  /// How many lists, objects and other values there are at most.
  private(set) var valueCount = 1
  /// How many are open at the end.
  private var depth = 0
  private var endsInString = false

  /// Counts those of a text in UTF-8.
  init(in text: Data) {
    text.withUnsafeBytes { count($0) }
  }

  /// Whether a text that begins as an object or an array goes on to where that ends; nil for any other
  /// text.
  static func areClosed(in text: Data) -> Bool? {
    let blanks = Set(" \t\r\n".utf8)
    guard let first = text.first(where: { !blanks.contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    let brackets = JSONBrackets(in: text)
    return brackets.depth <= 0 && !brackets.endsInString
  }

  private mutating func count(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        valueCount += 1
        maximumDepth = max(maximumDepth, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: ","):
        valueCount += 1
      case UInt8(ascii: "\""):
        guard let end = Self.endOfString(from: position, in: bytes) else {
          endsInString = true
          return
        }
        position = end
      default:
        continue
      }
    }
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

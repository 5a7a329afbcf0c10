package import PlatformModules

/// A reason not to pass text to `JSONDecoder`. Foundation's parser (Swift 6.3) traps on text that ends with the 513th
/// open bracket, so any server could crash the process. If the caller limits the number of values, text with more is
/// refused too: a value of two bytes uses hundreds of bytes once decoded, so even a body of acceptable size could fill
/// the memory.
package struct JSONProblem: Error, Hashable, CustomStringConvertible {
  package let description: String

  /// The maximum number of nested levels. Real APIs have at most a dozen.
  package static let maximumDepth = 256

  package init?(in body: Data, maximumCount: Int) {
    if unsafe body.withUnsafeBytes(Self.isWide) {
      description = "not in UTF-8"
    } else {
      let brackets = JSONBrackets(in: body)
      if brackets.maximumDepth > Self.maximumDepth {
        description = "nested more than \(Self.maximumDepth) levels deep"
      } else if brackets.valueCount > maximumCount {
        self = .tooMany(maximumCount)
      } else {
        return nil
      }
    }
  }

  /// Returns the number of values in a part of a body that may still have `remaining` of `maximum` values.
  package static func count(
    in part: Data, upTo remaining: Int, of maximum: Int
  ) throws(JSONProblem) -> Int {
    let count = JSONBrackets(in: part).valueCount
    guard count <= remaining else { throw tooMany(maximum) }
    return count
  }

  private static func tooMany(_ maximum: Int) -> JSONProblem {
    JSONProblem("made of more than \(maximum) values")
  }

  private init(_ description: String) {
    self.description = description
  }

  /// Whether `JSONDecoder` would read the text as UTF-16 or UTF-32, in which brackets can't be found by bytes. JSON
  /// between systems is UTF-8 (RFC 8259, section 8.1), which doesn't contain NUL.
  private static func isWide(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.prefix(4).contains(0) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0xFF, 0xFE])
  }
}

/// Counts the brackets and commas of JSON text, and ignores the rest of the grammar.
struct JSONBrackets {
  private(set) var maximumDepth = 0
  private(set) var valueCount = 1
  private var depth = 0
  private var endsInString = false

  init(in text: Data) {
    unsafe text.withUnsafeBytes { unsafe count($0) }
  }

  /// Returns whether all brackets are closed; nil for text that doesn't begin with an object or an array.
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
      let byte = unsafe bytes[position]
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
        guard let end = unsafe Self.endOfString(from: position, in: bytes) else {
          endsInString = true
          return
        }
        position = end
      default:
        continue
      }
    }
  }

  private static func endOfString(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = start
    while position < bytes.count, let base = bytes.baseAddress,
      let quote = unsafe memchr(base + position, CInt(UInt8(ascii: "\"")), bytes.count - position)
    {
      let index = unsafe UnsafeRawPointer(quote) - base
      var backslashes = 0
      while index - backslashes > start, unsafe bytes[index - backslashes - 1] == UInt8(ascii: "\\")
      {
        backslashes += 1
      }
      if backslashes.isMultiple(of: 2) { return index + 1 }
      position = index + 1
    }
    return nil
  }
}

internal import HTTPTargets

/// Reads a JSON text from left to right, and makes values only of what is asked for.
///
/// ```swift
/// try reader.beginObject()
/// while let name = try reader.nextName() {
///   switch name {
///   case "title": title = try reader.string()
///   default: try reader.skip()
///   }
/// }
/// ```
///
/// A page goes through this in a fifth of the time that `JSONDecoder` takes for the same columns (7 µs an item
/// against 35 µs, where all of `Issue` takes 47 µs), which was most of what an item cost from socket to row.
///
/// The grammar is kept to the letter ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)), also in what is
/// skipped, so that what is stored can be decoded later. Text that is no Unicode is replaced in what is
/// made of it, as `JSONRepair` does. Of a name that an object has twice, each is given; Foundation and SQLite
/// take the first.
package struct JSONReader {
  /// Why a text can't be read.
  package struct Problem: Error, CustomStringConvertible {
    /// What was found, or missed.
    package let reason: String
    /// Where, in bytes from the start.
    package let position: Int

    package var description: String { "\(reason) at byte \(position)" }
  }

  package let bytes: UnsafeRawBufferPointer
  /// Where the next value, name, comma or bracket begins, or blanks before it.
  package var position: Int
  private var depth = 0
  /// Whether the bracket before this was one that opens.
  private var isFirst = true

  /// Reads a text that stays where it is as long as the reader.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  package func problem(_ reason: String) -> Problem {
    Problem(reason: reason, position: position)
  }

  /// The next byte that is no blank, which is left where it is.
  ///
  /// In line for what servers send, which is without blanks: it is the most frequent call of a sync.
  @inlinable @inline(__always)
  package mutating func peek() throws(Problem) -> UInt8 {
    if position < bytes.count, bytes[position] > UInt8(ascii: " ") { return bytes[position] }
    return try peekBehindBlanks()
  }

  @usableFromInline
  package mutating func peekBehindBlanks() throws(Problem) -> UInt8 {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case let byte:
        return byte
      }
    }
    throw problem("the end of the text")
  }

  /// Where the next value begins.
  package mutating func start() throws(Problem) -> Int {
    _ = try peek()
    return position
  }

  /// Ends the text.
  package mutating func end() throws(Problem) {
    guard let byte = try? peek() else { return }
    throw problem("“\(Unicode.Scalar(byte))” behind the end")
  }

  // MARK: - Lists and objects

  /// Enters an array.
  package mutating func beginArray() throws(Problem) { try open(UInt8(ascii: "[")) }

  /// Enters an object.
  package mutating func beginObject() throws(Problem) { try open(UInt8(ascii: "{")) }

  /// Goes to the next element of the array, or behind its end.
  ///
  /// - Returns: Whether there is one, which has to be read or skipped.
  package mutating func nextElement() throws(Problem) -> Bool {
    try next(before: UInt8(ascii: "]"))
  }

  /// Goes to the next member of the object, or behind its end.
  ///
  /// - Returns: Its name, whose value has to be read or skipped; nil at the end.
  package mutating func nextName() throws(Problem) -> JSONName? {
    guard try next(before: UInt8(ascii: "}")) else { return nil }
    let name = try text()
    guard try peek() == UInt8(ascii: ":") else { throw problem("no colon behind a name") }
    position += 1
    return JSONName(text: name)
  }

  private mutating func open(_ bracket: UInt8) throws(Problem) {
    guard try peek() == bracket else {
      throw problem("no “\(Unicode.Scalar(bracket))”")
    }
    depth += 1
    // What GitHubJSON decodes later goes no deeper either.
    guard depth <= JSONProblem.maximumDepth else {
      throw problem("more than \(JSONProblem.maximumDepth) levels")
    }
    position += 1
    isFirst = true
  }

  private mutating func next(before bracket: UInt8) throws(Problem) -> Bool {
    let byte = try peek()
    if byte == bracket {
      position += 1
      depth -= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw problem("no comma") }
      position += 1
    }
    return true
  }

  // MARK: - Values

  /// Goes behind the next value.
  package mutating func skip() throws(Problem) {
    switch try peek() {
    case UInt8(ascii: "\""): _ = try text()
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextName() != nil { try skip() }
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skip() }
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    default: _ = try number()
    }
  }

  /// Goes behind a null.
  ///
  /// - Returns: Whether there is one; else the value stays to be read.
  package mutating func skipNull() throws(Problem) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  /// Reads a string.
  package mutating func string() throws(Problem) -> String { try text().string }

  /// Reads a string or null.
  package mutating func stringIfAny() throws(Problem) -> String? {
    try skipNull() ? nil : try text().string
  }

  /// Goes behind a string or null.
  package mutating func skipStringIfAny() throws(Problem) {
    if !(try skipNull()) { _ = try text() }
  }

  /// Reads `true`, `false` or null.
  package mutating func booleanIfAny() throws(Problem) -> Bool? {
    switch try peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default:
      try literal("null")
      return nil
    }
  }

  /// Reads a whole number, however it is written.
  package mutating func integer() throws(Problem) -> Int64 {
    let (range, isPlain) = try number()
    let digits = String(decoding: bytes[range], as: UTF8.self)
    let value = isPlain ? Int64(digits) : Double(digits).flatMap(Int64.init(exactly:))
    guard let value else { throw problem("\(digits) is no whole number of 64 bits") }
    return value
  }

  /// Reads a whole number or null.
  package mutating func integerIfAny() throws(Problem) -> Int64? {
    try skipNull() ? nil : try integer()
  }

  private mutating func literal(_ text: StaticString) throws(Problem) {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count,
      bytes[position..<(position + count)].elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: count))
    else { throw problem("no value") }
    position += count
  }

  /// Goes behind a number: where it stands, and whether it has neither a fraction nor an exponent.
  private mutating func number() throws(Problem) -> (range: Range<Int>, isPlain: Bool) {
    _ = try peek()
    let start = position
    var isPlain = true
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isPlain = false
      position += 1
      try digits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isPlain = false
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits()
    }
    return (start..<position, isPlain)
  }

  private mutating func digits() throws(Problem) {
    let start = position
    while position < bytes.count, case 0x30...0x39 = bytes[position] { position += 1 }
    guard position > start else { throw problem("no value") }
  }
}

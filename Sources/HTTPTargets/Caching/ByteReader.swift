/// Reads numbers and text with their lengths before them; nil where there is less than announced.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether everything is read.
  var isAtEnd: Bool { position == bytes.count }

  /// A number of four or eight bytes, the least significant first.
  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
    guard bytes.count - position >= MemoryLayout<Number>.size else { return nil }
    defer { position += MemoryLayout<Number>.size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  /// A text.
  mutating func text() -> String? {
    guard let count: UInt32 = number(), Int(count) <= bytes.count - position else { return nil }
    defer { position += Int(count) }
    return String(validating: bytes[position..<position + Int(count)], as: UTF8.self)
  }

  /// So many values.
  mutating func list<Value>(_ value: (inout ByteReader) -> Value?) -> [Value]? {
    guard let count: UInt32 = number() else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      // A number that is made up ends with the bytes.
      guard let value = value(&self) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension [UInt8] {
  /// Appends a number, the least significant byte first.
  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a text after its length.
  mutating func append(text: String) {
    append(number: UInt32(truncatingIfNeeded: text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

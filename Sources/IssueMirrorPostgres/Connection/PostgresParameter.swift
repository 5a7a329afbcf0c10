internal import PlatformModules

/// A value in PostgreSQL's binary format.
struct PostgresParameter: Sendable {
  /// The object id of its type: <https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat>.
  let type: UInt32
  /// Nil represents NULL.
  let bytes: [UInt8]?

  enum TypeID {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let text: UInt32 = 25
    static let real: UInt32 = 701
    static let booleans: UInt32 = 1000
    static let blobs: UInt32 = 1001
    static let texts: UInt32 = 1009
    static let integers: UInt32 = 1016
    static let reals: UInt32 = 1022
    static let vector: UInt32 = 3614
    static let vectors: UInt32 = 3643
  }

  static func integer(_ value: Int64?) -> Self { Self(TypeID.integer, value.map(bytes)) }
  static func integer(_ value: Int?) -> Self { integer(value.map(Int64.init)) }
  static func real(_ value: Double) -> Self {
    Self(TypeID.real, bytes(Int64(bitPattern: value.bitPattern)))
  }
  static func boolean(_ value: Bool) -> Self { Self(TypeID.boolean, [value ? 1 : 0]) }
  static func text(_ value: String?) -> Self { Self(TypeID.text, value.map(bytes)) }
  static func bytes(_ value: Data?) -> Self { Self(TypeID.bytes, value.map { [UInt8]($0) }) }

  static func integers(_ values: [Int64?]) -> Self {
    array(TypeID.integers, of: TypeID.integer, values) { append($0, to: &$1) }
  }

  static func integers(_ values: [Int?]) -> Self { integers(values.map { $0.map(Int64.init) }) }

  static func reals(_ values: [Double]) -> Self {
    array(TypeID.reals, of: TypeID.real, values) {
      append(Int64(bitPattern: $0.bitPattern), to: &$1)
    }
  }

  static func booleans(_ values: [Bool]) -> Self {
    array(TypeID.booleans, of: TypeID.boolean, values) { $1.append($0 ? 1 : 0) }
  }

  static func texts(_ values: [String?]) -> Self {
    array(TypeID.texts, of: TypeID.text, values) { append($0, to: &$1) }
  }

  static func blobs(_ values: [Data?]) -> Self {
    array(TypeID.blobs, of: TypeID.bytes, values) { $1.append(contentsOf: $0) }
  }

  static func vectors(_ values: [TextVector]) -> Self {
    array(TypeID.vectors, of: TypeID.vector, values) { $1.append(contentsOf: $0.bytes) }
  }

  static func vector(_ value: TextVector) -> Self { Self(TypeID.vector, value.bytes) }

  private init(_ type: UInt32, _ bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  private static func bytes(_ value: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func bytes(_ value: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Replaces NUL with U+FFFD, because text in PostgreSQL can't contain NUL. Columns are used only for filters and
  /// lists; the JSON keeps every byte.
  private static func append(_ value: String, to bytes: inout [UInt8]) {
    guard value.utf8.contains(0) else {
      bytes.append(contentsOf: value.utf8)
      return
    }
    for byte in value.utf8 {
      if byte == 0 { bytes.append(contentsOf: "\u{FFFD}".utf8) } else { bytes.append(byte) }
    }
  }

  private static func array<Value>(
    _ type: UInt32, of element: UInt32, _ values: [Value?],
    _ write: (Value, inout [UInt8]) -> Void
  ) -> Self {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + values.count * 12)
    append(Int32(1), to: &bytes)
    append(Int32(values.contains { $0 == nil } ? 1 : 0), to: &bytes)
    append(element, to: &bytes)
    append(Int32(values.count), to: &bytes)
    append(Int32(1), to: &bytes)
    for value in values {
      guard let value else {
        append(Int32(-1), to: &bytes)
        continue
      }
      let start = bytes.count
      append(Int32(0), to: &bytes)
      write(value, &bytes)
      let length = UInt32(bytes.count - start - 4)
      for offset in 0..<4 {
        bytes[start + offset] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(offset)))
      }
    }
    return Self(type, bytes)
  }
}

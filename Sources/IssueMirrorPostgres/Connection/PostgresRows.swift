internal import CPostgres
internal import PlatformModules

/// The rows of a result, in PostgreSQL's binary format.
// @safe: it owns the result.
@safe
final class PostgresRows: RandomAccessCollection {
  private let result: OpaquePointer
  let startIndex = 0
  let endIndex: Int
  fileprivate let columnCount: Int
  /// The number of rows that the statement changed or returned.
  let changes: Int

  init(taking result: OpaquePointer) {
    unsafe self.result = result
    endIndex = unsafe Int(cpostgres_row_count(result))
    columnCount = unsafe Int(cpostgres_column_count(result))
    changes = unsafe cpostgres_changes(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
  }

  deinit {
    unsafe cpostgres_clear(result)
  }

  subscript(index: Int) -> PostgresRow { PostgresRow(rows: self, index: index) }

  fileprivate func value<Value: PostgresDecodable>(_ row: Int, _ column: Int) throws -> Value {
    guard indices.contains(row), column >= 0, column < columnCount else {
      throw PostgresFailure("a result lacks a column")
    }
    let (row, column) = (Int32(row), Int32(column))
    let type = unsafe cpostgres_column_type(result, column)
    guard unsafe cpostgres_is_null(result, row, column) == 0 else {
      return unsafe try Value.decode(
        UnsafeRawBufferPointer(start: nil, count: 0), type, isNull: true)
    }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: cpostgres_value(result, row, column),
      count: Int(cpostgres_length(result, row, column)))
    return unsafe try Value.decode(bytes, type, isNull: false)
  }
}

struct PostgresRow {
  fileprivate let rows: PostgresRows
  fileprivate let index: Int

  func value<Value: PostgresDecodable>(_ column: Int) throws -> Value {
    try rows.value(index, column)
  }
}

protocol PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Self
}

extension PostgresFailure {
  /// A column's type differs from the schema.
  fileprivate static let mistyped = PostgresFailure(
    "a value has another type", sqlState: "XX001")
  /// A number so large that sums and differences could crash the process.
  fileprivate static let impossible = PostgresFailure(
    "a row has an impossible number", sqlState: "XX001")
}

extension Int64: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Int64 {
    // The types are bigint, smallint and integer.
    guard !isNull, [PostgresParameter.TypeID.integer, 21, 23].contains(type),
      (1...8).contains(bytes.count)
    else { throw PostgresFailure.mistyped }
    let value = unsafe bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    let spare = UInt64(64 - 8 * bytes.count)
    return Int64(bitPattern: value << spare) >> Int64(spare)
  }
}

/// A number, a count or a time for arithmetic. Keys and tickets use `Int64`.
extension Int: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Int {
    let value = try unsafe Int64.decode(bytes, type, isNull: isNull)
    guard value.magnitude <= 1 << 53 else { throw PostgresFailure.impossible }
    return Int(value)
  }
}

extension Double: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Double {
    let bits = unsafe bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    let value: Double
    switch type {
    case PostgresParameter.TypeID.real where !isNull: value = Double(bitPattern: bits)
    // The type is real.
    case 700 where !isNull: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    default: throw PostgresFailure.mistyped
    }
    // A time may be `infinity`, which can't be converted to a duration.
    guard value.magnitude <= 0x1p53 else { throw PostgresFailure.impossible }
    return value
  }
}

extension Bool: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Bool {
    guard !isNull, type == PostgresParameter.TypeID.boolean else { throw PostgresFailure.mistyped }
    return unsafe bytes.first == 1
  }
}

extension String: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> String {
    // The types are text, name and varchar.
    guard !isNull, [PostgresParameter.TypeID.text, 19, 1043].contains(type) else {
      throw PostgresFailure.mistyped
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension Data: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Data {
    guard !isNull, type == PostgresParameter.TypeID.bytes else { throw PostgresFailure.mistyped }
    return unsafe Data(bytes)
  }
}

extension Array: PostgresDecodable where Element == String {
  /// Decodes an array of at most one dimension. Its format is: the number of dimensions, whether it contains NULL, the
  /// element type, the element count, the first index, and each element preceded by its length
  /// (<https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c>).
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> [String] {
    guard !isNull, type == PostgresParameter.TypeID.texts else { throw PostgresFailure.mistyped }
    var rest = unsafe bytes[...]
    func integer() throws -> Int {
      guard unsafe rest.count >= 4 else { throw PostgresFailure.mistyped }
      defer { unsafe rest = unsafe rest.dropFirst(4) }
      return unsafe Int(rest.prefix(4).reduce(into: UInt32(0)) { $0 = $0 << 8 | UInt32($1) })
    }
    guard try integer() == 1, try integer() == 0 else { return [] }
    _ = try integer()
    let count = try integer()
    _ = try integer()
    // Each element takes at least the four bytes of its length.
    guard unsafe count <= rest.count / 4 else { throw PostgresFailure.mistyped }
    return try (0..<count).map { _ in
      let length = try integer()
      guard unsafe rest.count >= length else { throw PostgresFailure.mistyped }
      defer { unsafe rest = unsafe rest.dropFirst(length) }
      return unsafe String(decoding: rest.prefix(length), as: UTF8.self)
    }
  }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ type: UInt32, isNull: Bool
  ) throws -> Wrapped? {
    isNull ? nil : try unsafe Wrapped.decode(bytes, type, isNull: false)
  }
}

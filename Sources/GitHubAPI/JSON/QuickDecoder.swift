internal import HTTPTargets
internal import PlatformModules

extension GitHubJSON {
  /// Decodes what ``decoder()`` would, in less than half of its time: `JSONDecoder` makes a string of each name, and
  /// most of a response is names that no property has.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - json: The text.
  ///   - isChecked: Whether a ``JSONReader`` has read the text without a problem.
  /// - Returns: The value; nil for what only ``decoder()`` can read, or explain.
  static func decodeQuickly<Value: Decodable>(
    _ type: Value.Type, from json: Data, isChecked: Bool = false
  ) -> Value? {
    let text = DecodedText(json)
    guard isChecked || text.isSound else { return nil }
    let value = try? text.value(at: 0, CodingPath(container: [], last: nil)) as Value
    return text.isTooLarge ? nil : value
  }
}

/// A decoder may outlive the text that it was made for, so this keeps the bytes.
// @safe: the bytes live as long as the object.
@safe
private final class DecodedText {
  let json: Data
  let bytes: UnsafeRawBufferPointer
  /// Whether there was an object with so many members that searching them would take long. A type may have ignored that.
  private(set) var isTooLarge = false

  init(_ json: Data) {
    self.json = json
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: json.count, alignment: 1)
    unsafe copy.copyBytes(from: json)
    unsafe bytes = UnsafeRawBufferPointer(copy)
  }

  deinit { unsafe bytes.deallocate() }

  /// Any text of this length has few enough values.
  var isSound: Bool {
    guard json.count / 2 <= JSONProblem.maximumCount else { return false }
    var reader = reader(at: 0)
    return (try? reader.skip()) != nil && (try? reader.end()) != nil
  }

  func reader(at position: Int) -> JSONReader { unsafe JSONReader(bytes, at: position) }

  func first(at position: Int) -> UInt8? {
    var reader = reader(at: position)
    return try? reader.peek()
  }

  func isNull(at position: Int) -> Bool { first(at: position) == UInt8(ascii: "n") }

  func members(at position: Int) throws -> [JSONMember] {
    guard first(at: position) == UInt8(ascii: "{") else {
      throw mismatch([String: Any].self, at: position)
    }
    var reader = reader(at: position)
    var members: [JSONMember] = []
    members.reserveCapacity(16)
    try reader.beginObject()
    while let member = try reader.nextMember() { members.append(member) }
    isTooLarge = isTooLarge || members.count > 1_000
    return isTooLarge ? [] : members
  }

  func mismatch(_ type: Any.Type, at position: Int) -> DecodingError {
    let context = DecodingError.Context(codingPath: [], debugDescription: "another type")
    return isNull(at: position) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func boolean(at position: Int) throws -> Bool {
    var reader = reader(at: position)
    guard !isNull(at: position), let value = try? reader.booleanIfAny() else {
      throw mismatch(Bool.self, at: position)
    }
    return value
  }

  func string(at position: Int) throws -> String {
    var reader = reader(at: position)
    guard try reader.peek() == UInt8(ascii: "\"") else {
      throw mismatch(String.self, at: position)
    }
    return try reader.string()
  }

  func integer<Value: FixedWidthInteger & Decodable>(at position: Int) throws -> Value {
    var reader = reader(at: position)
    guard let digits = try? reader.digitsOfInteger() else { return try other(at: position) }
    guard let value = Value(digits) else { throw mismatch(Value.self, at: position) }
    return value
  }

  /// For what is rare: numbers such as `1e3`, and types with forms of their own.
  func other<Value: Decodable>(at position: Int) throws -> Value {
    var reader = reader(at: position)
    try reader.skip()
    let start = json.startIndex
    return try GitHubJSON.decoder().decode(
      Value.self, fromServer: json[start + position..<start + reader.position], isChecked: true)
  }

  func value<Value: Decodable>(at position: Int, _ path: CodingPath) throws -> Value {
    if Value.self == Date.self || Value.self == URL.self || Value.self == Data.self
      || Value.self == Decimal.self
    {
      return try other(at: position)
    }
    return try Value(from: QuickDecoder(text: self, position: position, path: path))
  }
}

/// An array of keys would be allocated for each value, and is hardly ever asked for.
private struct CodingPath {
  let container: [any CodingKey]
  let last: (any CodingKey)?

  var keys: [any CodingKey] { last.map { container + [$0] } ?? container }
}

private struct QuickDecoder: Decoder, SingleValueDecodingContainer {
  let text: DecodedText
  /// In bytes from the start.
  let position: Int
  let path: CodingPath

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [.jsonText: text.json] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try JSONObject<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONArray(self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { text.isNull(at: position) }
  func decode(_ type: Bool.Type) throws -> Bool { try text.boolean(at: position) }
  func decode(_ type: String.Type) throws -> String { try text.string(at: position) }
  func decode(_ type: Double.Type) throws -> Double { try text.other(at: position) }
  func decode(_ type: Float.Type) throws -> Float { try text.other(at: position) }
  func decode(_ type: Int.Type) throws -> Int { try text.integer(at: position) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(at: position) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(at: position) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(at: position) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(at: position) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(at: position) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(at: position) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(at: position) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(at: position) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(at: position) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try text.value(at: position, path)
  }
}

private final class JSONObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let text: DecodedText
  private let path: CodingPath
  private let members: [JSONMember]
  private(set) lazy var codingPath = path.keys

  init(_ value: QuickDecoder) throws {
    (text, path) = (value.text, value.path)
    members = try text.members(at: value.position)
  }

  var allKeys: [Key] {
    var names: Set<String> = []
    return members.compactMap { member in
      guard let name = try? text.string(at: member.name), names.insert(name).inserted else {
        return nil
      }
      return Key(stringValue: name)
    }
  }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try place(key).isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try text.boolean(at: place(key).value)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try text.string(at: place(key).value)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try text.other(at: place(key).value)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try text.other(at: place(key).value)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try text.value(at: place(key).value, path(key))
  }

  // By default, each of these looks for its key three times.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try text.string(at: $0) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key).map { try text.integer(at: $0) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key).map { try text.value(at: $0, path(key)) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(forKey: OtherKey.name("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(forKey: key) }

  private func decoder(forKey key: some CodingKey) throws -> any Decoder {
    QuickDecoder(text: text, position: try place(key).value, path: path(key))
  }

  private func path(_ key: some CodingKey) -> CodingPath {
    CodingPath(container: codingPath, last: key)
  }

  private func integer<Value: FixedWidthInteger & Decodable>(_ key: Key) throws -> Value {
    try text.integer(at: place(key).value)
  }

  private func present(_ key: Key) -> Int? {
    member(key).flatMap { $0.isNull ? nil : $0.value }
  }

  private func place(_ key: some CodingKey) throws -> JSONMember {
    guard let member = member(key) else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such key"))
    }
    return member
  }

  /// The first one, if a name is there twice.
  private func member(_ key: some CodingKey) -> JSONMember? {
    var name = key.stringValue
    return name.withUTF8 { name in
      let name = UnsafeRawBufferPointer(name)
      let mark = unsafe JSONMember.mark(of: name)
      for member in members where unsafe member.isNamed(name, mark, in: text.bytes) {
        return member
      }
      return nil
    }
  }
}

private struct JSONArray: UnkeyedDecodingContainer {
  private let text: DecodedText
  let codingPath: [any CodingKey]
  private let elements: [Int]
  private(set) var currentIndex = 0

  init(_ value: QuickDecoder) throws {
    text = value.text
    codingPath = value.codingPath
    guard text.first(at: value.position) == UInt8(ascii: "[") else {
      throw text.mismatch([Any].self, at: value.position)
    }
    var reader = text.reader(at: value.position)
    var elements: [Int] = []
    try reader.beginArray()
    while try reader.nextElement() {
      elements.append(try reader.start())
      try reader.skip()
    }
    self.elements = elements
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = text.isNull(at: try place(Never.self))
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(text.boolean) }
  mutating func decode(_ type: String.Type) throws -> String { try take(text.string) }
  mutating func decode(_ type: Double.Type) throws -> Double { try take(text.other) }
  mutating func decode(_ type: Float.Type) throws -> Float { try take(text.other) }
  mutating func decode(_ type: Int.Type) throws -> Int { try take(text.integer) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(text.integer) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try take(text.integer) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try take(text.integer) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try take(text.integer) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try take(text.integer) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take(text.integer) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take(text.integer) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take(text.integer) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take(text.integer) }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (text, path) = (text, path)
    return try take { position in try text.value(at: position, path) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try takeDecoder { decoder in try decoder.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try takeDecoder { decoder in try decoder.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try takeDecoder { $0 } }

  private mutating func takeDecoder<Value>(_ read: (QuickDecoder) throws -> Value) throws -> Value {
    let (text, path) = (text, path)
    return try take { position in
      try read(QuickDecoder(text: text, position: position, path: path))
    }
  }

  /// An element that can't be decoded remains.
  private mutating func take<Value>(_ read: (Int) throws -> Value) throws -> Value {
    let value = try read(place(Value.self))
    currentIndex += 1
    return value
  }

  private var path: CodingPath {
    CodingPath(container: codingPath, last: OtherKey(intValue: currentIndex))
  }

  private func place(_ type: Any.Type) throws -> Int {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(codingPath: path.keys, debugDescription: "the end of the list"))
    }
    return elements[currentIndex]
  }
}

private enum OtherKey: CodingKey {
  case name(String)
  case index(Int)

  var stringValue: String {
    switch self {
    case .name(let name): name
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? {
    guard case .index(let index) = self else { return nil }
    return index
  }

  init(stringValue: String) { self = .name(stringValue) }
  init(intValue: Int) { self = .index(intValue) }
}

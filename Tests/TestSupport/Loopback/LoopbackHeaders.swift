/// Header fields in the order and spelling of the wire.
///
/// Look-up ignores case. Nothing is checked or folded, so that a test can send invalid headers.
public struct LoopbackHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral, Sequence {
  /// One header field.
  public struct Field: Sendable, Equatable {
    /// The name as spelled on the wire.
    public var name: String
    /// The value, without surrounding blanks.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in order.
  public private(set) var fields: [Field]

  /// Creates header fields.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// Creates header fields from a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of a field. Setting it replaces all values of that name; nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      let position = fields.firstIndex { Self.isSame($0.name, name) }
      fields.removeAll { Self.isSame($0.name, name) }
      if let newValue {
        let place = Swift.min(position ?? fields.count, fields.count)
        fields.insert(Field(name: name, value: newValue), at: place)
      }
    }
  }

  /// All values of a field, in order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.isSame($0.name, name) }.map(\.value)
  }

  /// Adds a field at the end, even if the name exists.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Makes an iterator over the fields in order.
  public func makeIterator() -> [Field].Iterator {
    fields.makeIterator()
  }

  /// Compares two field names, which are ASCII, ignoring case.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }
}

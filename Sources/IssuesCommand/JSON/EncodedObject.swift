/// A JSON object defined by its members, for values without their own type.
struct EncodedObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: [(name: String, value: (any Encodable)?)]
  private let hasNulls: Bool

  /// Creates an object without nil values.
  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members.map { ($0.0, $0.1) }
    hasNulls = false
  }

  /// Creates an object with all fields, with null for nil.
  init<Field: CaseIterable & RawRepresentable<String>>(
    _: Field.Type, _ value: (Field) throws -> (any Encodable)?
  ) rethrows {
    members = try Field.allCases.map { ($0.rawValue, try value($0)) }
    hasNulls = true
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value {
        try container.encode(value, forKey: Name(stringValue: name))
      } else if hasNulls {
        try container.encodeNil(forKey: Name(stringValue: name))
      }
    }
  }
}

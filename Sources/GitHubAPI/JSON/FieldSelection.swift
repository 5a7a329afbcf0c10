/// An entity that can encode all of its fields or a selection of them, through `value(of:)`.
protocol FieldSelectable: Encodable, Sendable {
  associatedtype Field: CodingKey, CaseIterable, Sendable

  /// Returns the value of a field; nil if the server didn't send it.
  func value(of field: Field) -> (any Encodable)?
}

extension FieldSelectable {
  func encodeFields(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    for field in Field.allCases {
      if let value = value(of: field) {
        try container.encode(value, forKey: field)
      }
    }
  }
}

/// A selection of fields. Missing fields are encoded as null, so that every object in a list has the same keys.
struct FieldSelection<Entity: FieldSelectable>: Encodable, Sendable {
  let entity: Entity
  let fields: [Entity.Field]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Entity.Field.self)
    for field in fields {
      if let value = entity.value(of: field) {
        try container.encode(value, forKey: field)
      } else {
        try container.encodeNil(forKey: field)
      }
    }
  }
}

/// An entity whose fields can be encoded one by one, by their REST keys.
///
/// `value(of:)` is the only place that knows what a field holds: encoding the whole entity and
/// encoding a selection both go through it.
protocol FieldSelectable: Encodable, Sendable {
  associatedtype Field: CodingKey, CaseIterable, Sendable

  /// The value of a field; nil if the server didn't send it.
  func value(of field: Field) -> (any Encodable)?
}

extension FieldSelectable {
  /// Encodes every field that holds something.
  func encodeFields(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    for field in Field.allCases {
      if let value = value(of: field) {
        try container.encode(value, forKey: field)
      }
    }
  }
}

/// Some fields of an entity, encoded as null where the entity holds nothing, so that every object of
/// a list has the same keys.
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

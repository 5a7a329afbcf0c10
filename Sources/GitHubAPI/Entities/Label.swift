extension GitHub {
  /// A label of an issue.
  public struct Label: Hashable, Sendable {
    /// The id, which may exceed 32 bits.
    public var id: Int64?
    /// The name, which every label has.
    public var name: String
    /// The colour as six hexadecimal digits without a `#`.
    public var color: String?
    /// The purpose of the label.
    public var description: String?

    /// Creates a label.
    public init(
      id: Int64? = nil, name: String, color: String? = nil, description: String? = nil
    ) {
      self.id = id
      self.name = name
      self.color = color
      self.description = description
    }
  }
}

extension GitHub.Label: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case id
    case name
    case color
    case description
  }

  /// Decodes a label from an object or, as the API's description allows, from its bare name.
  public init(from decoder: any Decoder) throws {
    let container: KeyedDecodingContainer<Field>
    do {
      container = try decoder.container(keyedBy: Field.self)
    } catch DecodingError.typeMismatch {
      self.init(name: try decoder.singleValueContainer().decode(String.self))
      return
    }
    let color = try container.decodeIfPresent(String.self, forKey: .color)
    self.init(
      id: try container.decodeIfPresent(Int64.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      color: color.map(Self.digits),
      description: try container.decodeIfPresent(String.self, forKey: .description))
  }

  /// Removes the `#`, which GitHub neither sends nor takes.
  static func digits(_ color: String) -> String {
    String(color.unicodeScalars.drop { $0 == "#" })
  }

  /// Encodes the known fields, always as an object.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .id: id
    case .name: name
    case .color: color
    case .description: description
    }
  }
}

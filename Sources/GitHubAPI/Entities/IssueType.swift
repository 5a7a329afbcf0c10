internal import PlatformModules

extension GitHub {
  /// A type of issue, such as `Bug`. An organization defines types for its repositories. A user's repositories don't
  /// have types.
  public struct IssueType: Identifiable, Hashable, Sendable {
    /// The ID on the server, which may exceed 32 bits and doesn't change when the type is renamed.
    public var serverID: Int64?
    /// The name, which every type has.
    public var name: String
    /// The purpose of the type.
    public var description: String?
    /// The name of the color, such as `red`.
    public var color: String?
    /// Whether the type can be assigned to issues; nil if the server doesn't send it.
    public var isEnabled: Bool?

    /// Creates a type.
    public init(
      serverID: Int64? = nil, name: String, description: String? = nil, color: String? = nil,
      isEnabled: Bool? = nil
    ) {
      self.serverID = serverID
      self.name = name
      self.description = description
      self.color = color
      self.isEnabled = isEnabled
    }

    /// The identity within the organization: the ID on the server, or else the name.
    public var id: GitHub.PropertyID {
      serverID.map { .number($0) } ?? .name(name)
    }
  }
}

extension GitHub.IssueType: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case serverID = "id"
    case name
    case description
    case color
    case isEnabled = "is_enabled"
  }

  /// Decodes a type from an object or, as in requests, from only its name.
  public init(from decoder: any Decoder) throws {
    let container: KeyedDecodingContainer<Field>
    do {
      container = try decoder.container(keyedBy: Field.self)
    } catch DecodingError.typeMismatch {
      self.init(name: try decoder.singleValueContainer().decode(String.self))
      return
    }
    self.init(
      serverID: try container.decodeIfPresent(Int64.self, forKey: .serverID),
      name: try container.decode(String.self, forKey: .name),
      description: try container.decodeIfPresent(String.self, forKey: .description),
      color: try container.decodeIfPresent(String.self, forKey: .color),
      isEnabled: try container.decodeIfPresent(Bool.self, forKey: .isEnabled))
  }

  /// Encodes the known fields, always as an object.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .serverID: serverID
    case .name: name
    case .description: description
    case .color: color
    case .isEnabled: isEnabled
    }
  }
}

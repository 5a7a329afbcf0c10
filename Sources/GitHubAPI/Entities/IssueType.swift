internal import PlatformModules

extension GitHub {
  /// A type of issues, such as `Bug`. An organization defines them for its repositories; a user's have none.
  public struct IssueType: Identifiable, Hashable, Sendable {
    /// The id on the server, which may exceed 32 bits and survives a renaming.
    public var serverID: Int64?
    /// The name, which every type has.
    public var name: String
    /// The purpose of the type.
    public var description: String?
    /// The color as a word, such as `red`.
    public var color: String?
    /// Whether issues can still be given it; nil if the server doesn't send it.
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

    /// Its identity in its organization: the server's id, or else the name.
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

  /// Decodes a type from an object or, as in requests, from its bare name.
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

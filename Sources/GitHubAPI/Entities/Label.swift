extension GitHub {
  /// The identity of a label or a milestone within its repository. A name isn't sufficient, because it can change, and
  /// names aren't unique on all servers.
  public enum PropertyID: Hashable, Sendable, Codable {
    /// The ID on the server.
    case number(Int64)
    /// The name or title, if the server doesn't send an ID.
    case name(String)
  }

  /// A label of an issue.
  public struct Label: Identifiable, Hashable, Sendable {
    /// The ID on the server, which may exceed 32 bits and doesn't change when the label is renamed.
    public var serverID: Int64?
    /// The name, which every label has.
    public var name: String
    /// The color as six hexadecimal digits without a `#`.
    public var color: String?
    /// The purpose of the label.
    public var description: String?

    /// Creates a label.
    public init(
      serverID: Int64? = nil, name: String, color: String? = nil, description: String? = nil
    ) {
      self.serverID = serverID
      self.name = name
      self.color = color
      self.description = description
    }

    /// The identity within the repository: the ID on the server, or else the name (as in a list from a mirror).
    public var id: GitHub.PropertyID {
      serverID.map { .number($0) } ?? .name(name)
    }
  }
}

extension GitHub.Label: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case serverID = "id"
    case name
    case color
    case description
  }

  /// Decodes a label from an object or, as the API description allows, from only its name.
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
      serverID: try container.decodeIfPresent(Int64.self, forKey: .serverID),
      name: try container.decode(String.self, forKey: .name),
      color: color.map(Self.digits),
      description: try container.decodeIfPresent(String.self, forKey: .description))
  }

  /// Removes the `#`, because GitHub doesn't send or accept it.
  static func digits(_ color: String) -> String {
    String(color.unicodeScalars.drop { $0 == "#" })
  }

  /// Encodes the known fields, always as an object.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .serverID: serverID
    case .name: name
    case .color: color
    case .description: description
    }
  }
}

/// A label to create in a repository: the body of ``GitHub/createLabel(repositoryFullName:label:)``.
public struct NewLabel: Hashable, Sendable {
  /// The name, which must be unique regardless of letter case.
  public var name: String
  /// The color as six hexadecimal digits with or without a `#`; nil for GitHub's gray. The `#` isn't encoded.
  public var color: String?
  /// The purpose, with at most 100 characters.
  public var description: String?

  /// Creates a request for a label.
  public init(name: String, color: String? = nil, description: String? = nil) {
    self.name = name
    self.color = color
    self.description = description
  }
}

/// Changes to a label: the body of ``GitHub/editLabel(repositoryFullName:name:edit:)``. Nil keeps a field unchanged.
public struct LabelEdit: Hashable, Sendable {
  /// The new name.
  public var newName: String?
  /// The new color as six hexadecimal digits with or without a `#`. The `#` isn't encoded.
  public var color: String?
  /// The new purpose, with at most 100 characters.
  public var description: String?
  /// Whether the label is archived, which Forgejo and Gitea change to false if it isn't sent.
  package var isArchived: Bool?

  /// Creates changes.
  public init(newName: String? = nil, color: String? = nil, description: String? = nil) {
    self.newName = newName
    self.color = color
    self.description = description
  }
}

extension NewLabel: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case name
    case color
    case description
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      color: try container.decodeIfPresent(String.self, forKey: .color),
      description: try container.decodeIfPresent(String.self, forKey: .description))
  }

  /// Encodes the given fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .name: name
    case .color: color.map(GitHub.Label.digits)
    case .description: description
    }
  }
}

extension LabelEdit: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case newName = "new_name"
    case color
    case description
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      newName: try container.decodeIfPresent(String.self, forKey: .newName),
      color: try container.decodeIfPresent(String.self, forKey: .color),
      description: try container.decodeIfPresent(String.self, forKey: .description))
  }

  /// Encodes the fields that change.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .newName: newName
    case .color: color.map(GitHub.Label.digits)
    case .description: description
    }
  }
}

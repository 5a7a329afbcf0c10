internal import PlatformModules

extension GitHub {
  /// A field that an organization defines for the issues of its repositories, such as `Priority`.
  public struct IssueField: Identifiable, Hashable, Sendable {
    /// The kind of a field's values. Unknown kinds keep the server's spelling.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
      /// The REST API's spelling.
      public let rawValue: String

      /// Creates a kind from the REST API's spelling.
      public init(rawValue: String) {
        self.rawValue = rawValue
      }

      /// Any text.
      public static let text = Kind(rawValue: "text")
      /// A number.
      public static let number = Kind(rawValue: "number")
      /// A day, as in `2026-12-31`.
      public static let date = Kind(rawValue: "date")
      /// One of the options.
      public static let singleSelect = Kind(rawValue: "single_select")
      /// Some of the options.
      public static let multiSelect = Kind(rawValue: "multi_select")
    }

    /// The ID on the server.
    public var id: Int64
    /// The name.
    public var name: String
    /// The kind of the field's values.
    public var kind: Kind
    /// The names of the options to select from.
    public var options: [String]

    /// Creates a field.
    public init(id: Int64, name: String, kind: Kind, options: [String] = []) {
      self.id = id
      self.name = name
      self.kind = kind
      self.options = options
    }
  }

  /// The value of a field of an issue.
  public struct IssueFieldValue: Hashable, Sendable {
    /// The ID of the field on the server.
    public var fieldID: Int64
    /// The name of the field; nil if the server doesn't send it.
    public var name: String?
    /// The kind of the field's values.
    public var kind: IssueField.Kind
    /// The value; nil if it can't be decoded.
    public var content: IssueFieldContent?

    /// Creates a value.
    public init(
      fieldID: Int64, name: String? = nil, kind: IssueField.Kind, content: IssueFieldContent?
    ) {
      self.fieldID = fieldID
      self.name = name
      self.kind = kind
      self.content = content
    }
  }

  /// The content of a field.
  public enum IssueFieldContent: Hashable, Sendable {
    /// Text, a day, or the selected option.
    case text(String)
    /// A number.
    case number(Double)
    /// The selected options.
    case options([String])
  }

  /// A new value for a field.
  public struct NewFieldValue: Hashable, Sendable {
    /// The ID of the field.
    public var fieldID: Int64
    /// The value.
    public var content: IssueFieldContent

    /// Creates a value.
    public init(fieldID: Int64, content: IssueFieldContent) {
      self.fieldID = fieldID
      self.content = content
    }
  }
}

extension GitHub.IssueFieldContent: Codable, CustomStringConvertible {
  /// The value as a user would type it. Options are separated by commas.
  public var description: String {
    switch self {
    case .text(let text): text
    case .number(let number):
      // Writes 3 instead of 3.0.
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .options(let options): options.joined(separator: ", ")
    }
  }

  /// Decodes a string, a number or an array of strings.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .options(try container.decode([String].self))
    }
  }

  /// Encodes the value itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .options(let options): try container.encode(options)
    }
  }
}

extension GitHub.IssueField: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case name
    case kind = "data_type"
    case options
  }

  private struct Option: Codable {
    var name: String
  }

  /// Decodes a field. Only the ID, the name and the data type are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let options = try container.decodeIfPresent([Option].self, forKey: .options) ?? []
    self.init(
      id: try container.decode(Int64.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      kind: try container.decode(Kind.self, forKey: .kind), options: options.map(\.name))
  }

  /// Encodes the known members.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    if !options.isEmpty {
      try container.encode(options.map(Option.init(name:)), forKey: .options)
    }
  }
}

extension GitHub.IssueFieldValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case fieldID = "issue_field_id"
    case name = "issue_field_name"
    case kind = "data_type"
    case content = "value"
    case option = "single_select_option"
    case options = "multi_select_options"
  }

  private struct Option: Codable {
    var name: String
  }

  /// Decodes a value. GitHub sends the names of options separately, because the value may be their IDs.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func extra<Value: Decodable>(_ key: CodingKeys) -> Value? {
      (try? container.decodeIfPresent(Value.self, forKey: key)) ?? nil
    }
    let option: Option? = extra(.option)
    let options: [Option]? = extra(.options)
    let content: GitHub.IssueFieldContent? =
      if let options { .options(options.map(\.name)) } else if let option {
        .text(option.name)
      } else { extra(.content) }
    self.init(
      fieldID: try container.decode(Int64.self, forKey: .fieldID), name: extra(.name),
      kind: try container.decode(GitHub.IssueField.Kind.self, forKey: .kind), content: content)
  }

  /// Encodes the known members in GitHub's format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fieldID, forKey: .fieldID)
    try container.encodeIfPresent(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.encode(content, forKey: .content)
    switch content {
    case .options(let options):
      try container.encode(options.map(Option.init(name:)), forKey: .options)
    case .text(let name) where kind == .singleSelect:
      try container.encode(Option(name: name), forKey: .option)
    default: break
    }
  }
}

extension GitHub.IssueFieldValue {
  /// The text `Priority=High`; nil without a name or a value.
  package var assignment: String? {
    guard let name, let content else { return nil }
    return "\(name)=\(content)"
  }
}

extension GitHub.NewFieldValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case fieldID = "field_id"
    case content = "value"
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fieldID: try container.decode(Int64.self, forKey: .fieldID),
      content: try container.decode(GitHub.IssueFieldContent.self, forKey: .content))
  }

  /// Encodes the value as in a request.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fieldID, forKey: .fieldID)
    try container.encode(content, forKey: .content)
  }
}

/// An issue to create: the body of ``GitHub/createIssue(repositoryFullName:issue:)``.
///
/// Anybody who can read the repository may create issues. From callers without push access GitHub drops labels,
/// assignees, milestone and type without an error
/// (<https://docs.github.com/en/rest/issues/issues#create-an-issue>).
public struct NewIssue: Hashable, Sendable {
  /// The title, at most 256 characters.
  public var title: String
  /// The text in Markdown, at most 65,536 characters; nil for none.
  public var body: String?
  /// The names of labels. GitHub creates a label that the repository hasn't got.
  public var labels: [String]
  /// The logins of at most ten people. GitHub refuses the issue if it knows no such login.
  public var assignees: [String]
  /// The number of a milestone, not its title.
  public var milestone: Int?
  /// The name of one of the organization's issue types.
  public var type: String?

  /// Creates a request for an issue.
  public init(
    title: String, body: String? = nil, labels: [String] = [], assignees: [String] = [],
    milestone: Int? = nil, type: String? = nil
  ) {
    self.title = title
    self.body = body
    self.labels = labels
    self.assignees = assignees
    self.milestone = milestone
    self.type = type
  }
}

extension NewIssue: FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case title
    case body
    case labels
    case assignees
    case milestone
    case type
  }

  /// Encodes what was given.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .title: title
    case .body: body
    case .labels: labels.isEmpty ? nil : labels
    case .assignees: assignees.isEmpty ? nil : assignees
    case .milestone: milestone
    case .type: type
    }
  }
}

extension NewIssue: Decodable {
  /// Decodes what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      title: try container.decode(String.self, forKey: .title),
      body: try container.decodeIfPresent(String.self, forKey: .body),
      labels: try container.decodeIfPresent([String].self, forKey: .labels) ?? [],
      assignees: try container.decodeIfPresent([String].self, forKey: .assignees) ?? [],
      milestone: try container.decodeIfPresent(Int.self, forKey: .milestone),
      type: try container.decodeIfPresent(String.self, forKey: .type))
  }
}

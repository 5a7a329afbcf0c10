public import PlatformModules

extension GitHub {
  /// A milestone for issues.
  public struct Milestone: Identifiable, Hashable, Sendable {
    /// The ID on the server, which may exceed 32 bits and doesn't change when the milestone is renamed.
    public var serverID: Int64?
    /// The number within its repository, which filters use. Forgejo and Gitea don't number milestones, and use the ID.
    public var number: Int?
    /// The title, which every milestone has.
    public var title: String
    /// The description.
    public var description: String?
    /// The state.
    public var state: IssueState?
    /// The number of open issues and pull requests.
    public var openIssuesCount: Int?
    /// The number of closed issues and pull requests.
    public var closedIssuesCount: Int?
    /// The due date.
    public var dueOn: Date?
    /// The time when the milestone was created.
    public var createdAt: Date?
    /// The time of the last change.
    public var updatedAt: Date?
    /// The time when the milestone was closed.
    public var closedAt: Date?
    /// The URL of the milestone's page.
    public var htmlURL: String?

    /// Creates a milestone.
    public init(
      serverID: Int64? = nil, number: Int? = nil, title: String, description: String? = nil,
      state: IssueState? = nil, openIssuesCount: Int? = nil, closedIssuesCount: Int? = nil,
      dueOn: Date? = nil, createdAt: Date? = nil, updatedAt: Date? = nil, closedAt: Date? = nil,
      htmlURL: String? = nil
    ) {
      self.serverID = serverID
      self.number = number
      self.title = title
      self.description = description
      self.state = state
      self.openIssuesCount = openIssuesCount
      self.closedIssuesCount = closedIssuesCount
      self.dueOn = dueOn
      self.createdAt = createdAt
      self.updatedAt = updatedAt
      self.closedAt = closedAt
      self.htmlURL = htmlURL
    }

    /// The identity within the repository: the ID on the server, or else the title (as in a list from a mirror).
    public var id: GitHub.PropertyID {
      serverID.map { .number($0) } ?? .name(title)
    }
  }
}

extension GitHub.Milestone: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case serverID = "id"
    case number
    case title
    case description
    case state
    case openIssuesCount = "open_issues"
    case closedIssuesCount = "closed_issues"
    case dueOn = "due_on"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case closedAt = "closed_at"
    case htmlURL = "html_url"
  }

  /// Decodes a milestone. Only the title is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    serverID = try container.decodeIfPresent(Int64.self, forKey: .serverID)
    number =
      try container.decodeIfPresent(Int.self, forKey: .number)
      ?? serverID.flatMap { Int(exactly: $0) }
    title = try container.decode(String.self, forKey: .title)
    description = try container.decodeIfPresent(String.self, forKey: .description)
    state = try container.decodeIfPresent(IssueState.self, forKey: .state)
    openIssuesCount = try container.decodeCountIfPresent(forKey: .openIssuesCount)
    closedIssuesCount = try container.decodeCountIfPresent(forKey: .closedIssuesCount)
    dueOn = try container.decodeTimestampIfPresent(forKey: .dueOn)
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    closedAt = try container.decodeTimestampIfPresent(forKey: .closedAt)
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .serverID: serverID
    case .number: number
    case .title: title
    case .description: description
    case .state: state
    case .openIssuesCount: openIssuesCount
    case .closedIssuesCount: closedIssuesCount
    case .dueOn: dueOn.map(Timestamp.string(from:))
    case .createdAt: createdAt.map(Timestamp.string(from:))
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    case .closedAt: closedAt.map(Timestamp.string(from:))
    case .htmlURL: htmlURL
    }
  }
}

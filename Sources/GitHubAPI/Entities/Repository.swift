public import PlatformModules

extension GitHub {
  /// A repository.
  public struct Repository: Identifiable, Hashable, Sendable {
    /// The ID, which may exceed 32 bits and doesn't change when the repository is renamed.
    public var id: Int64
    /// The full name `owner/name` in the server's spelling.
    public var fullName: String
    /// The name without the owner.
    public var name: String
    /// The owner.
    public var owner: GitHub.User?
    /// The description.
    public var description: String?
    /// Whether only members can see the repository.
    public var isPrivate: Bool
    /// Whether the repository is a fork.
    public var isFork: Bool
    /// Whether the repository is read-only.
    public var isArchived: Bool
    /// The visibility: `public`, `private` or `internal`.
    public var visibility: String?
    /// Whether issues are enabled; true if the server doesn't send it.
    public var hasIssues: Bool
    /// The URL of the repository's page.
    public var htmlURL: String?
    /// The main language; nil or empty for an empty repository.
    public var language: String?
    /// The default branch, which a clone checks out.
    public var defaultBranch: String?
    /// The topics.
    public var topics: [String]
    /// The number of stars.
    public var stargazersCount: Int?
    /// The number of forks.
    public var forksCount: Int?
    /// The number of open issues **and pull requests**.
    public var openIssuesCount: Int?
    /// The time when the repository was created.
    public var createdAt: Date?
    /// The time of the last change to the repository's metadata, not to its content.
    public var updatedAt: Date?
    /// The time of the last push; nil for an empty repository.
    public var pushedAt: Date?

    /// Creates a repository. By default, the name is the part of the full name after the slash.
    public init(
      id: Int64, fullName: String, name: String? = nil, owner: GitHub.User? = nil,
      description: String? = nil, isPrivate: Bool = false, isFork: Bool = false,
      isArchived: Bool = false, visibility: String? = nil, hasIssues: Bool = true,
      htmlURL: String? = nil, language: String? = nil, defaultBranch: String? = nil,
      topics: [String] = [], stargazersCount: Int? = nil, forksCount: Int? = nil,
      openIssuesCount: Int? = nil, createdAt: Date? = nil, updatedAt: Date? = nil,
      pushedAt: Date? = nil
    ) {
      self.id = id
      self.fullName = fullName
      self.name = name ?? Self.name(ofFullName: fullName)
      self.owner = owner
      self.description = description
      self.isPrivate = isPrivate
      self.isFork = isFork
      self.isArchived = isArchived
      self.visibility = visibility
      self.hasIssues = hasIssues
      self.htmlURL = htmlURL
      self.language = language
      self.defaultBranch = defaultBranch
      self.topics = topics
      self.stargazersCount = stargazersCount
      self.forksCount = forksCount
      self.openIssuesCount = openIssuesCount
      self.createdAt = createdAt
      self.updatedAt = updatedAt
      self.pushedAt = pushedAt
    }

    static func name(ofFullName fullName: String) -> String {
      fullName.lastIndex(of: "/").map { String(fullName[fullName.index(after: $0)...]) } ?? fullName
    }
  }
}

extension GitHub.Repository: Codable, FieldSelectable {
  /// A field of a repository. Its name is that of the property, and its raw value is the REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The ID.
    case id
    /// The full name `owner/name` in the server's spelling.
    case fullName = "full_name"
    /// The name without the owner.
    case name
    /// The owner.
    case owner
    /// The description.
    case description
    /// Whether only members can see the repository.
    case isPrivate = "private"
    /// Whether the repository is a fork.
    case isFork = "fork"
    /// Whether the repository is read-only.
    case isArchived = "archived"
    /// The visibility.
    case visibility
    /// Whether issues are enabled.
    case hasIssues = "has_issues"
    /// The URL of the repository's page.
    case htmlURL = "html_url"
    /// The main language.
    case language
    /// The default branch.
    case defaultBranch = "default_branch"
    /// The topics.
    case topics
    /// The number of stars.
    case stargazersCount = "stargazers_count"
    /// The number of forks.
    case forksCount = "forks_count"
    /// The number of open issues and pull requests.
    case openIssuesCount = "open_issues_count"
    /// The time when the repository was created.
    case createdAt = "created_at"
    /// The time of the last change to the repository's metadata, not to its content.
    case updatedAt = "updated_at"
    /// The time of the last push.
    case pushedAt = "pushed_at"

    /// The REST key.
    public var description: String { rawValue }
  }

  /// Keys of Forgejo and Gitea.
  private enum OtherKeys: String, CodingKey {
    case openPullRequestsCount = "open_pr_counter"
    case starsCount = "stars_count"
  }

  /// Decodes a repository. Only the ID and the full name are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    id = try container.decode(Int64.self, forKey: .id)
    fullName = try container.decode(String.self, forKey: .fullName)
    name =
      try container.decodeIfPresent(String.self, forKey: .name)
      ?? Self.name(ofFullName: fullName)
    owner = try container.decodeIfPresent(GitHub.User.self, forKey: .owner)
    description = try container.decodeIfPresent(String.self, forKey: .description)
    isPrivate = try container.decodeIfPresent(Bool.self, forKey: .isPrivate) ?? false
    isFork = try container.decodeIfPresent(Bool.self, forKey: .isFork) ?? false
    isArchived = try container.decodeIfPresent(Bool.self, forKey: .isArchived) ?? false
    visibility = try container.decodeIfPresent(String.self, forKey: .visibility)
    hasIssues = try container.decodeIfPresent(Bool.self, forKey: .hasIssues) ?? true
    htmlURL = try container.decodeIfPresent(String.self, forKey: .htmlURL)
    language = try container.decodeIfPresent(String.self, forKey: .language)
    defaultBranch = try container.decodeIfPresent(String.self, forKey: .defaultBranch)
    topics = try container.decodeIfPresent([String].self, forKey: .topics) ?? []
    let others = try decoder.container(keyedBy: OtherKeys.self)
    stargazersCount =
      try container.decodeIfPresent(Int.self, forKey: .stargazersCount)
      ?? others.decodeIfPresent(Int.self, forKey: .starsCount)
    forksCount = try container.decodeIfPresent(Int.self, forKey: .forksCount)
    openIssuesCount = try container.decodeCountIfPresent(forKey: .openIssuesCount)
    if let openIssuesCount {
      // Forgejo and Gitea count pull requests separately.
      let pullRequests = try others.decodeCountIfPresent(forKey: .openPullRequestsCount) ?? 0
      self.openIssuesCount = openIssuesCount + pullRequests
    }
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    pushedAt = try container.decodeTimestampIfPresent(forKey: .pushedAt)
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// Returns an encodable selection of the repository's fields. Unknown values are encoded as null.
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .id: id
    case .fullName: fullName
    case .name: name
    case .owner: owner
    case .description: description
    case .isPrivate: isPrivate
    case .isFork: isFork
    case .isArchived: isArchived
    case .visibility: visibility
    case .hasIssues: hasIssues
    case .htmlURL: htmlURL
    case .language: language
    case .defaultBranch: defaultBranch
    case .topics: topics
    case .stargazersCount: stargazersCount
    case .forksCount: forksCount
    case .openIssuesCount: openIssuesCount
    case .createdAt: createdAt.map(Timestamp.string(from:))
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    case .pushedAt: pushedAt.map(Timestamp.string(from:))
    }
  }
}

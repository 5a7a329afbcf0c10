#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Repository: Codable, FieldSelectable {
  /// A field of a repository, by its REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// ``Repository/id``.
    case id
    /// ``Repository/fullName``.
    case fullName = "full_name"
    /// ``Repository/name``.
    case name
    /// ``Repository/owner``.
    case owner
    /// ``Repository/description``.
    case description
    /// ``Repository/isPrivate``.
    case isPrivate = "private"
    /// ``Repository/isFork``.
    case isFork = "fork"
    /// ``Repository/isArchived``.
    case isArchived = "archived"
    /// ``Repository/visibility``.
    case visibility
    /// ``Repository/hasIssues``.
    case hasIssues = "has_issues"
    /// ``Repository/htmlURL``.
    case htmlURL = "html_url"
    /// ``Repository/language``.
    case language
    /// ``Repository/defaultBranch``.
    case defaultBranch = "default_branch"
    /// ``Repository/topics``.
    case topics
    /// ``Repository/stargazersCount``.
    case stargazersCount = "stargazers_count"
    /// ``Repository/forksCount``.
    case forksCount = "forks_count"
    /// ``Repository/openIssuesCount``.
    case openIssuesCount = "open_issues_count"
    /// ``Repository/createdAt``.
    case createdAt = "created_at"
    /// ``Repository/updatedAt``.
    case updatedAt = "updated_at"
    /// ``Repository/pushedAt``.
    case pushedAt = "pushed_at"
  }

  /// Decodes a repository, of which only the id and the full name are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    id = try container.decode(Int64.self, forKey: .id)
    fullName = try container.decode(String.self, forKey: .fullName)
    name =
      try container.decodeIfPresent(String.self, forKey: .name)
      ?? Self.name(ofFullName: fullName)
    owner = try container.decodeIfPresent(User.self, forKey: .owner)
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
    stargazersCount = try container.decodeIfPresent(Int.self, forKey: .stargazersCount)
    forksCount = try container.decodeIfPresent(Int.self, forKey: .forksCount)
    openIssuesCount = try container.decodeIfPresent(Int.self, forKey: .openIssuesCount)
    createdAt = try container.decodeTimestampIfPresent(forKey: .createdAt)
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    pushedAt = try container.decodeTimestampIfPresent(forKey: .pushedAt)
  }

  /// Encodes what is known.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// The repository reduced to some fields, which encode as null where nothing is known.
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

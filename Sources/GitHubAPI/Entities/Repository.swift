#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository.
public struct Repository: Identifiable, Hashable, Sendable {
  /// The repository's id, which may exceed 32 bits and survives a renaming.
  public var id: Int64
  /// `owner/name` as the server spells it.
  public var fullName: String
  /// The name without the owner.
  public var name: String
  /// Who owns it.
  public var owner: User?
  /// What it is about.
  public var description: String?
  /// Whether only members see it.
  public var isPrivate: Bool
  /// Whether it was forked from another.
  public var isFork: Bool
  /// Whether it is read-only.
  public var isArchived: Bool
  /// `public`, `private` or `internal`.
  public var visibility: String?
  /// Whether issues are enabled; taken as true where the server doesn't say.
  public var hasIssues: Bool
  /// Its page.
  public var htmlURL: String?
  /// The language most of it is written in; an empty repository has nil, or an empty string.
  public var language: String?
  /// The branch a clone begins with.
  public var defaultBranch: String?
  /// What it is tagged with.
  public var topics: [String]
  /// How many starred it.
  public var stargazersCount: Int?
  /// How often it was forked.
  public var forksCount: Int?
  /// How many issues **and pull requests** are open.
  public var openIssuesCount: Int?
  /// When it was created.
  public var createdAt: Date?
  /// When its description, not its content, last changed.
  public var updatedAt: Date?
  /// When somebody last pushed to it; nil for an empty one.
  public var pushedAt: Date?

  /// Makes a repository.
  ///
  /// The name is by default what follows the slash of the full name.
  public init(
    id: Int64, fullName: String, name: String? = nil, owner: User? = nil,
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

public import PlatformModules

/// A token's permissions in a repository, from the lookup of the repository.
public struct RepositoryPermissions: Hashable, Sendable {
  /// Whether everything is allowed.
  public var admin: Bool
  /// Whether everything is allowed except destructive and disclosing actions.
  public var maintain: Bool
  /// Whether pushing is allowed. Otherwise GitHub drops labels, assignees, milestone and type of a new issue.
  public var push: Bool
  /// Whether closing and labeling the issues of others is allowed.
  public var triage: Bool
  /// Whether reading is allowed.
  public var pull: Bool

  /// Creates permissions.
  public init(
    admin: Bool = false, maintain: Bool = false, push: Bool = false, triage: Bool = false,
    pull: Bool = true
  ) {
    self.admin = admin
    self.maintain = maintain
    self.push = push
    self.triage = triage
    self.pull = pull
  }

  /// Reads the permissions in a repository's JSON, the response to ``GitHub/repo(fullName:)``; nil if the server sends
  /// none, as in the response to a request without a token.
  public static func told(in json: Data) -> RepositoryPermissions? {
    (try? GitHubJSON.decode(Holder.self, from: json))?.permissions
  }

  private struct Holder: Decodable {
    var permissions: RepositoryPermissions?
  }
}

extension RepositoryPermissions: Codable {
  private enum CodingKeys: String, CodingKey {
    case admin, maintain, push, triage, pull
  }

  /// Decodes permissions. A missing one isn't granted.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func allows(_ key: CodingKeys) throws -> Bool {
      try container.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    self.init(
      admin: try allows(.admin), maintain: try allows(.maintain), push: try allows(.push),
      triage: try allows(.triage), pull: try allows(.pull))
  }
}
